"""Measures a case: rounds in random order, and again where the first measurement does not decide."""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import dataclass

import numpy as np

from draws.cases import DrawnCase
from draws.inputs import make_inputs
from draws.intervals import Interval, median_interval
from peers.contestants import AGAIN, OURS, PEERS
from peers.rounds import CaseResult, Outcome, measure_once, save_inputs
from peers.workers import Lost, Worker

BEHIND = 0.95  # Of the best peer's time by ours.
MOST_MEASUREMENTS = 4
# A contestant that takes HOPELESS times as long as the fastest peer after SCREENING_ROUNDS rounds is not asked again.
HOPELESS, SCREENING_ROUNDS = 3, 3


@dataclass
class Measurement(CaseResult):
    """One measurement of a drawn case. Outcomes by contestant, with Windrow twice."""

    case: DrawnCase

    def interval(self, above: str | None, below: str = OURS) -> Interval | None:
        """Of `above`'s time by `below`'s, paired by round; None where one has no times."""
        if above is None or not (self.is_ok(above) and self.is_ok(below)):
            return None
        pairs = zip(self.outcomes[above].times, self.outcomes[below].times)
        return median_interval([one / other for one, other in pairs])

    @property
    def same(self) -> Interval | None:
        """Of our time in one process by that in the other (A/A)."""
        return self.interval(AGAIN)

    @property
    def is_steady(self) -> bool:
        """Whether two equal contestants came out equal; only then the others are compared."""
        return self.same is not None and self.same.holds(1)

    @property
    def ahead(self) -> Interval | None:
        """Of the best peer's time by ours."""
        return self.interval(self.best_peer)

    @property
    def may_be_behind(self) -> bool:
        return self.ahead is not None and self.ahead.median < BEHIND

    @property
    def by_limit(self) -> float | None:
        """Our time by that of the nearest limit."""
        return self.ratio(OURS, self.nearest_limit)

    @property
    def ceiling(self) -> float | None:
        """The best peer's time by that of the nearest limit: what could be won at most."""
        return self.ratio(self.best_peer, self.nearest_limit)


@dataclass
class Result:
    """All measurements of a case at one number of threads, and our plan for it."""

    measurements: list[Measurement]
    plan: str = ""

    @property
    def case(self) -> DrawnCase:
        return self.measurements[0].case

    @property
    def threads(self) -> int:
        return self.measurements[0].threads

    @property
    def steady(self) -> list[Measurement]:
        return [one for one in self.measurements if one.is_steady]

    @property
    def is_decided(self) -> bool:
        """One steady measurement says that we are not behind; that we are, two have to say."""
        steady = self.steady
        return bool(steady) and (len(steady) > 1 or not steady[0].may_be_behind)

    @property
    def last(self) -> Measurement:
        """The one that counts."""
        return (self.steady or self.measurements)[-1]

    @property
    def is_behind(self) -> bool:
        """Whether the interval lies below when measured again."""
        return self.is_decided and self.last.ahead is not None and self.last.ahead.high < BEHIND


def _has_hope(outcome: Outcome, outcomes: list[Outcome]) -> bool:
    peers = [one for one in outcomes if one.ok and one.times and one.contestant in PEERS]
    if outcome not in peers or len(outcome.times) < SCREENING_ROUNDS:
        return True
    return outcome.median <= HOPELESS * min(one.median for one in peers)


def describe_plan(worker: Worker, case: DrawnCase, folder: pathlib.Path) -> str:
    """worker: one of this library."""
    try:
        plan: str = worker.ask("describe", case=case.to_json(), folder=str(folder))["plan"]
    except Lost as error:
        return f"no plan: {error}"
    return plan


def measure(case: DrawnCase, groups: list[list[Worker]], rounds: int,
            random: np.random.Generator) -> list[Result]:
    """A result for each group, whose workers have one number of threads."""
    results = []
    with tempfile.TemporaryDirectory(prefix="windrow-draws-") as name:
        folder = pathlib.Path(name)
        save_inputs(case, make_inputs(case), folder)
        for workers in groups:
            def once(workers: list[Worker] = workers) -> Measurement:
                outcomes = measure_once(case, folder, workers, rounds, random, _has_hope)
                return Measurement(case, workers[0].threads, outcomes)

            result = Result([once()])
            while not result.is_decided and len(result.measurements) < MOST_MEASUREMENTS:
                if not result.last.is_ok(OURS):
                    break
                result.measurements.append(once())
            ours = next(worker for worker in workers if worker.contestant == OURS)
            result.plan = describe_plan(ours, case, folder)
            results.append(result)
    return results

