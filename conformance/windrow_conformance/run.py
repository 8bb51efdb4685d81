"""Distributes records over processes, and interprets the end of a process.

Records run in batches, each in a process. If a process ends before it has answered, its records run again one by one,
so that only the record that ends processes gets that verdict. That record runs again with its guards opened, to
distinguish reads and writes outside its inputs from other crashes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .attempt import Way
from .corpus import Corpus
from .guarded import Access, Placement, can_guard
from .outcome import Outcome, Verdict
from .processes import Failure, Limits, Pool
from .record import Record
from .registry import find, module_of
from .runtime import Runtime
from .work import HANDLER, request, verdicts

_BATCH = 64
# The number of records of an operator version that are tried to see whether the runtime has it at all.
_MOST_WITNESSES, _WITNESSES_AT_ONCE = 64, 8
_PLAIN = Way(plain=True)
# The number of repetitions of a crash before its cause is named.
_REPEATS = 3
_OF_FAILURES = {"timeout": Outcome.HANG, "memory": Outcome.MEMORY}
_WITH_RESULT = (Outcome.WRONG_VALUE, Outcome.DIFFERS, Outcome.FOREIGN_READ, Outcome.FOREIGN_WRITE)


class CannotRun(Exception):
    """The runtime does not start, so that no record has a verdict."""


@dataclass(frozen=True)
class Settings:
    """How records are run.

    jobs: processes at a time. runs, threads: of the deterministic tier. seconds: the time limit of a record; all runs of
    a recipe, which are one item, have ten times that. memory: the limit on a process's resident bytes. seed: that of
    the order in which records run, None for the corpus's order.
    """

    jobs: int = 1
    runs: int = 20
    threads: tuple[int, ...] = (1, 2, 4, 8)
    seconds: float = 10.0
    memory: int = 4 << 30
    seed: int | None = None


def run(
    called: str,
    corpus: Corpus,
    paths: Sequence[str],
    settings: Settings = Settings(),
    told: Callable[[Verdict], None] = lambda verdict: None,
) -> dict[str, Verdict]:
    """The verdicts of a runtime on records, in the order of `paths`.

    called: the runtime, as for registry.find(). told: is called with every verdict when it is known; the returned verdict
    on a record is final. Raises CannotRun, UnknownRuntime.
    """
    runtime = find(called)
    fault = runtime.fault()
    if fault:
        raise CannotRun(fault)
    preload = (*runtime.preload(), *module_of(called))
    with Pool(HANDLER, preload=preload, processes=settings.jobs) as pool:
        found = _Run(called, runtime, corpus, settings, pool).verdicts(paths, told)
    return {path: found[path] for path in paths if path in found}


class _Run:
    """One runtime's run."""

    def __init__(self, called: str, runtime: Runtime, corpus: Corpus, settings: Settings, pool: Pool) -> None:
        self._called, self._runtime, self._corpus = called, runtime, corpus
        self._settings, self._pool = settings, pool

    def verdicts(self, paths: Sequence[str], told: Callable[[Verdict], None]) -> dict[str, Verdict]:
        self._require_start()
        found: dict[str, Verdict] = {}

        def add(verdict: Verdict) -> None:
            found[verdict.path] = verdict
            told(verdict)

        order = list(paths)
        if self._settings.seed is not None:
            random.Random(self._settings.seed).shuffle(order)
        asked = []
        for path in order:
            reason = self._runtime.why_not(self._corpus.record(path))
            if reason:
                add(Verdict(path, Outcome.UNSUPPORTED, reason))
            else:
                asked.append(path)
        for verdict in self._all(asked):
            add(verdict)
        for verdict in self._idle_refusals(found):
            add(verdict)
        return found

    def _require_start(self) -> None:
        [ending] = self._pool.run([self._request([])])
        if ending.failure is not None:
            said = f"; {ending.failure.said}" if ending.failure.said else ""
            raise CannotRun(f"{self._runtime.name} does not start: {ending.failure}{said}")

    def _all(self, paths: Sequence[str]) -> Iterator[Verdict]:
        """Small records in batches, recipes one by one."""
        recipes = {path for path in paths if path.startswith("deterministic/")}
        small = [path for path in paths if path not in recipes]
        again: list[str] = []
        doubted: list[list[Verdict]] = []
        size = max(1, min(_BATCH, len(small) // (4 * self._settings.jobs)))
        batches = [small[first : first + size] for first in range(0, len(small), size)]
        for number, ending in self._pool.each(map(self._of_paths, batches), limits=self._limits()):
            if ending.failure is not None:
                again += batches[number]
                continue
            found = verdicts(ending.value)
            if any(map(_may_be_anothers, found)):
                doubted.append(found)
            else:
                yield from found
        yield from self._singly(again, self._limits())
        yield from self._doubted(doubted)
        yield from self._singly([path for path in paths if path in recipes], self._limits(10))

    def _doubted(self, batches: Sequence[Sequence[Verdict]]) -> Iterator[Verdict]:
        """The verdicts of batches with failures, each of which is run again in a process of its own.

        A call that writes outside its tensors may corrupt the process for the calls that follow: if a failure is not
        the same alone, no verdict of its batch counts.
        """
        failures = [verdict for batch in batches for verdict in batch if _may_be_anothers(verdict)]
        alone = {verdict.path: verdict for verdict in self._singly([v.path for v in failures], self._limits())}
        spoiled: list[str] = []
        for batch in batches:
            if any(alone[v.path].outcome is not v.outcome for v in batch if v.path in alone):
                spoiled += [verdict.path for verdict in batch if verdict.path not in alone]
            else:
                yield from (verdict for verdict in batch if verdict.path not in alone)
        yield from alone.values()
        yield from self._singly(spoiled, self._limits())

    def _singly(self, paths: Sequence[str], limits: Limits) -> Iterator[Verdict]:
        ended: list[tuple[str, Failure]] = []
        items = (self._of_paths([path]) for path in paths)
        for number, ending in self._pool.each(items, limits=limits):
            if ending.failure is None:
                yield from verdicts(ending.value)
            else:
                ended.append((paths[number], ending.failure))
        for path, failure in ended:
            yield self._verdict_on_end(self._corpus.record(path), failure, limits)

    def _verdict_on_end(self, record: Record, failure: Failure, limits: Limits) -> Verdict:
        """The verdict on a record whose process ended, or had to be ended."""
        outcome = _OF_FAILURES.get(failure.kind, Outcome.CRASH)
        guarded = self._runtime.is_in_place(record) and all(map(can_guard, record.inputs))
        verdict = Verdict(record.path, outcome, _words(failure), guarded=guarded)
        if outcome is not Outcome.CRASH or not self._runtime.is_in_place(record):
            return verdict
        if not self._never_survives(record, Way(), limits):
            return verdict  # it crashes by chance
        for access, foreign in ((Access.READ, Outcome.FOREIGN_READ), (Access.WRITE, Outcome.FOREIGN_WRITE)):
            if self._always_survives(record, Way(access), limits):
                message = f"{_words(failure)} at {self._guard(record, access, limits)}"
                return replace(verdict, outcome=foreign, message=message)
        if not self._always_survives(record, _PLAIN, limits):
            return verdict
        # Guarded elements are aligned only to their size; NumPy aligns memory to more.
        [plain] = self._pool.run([self._request([record], _PLAIN)], limits=limits)
        return verdict if plain.failure is not None else verdicts(plain.value)[0]

    def _always_survives(self, record: Record, way: Way, limits: Limits) -> bool:
        return all(self._survives(record, way, limits) for _ in range(_REPEATS))

    def _never_survives(self, record: Record, way: Way, limits: Limits) -> bool:
        return not any(self._survives(record, way, limits) for _ in range(_REPEATS))

    def _guard(self, record: Record, access: Access, limits: Limits) -> str:
        """The guard that was touched, found by closing one at a time."""
        for position, tensor in enumerate(record.inputs):
            for side, where in ((Placement.END, "after"), (Placement.START, "before")):
                if tensor is None or not can_guard(tensor):
                    continue
                if not self._survives(record, Way(access, (position, side)), limits):
                    return f"the memory {where} its input {position}"
        return "the memory beside its inputs"

    def _survives(self, record: Record, way: Way, limits: Limits) -> bool:
        [ending] = self._pool.run([self._request([record], way)], limits=limits)
        return ending.failure is None

    def _idle_refusals(self, found: dict[str, Verdict]) -> Iterator[Verdict]:
        """The refusals that prove nothing, because the runtime gives no result for any call of that operator version."""
        groups: dict[object, list[str]] = {}
        for path in found:
            groups.setdefault(self._corpus.operators[path], []).append(path)
        for group in groups.values():
            refused = [path for path in group if self._is_right_refusal(found[path])]
            if not refused or any(map(self._has_result, (found[path] for path in group))):
                continue
            if not self._has_witness(group, set(found)):
                _, op, version = self._corpus.operators[refused[0]]
                reason = f"no call of {op}-{version} gives a result, so that refusing one says nothing: "
                for path in refused:
                    yield replace(found[path], outcome=Outcome.UNSUPPORTED, message=reason + found[path].message)

    def _is_right_refusal(self, verdict: Verdict) -> bool:
        return verdict.outcome is Outcome.PASSED and self._corpus.must_fail(verdict.path)

    def _has_result(self, verdict: Verdict) -> bool:
        is_right = verdict.outcome is Outcome.PASSED and not self._corpus.must_fail(verdict.path)
        return is_right or verdict.outcome in _WITH_RESULT

    def _has_witness(self, group: Sequence[str], asked: set[str]) -> bool:
        """Whether a record of the same operator version outside this run gives a result. A few are tried together."""
        operator = self._corpus.operators[group[0]]
        others = [
            path
            for path, of in self._corpus.operators.items()
            if of == operator and path not in asked and not self._corpus.must_fail(path)
        ]
        others = [path for path in others if not path.startswith("deterministic/")]
        chosen = others[:: max(1, len(others) // _MOST_WITNESSES)][:_MOST_WITNESSES]
        possible = [path for path in chosen if not self._runtime.why_not(self._corpus.record(path))]
        for first in range(0, len(possible), _WITNESSES_AT_ONCE):
            batch = possible[first : first + _WITNESSES_AT_ONCE]
            [ending] = self._pool.run([self._of_paths(batch)], limits=self._limits())
            if ending.failure is None and any(map(self._has_result, verdicts(ending.value))):
                return True
        return False

    def _of_paths(self, paths: Sequence[str]) -> object:
        return self._request([self._corpus.record(path) for path in paths])

    def _request(self, records: Iterable[Record], way: Way = Way()) -> object:
        return request(self._called, records, self._settings.runs, self._settings.threads, way)

    def _limits(self, times: int = 1) -> Limits:
        return Limits(self._settings.seconds * times, self._settings.memory)


def _words(failure: Failure) -> str:
    return f"{failure.message}: {failure.said}" if failure.said else failure.message


def _may_be_anothers(verdict: Verdict) -> bool:
    """Whether the failure can be a consequence of what an earlier call did to the process."""
    return verdict.outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED, Outcome.NO_ERROR)
