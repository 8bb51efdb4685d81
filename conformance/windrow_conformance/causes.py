"""Groups failures that probably have the same cause."""

from __future__ import annotations

from dataclasses import dataclass

from .outcome import Outcome
from .results import Asked, Failure, RunResults, RuntimeResults, is_difference


@dataclass(frozen=True)
class Cause:
    """Failures of one operator, rule and outcome."""

    asked: Asked
    outcome: Outcome
    failures: tuple[Failure, ...]

    @property
    def word(self) -> str:
        """The word for the outcome: a runtime's own choice is not called wrong."""
        is_different = is_difference(self.asked.tier, self.outcome)
        return f"different ({self.outcome.value})" if is_different else self.outcome.value


def causes(run: RunResults, runtime: RuntimeResults) -> list[Cause]:
    """By tier, then the most frequent first."""
    groups: dict[tuple[Asked, Outcome], list[Failure]] = {}
    for failure in runtime.failures:
        groups.setdefault((run.records[failure.path], failure.outcome), []).append(failure)
    found = [Cause(asked, outcome, tuple(failures)) for (asked, outcome), failures in groups.items()]
    tiers = run.tiers()
    return sorted(found, key=lambda cause: (tiers.index(cause.asked.tier), -len(cause.failures)))
