"""windrow.fix(): changes a model so that findings of a check no longer apply."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow import _core
from windrow._check import CheckReport, check, name_of
from windrow._errors import ArgumentError, HostError
from windrow._model_source import ModelProto
from windrow._models import Model, load
from windrow._text import counted

if TYPE_CHECKING:
    from windrow._fix_inputs import Sample

Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class ModelFix:
    """A change of one node for one rule, or the reason why it was not made.

    rule: the label. node: its path in the model before the change. what: what was changed, or why
    nothing was. safe: whether results are equal wherever the specification defines one, errors
    included; an unsafe change gives a value where there was an error or, if rounds, rounds floats otherwise.
    """

    rule: str
    node: str
    what: str
    safe: bool
    rounds: bool = False

    def __str__(self) -> str:
        return f"{self.node}: {self.what} ({self.rule}{'' if self.safe else ', unsafe'})"


@dataclass(frozen=True)
class FixVerification:
    """How runs of a model before and after its change compare.

    host: "windrow": Windrow's operators, here or inside a host; otherwise the name in windrow.runners of
    a host with its own operators. The counts are numbers of runs. equal: the bits are the same, or the numbers nearly so if a change rounds otherwise; NaN is
    equal to NaN. repaired: the host gives Windrow's result after the change, and did not before it.
    gained: there is a value where Windrow gives an error before the change. refused: all others, which
    prove nothing; reasons: a sentence for each of these, with how the inputs were chosen and the host's message.
    failure: why the change is rejected; empty if it is not. cannot_run: whether the host can't be asked at all.
    """

    host: str
    equal: int
    refused: int
    gained: int
    repaired: int
    failure: str
    reasons: tuple[str, ...] = ()

    cannot_run: bool = False

    @property
    def shows_something(self) -> bool:
        """Whether a run speaks for the change and none against it."""
        return not self.failure and self.equal + self.gained + self.repaired > 0

    def __str__(self) -> str:
        counts = [(self.equal, "gave the same bits before and after"), (self.repaired, "gave Windrow's result only after"),
                  (self.gained, "gave a value only after"), (self.refused, "proved nothing")]  # fmt: skip
        told = [f"{counted(count, 'run')} {what}" for count, what in counts if count]
        begin = "verified" if self.shows_something else "not verified"
        end = self.failure or (self.reasons[0] if self.reasons else "")
        return f"{begin} in {self.host}: {', '.join(told) or 'no runs'}" + (f"; {end}" if end else "")


@dataclass(frozen=True)
class FixResult:
    """A changed model. applied, left: the changes made and those not made. verifications: how they were tested.

    notes: the changes whose rules' conditions no run met, and why.
    """

    model: Model
    applied: tuple[ModelFix, ...]
    left: tuple[ModelFix, ...]
    verifications: tuple[FixVerification, ...]
    notes: tuple[str, ...] = ()
    unproved: str = ""

    @property
    def failure(self) -> str:
        """Why the changes are rejected; empty if they are not."""
        return next((f"{row.host}: {row.failure}" for row in self.verifications if row.failure), self.unproved)

    def __str__(self) -> str:
        lines = [str(change) for change in self.applied]
        lines += [f"left: {change}" for change in self.left]
        lines += [str(row) for row in self.verifications]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines + ([f"not verified: {self.failure}"] if self.failure else []))


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
    row = dataclasses.asdict(found)
    core, applied, left = _core.fix_model(loaded._core, row, unsafe, loaded._ask(ask_onnx))
    result = FixResult(
        Model(core), tuple(ModelFix(**each) for each in applied), tuple(ModelFix(**each) for each in left), ()
    )
    from windrow._fix_opset import raise_opset

    result = raise_opset(loaded, found, result, hosts, ask_onnx)
    if not result.applied:
        return result
    from windrow._fix_runs import verify

    samples, notes = _samples(loaded, row, inputs, result.applied)
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
    model: Model, report: dict[str, Any], given: Inputs | Sequence[Inputs] | None, applied: Sequence[ModelFix]
) -> tuple[list[Sample], list[str]]:
    """The inputs of the runs, and which findings none of them was made for."""
    from windrow._fix_inputs import drawn_samples, given_samples, provoking_samples

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
