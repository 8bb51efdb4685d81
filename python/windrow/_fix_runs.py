"""Runs of a model before and after windrow.fix()."""

from __future__ import annotations

import dataclasses
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from windrow._check_fixes import FixResult, FixVerification
from windrow._errors import Error, IndexOutOfRange, OperatorWarning, Unsupported
from windrow._models import Model
from windrow._progress import step
from windrow._text import counted
from windrow.runners._compare import same
from windrow.runners._hosts import runners
from windrow.runners._requests import ModelFile, ModelRun
from windrow.runners._runner import Runner

Inputs = Mapping[str, Any]

_PROCESSES = 2
HOSTS = ("onnxruntime", "openvino")
_HOST_RUNS = 3  # the runs of each host with its own operators, each of which is a process
# Failures that are not caused by the model.
_CANNOT_RUN = ("not installed", "can't be asked")


@dataclass(frozen=True)
class _Ran:
    """The result of a run: outputs in the model's order, or None and the text of the error."""

    outputs: list[Any] | None
    message: str = ""
    is_index_error: bool = False


def verify(
    before: Model, result: FixResult, samples: list[Inputs], hosts: Sequence[str] | None
) -> Iterator[FixVerification]:
    """Runs the models in Windrow, then in hosts."""
    all_safe = all(change.safe for change in result.applied)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, model in (("before", before), ("after", result.model)):
            path = Path(folder, name + (".xml" if model.dialect == "openvino" else ".onnx"))
            model.save(path)
            files.append(ModelFile.of(path))
        expected, _ = _run_windrow(before, files[0], samples)
        got, is_exact = _run_windrow(result.model, files[1], samples, files[0])
        yield compare("windrow", expected, got, all_safe, is_exact)
        shown = [number for number, ran in enumerate(expected) if ran.outputs is not None][:_HOST_RUNS]
        if not shown:
            return
        for host in runners():
            wanted = host.name in (HOSTS if hosts is None else hosts)
            if wanted and files[0].format in host.formats and not host.fault():
                yield _compare_in(host, files, [samples[i] for i in shown], [expected[i] for i in shown])


def _run_windrow(
    model: Model, file: ModelFile, samples: list[Inputs], before: ModelFile | None = None
) -> tuple[list[_Ran], bool]:
    """The runs with Windrow's operators or, if no host takes them, with a host's own; and whether they are Windrow's.

    before: another file; a host that runs nothing of `file` counts only if it runs this one.
    """
    if not model.unsupported():
        return [_run_here(model, sample) for sample in samples], True
    refusals = []
    for inside in (True, False):
        for host in runners():
            if file.format not in (host.takes_windrow if inside else host.formats) or host.name == "windrow":
                continue
            ran, refusal = run_in(host, file, samples, inside)
            if not refusal and before is not None and not any(run.outputs is not None for run in ran):
                others, refusal = run_in(host, before, samples, inside)
                if not refusal and not any(run.outputs is not None for run in others):
                    refusal = others[0].message
            if not refusal:
                return ran, inside
            refusals.append(refusal)
    raise Unsupported(f"the change cannot be verified: {'; '.join(refusals)}")


def _run_here(model: Model, sample: Inputs) -> _Ran:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatorWarning)
            return _Ran(list(model.run(sample, host=False).values()))
    except Error as error:
        return _Ran(None, str(error), isinstance(error, IndexOutOfRange))


def run_in(
    host: Runner, file: ModelFile, samples: list[Inputs], inside: bool
) -> tuple[list[_Ran], str]:
    """The runs, and why the host can run none; empty if it can."""
    step(f"{host.name} runs the model {counted(len(samples), 'time')}")
    requests = [ModelRun(file, sample, windrow_inside=inside) for sample in samples]
    results = host.run_batch(requests, processes=_PROCESSES)
    failures = [result.failure for result in results if result.failure is not None]
    if failures and len(failures) == len(results) and failures[0].kind in _CANNOT_RUN:
        return [], failures[0].message
    return [
        _Ran(None, f"{result.failure.kind}: {result.failure.message}")
        if result.failure is not None
        else _Ran(list((result.outputs or {}).values()))
        for result in results
    ], ""


def _compare_in(
    host: Runner, files: list[ModelFile], samples: list[Inputs], expected: list[_Ran]
) -> FixVerification:
    """Runs in a host with its own operators. A run that differed from Windrow's before the change may still differ."""
    before, refusal = run_in(host, files[0], samples, False)
    if refusal:
        return FixVerification(host.name, 0, len(samples), 0, 0, "")
    after, _ = run_in(host, files[1], samples, False)
    was_right = [_is_same(ran, right) for ran, right in zip(before, expected)]
    repaired = sum(
        not right and _is_same(ran, wanted) for right, ran, wanted in zip(was_right, after, expected)
    )
    agreed = [ran if right else _Ran(None) for ran, right in zip(before, was_right)]
    found = compare(host.name, agreed, after, False, False)
    return dataclasses.replace(found, refused=found.refused - repaired, repaired=repaired)


def _is_same(ran: _Ran, expected: _Ran) -> bool:
    return ran.outputs is not None and same(ran.outputs, expected.outputs)


def compare(
    host: str, before: list[_Ran], after: list[_Ran], all_safe: bool, is_exact: bool
) -> FixVerification:
    """all_safe: whether a value may not take the place of an error. is_exact: whether both are Windrow's."""
    equal = refused = gained = 0
    failure = ""
    for number, (old, new) in enumerate(zip(before, after), 1):
        if old.outputs is None:
            gained += new.outputs is not None and is_exact
            refused += new.outputs is None or not is_exact
            # A safe change may give a result if the node itself was refused, but not if its values were.
            is_of_values = old.is_index_error or any(run.outputs is not None for run in before)
            if new.outputs is not None and is_exact and all_safe and is_of_values:
                failure = failure or f"run {number} gives a result, which was an error: {old.message}"
        elif new.outputs is None:
            failure = failure or f"run {number} ends with an error, which it did not: {new.message}"
        elif not same(old.outputs, new.outputs):
            failure = failure or f"run {number} gives another result: {_difference(old.outputs, new.outputs)}"
        else:
            equal += 1
    if host == "windrow" and not failure and equal + gained == 0:
        failure = f"no run gave a result: {before[0].message}; give inputs"
    return FixVerification(host, equal, refused, gained, 0, failure)


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
