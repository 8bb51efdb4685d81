"""This library alone, each call at several numbers of threads: more must not be slower than fewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from draws.alone import measure_twice, report_found
from draws.cases import DrawnCase
from draws.intervals import Interval, median_interval
from peers.report import show_time
from peers.rounds import Outcome
from peers.workers import Worker

THREADS = (1, 2, 4, 8, 16)
SLOWER = 1.05  # Of more threads' time by that of the best of fewer.


@dataclass(frozen=True)
class Slower:
    """More threads that take longer than fewer; ratio: of their times, paired by round."""

    threads: int
    fewer: int
    ratio: Interval

    def __str__(self) -> str:
        return (f"{self.threads} threads take {self.ratio.median:.2f} ({self.ratio.low:.2f} to {self.ratio.high:.2f}) "
                f"times as long as {self.fewer}")


def slower_ones(times: dict[int, list[float]]) -> dict[int, Slower]:
    """By number of threads, those whose whole interval lies above SLOWER. times: by number of threads, of the same
    rounds."""
    found = {}
    counts = sorted(times)
    for place, count in enumerate(counts[1:], 1):
        fewer = min(counts[:place], key=lambda one: float(np.median(times[one])))
        ratio = median_interval([more / less for more, less in zip(times[count], times[fewer])])
        if ratio.low > SLOWER:
            found[count] = Slower(count, fewer, ratio)
    return found


@dataclass
class Scaling:
    """A case's outcomes by number of threads, of its last measurement; found: what two measurements say, each with
    the plan for that many threads."""

    case: DrawnCase
    outcomes: dict[int, Outcome]
    found: list[tuple[Slower, str]]

    @property
    def faults(self) -> list[str]:
        return [f"{self.case.name}, {threads} threads: {one.status}: {one.detail}"
                for threads, one in self.outcomes.items() if not one.ok]

    def line(self) -> str:
        times = " ".join(f"{show_time(one.median) if one.ok else one.status:>9}" for one in self.outcomes.values())
        return f"{self.case.name:>9} {times} {'SLOWER' if self.found else '':6} {self.case.title}"


def _measure(case: DrawnCase, workers: list[Worker], rounds: int, random: np.random.Generator) -> Scaling:
    counts = [worker.threads for worker in workers]

    def slower_places(outcomes: list[Outcome]) -> dict[int, Slower]:
        found = slower_ones({threads: one.times for threads, one in zip(counts, outcomes) if one.ok})
        return {counts.index(threads): one for threads, one in found.items()}

    outcomes, found = measure_twice(case, workers, rounds, random, slower_places)
    return Scaling(case, dict(zip(counts, outcomes)), found)


def scalings(cases: list[DrawnCase], workers: list[Worker], rounds: int) -> Iterator[Scaling]:
    """workers: one of this library for every number of threads, ascending."""
    random = np.random.default_rng()
    for case in cases:
        yield _measure(case, workers, rounds, random)


def header(threads: list[int]) -> str:
    """For Scaling.line()."""
    return f"{'case':>9} {' '.join(f'{count:>9}' for count in threads)} {'':6} call"


def report(results: list[Scaling]) -> list[str]:
    return report_found(results, f"calls whose time with more threads is more than {SLOWER - 1:.0%} above the best of fewer",
                        "more threads are never slower")
