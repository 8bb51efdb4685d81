"""The targets of this library's speed, a row each, and whether a run meets them."""

from __future__ import annotations

import fnmatch
import operator
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from peers.contestants import COPY, OURS, RANDOM_READS, TITLES
from peers.rounds import CaseResult, by_threads

SHOWN_OF_A_MEAN = 5  # Cases that are named where a mean misses its bound.


@dataclass(frozen=True)
class Figure:
    """of: a case's figure, from its result and that of the same case at one thread, if there is
    one; None: the run does not have it."""

    title: str
    of: Callable[[CaseResult, CaseResult | None], float | None]


@dataclass(frozen=True)
class Cases:
    """Those that a target is about."""

    title: str
    include: Callable[[CaseResult], bool]


def _by_one_thread(result: CaseResult, alone: CaseResult | None) -> float | None:
    """Of medians: the two were not in the same rounds."""
    if alone is None or not (alone.is_ok(OURS) and result.is_ok(OURS)):
        return None
    return alone.outcomes[OURS].median / result.outcomes[OURS].median


def by_peer(name: str) -> Figure:
    return Figure(f"{TITLES[name]}'s time by ours", lambda result, _: result.ratio(name))


BY_BEST_PEER = Figure("best peer's time by ours",
                      lambda result, _: result.ratio(result.best_peer))
BY_COPY = Figure("our time by the copy's", lambda result, _: result.ratio(OURS, COPY))
BY_ONE_THREAD = Figure("our time with one thread by that with all", _by_one_thread)

EVERY_CASE = Cases("all", lambda result: True)
WITH_MORE_THREADS = Cases("all", lambda result: result.threads > 1)


def with_room(factor: float) -> Cases:
    """The slower of the two limits is the nearer one."""

    def include(result: CaseResult) -> bool:
        rooms = [result.ratio(result.best_peer, limit) for limit in (COPY, RANDOM_READS)]
        return min((room for room in rooms if room is not None), default=0.0) >= factor

    return Cases(f"best peer takes {factor:g} times the copy's and the random reads' time or more",
                 include)


def gathers_of_rows(size: int) -> Cases:
    return Cases(f"gathers of rows of {size} B and more",
                 lambda result: not result.case.is_scatter and result.case.row_bytes >= size)


def named(title: str, *patterns: str) -> Cases:
    return Cases(title, lambda result: any(fnmatch.fnmatch(result.case.name, pattern)
                                           for pattern in patterns))


@dataclass(frozen=True)
class Target:
    """A bound for the figure of every one of the cases or, with mean, for their geometric mean."""

    figure: Figure
    sign: str
    bound: float
    cases: Cases = EVERY_CASE
    mean: bool = False

    @property
    def title(self) -> str:
        mean = "geometric mean of " if self.mean else ""
        return f"{mean}{self.figure.title} {self.sign} {self.bound:g}"

    def allows(self, value: float) -> bool:
        return COMPARISONS[self.sign](value, self.bound)


COMPARISONS: dict[str, Callable[[float, float], bool]] = {">=": operator.ge, "<=": operator.le}
TARGETS = (
    Target(BY_BEST_PEER, ">=", 0.95),
    Target(BY_BEST_PEER, ">=", 1.0, with_room(1.3)),
    Target(BY_BEST_PEER, ">=", 1.5, mean=True),
    Target(by_peer("onnxruntime"), ">=", 3.0, mean=True),
    Target(BY_COPY, "<=", 1.7, gathers_of_rows(256)),
    Target(BY_BEST_PEER, ">=", 2.0, named("GatherElements and ScatterElements add on axis 0",
                                          "elements_axis_0*", "scatter_elements_axis_0_add*")),
    Target(BY_COPY, "<=", 1.3, named("the row-constant scatter",
                                     "scatter_elements_row_constant_add*")),
    Target(BY_ONE_THREAD, ">=", 0.95, WITH_MORE_THREADS),
)


@dataclass(frozen=True)
class Verdict:
    """What a run says of a target at one number of threads.

    seen: the mean, or the figure that is the furthest from good; None: no case has the figure.
    count: cases that have it.
    misses: cases that miss the bound, the furthest first, and those where we have no time; of a
        mean that misses it the lowest few.
    """

    target: Target
    threads: int
    seen: float | None
    count: int
    misses: list[str]
    met: bool | None


def _judge(target: Target, results: list[CaseResult],
           alone: dict[str, CaseResult]) -> Verdict:
    figures = {one.case.name: target.figure.of(one, alone.get(one.case.name)) for one in results}
    known = {name: value for name, value in figures.items() if value is not None}
    furthest_first = sorted(known, key=lambda name: known[name], reverse=target.sign == "<=")
    lost = [f"{one.case.name} ({one.outcomes[OURS].status})"
            for one in results if not one.is_ok(OURS)]
    if not known:
        return Verdict(target, results[0].threads, None, 0, lost, False if lost else None)
    if target.mean:
        seen = statistics.geometric_mean(known.values())
        behind = [] if target.allows(seen) else furthest_first[:SHOWN_OF_A_MEAN]
    else:
        seen = known[furthest_first[0]]
        behind = [name for name in furthest_first if not target.allows(known[name])]
    misses = [f"{name} ({known[name]:.3f})" for name in behind] + lost
    return Verdict(target, results[0].threads, seen, len(known), misses, not misses)


def judge(results: list[CaseResult]) -> list[Verdict]:
    """A verdict for every target and number of threads at which one of the run's cases counts."""
    groups = by_threads(results)
    alone = {one.case.name: one for one in groups.get(1, [])}
    verdicts = []
    for target in TARGETS:
        for some in groups.values():
            chosen = [one for one in some if target.cases.include(one)]
            if chosen:
                verdicts.append(_judge(target, chosen, alone))
    return verdicts
