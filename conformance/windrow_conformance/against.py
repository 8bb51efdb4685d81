"""How a runtime's records changed between two runs, usually of two of its versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .outcome import Outcome
from .results import Asked, RunResults, RuntimeResults


class Kind(Enum):
    """Kinds of changes, in the order in which reports show them."""

    WORSE = "worse"  # passed before
    BETTER = "better"  # passes now
    CHANGED = "changed"  # failed or unsupported before and now, otherwise
    NEW = "new"  # not among the records before
    GONE = "gone"  # not among the records now


@dataclass(frozen=True)
class Change:
    """before, after: None if the runtime did not run the record."""

    path: str
    asked: Asked
    before: Outcome | None
    after: Outcome | None

    @property
    def kind(self) -> Kind:
        if self.before is None:
            return Kind.NEW
        if self.after is None:
            return Kind.GONE
        if self.before is Outcome.PASSED:
            return Kind.WORSE
        return Kind.BETTER if self.after is Outcome.PASSED else Kind.CHANGED


@dataclass(frozen=True)
class Comparison:
    """One runtime in both runs. before is None if the other run has no such runtime, or could not run it."""

    before: RuntimeResults | None
    after: RuntimeResults
    changes: tuple[Change, ...] = ()

    def of(self, kind: Kind) -> list[Change]:
        return [change for change in self.changes if change.kind is kind]


def compare(before: RunResults, after: RunResults) -> list[Comparison]:
    """For every runtime that ran in `after`, the differences from the runtime of that name in `before`."""
    known = {runtime.name: runtime for runtime in before.runtimes if not runtime.fault}
    comparisons = []
    for runtime in after.runtimes:
        if runtime.fault:
            continue
        old = known.get(runtime.name)
        changes = () if old is None else tuple(_changes(before, old, after, runtime))
        comparisons.append(Comparison(old, runtime, changes))
    return comparisons


def _changes(
    before: RunResults, old: RuntimeResults, after: RunResults, new: RuntimeResults
) -> Iterator[Change]:
    for path, outcome in new.outcomes.items():
        if old.outcomes.get(path) is not outcome:
            yield Change(path, after.records[path], old.outcomes.get(path), outcome)
    for path, outcome in old.outcomes.items():
        if path not in new.outcomes:
            yield Change(path, before.records[path], outcome, None)
