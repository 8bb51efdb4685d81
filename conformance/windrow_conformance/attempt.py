"""One record in one runtime, in the process that runs it."""

from __future__ import annotations

import gc
import mmap
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .guarded import CANARIES, Access, GuardedInputs, Placement, can_guard, changed_inputs, plain_copies
from .judge import difference_of_runs, find_difference, judge, same
from .outcome import Outcome, Verdict
from .record import Record
from .runtime import Call, Runtime, Unsupported
from .tensor import Tensor

# The memory in bytes that a call may keep without further calls that show whether it always does, and their number.
_MEMORY_NOTED, _MEMORY_CALLS = 4 << 20, 6
# The number of runs after which a runtime's own caches are filled.
_WARM_RUNS = 5
# The number of consecutive series of runs that must all keep memory.
_KEEPING_SERIES = 3
# The number of repetitions that show whether a result which differs between placements also differs by itself.
_REPEATS = 3


@dataclass(frozen=True)
class Way:
    """How the inputs are placed. access: the access allowed to the guards, except that of `but`, which stays closed.
    plain: in NumPy's own memory, without guards.
    """

    access: Access = Access.NONE
    but: tuple[int, Placement] | None = None
    plain: bool = False


# A result, or the error in its place.
_Answer = Tensor | BaseException


def attempt(runtime: Runtime, record: Record, way: Way = Way()) -> Verdict:
    """The verdict on a record, called once for every placement of its inputs. Catches all errors of the runtime."""
    try:
        call = runtime.prepare(record)
    except BaseException as error:
        return replace(_refusal(runtime, record, error), guarded=_is_guarded(runtime, record, way))
    inputs = _Inputs(runtime, record, way)
    before = _resident_bytes()
    verdict = _judged_calls(runtime, record, call, inputs)
    kept = _resident_bytes() - before
    if verdict.outcome is Outcome.PASSED and kept >= _MEMORY_NOTED:
        verdict = _verdict_on_memory(verdict, call, inputs)
    return replace(verdict, guarded=_is_guarded(runtime, record, way))


def attempt_often(runtime: Runtime, record: Record, runs: int, threads: Sequence[int], way: Way = Way()) -> Verdict:
    """The verdict on a recipe: whether all runs on all numbers of threads give the same bytes."""
    counts = threads if runtime.has_threads else threads[:1]
    verdict = _compared_runs(runtime, record, runs, counts, _Inputs(runtime, record, way))
    return replace(verdict, guarded=_is_guarded(runtime, record, way))


def _is_guarded(runtime: Runtime, record: Record, way: Way) -> bool:
    return runtime.is_in_place(record) and not way.plain and all(map(can_guard, record.inputs))


class _Inputs:
    """A record's inputs, in guarded memory if the runtime reads them in place."""

    def __init__(self, runtime: Runtime, record: Record, way: Way) -> None:
        self._tensors = record.inputs
        self.guards = None
        if runtime.is_in_place(record) and not way.plain:
            self.guards = GuardedInputs(record.inputs, runtime.alignment)
            self.guards.allow(way.access, way.but)
        self._given: list[Tensor | None] = []

    def place(self, placement: Placement = Placement.END, canary: int = CANARIES[0]) -> list[Tensor | None]:
        self._given = (
            plain_copies(self._tensors) if self.guards is None else self.guards.place(placement, canary)
        )
        return self._given

    def changed(self) -> str:
        """What the call wrote to the inputs placed last, or beside them."""
        if self.guards is None:
            return changed_inputs(self._tensors, self._given)
        return self.guards.changed(self._given)


def _judged_calls(runtime: Runtime, record: Record, call: Call, inputs: _Inputs) -> Verdict:
    """One call if nothing is guarded; otherwise one for each placement, and more if these differ."""
    placements = [(Placement.END, CANARIES[0]), (Placement.START, CANARIES[1])][: 1 if inputs.guards is None else 2]
    answers = []
    for placement, canary in placements:
        answers.append(_answer(call, inputs.place(placement, canary)))
        changed = inputs.changed()
        if changed:
            return Verdict(record.path, Outcome.FOREIGN_WRITE, f"the call changed {changed}")
    if not _same_answer(answers[0], answers[-1]):
        read = _foreign_read(call, inputs)
        if read:
            return Verdict(record.path, Outcome.FOREIGN_READ, read)
    verdicts = [_verdict(runtime, record, answer) for answer in answers]
    return next((verdict for verdict in verdicts if verdict.outcome is not Outcome.PASSED), verdicts[0])


def _foreign_read(call: Call, inputs: _Inputs) -> str:
    """The source of a result that changes with the canary alone, as a sentence; empty if it does not change."""
    for placement, side in ((Placement.END, "before"), (Placement.START, "after")):
        of_canaries: list[_Answer] = []
        for canary in CANARIES:
            answers = [_answer(call, inputs.place(placement, canary)) for _ in range(_REPEATS)]
            if not all(_same_answer(answers[0], answer) for answer in answers):
                return ""  # it changes by itself
            of_canaries.append(answers[0])
        if not _same_answer(*of_canaries):
            return f"the result changes with the memory {side} the inputs"
    return ""


def _answer(call: Call, inputs: Sequence[Tensor | None]) -> _Answer:
    try:
        got = call(inputs)
        if not isinstance(got, Tensor):
            raise TypeError(f"the runtime's file gave a {type(got).__qualname__}, not a Tensor")
        if not isinstance(got.array, (np.ndarray, np.generic)):
            raise TypeError(f"the runtime's file gave a Tensor of a {type(got.array).__qualname__}, not of an array")
        if got.array.dtype.kind == "O" and not all(isinstance(text, str) for text in got.array.reshape(-1)):
            raise TypeError("the runtime's file gave objects that are not str")
        return Tensor(got.dtype, np.array(got.array, order="C"))
    except BaseException as error:
        # Its frames hold the inputs.
        return error.with_traceback(None)


def _same_answer(first: _Answer, second: _Answer) -> bool:
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return same(first, second)
    return isinstance(first, BaseException) and isinstance(second, BaseException)


def _verdict(runtime: Runtime, record: Record, answer: _Answer) -> Verdict:
    return judge(record, answer) if isinstance(answer, Tensor) else _refusal(runtime, record, answer)


def _refusal(runtime: Runtime, record: Record, error: BaseException) -> Verdict:
    """The verdict on a runtime's error. Any error is right if the call must be refused.

    If the reason is a type, not implementing the type counts as refusing it.
    """
    message = f"{type(error).__name__}: {error}"
    is_wrong_type = record.error_kind == "type" and not isinstance(error, Unsupported)
    if runtime.is_unsupported(error) and not is_wrong_type:
        return Verdict(record.path, Outcome.UNSUPPORTED, message)
    return Verdict(record.path, Outcome.PASSED if record.must_fail else Outcome.REFUSED, message)


def _verdict_on_memory(verdict: Verdict, call: Call, inputs: _Inputs) -> Verdict:
    """Repeats the call: a runtime may keep memory after its first call, but not after every one."""
    given = inputs.place()
    marks = [_resident_bytes()]
    for _ in range(_MEMORY_CALLS):
        _answer(call, given)
        marks.append(_resident_bytes())
    least = min(after - before for before, after in zip(marks, marks[1:]))
    if least < _MEMORY_NOTED // 2:
        return verdict
    return replace(verdict, outcome=Outcome.MEMORY, message=f"every call keeps at least {least} bytes")


def _compared_runs(
    runtime: Runtime, record: Record, runs: int, threads: Sequence[int], inputs: _Inputs
) -> Verdict:
    first: Tensor | None = None
    for count in threads:
        try:
            call = runtime.prepare(record, count)
        except BaseException as error:
            return _refusal(runtime, record, error)
        given, marks = inputs.place(), []
        for run in range(1, runs + 1):
            answer = _answer(call, given)
            if isinstance(answer, BaseException):
                return _refusal(runtime, record, answer)
            if first is None:
                first = answer
            difference = difference_of_runs(answer, first)
            if difference:
                return Verdict(record.path, Outcome.DIFFERS, f"run {run} on {count} threads: {difference}")
            marks.append(_resident_bytes())
        kept = _kept_by_every_series(call, given, marks)
        if kept:
            return Verdict(record.path, Outcome.MEMORY, f"{runs} runs on {count} threads kept {kept} bytes")
        changed = inputs.changed()
        if changed:
            return Verdict(record.path, Outcome.FOREIGN_WRITE, f"the call changed {changed}")
    assert first is not None and record.digest is not None
    return _verdict_on_value(record, first, runs * len(threads))


def _kept_by_every_series(call: Call, given: Sequence[Tensor | None], marks: Sequence[int]) -> int:
    """The memory that a series of runs keeps, if a second series keeps as much again; caches grow only during one.

    marks: the resident bytes after each run of the first series.
    """
    kept = _kept_by_runs(marks)
    for _ in range(1, _KEEPING_SERIES):
        if not kept:
            return 0
        gc.collect()
        again = []
        for _ in marks:
            _answer(call, given)
            again.append(_resident_bytes())
        kept = min(kept, _kept_by_runs(again))
    return kept


def _kept_by_runs(marks: Sequence[int]) -> int:
    """The memory kept by runs, from the resident bytes after each; 0 if it is little, or if most runs kept nothing.

    Scratch memory of threads and an allocator's caches grow in a few steps and then stay.
    """
    later = marks[_WARM_RUNS:]
    steps = [after - before for before, after in zip(later, later[1:])]
    growing = sum(step > 0 for step in steps)
    kept = sum(steps)
    return kept if steps and kept >= _MEMORY_NOTED and growing >= len(steps) * 3 / 4 else 0


def _verdict_on_value(record: Record, got: Tensor, runs: int) -> Verdict:
    """The verdict on equal runs: if the specification decides the result, it must be that one."""
    message = f"no difference in {runs} runs"
    difference = find_difference(record, got)
    if difference and record.digest is not None and record.digest.decided:
        return Verdict(record.path, Outcome.WRONG_VALUE, f"{message}, but {difference}")
    return Verdict(record.path, Outcome.PASSED, message)


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0
