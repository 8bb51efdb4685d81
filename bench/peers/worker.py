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

from peers.cases import Case, find_case
from peers.check import difference
from peers.contestants import CONTESTANTS, LIMITS, Inputs, NotOffered, Spelling

TURN_SECONDS = 0.01  # A turn of short calls lasts at least this long.
TRIALS = 3
LAST_CHECKS = 5  # Threads that race are right in most calls.
PR_SET_PDEATHSIG = 1


def load_inputs(folder: pathlib.Path) -> Inputs:
    """Into memory of NumPy's, which asks for huge pages: the same kind for every contestant."""
    names = ("data", "indices", "updates")
    paths = {name: folder / f"{name}.npy" for name in names}
    return {name: np.load(path) for name, path in paths.items() if path.exists()}


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

    limits: tuple[str, ...] = LIMITS  # Their results are not checked.

    def __init__(self, name: str, threads: int) -> None:
        self.name, self.threads = name, threads
        self.module = self.find_module()
        self.best: Spelling | None = None
        self.calls = 1
        self.expected: np.ndarray | None = None

    def find_module(self) -> ModuleType:
        return importlib.import_module(f"peers.contestants.{CONTESTANTS[self.name]}")

    def prepare(self, case: str, quick: bool, folder: str) -> dict[str, Any]:
        """Checks every spelling and keeps the fastest that is right."""
        place = pathlib.Path(folder)
        return self.prepare_case(find_case(case, quick), place, lambda: load_inputs(place))

    def prepare_case(self, case: Case, folder: pathlib.Path,
                     load: Callable[[], Inputs]) -> dict[str, Any]:
        """The same for a case whose inputs `load` gives."""
        self.drop()
        if self.name not in self.limits:
            self.expected = np.load(folder / "expected.npy", mmap_mode="r")
        try:
            return self._choose(case, load())
        except NotOffered as error:
            return {"status": "not offered", "detail": str(error)}
        except Exception as error:  # whatever a library raises is its answer
            return {"status": "failed", "detail": f"{type(error).__name__}: {error}"}

    def _choose(self, case: Case, inputs: Inputs) -> dict[str, Any]:
        fastest, faults = math.inf, []
        for spelling in self.module.spellings(case, inputs, self.threads):
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
        """The seconds of a call by which spellings are compared."""
        return min(seconds(spelling, 1) for _ in range(TRIALS))

    def _fault(self, spelling: Spelling) -> str:
        if self.expected is None:
            spelling.run()
            return ""
        return difference(spelling.result(), self.expected)

    def turn(self) -> dict[str, Any]:
        """The first call wakes the threads and is not timed."""
        assert self.best is not None
        self.best.run()
        return {"seconds": seconds(self.best, self.calls)}

    def check(self) -> dict[str, Any]:
        assert self.best is not None
        faults = (self._fault(self.best) for _ in range(LAST_CHECKS))
        return {"fault": next(filter(None, faults), "")}

    def commands(self) -> dict[str, Callable[..., dict[str, Any]]]:
        """What the process can be asked to do, by name."""
        return {"prepare": self.prepare, "turn": self.turn, "check": self.check, "drop": self.drop}

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


def main(kind: type[Contestant] = Contestant) -> None:
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
        contestant = kind(name, threads)
    except ImportError as error:
        absent = {"status": "not installed", "detail": str(error)}
        print(json.dumps(absent), file=answers, flush=True)
        return
    hello = {"status": "ready", "versions": contestant.module.versions()}
    print(json.dumps(hello), file=answers, flush=True)
    serve(contestant, answers)


if __name__ == "__main__":
    main()
