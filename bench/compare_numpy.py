#!/usr/bin/env python3
"""Times windrow_bench and NumPy on the same cases, on one thread, round by round in turn.

Prints a table. The ratio is NumPy's time by ours, the median over the rounds: above 1 we are faster.
Exit code 1: a result differs, or a required case has a ratio below the limit.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
REQUIRED = {"gather_rows_64B", "gather_rows_512B", "gather_rows_8KB", "take_last_axis", "take_1d_of_16M",
            "elements_axis_1", "elements_axis_0"}
LIMIT = 0.95


class Bench:
    """windrow_bench, set up for one case and waiting for rounds."""

    def __init__(self, program, case, folder):
        self.process = subprocess.Popen(
            [program, "--case", case, "--dump", folder, "--rounds-from-stdin"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.expect_line("ready")

    def expect_line(self, expected=None):
        line = self.process.stdout.readline().strip()
        if not line or (expected and line != expected):
            sys.exit(f"{self.process.args[0]} ended or answered {line!r}")
        return line

    def seconds(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return float(self.expect_line())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def spread_indices(indices, axis):
    """Index arrays for every axis: what take_along_axis and put_along_axis make inside."""
    grid = list(np.ogrid[tuple(map(slice, indices.shape))])
    grid[axis] = indices
    return tuple(grid)


def gather_spellings(case, data, indices):
    """NumPy's ways to say the case, each a function that returns the result."""
    if case["operator"] == "Gather":
        axis = case["axis"]
        shape = data.shape[:axis] + indices.shape + data.shape[axis + 1:]
        out = np.zeros(shape, data.dtype)
        yield lambda: np.take(data, indices, axis=axis, out=out, mode="clip")
        yield lambda: np.take(data, indices, axis=axis, out=out)
        yield lambda: np.take(data, indices, axis=axis)
    elif case["operator"] == "GatherElements":
        axis = case["axis"]
        yield lambda: np.take_along_axis(data, indices, axis=axis)
        if data.ndim == 1:
            out = np.zeros(indices.shape, data.dtype)
            yield lambda: np.take(data, indices, out=out, mode="clip")
    elif case["operator"] == "GatherND":
        yield lambda: data[tuple(indices.T)]
        rows = data.reshape((-1,) + data.shape[2:])
        out = np.zeros(indices.shape[:-1] + data.shape[2:], data.dtype)

        def take_flat():
            flat = indices[:, 0] * data.shape[1] + indices[:, 1]
            return np.take(rows, flat, axis=0, out=out, mode="clip")
        yield take_flat


def scatter_spellings(case, data, indices, updates):
    """The same for scatters; each writes into data."""
    if case["operator"] == "ScatterElements":
        where = spread_indices(indices, case["axis"])
    else:
        where = tuple(indices.T)
    if case["reduction"] == "add":
        yield lambda: np.add.at(data, where, updates)
    else:
        yield lambda: data.__setitem__(where, updates)
        if case["operator"] == "ScatterElements":
            yield lambda: np.put_along_axis(data, indices, updates, case["axis"])


def numpy_seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def numpy_spellings(case, folder):
    """NumPy's spellings, after a check that the first gives the library's result."""
    data = np.load(folder / "data.npy")
    indices = np.load(folder / "indices.npy")
    expected = np.load(folder / "result.npy")
    if "Scatter" in case["operator"]:
        updates = np.load(folder / "updates.npy")
        spellings = list(scatter_spellings(case, data, indices, updates))
        spellings[0]()
        result = data
    else:
        spellings = list(gather_spellings(case, data, indices))
        result = spellings[0]()
    return spellings, np.array_equal(result, expected)


def compare(program, case, rounds):
    """The medians of one case (copy, ours, NumPy), the median ratio, and whether the results are equal."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bench = Bench(program, case["case"], folder)
        spellings, equal = numpy_spellings(case, folder)
    best = min(spellings, key=lambda spelling: min(numpy_seconds(spelling) for _ in range(3)))
    ours, numpys, copies = [], [], []
    for _ in range(rounds):
        ours.append(bench.seconds("go"))
        numpys.append(numpy_seconds(best))
        copies.append(bench.seconds("copy"))
    bench.close()
    ratio = statistics.median(theirs / our for theirs, our in zip(numpys, ours))
    return [statistics.median(times) for times in (copies, ours, numpys)], ratio, equal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", default=ROOT / "build" / "release" / "bin" / "windrow_bench",
                        type=lambda path: pathlib.Path(path).resolve(), help="the program windrow_bench")
    parser.add_argument("--rounds", default=15, type=int, help="rounds per case (default: %(default)s)")
    parser.add_argument("--case", action="append", help="only this case; may be repeated")
    options = parser.parse_args()
    listed = subprocess.run([options.bench, "--list"], capture_output=True, text=True, check=True).stdout
    cases = [json.loads(line) for line in listed.splitlines()]
    unknown = set(options.case or []) - {case["case"] for case in cases}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")

    print(f"NumPy {np.__version__}, one thread, {options.rounds} rounds; medians in ms")
    print(f"{'case':30}{'copy':>9}{'ours':>9}{'NumPy':>9}  NumPy / ours")
    failed = False
    for case in cases:
        if options.case and case["case"] not in options.case:
            continue
        times, ratio, equal = compare(options.bench, case, options.rounds)
        slow = case["case"] in REQUIRED and ratio < LIMIT
        failed |= slow or not equal
        verdict = (f"  below {LIMIT}" if slow else "") + ("" if equal else "  results differ")
        print(f"{case['case']:30}" + "".join(f"{seconds * 1e3:9.2f}" for seconds in times) + f"{ratio:9.2f}{verdict}",
              flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
