"""Times look-ups in tables on disk beside raw io_uring, other ways of reading the same rows, and memory.

Every contestant has a process of its own, whose data may take a third of the table's bytes
(RLIMIT_DATA, at least 640 MiB; mapped files do not count), and is measured once in every round, in an
order that is drawn. Before that the pages of its files are taken out of the page cache; what it held
before and after is shown. The rows are compared, and so are the reads of Windrow and of the limit.
A ratio is the median of the rounds' ratios, with its 95 % interval.
Exit code 1: rows or reads differ, another engine ran than was asked for, or a goal was not measured
or is missed: its interval lies below. With --quick goals are shown and not judged.
"""

from __future__ import annotations

import argparse
import fnmatch
import pathlib
import statistics
import sys

from draws.intervals import LEAST_ROUNDS, median_interval
from peers.machine import ROOT, describe_machine

from tables.cases import CASES, QUICK_BYTES, Case, Goal, sizes_of
from tables.machine import describe_folder
from tables.rounds import Measured, run

COLUMNS = "{:13}{:12}{:>11}{:>11}{:>9}{:>9}{:>10}{:>10}{:>8}{:>12}   {}"
HEADS = ("case", "contestant", "ms", "rows/s", "by ours", "reads", "read MB", "device MB", "amplif.", "page cache", "")
MB = 1e6


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench tables", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", metavar="CASE", default=["*"], help="names or patterns; default: all")
    parser.add_argument("--contestants", nargs="+", metavar="NAME", default=["*"], help="the same; default: all")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help=f"at least {LEAST_ROUNDS} (default: 11)")
    parser.add_argument("--mib", type=int, default=2048, help="the size of each table (default: 2048)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "bench-tables",
                        help="where the tables are written, and stay (default: build/bench-tables)")
    parser.add_argument("--reads", choices=("io_uring", "threads", "read_ahead"), default="io_uring",
                        help="how Windrow reads (default: io_uring)")
    parser.add_argument("--depth", type=int, default=128, help="reads under way at a time (default: 128)")
    parser.add_argument("--quick", action="store_true", help="small sizes: tries the bench")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    options = parser.parse_args()
    if options.rounds < LEAST_ROUNDS:
        parser.error(f"there must be at least {LEAST_ROUNDS} rounds")
    options.cases = [case for case in CASES if _is_chosen(case.name, options.cases)]
    if not options.cases:
        parser.error("no such case; --list prints them")
    options.bytes = QUICK_BYTES if options.quick else options.mib << 20
    if options.quick:  # large tables stay as they are
        options.folder /= "quick"
    return options


def _is_chosen(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def _line(case: Case, name: str, measured: Measured, rows: int) -> str:
    """Of a contestant: medians over the rounds; by ours: its time by that of the case's first contestant."""
    answers = measured.answers[name]

    def median(values: list[float]) -> float:
        return statistics.median(values)

    seconds = median(measured.seconds(name))
    ours = measured.seconds(case.contestants[0])
    ratio = median([theirs / time for theirs, time in zip(measured.seconds(name), ours, strict=False)]) if ours else 0
    sums = [answer["statistics"] for answer in answers if answer["statistics"]]
    reads, read = ([median([one[key] for one in sums]) for key in ("reads", "read_bytes")] if sums else (None, None))
    device = median([answer["device_bytes"] for answer in answers])
    brought = device if read is None else read
    before, after = (median([answer["resident"][end] / MB for answer in answers]) for end in (0, 1))
    shares = [one["cached"] / one["rows"] for one in sums if "cached" in one]
    cached = f"{median(shares):.1%} cached" if shares else ""
    return COLUMNS.format(
        case.name, name, f"{1000 * seconds:.2f}", f"{rows / seconds:.0f}", f"{ratio:.2f}",
        "" if reads is None else f"{reads:.0f}", "" if read is None else f"{read / MB:.1f}", f"{device / MB:.1f}",
        f"{brought / (rows * case.row_bytes):.2f}", f"{before:.1f}>{after:.1f}", cached)


def judge(goal: Goal, measured: Measured) -> tuple[str, bool]:
    """A line about a goal, and False if it is missed or was not measured."""
    pairs = list(zip(measured.seconds(goal.ours), measured.seconds(goal.peer), strict=False))
    if not pairs:
        return f"goal: {goal.peer} / {goal.ours} at least {goal.least:.2f}: not measured", False
    ratio = median_interval([theirs / ours for ours, theirs in pairs])
    verdict = "missed" if ratio.high < goal.least else "undecided" if ratio.low < goal.least else "met"
    return (f"goal: {goal.peer} / {goal.ours} at least {goal.least:.2f}: {ratio.median:.2f}, {ratio.low:.2f} to "
            f"{ratio.high:.2f}: {verdict}"), verdict != "missed"


def run_case(case: Case, options: argparse.Namespace) -> list[str]:
    """Measures and prints a case. Returns what is wrong."""
    sizes = sizes_of(case, options.bytes, options.quick)
    names = [name for name in case.contestants if _is_chosen(name, options.contestants)]
    words = ["--folder", str(options.folder), "--bytes", str(options.bytes), "--reads", options.reads, "--depth",
             str(options.depth), *(["--quick"] if options.quick else [])]
    print(f"\n{case.name}: {case.title}; {sizes.rows} rows, {case.batches} x {sizes.batch} ids, at most "
          f"{sizes.limit(case.row_bytes) >> 20} MiB of data", flush=True)
    measured = run(case, names, options.rounds, words)
    for name, text in measured.described.items():
        print(f"{name}: {text}")
    print("versions: " + ", ".join(sorted(set(measured.versions.values()))))
    print(COLUMNS.format(*HEADS).rstrip())
    for name in measured.answers:
        print(_line(case, name, measured, case.batches * sizes.batch).rstrip())
    for name, why in measured.absent.items():
        print(f"left out: {name}: {why}")
    faults = [f"{case.name}: {fault}" for fault in measured.faults()]
    for goal in case.goals:
        if {goal.ours, goal.peer} <= set(names):
            text, passes = judge(goal, measured)
            print(text, flush=True)
            if not passes and not options.quick:
                faults.append(f"{case.name}: {text}")
    if case.contestants[0] in measured.absent:
        faults.append(f"{case.name}: {case.contestants[0]} did not run")
    return faults


def main() -> int:
    options = parse_arguments()
    if options.list:
        print("\n".join(f"{case.name:14}{case.title}" for case in options.cases))
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, fact in (describe_machine({}) | describe_folder(options.folder)).items():
        if fact:
            print(f"{name}: {fact}")
    faults = [fault for case in options.cases for fault in run_case(case, options)]
    if faults:
        print("", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
