"""This library alone, each call as it chooses and with one lever forced: no choice must lose much to a forced one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from draws.alone import measure_twice, report_found
from draws.cases import DrawnCase
from draws.intervals import Interval, median_interval
from peers.contestants import FORCED, OURS, forced_contestant
from peers.report import show_time
from peers.rounds import Outcome
from peers.workers import Worker

LOST = 1.1  # Of the choice's time by that of a forced lever.
CONTESTANTS = [OURS, *map(forced_contestant, FORCED)]


@dataclass(frozen=True)
class Better:
    """A forced lever that is faster; ratio: of the choice's time by its own, paired by round."""

    lever: str
    ratio: Interval

    def __str__(self) -> str:
        return (f"the choice takes {self.ratio.median:.2f} ({self.ratio.low:.2f} to {self.ratio.high:.2f}) times as "
                f"long as {self.lever}")


def better_ones(outcomes: list[Outcome]) -> dict[int, Better]:
    """By place among the outcomes, the levers over which the choice's whole interval lies above LOST. outcomes: as
    CONTESTANTS, of the same rounds."""
    choice, found = outcomes[0], {}
    for place, (lever, one) in enumerate(zip(FORCED, outcomes[1:]), 1):
        if not (choice.ok and one.ok):
            continue
        ratio = median_interval([chosen / forced for chosen, forced in zip(choice.times, one.times)])
        if ratio.low > LOST:
            found[place] = Better(lever, ratio)
    return found


@dataclass
class Choice:
    """A case's outcomes, as CONTESTANTS, of its last measurement; found: what two measurements say, and the plans
    with that lever."""

    case: DrawnCase
    outcomes: list[Outcome]
    found: list[tuple[Better, str]]

    @property
    def faults(self) -> list[str]:
        return [f"{self.case.name}, {contestant}: {one.status}: {one.detail}"
                for contestant, one in zip(CONTESTANTS, self.outcomes) if not one.ok]

    def line(self) -> str:
        choice = self.outcomes[0]
        time = show_time(choice.median) if choice.ok else choice.status
        return f"{self.case.name:>9} {time:>9} {'LOST' if self.found else '':4} {self.case.title}"


def choices(cases: list[DrawnCase], workers: list[Worker], rounds: int) -> Iterator[Choice]:
    """workers: as CONTESTANTS, of one number of threads."""
    random = np.random.default_rng()
    for case in cases:
        yield Choice(case, *measure_twice(case, workers, rounds, random, better_ones))


def header() -> str:
    """For Choice.line()."""
    return f"{'case':>9} {'ours':>9} {'':4} call"


def report(results: list[Choice]) -> list[str]:
    return report_found(results, f"calls in which a forced lever is more than {LOST - 1:.0%} faster than the choice",
                        "the choice is as fast as any forced lever")
