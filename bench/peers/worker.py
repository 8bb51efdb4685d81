"""One contestant's process: python -m peers.worker CONTESTANT THREADS; see peers.workers.

It reads a JSON object per line from its standard input and answers each with one.

A process per contestant, because libraries set up their threads for the whole process, and because
one that crashes is a result of the bench and not its end.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import itertools
import json
import math
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, TextIO

import numpy as np

from peers.cases import Case
from peers.check import difference
from peers.contestants import CONTESTANTS, LIMITS, Inputs, NotOffered, Spelling
from peers.own_windrow import refuse_stranger

TURN_SECONDS = 0.01  # A turn of short calls lasts at least this long, and a trial
TRIAL_SECONDS = 5e-4  # this long.
TRIALS = 3
LAST_CHECKS = 5  # Threads that race are right in most calls.
PR_SET_PDEATHSIG = 1


def read_case(fields: dict[str, Any]) -> Case:
    """What to_json() of a case, listed or drawn, has written."""
    if "distribution" not in fields:
        return Case.from_json(fields)
    from draws.cases import DrawnCase

    return DrawnCase.from_json(fields)


def load_inputs(case: Case, folder: pathlib.Path) -> Inputs:
    """Into memory of NumPy's, which asks for huge pages: the same kind for every contestant. Nothing else
    that lies in the folder."""
    return {name: case.view(name, np.load(folder / f"{name}.npy")) for name in case.operands}


def seconds(spelling: Spelling, calls: int) -> float:
    """The mean time of one call, over the given number of calls."""
    if spelling.timed is not None:
        return spelling.timed(calls) / calls
    run = spelling.run
    start = time.perf_counter()
    for _ in itertools.repeat(None, calls):
        run()
    return (time.perf_counter() - start) / calls


class Contestant:
    """A contestant's module and the spelling that is its best for the case at hand."""

    def __init__(self, name: str, threads: int) -> None:
        self.name, self.threads = name, threads
        entrant = CONTESTANTS[name]
        self.module = importlib.import_module(f"peers.contestants.{entrant.module}")
        self.options = entrant.options
        self.best: Spelling | None = None
        self.calls = self.nodes = 1
        self.expected: np.ndarray | None = None

    def prepare(self, case: dict[str, Any], folder: str) -> dict[str, Any]:
        """Checks every spelling and keeps the fastest that is right. case: its fields."""
        self.drop()
        read, place = read_case(case), pathlib.Path(folder)
        self.nodes = read.nodes
        if self.name not in LIMITS:  # Their results are not checked.
            self.expected = np.load(place / "expected.npy", mmap_mode="r")
        try:
            return self._choose(read, load_inputs(read, place))
        except (NotOffered, ImportError) as error:  # a plug-in may not be built
            return {"status": "not offered", "detail": str(error)}
        except Exception as error:  # whatever a library raises is its answer
            return {"status": "failed", "detail": f"{type(error).__name__}: {error}"}

    def _choose(self, case: Case, inputs: Inputs) -> dict[str, Any]:
        fastest, faults = math.inf, []
        for spelling in self.module.spellings(case, inputs, self.threads, **self.options):
            try:
                fault = self._fault(spelling)
            except Exception as error:
                faults.append(("failed", f"{spelling.label}: {type(error).__name__}: {error}"))
                continue
            if fault:
                faults.append(("wrong", f"{spelling.label}: {fault}"))
                continue
            trial = self.trial(spelling)
            if trial < fastest:
                fastest, self.best = trial, spelling
        if self.best is None and not faults:
            raise NotOffered("no spelling fits")
        if self.best is None:
            status, detail = max(faults)  # "wrong" says more than "failed"
            return {"status": status, "detail": detail}
        self.calls = max(1, math.ceil(TURN_SECONDS / fastest))
        others = "; ".join(text for _, text in faults)
        return {"status": "ok", "spelling": self.best.label, "detail": others}

    def trial(self, spelling: Spelling) -> float:
        """The seconds of a call by which spellings are compared. The check has called it: nothing of the first call is
        in these."""
        calls = max(1, math.ceil(TRIAL_SECONDS / max(seconds(spelling, 1), 1e-7)))
        return min(seconds(spelling, calls) for _ in range(TRIALS))

    def _fault(self, spelling: Spelling) -> str:
        if self.expected is None:
            spelling.run()
            return ""
        return difference(spelling.result(), self.expected)

    def turn(self) -> dict[str, Any]:
        """The seconds of a call or, of a chain, of a node. The first call wakes the threads and is not timed."""
        assert self.best is not None
        self.best.run()
        return {"seconds": seconds(self.best, self.calls) / self.nodes}

    def check(self) -> dict[str, Any]:
        assert self.best is not None
        faults = (self._fault(self.best) for _ in range(LAST_CHECKS))
        return {"fault": next(filter(None, faults), "")}

    def describe(self, case: dict[str, Any], folder: str) -> dict[str, Any]:
        """The plan of this library for the case."""
        read = read_case(case)
        return {"plan": self.module.describe(read, load_inputs(read, pathlib.Path(folder)), self.threads)}

    def commands(self) -> dict[str, Callable[..., dict[str, Any]]]:
        """What the process can be asked to do, by name."""
        return {"prepare": self.prepare, "turn": self.turn, "check": self.check, "drop": self.drop,
                "describe": self.describe}

    def drop(self) -> dict[str, Any]:
        """Lets go of the case's memory."""
        self.best = self.expected = None
        gc.collect()
        return {}


def serve(contestant: Contestant, answers: TextIO) -> None:
    commands = contestant.commands()
    for line in sys.stdin:
        request = json.loads(line)
        answer = commands[request.pop("do")](**request)
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    name, threads = sys.argv[1], int(sys.argv[2])
    # What a library prints must not stand among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # A stopped process would outlive a bench that was killed.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Libraries that ask for the number of cores must see this one when they are imported.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    gc.disable()
    try:
        refuse_stranger()
        contestant = Contestant(name, threads)
    except ImportError as error:
        absent = {"status": "not installed", "detail": str(error)}
        print(json.dumps(absent), file=answers, flush=True)
        return
    hello = {"status": "ready", "versions": contestant.module.versions()}
    print(json.dumps(hello), file=answers, flush=True)
    serve(contestant, answers)


if __name__ == "__main__":
    main()
