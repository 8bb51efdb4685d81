"""Times take() on Arrow columns beside pyarrow, Polars and pandas, in interleaved rounds.

Every peer is timed on its own columns, and this library on the same objects: what a call costs its
user, conversions included. A process with one thread, and one with the number of threads that each
library uses by itself. In every round the two calls of a pair follow one another, in an order that is
drawn; the ratio is the median of the rounds' ratios, with its 95 % interval.
Exit code 1: a result differs from a peer's, or a case is behind: its interval lies below --least.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import statistics
import subprocess
import sys
from typing import Any

from draws.intervals import LEAST_ROUNDS, median_interval
from peers.machine import describe_machine

from arrow.cases import CASES
from arrow.libraries import versions

COLUMNS = "{:14}{:10}{:>9}{:>9}{:>8}   {}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench arrow", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", metavar="CASE", default=["*"], help="names or patterns; default: all")
    parser.add_argument("--threads", nargs="+", choices=("1", "default"), default=["1", "default"])
    parser.add_argument("--rounds", type=int, default=25, metavar="N", help=f"at least {LEAST_ROUNDS} (default: 25)")
    parser.add_argument("--least", type=float, default=0.95, metavar="RATIO",
                        help="the least of a peer's time by ours (default: 0.95)")
    parser.add_argument("--quick", action="store_true", help="small sizes: tries the bench")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    options = parser.parse_args()
    if options.rounds < LEAST_ROUNDS:
        parser.error(f"there must be at least {LEAST_ROUNDS} rounds")
    options.names = [case.name for case in CASES if any(fnmatch.fnmatch(case.name, one) for one in options.cases)]
    if not options.names:
        parser.error("no such case; --list prints them")
    return options


def report(line: dict[str, Any], least: float) -> list[str]:
    """Prints a case, and returns what is wrong with it."""
    faults = [f"{line['case']}: the result differs from that of {peer}" for peer in line["wrong"]]
    for peer, times in line["times"].items():
        ratio = median_interval([theirs / ours for ours, theirs in times])
        ours, theirs = (1000 * statistics.median(column) for column in zip(*times, strict=True))
        behind = ratio.high < least
        print(COLUMNS.format(line["case"], peer, f"{ours:.3f}", f"{theirs:.3f}", f"{ratio.median:.2f}",
                             f"{ratio.low:.2f} to {ratio.high:.2f}{' behind' if behind else ''}"), flush=True)
        if behind:
            faults.append(f"{line['case']}: behind {peer}, {ratio.median:.2f}")
    return faults


def run(options: argparse.Namespace, threads: str) -> list[str]:
    """Measures with a number of threads. Returns what is wrong."""
    print(f"\nthreads: {threads}\n" + COLUMNS.format("case", "peer", "ours ms", "peer ms", "ratio", "95 % interval"))
    command = [sys.executable, "-m", "arrow.worker", "--cases", *options.names, "--rounds", str(options.rounds),
               "--threads", threads, *(["--quick"] if options.quick else [])]
    # Polars reads its number of threads when it is loaded.
    environment = os.environ | ({"POLARS_MAX_THREADS": "1"} if threads == "1" else {})
    faults: list[str] = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            faults += [f"{threads} threads: {fault}" for fault in report(json.loads(line), options.least)]
    return faults + ([f"the process with {threads} threads failed"] if worker.returncode else [])


def main() -> int:
    options = parse_arguments()
    if options.list:
        print("\n".join(f"{case.name:14}{case.title}" for case in CASES))
        return 0
    for name, fact in describe_machine(versions()).items():
        print(f"{name}: {fact}")
    faults = [fault for threads in options.threads for fault in run(options, threads)]
    if faults:
        print("", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
