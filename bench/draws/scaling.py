"""This library alone, each call at several numbers of threads: more must not be slower than fewer."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from draws.cases import DrawnCase
from draws.inputs import make_inputs
from draws.intervals import Interval, median_interval
from draws.measure import describe_plan
from peers.report import show_time
from peers.rounds import Outcome, measure_in_turn, save_inputs
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
    """A case's outcomes by number of threads, of its last measurement; slower: what two measurements say, with the
    plan for that many threads."""

    case: DrawnCase
    outcomes: dict[int, Outcome]
    slower: list[Slower]
    plans: list[str]

    @property
    def faults(self) -> list[str]:
        return [f"{self.case.name}, {threads} threads: {one.status}: {one.detail}"
                for threads, one in self.outcomes.items() if not one.ok]

    def line(self) -> str:
        times = " ".join(f"{show_time(one.median) if one.ok else one.status:>9}" for one in self.outcomes.values())
        return f"{self.case.name:>9} {times} {'SLOWER' if self.slower else '':6} {self.case.title}"


Found = TypeVar("Found")


def measure_twice(case: DrawnCase, workers: list[Worker], rounds: int, random: np.random.Generator,
                  suspects_of: Callable[[list[Outcome]], dict[int, Found]]
                  ) -> tuple[list[Outcome], list[tuple[Found, str]]]:
    """The outcomes of all workers, which are this library's, and of each that two measurements suspect what the second
    found, with its plan. suspects_of: by place among the workers."""
    with tempfile.TemporaryDirectory(prefix="windrow-draws-") as name:
        folder = pathlib.Path(name)
        save_inputs(case, make_inputs(case), folder)
        suspects: dict[int, Found] = {}
        for again in (False, True):
            outcomes = measure_in_turn(case, folder, workers, rounds, random)
            found = suspects_of(outcomes)
            suspects = {place: one for place, one in found.items() if not again or place in suspects}
            if not suspects:
                break
            if not again:
                # A process may be slow for where its memory lies: the next question starts new ones.
                for worker in workers:
                    worker.close()
        return outcomes, [(one, describe_plan(workers[place], case, folder)) for place, one in suspects.items()]


def _measure(case: DrawnCase, workers: list[Worker], rounds: int, random: np.random.Generator) -> Scaling:
    counts = [worker.threads for worker in workers]

    def slower_places(outcomes: list[Outcome]) -> dict[int, Slower]:
        found = slower_ones({threads: one.times for threads, one in zip(counts, outcomes) if one.ok})
        return {counts.index(threads): one for threads, one in found.items()}

    outcomes, found = measure_twice(case, workers, rounds, random, slower_places)
    return Scaling(case, dict(zip(counts, outcomes)), [one for one, _ in found], [plan for _, plan in found])


def scalings(cases: list[DrawnCase], workers: list[Worker], rounds: int) -> Iterator[Scaling]:
    """workers: one of this library for every number of threads, ascending."""
    random = np.random.default_rng()
    for case in cases:
        yield _measure(case, workers, rounds, random)


def header(threads: list[int]) -> str:
    """For Scaling.line()."""
    return f"{'case':>9} {' '.join(f'{count:>9}' for count in threads)} {'':6} call"


def report(results: list[Scaling]) -> list[str]:
    lines = ["", f"calls whose time with more threads is more than {SLOWER - 1:.0%} above the best of fewer:"]
    for result in results:
        for slower, plan in zip(result.slower, result.plans):
            lines.append(f"{result.case.name:>9} {slower}; {result.case.title}")
            lines += [f"    {text}" for text in plan.splitlines()]
    measured = [one for one in results if not one.faults]
    held = sum(not one.slower for one in measured)
    share = f" ({held / len(measured):.1%})" if measured else ""
    lines += ["" if any(one.slower for one in results) else "none",
              f"more threads are never slower: {held} of {len(measured)} calls{share}"]
    return lines + [fault for one in results for fault in one.faults]
