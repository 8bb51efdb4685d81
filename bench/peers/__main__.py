"""Times this library and its peers on the same cases, in interleaved rounds.

Every contestant is called from Python, in a process of its own, with its inputs and outputs bound
before, in the spelling that is its best for the case. Results are checked before the rounds and
after them.
Exit code 1: a result of this library is wrong, or it failed.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import os
import pathlib
import sys

from peers.cases import Case, all_cases
from peers.contestants import CONTESTANTS, LIMITS, OURS
from peers.machine import ROOT, describe_machine
from peers.overview import FOLDER, write_overview
from peers.report import (
    summary, table_header, table_line, target_lines, write_csv, write_markdown)
from peers.rounds import CaseResult, by_threads, run_cases
from peers.workers import Worker

PEERS = [name for name in CONTESTANTS if name not in (*LIMITS, OURS)]
MIN_ROUNDS, QUICK_ROUNDS = 7, 2


def parse_arguments() -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(
        prog="./dev bench peers", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", metavar="CASE", default=["*"],
                        help="names, or patterns as of files; default: all")
    parser.add_argument("--threads", nargs="+", type=int, default=sorted({1, cores}), metavar="N",
                        help="numbers of threads (default: one, and all)")
    parser.add_argument("--rounds", type=int, metavar="N",
                        help=f"at least {MIN_ROUNDS} (default: 11; with --quick {QUICK_ROUNDS})")
    parser.add_argument("--peers", nargs="*", choices=PEERS, metavar="PEER",
                        help=f"of {', '.join(PEERS)}; default: all but torch")
    parser.add_argument("--torch", action="store_true", help="PyTorch too")
    parser.add_argument("--quick", action="store_true", help="small sizes: tries the bench")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER",
                        help="for results.{md,csv,png,svg} and overview.svg (default: build/peers and, for results.md "
                             "and overview.svg of a run without --quick, docs/performance)")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    options = parser.parse_args()
    if options.peers is None:
        options.peers = [peer for peer in PEERS if peer != "torch"]
    if options.torch:
        options.peers.append("torch")
    if options.rounds is None:
        options.rounds = QUICK_ROUNDS if options.quick else 11
    if options.rounds < (1 if options.quick else MIN_ROUNDS):
        parser.error(f"fewer than {MIN_ROUNDS} rounds are for --quick")
    if not all(1 <= threads <= cores for threads in options.threads):
        parser.error(f"this process may use 1 to {cores} threads")
    options.keep = options.out is None and not options.quick
    if options.out is None:
        options.out = ROOT / "build/peers"
    return options


def choose_cases(patterns: list[str], quick: bool) -> list[Case]:
    """In the list's order. Exits if a pattern fits none."""
    cases = all_cases()
    for pattern in patterns:
        if not fnmatch.filter([case.name for case in cases], pattern):
            sys.exit(f"no such case: {pattern}; --list prints them")
    chosen = [case for case in cases if any(fnmatch.fnmatch(case.name, one) for one in patterns)]
    return [case.quick() for case in chosen] if quick else chosen


def run(options: argparse.Namespace, cases: list[Case]) -> tuple[list[CaseResult], dict[str, str]]:
    """The results and the machine, with the versions of what ran."""
    contestants = [name for name in CONTESTANTS if name in (*LIMITS, OURS, *options.peers)]
    workers: dict[int, list[Worker]] = {}
    try:
        for threads in sorted(set(options.threads)):
            workers[threads] = [Worker(name, threads) for name in contestants]
        versions: dict[str, str] = {}
        for worker in workers[min(workers)]:
            versions |= worker.versions
            if worker.absent:
                print(f"{worker.contestant}: {worker.absent}")
        machine = describe_machine(versions)
        print("\n".join(f"{name}: {value}" for name, value in machine.items()))
        print("\n" + table_header(contestants), flush=True)
        results = []
        for result in run_cases(cases, options.quick, workers, options.rounds):
            results.append(result)
            print(table_line(result), flush=True)
    finally:
        for group in workers.values():
            for worker in group:
                worker.close()
    return results, machine


def main() -> int:
    options = parse_arguments()
    cases = choose_cases(options.cases, options.quick)
    if options.list:
        print("\n".join(f"{case.name:40}{case.title}" for case in cases))
        return 0
    results, machine = run(options, cases)
    for threads, some in by_threads(results).items():
        print(f"\nthreads: {threads}", *summary(some), sep="\n  ")
    print("\ntargets:", *target_lines(results), sep="\n  ")
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(results, options.out / "results.csv")
    for folder in (options.out, FOLDER) if options.keep else (options.out,):
        write_markdown(results, machine, options.rounds, options.quick, folder / "results.md")
        write_overview(folder)
        print(f"results.md and overview.svg: {folder}")
    if importlib.util.find_spec("matplotlib"):
        from peers.chart import write_chart

        write_chart(results, f"{machine['CPU']}; {machine['versions']}; {machine['date']}",
                    options.out / "results")
    else:
        print("no chart: matplotlib is not installed")
    for result in results:
        ours = result.outcomes[OURS]
        if not ours.ok:
            print(f"{result.case.name}, {result.threads} threads: {ours.status}: {ours.detail}")
    return 0 if all(result.is_ok(OURS) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
