"""Times this library and its peers on the same cases, in interleaved rounds.

Every contestant is called from Python, in a process of its own, with its inputs and outputs bound
before, in the spelling that is its best for the case. Results are checked before the rounds and
after them.
Exit code 1: a result of this library is wrong, or it failed, or it is slower than --least allows.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import os
import pathlib
import re
import sys

from peers.cases import Case
from peers.contestants import OURS, PEERS, TITLES, is_ours
from peers.kinds import KINDS, Kind
from peers.machine import ROOT
from peers.overview import FOLDER, write_overview
from peers.report import (
    kind_header, kind_table, summary, table_header, table_line, target_lines, write_csv, write_markdown)
from peers.rounds import CaseResult, by_threads, run_cases
from peers.workers import Workers

MIN_ROUNDS, QUICK_ROUNDS = 7, 2


def parse_arguments() -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(
        prog="./dev bench peers", description=__doc__.splitlines()[0])
    kinds = "; ".join(f"{name}: {kind.title}" for name, kind in KINDS.items())
    parser.add_argument("--kind", choices=KINDS, default="peers", help=f"{kinds} (default: peers)")
    parser.add_argument("--cases", nargs="+", metavar="CASE", default=["*"],
                        help="names, or patterns as of files; default: all")
    parser.add_argument("--threads", nargs="+", type=int, default=sorted({1, cores}), metavar="N",
                        help="numbers of threads (default: one, and all)")
    parser.add_argument("--rounds", type=int, metavar="N",
                        help=f"at least {MIN_ROUNDS} (default: 11; with --quick {QUICK_ROUNDS})")
    parser.add_argument("--peers", nargs="*", choices=PEERS, metavar="PEER",
                        help=f"with --kind peers, of {', '.join(PEERS)}; default: all but torch")
    parser.add_argument("--torch", action="store_true", help="PyTorch too")
    parser.add_argument("--least", type=float, default=0.0, metavar="RATIO",
                        help="exit code 1 also where the best peer's time by ours is less")
    parser.add_argument("--quick", action="store_true", help="small sizes: tries the bench")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER",
                        help="for results.{md,csv,png,svg} and overview.svg, of other kinds KIND.csv (default: "
                             "build/peers and, for results.md and overview.svg of a run without --quick, "
                             "docs/performance)")
    parser.add_argument("--processor", metavar="NAME",
                        help="results_NAME.md instead of results.md and overview.svg: those of another "
                             "processor, which the site shows as a chart of its own")
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
    if options.processor and not re.fullmatch(r"[a-z0-9_]+", options.processor):
        parser.error(f"--processor {options.processor}: a NAME has small letters, digits and _ alone")
    options.keep = options.out is None and not options.quick
    if options.out is None:
        options.out = ROOT / "build/peers"
    return options


def choose_cases(kind: Kind, patterns: list[str], quick: bool) -> list[Case]:
    """In the list's order. Exits if a pattern fits none."""
    cases = kind.cases()
    for pattern in patterns:
        if not fnmatch.filter([case.name for case in cases], pattern):
            sys.exit(f"no such case: {pattern}; --list prints them")
    chosen = [case for case in cases if any(fnmatch.fnmatch(case.name, one) for one in patterns)]
    return [case.quick() for case in chosen] if quick else chosen


def run(options: argparse.Namespace, cases: list[Case]) -> tuple[list[CaseResult], dict[str, str]]:
    """The results and the machine, with the versions of what ran."""
    contestants = [name for name in KINDS[options.kind].contestants
                   if options.kind != "peers" or name not in PEERS or name in options.peers]
    workers = Workers(contestants, options.threads)
    try:
        machine = workers.describe_machine()
        beside_peers = options.kind == "peers"
        print("\n" + (table_header(contestants) if beside_peers else kind_header(contestants[0])), flush=True)
        results = []
        for result in run_cases(cases, workers.by_threads, options.rounds):
            results.append(result)
            lines = [table_line(result)] if beside_peers else kind_table(result, contestants[0])
            print(*lines, sep="\n", flush=True)
    finally:
        workers.close()
    return results, machine


def report(options: argparse.Namespace, results: list[CaseResult], machine: dict[str, str]) -> None:
    """Beside the peers: the means, the targets, and the files."""
    for threads, some in by_threads(results).items():
        print(f"\nthreads: {threads}", *summary(some), sep="\n  ")
    print("\ntargets:", *target_lines(results), sep="\n  ")
    write_csv(results, options.out / "results.csv")
    for folder in (options.out, FOLDER) if options.keep else (options.out,):
        name = f"results_{options.processor}.md" if options.processor else "results.md"
        write_markdown(results, machine, options.rounds, options.quick, folder / name)
        print(f"{name}: {folder}")
        if not options.processor:
            write_overview(folder)
            print(f"overview.svg: {folder}")
    if importlib.util.find_spec("matplotlib"):
        from peers.chart import write_chart

        write_chart(results, f"{machine['CPU']}; {machine['versions']}; {machine['date']}",
                    options.out / "results")
    else:
        print("no chart: matplotlib is not installed")


def faults(results: list[CaseResult], least: float) -> list[str]:
    """Where this library is wrong, failed, or slower than allowed."""
    lines = []
    for result in results:
        place = f"{result.case.name}, {result.threads} threads"
        lines += [f"{place}: {TITLES[name]}: {one.status}: {one.detail}" for name, one in result.outcomes.items()
                  if name == OURS and not one.ok or is_ours(name) and one.status in ("wrong", "failed", "crashed")]
        ratio = result.ratio(result.best_peer)
        if ratio is not None and ratio < least:
            lines.append(f"{place}: {ratio:.3f} times as fast as the best peer, {least:g} wanted")
    return lines


def main() -> int:
    options = parse_arguments()
    cases = choose_cases(KINDS[options.kind], options.cases, options.quick)
    if options.list:
        print("\n".join(f"{case.name:40}{case.title}" for case in cases))
        return 0
    results, machine = run(options, cases)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.kind == "peers":
        report(options, results, machine)
    else:
        write_csv(results, options.out / f"{options.kind}.csv")
    lost = faults(results, options.least)
    if lost:
        print(*lost, sep="\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
