"""Runs the cases: every contestant once in each round, and what the rounds come to."""

from __future__ import annotations

import pathlib
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from peers.cases import Case, make_inputs
from peers.check import expected_result
from peers.contestants import LIMITS, OURS
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
        return [name for name in self.outcomes if name not in (*LIMITS, OURS)]

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


def by_threads(results: list[CaseResult]) -> dict[int, list[CaseResult]]:
    counts = sorted({result.threads for result in results})
    return {count: [one for one in results if one.threads == count] for count in counts}


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


def run_case(case: Case, quick: bool, folder: pathlib.Path, workers: list[Worker],
             rounds: int) -> CaseResult:
    """Interleaved rounds; each begins with another contestant."""
    outcomes = [prepare(worker, case=case.name, quick=quick, folder=str(folder))
                for worker in workers]
    pairs = list(zip(workers, outcomes))
    for number in range(rounds):
        first = number % len(pairs)
        for worker, outcome in pairs[first:] + pairs[:first]:
            if outcome.ok:
                take_turn(worker, outcome)
    for worker, outcome in pairs:
        finish(worker, outcome)
    return CaseResult(case, workers[0].threads, {one.contestant: one for one in outcomes})


def run_cases(cases: list[Case], quick: bool, workers: dict[int, list[Worker]],
              rounds: int) -> Iterator[CaseResult]:
    """Every case at every number of threads. workers: by number of threads."""
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="windrow-peers-") as name:
            folder = pathlib.Path(name)
            inputs = make_inputs(case)
            for key, array in inputs.items():
                np.save(folder / f"{key}.npy", array)
            np.save(folder / "expected.npy", expected_result(case, inputs))
            del inputs
            for group in workers.values():
                yield run_case(case, quick, folder, group, rounds)
