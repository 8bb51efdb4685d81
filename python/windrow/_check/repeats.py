"""Repeats single nodes in a host, to see whether their results change from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from windrow._base.progress import step
from windrow._base.text import counted
from windrow._check.hosts import words_of
from windrow._check.nodes import OwnNode
from windrow._check.observe import HostRuns
from windrow._check.report import REPEATS, FirstDifference, ObservedDifference
from windrow.runners import Difference, Limits

# The time limit of all runs of a repeated node together.
_LIMITS = Limits(seconds=120.0)


class Repetitions:
    """The repetitions in one host.

    runs: how often every node is repeated; None: REPEATS times those of which a rule says that runs may differ. notes:
    receives what was seen.
    """

    def __init__(self, setting: HostRuns, runs: int | None, notes: list[str]) -> None:
        self._setting, self._host = setting, setting.host
        self._runs, self._notes = runs, notes
        # The nodes that gave what is specified every time, and of which no rule says that runs may differ.
        self._same: dict[str, None] = {}

    def run(
        self,
        node: OwnNode,
        inputs: Sequence[Any],
        expected: np.ndarray[Any, Any],
        in_model: Difference | None,
        *,
        is_racing: bool,
    ) -> ObservedDifference | None:
        """Runs the node alone repeatedly; None if every run gave the specified result, or no run gave any.

        in_model: how the run of the whole model differed; it counts as one more run if it is the only one that differed.
        is_racing: whether a rule says that runs may differ.
        """
        if not is_racing and self._runs is None:
            return None
        step(f"{self._host.name} repeats {node.path}")
        call = node.call(inputs, self._setting.threads)
        repeats = self._host.runner.repeat_node(
            call, expected, self._runs or REPEATS, limits=_LIMITS, pool=self._setting.pool
        )
        runs = counted(repeats.runs, "run")
        if repeats.failure is not None:
            self._note(f"{node.path} alone does not run again in {self._host.name}: {words_of(repeats.failure)}")
            return None
        if repeats.first is not None:
            if not repeats.varying and self._runs is not None:
                self._note(f"{node.path}: {runs} of the node alone in {self._host.name} gave one result")
            return observed_in(self._host.name, repeats.runs, repeats.differing, repeats.first)
        if is_racing:
            self._note(f"{node.path}: {runs} of the node alone in {self._host.name} gave what is specified")
        else:
            self._same[node.path] = None
        return None if in_model is None else observed_in(self._host.name, repeats.runs + 1, 1, in_model)

    def tell(self) -> None:
        """Notes, in one line, the nodes that gave the same result every time."""
        if self._same:
            runs, nodes = counted(self._runs or REPEATS, "run"), counted(len(self._same), "node")
            self._note(f"{runs} of each of {nodes} alone in {self._host.name} gave what is specified")

    def _note(self, text: str) -> None:
        self._notes.append(text)


def observed_in(host: str, runs: int, differing: int, difference: Difference) -> ObservedDifference:
    """Runs of a host that differ from Windrow's result. difference: that of the first run that differs."""
    first = FirstDifference(difference.position or (), difference.got, difference.expected)
    return ObservedDifference(host, runs, differing, first)
