#!/usr/bin/env python3
"""What a small call costs from Python: NumPy's and the package's, in rounds in turn.

    PYTHONPATH=build/release/python .venv/bin/python bench/compare_calls.py [--rounds N]

Every contestant runs once per round; shown are the medians in nanoseconds, and the median over the
rounds of contestant / NumPy's ndarray.take.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from itertools import repeat

import numpy as np

import windrow

CALLS = 20_000
TABLE = np.arange(1600, dtype=np.float32).reshape(100, 16)
ROWS = np.array([1, 5, 3, 99, 4, 2, 0, 7])
OUT = np.empty((8, 16), dtype=np.float32)
PLAN = windrow.compile("array", "Take", TABLE, ROWS, axis=0)

# The first one is what the others are compared with.
CONTESTANTS: dict[str, Callable[[], object]] = {
    "ndarray.take(mode='clip', out=)": lambda: TABLE.take(ROWS, axis=0, out=OUT, mode="clip"),
    "windrow.take(out=)": lambda: windrow.take(TABLE, ROWS, axis=0, out=OUT),
    "windrow.take(mode='clip', out=)": lambda: windrow.take(
        TABLE, ROWS, axis=0, out=OUT, mode="clip"
    ),
    "plan(out=)": lambda: PLAN(TABLE, ROWS, out=OUT),
    "windrow.onnx.gather(out=)": lambda: windrow.onnx.gather(TABLE, ROWS, out=OUT),
    "ndarray.take()": lambda: TABLE.take(ROWS, axis=0),
    "windrow.take()": lambda: windrow.take(TABLE, ROWS, axis=0),
}


def nanoseconds(call: Callable[[], object]) -> float:
    """Of this thread's own time, for one call; the empty lambda's cost is in every figure."""
    start = time.thread_time_ns()
    for _ in repeat(None, CALLS):
        call()
    return (time.thread_time_ns() - start) / CALLS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    times: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(rounds):
        for name, call in CONTESTANTS.items():
            times[name].append(nanoseconds(call))
    base = times[next(iter(CONTESTANTS))]
    print(f"8 rows of 16 float32; {rounds} rounds of {CALLS} calls")
    for name, taken in times.items():
        ratio = statistics.median(mine / numpy for mine, numpy in zip(taken, base))
        print(f"{name:34} {statistics.median(taken):7.0f} ns {ratio:6.2f}")


if __name__ == "__main__":
    main()
