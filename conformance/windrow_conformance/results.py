"""The results of a run: for every runtime, the outcome of every record that it was given.

The file of a run and all reports are made from this (reports/). It contains no tensors, so that runs of other days,
machines and environments can be read, joined and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .outcome import Outcome, Verdict
from .record import TIERS, Record, Tier
from .tensor_text import tensor_text

# The longest part of a runtime's message that is kept, in characters.
MOST_CHARACTERS = 400

# Where the text decides nothing, a runtime with one of these outcomes made another choice and is not wrong.
DIFFERENCES = (Outcome.WRONG_VALUE, Outcome.NO_ERROR, Outcome.REFUSED)


def is_difference(tier: Tier, outcome: Outcome) -> bool:
    """Whether a runtime with this outcome made another choice and is not wrong."""
    return tier == "decision" and outcome in DIFFERENCES


@dataclass(frozen=True)
class Asked:
    """The properties of a record for tables. operator: with its dialect, "onnx/GatherND". rule: its label."""

    operator: str
    tier: Tier
    rule: str

    @staticmethod
    def of(record: Record) -> Asked:
        return Asked(f"{record.dialect}/{record.op}", record.tier, record.rule)


@dataclass(frozen=True)
class Failure:
    """A record that neither passed nor is unsupported. message: the runtime's words, or where and how its result
    differs. got: the result as text, cut; empty where there is none.
    """

    path: str
    outcome: Outcome
    message: str = ""
    got: str = ""

    @staticmethod
    def of(record: Record, verdict: Verdict) -> Failure:
        message = verdict.message
        if len(message) > MOST_CHARACTERS:
            message = f"{message[:MOST_CHARACTERS]}… ({len(message) - MOST_CHARACTERS} more characters)"
        got = "" if verdict.got is None else tensor_text(verdict.got)
        return Failure(record.path, verdict.outcome, message, got)


@dataclass(frozen=True)
class Counts:
    """Numbers of records. skipped: unsupported ones. different: those of the failed ones that are not wrong."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    different: int = 0

    @property
    def wrong(self) -> int:
        return self.failed - self.different

    @property
    def records(self) -> int:
        return self.passed + self.failed + self.skipped

    @property
    def percent(self) -> str:
        """The share of all records, including unsupported ones, with one decimal, rounded down: only 100 % is "100.0"."""
        tenths = self.passed * 1000 // self.records if self.records else 0
        return f"{tenths // 10}.{tenths % 10}" if self.records else ""

    @staticmethod
    def of(outcomes: Iterable[Outcome], tier: Tier) -> Counts:
        counter = Counter(outcomes)
        passed, skipped = counter[Outcome.PASSED], counter[Outcome.UNSUPPORTED]
        different = sum(counter[outcome] for outcome in counter if is_difference(tier, outcome))
        return Counts(passed, counter.total() - passed - skipped, skipped, different)


@dataclass(frozen=True)
class RuntimeResults:
    """The outcomes of the records in one runtime.

    name: Runtime.name. versions: of its packages; the first is the runtime's own. fault: why it could not be run; empty
    if it was. outcomes: of every record that it was given, by path. failures: in the same order. unguarded: the number
    of calls in which a read outside the inputs would not have been detected. seconds: the duration.
    """

    name: str
    versions: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    unguarded: int = 0
    seconds: float = 0.0

    @property
    def version(self) -> str:
        return next(iter(self.versions.values()), "")

    @staticmethod
    def of(
        name: str, versions: Mapping[str, str], judged: Iterable[tuple[Record, Verdict]], seconds: float = 0.0
    ) -> RuntimeResults:
        outcomes: dict[str, Outcome] = {}
        failures = []
        unguarded = 0
        for record, verdict in judged:
            outcomes[record.path] = verdict.outcome
            unguarded += not verdict.guarded and verdict.outcome is not Outcome.UNSUPPORTED
            if verdict.outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED):
                failures.append(Failure.of(record, verdict))
        return RuntimeResults(name, versions, "", outcomes, tuple(failures), unguarded, seconds)


@dataclass(frozen=True)
class RunResults:
    """A whole run.

    corpus: its version. date: of the beginning, ISO 8601 in UTC. machine: properties by name ("processor", "cores",
    "memory", "system", "python", "numpy"), for people. selection: the options that selected a part of
    the corpus ("filter": "gather*", "seed": "7"). runs, threads: of the deterministic tier. complete: false if the run
    ended early. records: all that any runtime was given, by path.
    """

    corpus: str
    date: str
    machine: Mapping[str, str]
    records: Mapping[str, Asked]
    runtimes: tuple[RuntimeResults, ...]
    selection: Mapping[str, str] = field(default_factory=dict)
    runs: int = 0
    threads: tuple[int, ...] = ()
    complete: bool = True

    def operators(self) -> tuple[str, ...]:
        """In the order of the records."""
        return tuple(dict.fromkeys(asked.operator for asked in self.records.values()))

    def tiers(self) -> tuple[Tier, ...]:
        """The tiers that have records."""
        present = {asked.tier for asked in self.records.values()}
        return tuple(tier for tier in TIERS if tier in present)

    def counts(self, runtime: RuntimeResults) -> dict[tuple[str, Tier], Counts]:
        """Counts by operator and tier, where the runtime was given records."""
        outcomes: dict[tuple[str, Tier], list[Outcome]] = {}
        for path, outcome in runtime.outcomes.items():
            asked = self.records[path]
            outcomes.setdefault((asked.operator, asked.tier), []).append(outcome)
        return {key: Counts.of(found, key[1]) for key, found in outcomes.items()}

    def tier_counts(self, runtime: RuntimeResults) -> dict[Tier, Counts]:
        """Counts of every tier, including those without records."""
        outcomes: dict[Tier, list[Outcome]] = {tier: [] for tier in TIERS}
        for path, outcome in runtime.outcomes.items():
            outcomes[self.records[path].tier].append(outcome)
        return {tier: Counts.of(found, tier) for tier, found in outcomes.items()}


def join(first: RunResults, second: RunResults) -> RunResults:
    """The runtimes of both runs; for one in both, the second's. Date, machine and options are the first's.

    Raises ValueError if the runs have different versions of the corpus or different options, so that their percentages
    would be of different records.
    """
    for what in ("corpus", "selection", "runs", "threads"):
        ours, theirs = getattr(first, what), getattr(second, what)
        if ours != theirs:
            raise ValueError(f"these runs cannot be joined: {what} is {ours} in one and {theirs} in the other")
    runtimes = {runtime.name: runtime for run in (first, second) for runtime in run.runtimes}
    return replace(
        first,
        records={**first.records, **second.records},
        runtimes=tuple(runtimes.values()),
        complete=first.complete and second.complete,
    )
