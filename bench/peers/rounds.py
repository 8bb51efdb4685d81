"""Runs the cases: every contestant once in each round, and what the rounds come to."""

from __future__ import annotations

import pathlib
import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np

from peers.cases import Case, bases, make_inputs
from peers.check import expected_result
from peers.contestants import LIMITS, OURS, PEERS
from peers.workers import Lost, Worker


@dataclass
class Outcome:
    """What one contestant did in one case.

    status: ok, wrong, failed, not offered, not installed, crashed. Only "ok" has times that count.
    times: seconds of a call, by round.
    """

    contestant: str
    status: str
    detail: str = ""
    spelling: str = ""
    times: list[float] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def quartiles(self) -> tuple[float, float]:
        if len(self.times) == 1:
            return self.times[0], self.times[0]
        low, _, high = statistics.quantiles(self.times, n=4, method="inclusive")
        return low, high


@dataclass
class CaseResult:
    """A case at one number of threads; outcomes by contestant."""

    case: Case
    threads: int
    outcomes: dict[str, Outcome]

    def is_ok(self, contestant: str) -> bool:
        return contestant in self.outcomes and self.outcomes[contestant].ok

    @property
    def peers(self) -> list[str]:
        return [name for name in self.outcomes if name in PEERS]

    @property
    def best_peer(self) -> str | None:
        """Of the right ones, by the median."""
        peers = [one for one in self.peers if self.is_ok(one)]
        return min(peers, key=lambda name: self.outcomes[name].median, default=None)

    @property
    def nearest_limit(self) -> str | None:
        """The slowest of them, by the median."""
        limits = [name for name in LIMITS if self.is_ok(name)]
        return max(limits, key=lambda name: self.outcomes[name].median, default=None)

    def ratio(self, above: str | None, below: str = OURS) -> float | None:
        """The median over the rounds of `above`'s time by `below`'s; None where one has none."""
        if above is None or not (self.is_ok(above) and self.is_ok(below)):
            return None
        pairs = zip(self.outcomes[above].times, self.outcomes[below].times)
        return statistics.median(one / other for one, other in pairs)


class HasThreads(Protocol):
    @property
    def threads(self) -> int: ...


ResultType = TypeVar("ResultType", bound=HasThreads)


def by_threads(results: list[ResultType]) -> dict[int, list[ResultType]]:
    counts = sorted({result.threads for result in results})
    return {count: [one for one in results if one.threads == count] for count in counts}


def geometric_mean(values: list[float | None]) -> float | None:
    """Of those that are known."""
    known = [value for value in values if value is not None]
    return statistics.geometric_mean(known) if known else None


def prepare(worker: Worker, **request: object) -> Outcome:
    """request: what the contestant's prepare() takes."""
    if worker.absent:
        return Outcome(worker.contestant, "not installed", worker.absent)
    try:
        answer = worker.ask("prepare", **request)
    except Lost as error:
        return Outcome(worker.contestant, "crashed", str(error))
    return Outcome(worker.contestant, **answer)


def take_turn(worker: Worker, outcome: Outcome) -> None:
    try:
        outcome.times.append(worker.ask("turn")["seconds"])
    except Lost as error:
        outcome.status, outcome.detail = "crashed", str(error)


def finish(worker: Worker, outcome: Outcome) -> None:
    """A race shows after many calls, not always in the first."""
    try:
        if outcome.ok:
            fault = worker.ask("check")["fault"]
            if fault:
                outcome.status, outcome.detail = "wrong", f"{outcome.spelling}: {fault}"
        if outcome.status not in ("crashed", "not installed"):
            worker.ask("drop")
    except Lost as error:
        outcome.status, outcome.detail = "crashed", str(error)


def always(outcome: Outcome, outcomes: list[Outcome]) -> bool:
    del outcome, outcomes
    return True


def measure_in_turn(case: Case, folder: pathlib.Path, workers: list[Worker], rounds: int, random: np.random.Generator,
                    is_worth: Callable[[Outcome, list[Outcome]], bool] = always) -> list[Outcome]:
    """Of each worker; every round asks all in another order. folder: what save_inputs() wrote. is_worth: whether a
    contestant, of all these, is to be asked again."""
    fields = case.to_json()
    outcomes = [prepare(worker, case=fields, folder=str(folder)) for worker in workers]
    for _ in range(rounds):
        for place in random.permutation(len(workers)):
            outcome = outcomes[place]
            if outcome.ok and is_worth(outcome, outcomes):
                take_turn(workers[place], outcome)
    for worker, outcome in zip(workers, outcomes):
        finish(worker, outcome)
    return outcomes


def measure_once(case: Case, folder: pathlib.Path, workers: list[Worker], rounds: int,
                 random: np.random.Generator,
                 is_worth: Callable[[Outcome, list[Outcome]], bool] = always) -> dict[str, Outcome]:
    """By contestant, what measure_in_turn() gives. workers: of one number of threads."""
    return {one.contestant: one for one in measure_in_turn(case, folder, workers, rounds, random, is_worth)}


def save_inputs(case: Case, inputs: dict[str, np.ndarray], folder: pathlib.Path) -> None:
    """What a contestant's prepare() reads, with the expected result."""
    for name, base in bases(case, inputs).items():
        np.save(folder / f"{name}.npy", base)
    np.save(folder / "expected.npy", expected_result(case, inputs))


def run_cases(cases: list[Case], workers: dict[int, list[Worker]], rounds: int) -> Iterator[CaseResult]:
    """Every case at every number of threads. workers: by number of threads."""
    random = np.random.default_rng()
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="windrow-peers-") as name:
            folder = pathlib.Path(name)
            save_inputs(case, make_inputs(case), folder)
            for threads, group in workers.items():
                yield CaseResult(case, threads, measure_once(case, folder, group, rounds, random))
