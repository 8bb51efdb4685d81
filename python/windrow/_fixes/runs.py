"""Runs of a model before and after windrow.fix()."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from windrow._base.errors import Error, IndexOutOfRange, OperatorWarning, Unsupported
from windrow._base.progress import step
from windrow._base.text import counted
from windrow._fixes.inputs import Sample
from windrow._fixes.results import FixResult, FixVerification
from windrow._models.model import Model
from windrow.runners._closeness import find_distance
from windrow.runners._compare import same
from windrow.runners._hosts import runners
from windrow.runners._requests import ModelFile, ModelRun
from windrow.runners._runner import Runner

Inputs = Mapping[str, Any]

_PROCESSES = 2
HOSTS = ("onnxruntime", "openvino")
_HOST_RUNS = 3  # the drawn runs of each host with its own operators, each of which is a process
# Failures that are not caused by the model.
_CANNOT_RUN = ("not installed", "can't be asked")


@dataclass(frozen=True)
class Ran:
    """The result of a run: outputs in the model's order, or None and the text of the error."""

    outputs: list[Any] | None
    message: str = ""
    is_index_error: bool = False


@dataclass(frozen=True)
class _Expected:
    """Windrow's results for samples before and after a change. rounds: whether the change may round floats otherwise."""

    samples: list[Sample]
    before: list[Ran]
    after: list[Ran]
    rounds: bool


def verify(
    before: Model, result: FixResult, samples: Sequence[Sample], hosts: Sequence[str] | None
) -> Iterator[FixVerification]:
    """Runs the models in Windrow, then in hosts."""
    keeps_errors = all(change.safe or change.rounds for change in result.applied)
    rounds = any(change.rounds for change in result.applied)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, model in (("before", before), ("after", result.model)):
            path = Path(folder, name + (".xml" if model.dialect == "openvino" else ".onnx"))
            model.save(path)
            files.append(ModelFile.of(path))
        expected, _ = _run_windrow(before, files[0], samples)
        got, is_exact = _run_windrow(result.model, files[1], samples, files[0])
        yield _compare_in_windrow(samples, expected, got, keeps_errors, is_exact, rounds)
        shown = _shown(samples, expected, got)
        if not shown:
            return
        compared = _Expected(
            [samples[n] for n in shown], [expected[n] for n in shown], [got[n] for n in shown], rounds
        )
        for host in runners():
            wanted = host.name in (HOSTS if hosts is None else hosts)
            if wanted and files[0].format in host.formats and not host.fault():
                yield _compare_in(host, files, compared)


def _compare_in_windrow(
    samples: Sequence[Sample], before: Sequence[Ran], after: Sequence[Ran], keeps_errors: bool, is_exact: bool, rounds: bool
) -> FixVerification:
    """keeps_errors: no value may take the place of an error. is_exact: all results are Windrow's. rounds: as for Tally."""
    tally = Tally("windrow", samples, rounds)
    # A safe change may give a result if the node itself was refused, but not if its values were.
    runs_at_all = any(run.outputs is not None for run in before)
    for number, (old, new) in enumerate(zip(before, after)):
        if old.outputs is None and new.outputs is not None and is_exact:
            tally.add_gained(number, old, keeps_errors and (old.is_index_error or runs_at_all))
        else:
            tally.add_equal(number, old, new)
    return tally.of_windrow(before)


def _shown(samples: Sequence[Sample], before: Sequence[Ran], after: Sequence[Ran]) -> list[int]:
    """The runs to repeat in hosts: a few drawn ones that give results, and those made for a rule."""
    drawn = [n for n, ran in enumerate(before) if ran.outputs is not None and not samples[n].rule][:_HOST_RUNS]
    made = [n for n, ran in enumerate(after) if ran.outputs is not None and samples[n].rule]
    return [*drawn, *made]


def _run_windrow(
    model: Model, file: ModelFile, samples: Sequence[Sample], before: ModelFile | None = None
) -> tuple[list[Ran], bool]:
    """The runs with Windrow's operators or, if no host takes them, with a host's own; and whether they are Windrow's.

    before: another file; a host that runs nothing of `file` counts only if it runs this one.
    """
    if not model.unsupported():
        return [_run_here(model, sample.inputs) for sample in samples], True
    refusals = []
    inputs = [sample.inputs for sample in samples]
    for inside in (True, False):
        for host in runners():
            if file.format not in (host.takes_windrow if inside else host.formats) or host.name == "windrow":
                continue
            ran, refusal = run_in(host, file, inputs, inside)
            if not refusal and before is not None and not any(run.outputs is not None for run in ran):
                others, refusal = run_in(host, before, inputs, inside)
                if not refusal and not any(run.outputs is not None for run in others):
                    refusal = others[0].message
            if not refusal:
                return ran, inside
            refusals.append(refusal)
    raise Unsupported(f"the change cannot be verified: {'; '.join(refusals)}")


def _run_here(model: Model, sample: Inputs) -> Ran:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatorWarning)
            return Ran(list(model.run(sample, host=False).values()))
    except Error as error:
        return Ran(None, str(error), isinstance(error, IndexOutOfRange))


def run_in(host: Runner, file: ModelFile, samples: Sequence[Inputs], inside: bool) -> tuple[list[Ran], str]:
    """The runs, and why the host can run none; empty if it can."""
    step(f"{host.name} runs the model {counted(len(samples), 'time')}")
    requests = [ModelRun(file, sample, windrow_inside=inside) for sample in samples]
    results = host.run_batch(requests, processes=_PROCESSES)
    failures = [result.failure for result in results if result.failure is not None]
    if failures and len(failures) == len(results) and failures[0].kind in _CANNOT_RUN:
        return [], failures[0].message
    return [
        Ran(None, f"{result.failure.kind}: {result.failure.message}")
        if result.failure is not None
        else Ran(list((result.outputs or {}).values()))
        for result in results
    ], ""


def _compare_in(host: Runner, files: list[ModelFile], expected: _Expected) -> FixVerification:
    """Runs in a host with its own operators."""
    inputs = [sample.inputs for sample in expected.samples]
    runs = []
    for file, when in zip(files, ("before", "after")):
        ran, refusal = run_in(host, file, inputs, False)
        if refusal:
            why = f"no run: the model {when} the change can't be run: {refusal}"
            return FixVerification(host.name, 0, len(inputs), 0, 0, "", (why,), True)
        runs.append(ran)
    tally = Tally(host.name, expected.samples, expected.rounds)
    for number, both in enumerate(zip(*runs)):
        tally.add_host(number, both, (expected.before[number], expected.after[number]))
    return tally.verification()


class Tally:
    """Counts what the runs in one host say of a change. rounds: whether it may round floats otherwise."""

    def __init__(self, host: str, samples: Sequence[Sample], rounds: bool = False) -> None:
        self._host, self._samples, self._rounds = host, samples, rounds
        self._equal = self._refused = self._gained = self._repaired = 0
        self._failure = ""
        self._reasons: list[str] = []

    def verification(self) -> FixVerification:
        return FixVerification(
            self._host, self._equal, self._refused, self._gained, self._repaired, self._failure, tuple(self._reasons)
        )

    def of_windrow(self, before: Sequence[Ran]) -> FixVerification:
        """The verification, which fails if no run gave a result."""
        if not self._failure and self._equal + self._gained == 0:
            self._failure = f"no run gave a result: {before[0].message}; give inputs"
        return self.verification()

    def add_gained(self, number: int, old: Ran, keeps_errors: bool) -> None:
        """A run that gives a result after the change only."""
        if keeps_errors:
            self._fail(number, f"gives a result, which was an error: {old.message}")
        else:
            self._gained += 1

    def add_equal(self, number: int, old: Ran, new: Ran) -> None:
        """A run that must give the same bits after the change, if it gave a result before it."""
        if old.outputs is None:
            self._refuse(number, f"ends with an error before the change: {old.message}")
        elif new.outputs is None:
            self._fail(number, f"ends with an error, which it did not: {new.message}")
        elif not same(old.outputs, new.outputs) and not (self._rounds and _is_close(new, old)):
            self._fail(number, f"gives another result: {_difference(old.outputs, new.outputs)}")
        else:
            self._equal += 1

    def add_host(self, number: int, runs: tuple[Ran, Ran], windrow: tuple[Ran, Ran]) -> None:
        """A run before and after the change, beside Windrow's two."""
        old, new = runs
        was_exact, is_exact = (_is_same(ran, right) for ran, right in zip(runs, windrow))
        was_right, is_right = (_is_close(ran, right) for ran, right in zip(runs, windrow))
        if new.outputs is None:
            self._add_error(number, old, new, was_right)
        elif old.outputs is not None and same(old.outputs, new.outputs):
            self._equal += 1
        elif old.outputs is not None and self._rounds and was_right and is_right:
            self._repaired += is_exact and not was_exact
            self._equal += was_exact or not is_exact
        elif old.outputs is not None and (was_exact or was_right and not is_right):
            self._fail(number, f"gives another result: {_difference(old.outputs, new.outputs)}")
        elif is_exact or is_right and not was_right:
            self._repaired += 1
        elif is_right:
            self._refuse(number, "differs from Windrow by rounding before and after the change")
        else:
            self._refuse(number, "gives another result than Windrow after the change")

    def _add_error(self, number: int, old: Ran, new: Ran, was_right: bool) -> None:
        if was_right:
            self._fail(number, f"ends with an error, which it did not: {new.message}")
        elif old.outputs is None:
            self._refuse(number, f"ends with an error before and after the change: {new.message}")
        else:
            self._refuse(number, f"ends with an error, where it gave another result than Windrow: {new.message}")

    def _told(self, number: int) -> str:
        return f"run {number + 1} ({self._samples[number].what})"

    def _refuse(self, number: int, why: str) -> None:
        self._refused += 1
        self._reasons.append(f"{self._told(number)} {why}")

    def _fail(self, number: int, why: str) -> None:
        self._failure = self._failure or f"{self._told(number)} {why}"


def _is_same(ran: Ran, expected: Ran) -> bool:
    return ran.outputs is not None and same(ran.outputs, expected.outputs)


def _is_close(ran: Ran, expected: Ran) -> bool:
    """Whether a host's outputs are Windrow's, except for rounding."""
    if ran.outputs is None or expected.outputs is None or len(ran.outputs) != len(expected.outputs):
        return False
    return all(
        same([got], [right]) or ((distance := find_distance(right, got)) is not None and distance.rounding)
        for got, right in zip(ran.outputs, expected.outputs)
    )


def _difference(before: list[Any], after: list[Any]) -> str:
    for position, (old, new) in enumerate(zip(before, after)):
        if same(old, new):
            continue
        old, new = np.asarray(old), np.asarray(new)
        if old.shape != new.shape or old.dtype != new.dtype:
            return f"output {position} is {new.dtype}{list(new.shape)}, was {old.dtype}{list(old.shape)}"
        place = tuple(int(axis[0]) for axis in np.nonzero(np.asarray(old != new)))
        return f"output {position} at {list(place)} is {new[place]}, was {old[place]}"
    return "there are other outputs"
