"""windrow.fix(): changes a model so that findings of a check no longer apply."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windrow import _core
from windrow._base.errors import ArgumentError, HostError
from windrow._check.api import check
from windrow._check.report import CheckReport
from windrow._fixes.results import FixResult, ModelFix
from windrow._models.model import Model, load, name_of
from windrow._models.source import ModelProto

if TYPE_CHECKING:
    from windrow._fixes.inputs import Sample

Inputs = Mapping[str, Any]


def fix(
    model: Model | str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
    report: CheckReport | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    unsafe: bool = False,
    inputs: Inputs | Sequence[Inputs] | None = None,
    hosts: Sequence[str] | None = None,
    external_data: str | None = None,
    ask_onnx: bool = True,
    folder: str | os.PathLike[str] | None = None,
) -> FixResult:
    """Changes the nodes of a model on which a check has findings, and verifies the changes by runs before and after.

    model, folder: as for check(). report: that of check() on this model; None checks it for every
    runtime. out: the file for the changed model, written by Model.save() with external_data;
    None writes none. unsafe: also makes changes that turn errors into values, including those that
    enforce the report's contracts. inputs: arrays by name for a run, or several such; None draws small
    ones within the contracts, and some that break them. hosts: further hosts in which runs are
    compared; None: every suitable installed one. ask_onnx: as for Model.infer().
    No file is written if nothing was changed. Raises windrow.Error: the errors of load(), check() and
    save(); windrow.HostError if `out` is given and the change is not verified;
    windrow.Unsupported if no host can run the models.
    """
    loaded = model if isinstance(model, Model) else load(model, folder=folder)
    if isinstance(model, Model) and folder is not None:
        raise ArgumentError("folder is for models in memory")
    found = check(loaded, ask_onnx=ask_onnx) if report is None else report
    core, applied, left = _core.fix_model(loaded._core, found, unsafe, loaded._ask(ask_onnx))
    result = FixResult(Model(core), applied, left, ())
    from windrow._fixes.opset import raise_opset

    result = raise_opset(loaded, found, result, hosts, ask_onnx)
    if not result.applied:
        return result
    from windrow._fixes.runs import verify

    samples, notes = _samples(loaded, found, inputs, result.applied)
    runs = verify(loaded, result, samples, hosts)
    result = dataclasses.replace(result, verifications=(*result.verifications, *runs), notes=tuple(notes))
    result = dataclasses.replace(result, unproved=_unproved(found, result))
    if out is None:
        return result
    if result.failure:
        raise HostError(f"{name_of(loaded)} is not written: {result.failure}", "refused")
    result.model.save(out, external_data=external_data)
    return dataclasses.replace(result, model=load(out))


def _samples(
    model: Model, report: CheckReport, given: Inputs | Sequence[Inputs] | None, applied: Sequence[ModelFix]
) -> tuple[list[Sample], list[str]]:
    """The inputs of the runs, and which findings none of them was made for."""
    from windrow._fixes.inputs import drawn_samples, given_samples, provoking_samples

    if given is not None:
        return given_samples(given), []
    drawn = drawn_samples(model, report)
    made, notes = provoking_samples(model, drawn, applied)
    return [*drawn, *made], notes


def _unproved(report: CheckReport, result: FixResult) -> str:
    """Why the changes count for nothing: the hosts that ran and that the findings are about show none of them."""
    done = {(change.rule, change.node) for change in result.applied}
    concerned = {
        runtime.split(":")[0] for found in report.findings if (found.rule, found.node) in done for runtime in found.runtimes
    }
    rows = [row for row in result.verifications if row.host in concerned and not row.cannot_run]
    if not rows or any(row.shows_something for row in rows):
        return ""
    return "; ".join(f"{row.host}: {row.reasons[0] if row.reasons else 'no run'}" for row in rows)
