"""The installed hosts that can show what runtimes do, by the names of runtimes in rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from windrow._base.text import printable
from windrow.runners import Failure, Runner, runner
from windrow.runners._requests import Format

_LONGEST_WORDS = 600  # of a failure, in characters
# A requested runtime: name, device and version, of which the last two may be empty.
Target = tuple[str, str, str]

# Names of runtimes in rules, and their runners; those before _EXTRA run without being requested by name.
_RUNNERS = {
    "onnxruntime:cpu": "onnxruntime",
    "openvino:cpu": "openvino",
    "openvino:evaluate": "openvino_evaluate",
    "onnx:reference": "onnx_reference",
}
_BY_DEFAULT = ("onnxruntime:cpu", "openvino:cpu")


@dataclass(frozen=True)
class Host:
    """An installed runtime. runtime: "onnxruntime:cpu". is_target: whether the report is about it."""

    runtime: str
    runner: Runner
    is_target: bool

    @property
    def version(self) -> str:
        return self.runner.versions()[self.runner.package]

    @property
    def name(self) -> str:
        """ "onnxruntime:cpu@1.31.1"."""
        return f"{self.runtime}@{self.version}"


def find_hosts(
    targets: Sequence[Target], format: Format, name: str | None
) -> tuple[list[Host], list[str]]:
    """The hosts that can run models of a format for a check, and notes on those that cannot.

    targets: the runtimes of the report; empty: all. name: the only host to use, as for windrow.runners.runner(),
    whether it is a target or not. Without a name the hosts are the installed targets or, if there are none, the first
    installed host. Raises windrow.ArgumentError for an unknown name.
    """
    if name is not None:
        runner(name)
    hosts: list[Host] = []
    notes: list[str] = []
    others: list[Host] = []
    for runtime, runner_name in _RUNNERS.items():
        versions = _wanted_versions(runtime, targets, by_name=runner_name == name)
        if name is not None and runner_name != name:
            continue
        candidate = runner(runner_name)
        reason = candidate.fault() or candidate.why_not(format)
        host = Host(runtime, candidate, versions is not None)
        if reason:
            if versions is not None:
                notes.append(f"{runtime} does not run here: {reason}")
        elif versions is None:
            others.append(host)
        else:
            hosts.append(host)
            notes += [
                f"{runtime} is requested in version {version}; the installed one, which runs here, is {host.version}"
                for version in versions
                if version and not _is_of(host.version, version)
            ]
    return hosts or others[:1], notes


def _wanted_versions(runtime: str, targets: Sequence[Target], *, by_name: bool) -> list[str] | None:
    """The versions in which a runtime is a target; None if it is not a target, or a target only by its device."""
    if not targets:
        return [""] if by_name or runtime in _BY_DEFAULT else None
    versions = list(_versions_in(targets, *runtime.split(":")))
    return versions or None


def _versions_in(targets: Sequence[Target], name: str, device: str) -> Iterator[str]:
    for target_name, target_device, version in targets:
        is_meant = target_device == device or (not target_device and device != "evaluate")
        if target_name == name and is_meant:
            yield version


def _is_of(installed: str, wanted: str) -> bool:
    """Whether a version such as 1.31.1 belongs to a release such as 1.31."""
    return f"{installed}.".startswith(f"{wanted}.")


def words_of(failure: Failure) -> str:
    """A failure as one printable line, with the host's own words."""
    text = printable(" ".join(str(failure).split()))
    return text if len(text) <= _LONGEST_WORDS else f"{text[:_LONGEST_WORDS]}..."
