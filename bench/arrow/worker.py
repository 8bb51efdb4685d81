"""Measures cases in a process whose libraries have one number of threads, and prints a line of JSON for each."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import pyarrow

from arrow.cases import CASES, make_inputs
from arrow.libraries import Pair, pairs


def _seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start
    del result  # Freeing it is not timed.
    return seconds


def measure(all_pairs: list[Pair], rounds: int, order: random.Random) -> dict[str, list[tuple[float, float]]]:
    """The seconds of this library and of each peer, round by round; the two calls of a pair follow one another."""
    times: dict[str, list[tuple[float, float]]] = {pair.peer: [] for pair in all_pairs}
    for _ in range(rounds):
        for pair in order.sample(all_pairs, len(all_pairs)):
            if order.random() < 0.5:
                ours, theirs = _seconds(pair.ours), _seconds(pair.theirs)
            else:
                theirs, ours = _seconds(pair.theirs), _seconds(pair.ours)
            times[pair.peer].append((ours, theirs))
    return times


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", nargs="+", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--threads", choices=("1", "default"), required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    threads = None
    if options.threads == "1":
        threads = 1
        pyarrow.set_cpu_count(1)
    order = random.Random(1)
    for case in CASES:
        if case.name not in options.cases:
            continue
        all_pairs = pairs(*make_inputs(case, options.quick), threads)
        wrong = [pair.peer for pair in all_pairs if not pair.same()]  # the first call of all, too
        line = {"case": case.name, "wrong": wrong, "times": measure(all_pairs, options.rounds, order)}
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
