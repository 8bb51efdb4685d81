"""This library alone, each call as it chooses and in variants: with one lever forced, or one threshold changed.

No choice must lose much to a forced one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from draws.alone import measure_twice, report_found
from draws.cases import DrawnCase
from draws.intervals import Interval, median_interval
from peers.contestants import AGAIN, FORCED, OURS, forced_contestant
from peers.report import show_time
from peers.rounds import Outcome, geometric_mean
from peers.workers import Worker

LOST = 1.1  # Of the choice's time by that of a variant.


@dataclass(frozen=True)
class Variant:
    """This library with another choice than its own; environment: of its process."""

    label: str
    contestant: str
    environment: dict[str, str] = field(default_factory=dict)


# How far two processes of the same choice are apart is what chance makes of a variant.
SAME = "the choice again"
LEVERS = [Variant(SAME, AGAIN), *(Variant(lever, forced_contestant(lever)) for lever in FORCED)]


def contestants(variants: list[Variant]) -> list[str]:
    return [OURS, *(one.contestant for one in variants)]


@dataclass(frozen=True)
class Better:
    """A variant that is faster; ratio: of the choice's time by its own, paired by round."""

    label: str
    ratio: Interval

    def __str__(self) -> str:
        return (f"the choice takes {self.ratio.median:.2f} ({self.ratio.low:.2f} to {self.ratio.high:.2f}) times as "
                f"long as {self.label}")


def by_variant(outcomes: list[Outcome]) -> dict[int, Interval]:
    """By place among the outcomes, the choice's time by that of each variant that is right. outcomes: the choice's, then
    those of the variants, of the same rounds."""
    choice = outcomes[0]
    return {place: median_interval([chosen / other for chosen, other in zip(choice.times, one.times)])
            for place, one in enumerate(outcomes[1:], 1) if choice.ok and one.ok}


@dataclass
class Choice:
    """A case's outcomes, the choice's and those of the variants, of its last measurement; found: what two measurements say,
    and the plans of those variants."""

    case: DrawnCase
    variants: list[Variant]
    outcomes: list[Outcome]
    found: list[tuple[Better, str]]

    @property
    def faults(self) -> list[str]:
        labels = ["the choice", *(one.label for one in self.variants)]
        return [f"{self.case.name}, {label}: {one.status}: {one.detail}"
                for label, one in zip(labels, self.outcomes) if not one.ok]

    def line(self) -> str:
        choice = self.outcomes[0]
        time = show_time(choice.median) if choice.ok else choice.status
        return f"{self.case.name:>9} {time:>9} {'LOST' if self.found else '':4} {self.case.title}"


def better_ones(variants: list[Variant], outcomes: list[Outcome]) -> dict[int, Better]:
    """By place among the outcomes, the variants over which the choice's whole interval lies above LOST."""
    return {place: Better(variants[place - 1].label, ratio) for place, ratio in by_variant(outcomes).items()
            if ratio.low > LOST}


def choices(cases: list[DrawnCase], variants: list[Variant], workers: list[Worker], rounds: int) -> Iterator[Choice]:
    """workers: of the choice, then of each variant, of one number of threads."""
    random = np.random.default_rng()
    for case in cases:
        outcomes, found = measure_twice(case, workers, rounds, random, lambda seen: better_ones(variants, seen))
        yield Choice(case, variants, outcomes, found)


def header() -> str:
    """For Choice.line()."""
    return f"{'case':>9} {'ours':>9} {'':4} call"


def means(results: list[Choice]) -> list[str]:
    """Of each variant, its time by the choice's: the geometric mean over all calls, and the least and the greatest."""
    rows: dict[str, list[float]] = {}
    for result in results:
        for place, ratio in by_variant(result.outcomes).items():
            rows.setdefault(result.variants[place - 1].label, []).append(1 / ratio.median)
    width = max(map(len, rows), default=0)
    return ["", "time by that of the choice: mean, least, greatest",
            *(f"{label:{width}} {geometric_mean([*seen]):.3f} {min(seen):.2f} {max(seen):.2f}" for label, seen in rows.items())]


def report(results: list[Choice]) -> list[str]:
    return means(results) + report_found(results, f"calls in which a variant is more than {LOST - 1:.0%} faster than the choice",
                                         "the choice is as fast as any variant")
