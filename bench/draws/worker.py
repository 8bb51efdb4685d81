"""One contestant's process in this bench: python -m draws.worker CONTESTANT THREADS; see peers.worker."""

from __future__ import annotations

import importlib
import math
import pathlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from draws.cases import DrawnCase
from draws.contestants import CONTESTANTS, LIMITS
from peers.contestants import Inputs, Spelling
from peers.worker import TRIALS, Contestant, load_inputs, main, seconds

TRIAL_SECONDS = 5e-4  # A trial of short calls lasts at least this long.


def load_views(case: DrawnCase, folder: pathlib.Path) -> Inputs:
    """Of a gather nothing else that lies in the folder."""
    return {name: case.view(name, base) for name, base in load_inputs(folder).items()
            if name != "updates" or case.is_scatter}


class DrawnContestant(Contestant):
    """As in the bench of chosen cases, but that a case comes as its fields and not as a name."""

    limits = LIMITS

    def find_module(self) -> ModuleType:
        return importlib.import_module(f"draws.contestants.{CONTESTANTS[self.name]}")

    def prepare(self, case: dict[str, Any], folder: str) -> dict[str, Any]:
        drawn, place = DrawnCase.from_json(case), pathlib.Path(folder)
        return self.prepare_case(drawn, place, lambda: load_views(drawn, place))

    def trial(self, spelling: Spelling) -> float:
        """The check has called it: nothing of the first call is in these."""
        calls = max(1, math.ceil(TRIAL_SECONDS / max(seconds(spelling, 1), 1e-7)))
        return min(seconds(spelling, calls) for _ in range(TRIALS))

    def describe(self, case: dict[str, Any], folder: str) -> dict[str, Any]:
        """The plan of this library for the case."""
        drawn = DrawnCase.from_json(case)
        inputs = load_views(drawn, pathlib.Path(folder))
        return {"plan": self.module.describe(drawn, inputs, self.threads)}

    def commands(self) -> dict[str, Callable[..., dict[str, Any]]]:
        return super().commands() | {"describe": self.describe}


if __name__ == "__main__":
    main(DrawnContestant)
