"""This library alone: each call is measured in several ways, and what two measurements find is reported."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from draws.cases import DrawnCase
from draws.inputs import make_inputs
from draws.measure import describe_plan
from peers.rounds import Outcome, measure_in_turn, save_inputs
from peers.workers import Worker

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


class Measured(Protocol):
    """A case's result; found: what measure_twice() gives."""

    @property
    def case(self) -> DrawnCase: ...
    @property
    def found(self) -> Sequence[tuple[object, str]]: ...
    @property
    def faults(self) -> list[str]: ...


def report_found(results: Sequence[Measured], title: str, held_title: str) -> list[str]:
    """What was found, with the plans, below `title`; the share of the calls of which nothing was, after `held_title`."""
    lines = ["", f"{title}:"]
    for result in results:
        for one, plan in result.found:
            lines.append(f"{result.case.name:>9} {one}; {result.case.title}")
            lines += [f"    {text}" for text in plan.splitlines()]
    measured = [one for one in results if not one.faults]
    held = sum(not one.found for one in measured)
    share = f" ({held / len(measured):.1%})" if measured else ""
    lines += ["" if any(one.found for one in results) else "none", f"{held_title}: {held} of {len(measured)} calls{share}"]
    return lines + [fault for one in results for fault in one.faults]
