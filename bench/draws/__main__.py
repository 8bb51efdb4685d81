"""Times this library and its peers on calls drawn at random.

Every contestant has a process of its own, which is stopped while the others are asked; rounds are in
random order, and Windrow takes part twice. A case is judged only if these two come out equal, and is
behind only if the 95 % interval of the best peer's time by ours lies below 0.95 when measured again.
What is measured goes into a file after every case; an interrupted run keeps it.
Exit code 1: a result of this library is wrong, or it failed. 130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from draws import forced, scaling, thresholds
from draws.cases import MODES, DrawnCase
from draws.draw import MOST_BYTES, draw_case
from draws.files import Run, load_run, save_run
from draws.intervals import LEAST_ROUNDS
from draws.measure import Result, measure
from draws.picture import write_picture
from draws.report import header, line, report, worst
from draws.shrink import smallest_behind
from peers.contestants import ACCESSES, AGAIN, COPY, CPP, HOST_CPP, OURS, PEERS
from peers.machine import ROOT
from peers.rounds import by_threads
from peers.workers import Workers

ROUNDS = 15
CASES, SCALED_CASES = 200, 300
LIMITS_AND_OURS = (COPY, ACCESSES, OURS, AGAIN, CPP)
TORCH_PYTHON = ROOT / "build" / "torch-venv" / "bin" / "python"


def _parser(cores: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev bench random", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, metavar="S", help="case i of seed S is always the same call")
    parser.add_argument("--cases", type=int, metavar="N",
                        help=f"draw N cases (default: {CASES}, of --scaling {SCALED_CASES})")
    parser.add_argument("--threads", nargs="+", type=int, metavar="T",
                        help=f"numbers of threads, 1 to {cores} (default: 1)")
    parser.add_argument("--scaling", action="store_true",
                        help=f"this library alone, every call with {', '.join(map(str, scaling.THREADS))} threads, "
                        "whatever the number of cores, or those of --threads: which calls are slower with more")
    parser.add_argument("--forced", action="store_true",
                        help="this library alone, every call as it chooses and with each of its levers forced: which "
                        "choices lose")
    parser.add_argument("--thresholds", nargs="*", metavar="NAME",
                        help="this library alone, every call with each of these thresholds of src/plan/thresholds.inc, or "
                        "all, halved and doubled")
    parser.add_argument("--mode", choices=MODES, default="given",
                        help="given: outputs are there and touched (default); fresh: every call allocates its own")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N",
                        help=f"at least {LEAST_ROUNDS} (default: {ROUNDS})")
    parser.add_argument("--largest", type=int, default=MOST_BYTES, metavar="BYTES",
                        help=f"of an operand, from 1024 (default: {MOST_BYTES:,})")
    parser.add_argument("--peers", nargs="*", choices=PEERS, metavar="PEER",
                        help=f"of {', '.join(PEERS)}; default: all but torch")
    parser.add_argument("--torch", nargs="?", type=pathlib.Path, const=TORCH_PYTHON, metavar="PYTHON",
                        help="PyTorch too, in that interpreter (default: build/torch-venv's)")
    parser.add_argument("--repeat", type=pathlib.Path, metavar="FILE",
                        help="the cases and the mode of an earlier run instead of new ones")
    parser.add_argument("--only", nargs="+", metavar="CASE", help="of these, the cases of these names")
    parser.add_argument("--worst", action="store_true",
                        help="make the worst case that is behind smaller, as long as it stays behind")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE",
                        help="what --repeat reads, and a picture beside it (default: below build/random)")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    return parser


def parse_arguments(words: list[str] | None = None) -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0))
    parser = _parser(cores)
    options = parser.parse_args(words)
    if (options.seed is None) == (options.repeat is None):
        parser.error("either --seed or --repeat is needed")
    if options.rounds < LEAST_ROUNDS:
        parser.error(f"{LEAST_ROUNDS} rounds are needed for an interval")
    if options.cases is None:
        options.cases = SCALED_CASES if options.scaling else CASES
    if options.largest < 1024 or options.cases < 1:
        parser.error("at least one case, and 1024 bytes")
    if options.threads is None:
        options.threads = list(scaling.THREADS) if options.scaling else [1]
    if not all(1 <= threads <= (scaling.THREADS[-1] if options.scaling else cores) for threads in options.threads):
        parser.error(f"this process may use 1 to {cores} threads")
    alone = [options.scaling, options.forced, options.thresholds is not None]
    if any(alone) and (options.peers is not None or options.torch or options.worst or options.out):
        parser.error("--scaling, --forced and --thresholds time this library alone and write no file")
    if sum(alone) > 1:
        parser.error("one of --scaling, --forced, --thresholds")
    if unknown := set(options.thresholds or []) - set(known := thresholds.read_thresholds()):
        parser.error(f"no such threshold: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.peers is None:
        options.peers = [peer for peer in PEERS if peer != "torch"]
    if options.torch is not None and "torch" not in options.peers:
        options.peers.append("torch")
    return options


def settings_of(options: argparse.Namespace) -> dict[str, object]:
    """Of the cases: what a repeated run takes over."""
    return {"seed": options.seed, "cases": options.cases, "mode": options.mode, "largest": options.largest}


def choose_cases(options: argparse.Namespace) -> tuple[dict[str, object], list[DrawnCase]]:
    """The settings that the cases follow from, and the cases. Exits on a name or file that is not there."""
    if options.repeat is not None:
        try:
            run = load_run(options.repeat)
        except (OSError, ValueError) as error:
            sys.exit(f"{options.repeat}: {error}")
        # A case that was measured at several numbers of threads is there several times.
        settings, cases = run.settings, list({one.case.name: one.case for one in run.results}.values())
    else:
        settings = settings_of(options)
        cases = [draw_case(options.seed, number, options.mode, options.largest)
                 for number in range(options.cases)]
    if options.only:
        unknown = set(options.only) - {case.name for case in cases}
        if unknown:
            sys.exit(f"no such case: {', '.join(sorted(unknown))}; --list prints them")
        cases = [case for case in cases if case.name in options.only]
    return settings, cases


class Bench:
    """The contestants' processes, by number of threads."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.rounds = options.rounds
        self.random = np.random.default_rng()
        names = [*LIMITS_AND_OURS, *(peer for peer in PEERS if peer in options.peers)]
        names += [HOST_CPP] if "onnxruntime" in options.peers else []
        pythons = {"torch": str(options.torch)} if options.torch is not None else {}
        self.workers = Workers(names, options.threads, pythons)

    def results(self, cases: list[DrawnCase]) -> Iterator[Result]:
        for case in cases:
            yield from measure(case, list(self.workers.by_threads.values()), self.rounds, self.random)

    def is_behind(self, case: DrawnCase, threads: int) -> bool:
        """Says what it measured."""
        (result,) = measure(case, [self.workers.by_threads[threads]], self.rounds, self.random)
        print(line(result), flush=True)
        return result.is_behind


def shrink_worst(bench: Bench, results: list[Result]) -> None:
    """The worst case that is behind, at each number of threads."""
    for threads, group in by_threads(results).items():
        behind = [one for one in worst(group, len(group)) if one.is_behind]
        if not behind:
            print(f"\nthreads: {threads}: no case is behind")
            continue
        print(f"\nthreads: {threads}: smaller forms of {behind[0].case.name}\n{header()}")
        smallest = smallest_behind(behind[0].case, lambda case: bench.is_behind(case, threads))
        print(f"the smallest that is behind: {smallest.title}, {smallest.bytes_moved} bytes")


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def measure_all(bench: Bench, run: Run, cases: list[DrawnCase], path: pathlib.Path) -> None:
    """Fills the run, and writes it after each case."""
    print(header(), flush=True)
    for result in bench.results(cases):
        run.results.append(result)
        save_run(run, path)
        print(line(result), flush=True)


def finish(run: Run, path: pathlib.Path) -> None:
    """The report and the picture of what there is."""
    print(*report(run.results), sep="\n")
    if run.results:
        caption = f"{run.machine['CPU']}; {run.machine['date']}; mode {run.settings['mode']}, seed {run.settings['seed']}"
        write_picture(by_threads(run.results), caption, path.with_suffix(".svg"))
        print(f"\nwritten to {path} and {path.with_suffix('.svg')}")


def measure_alone(workers: Workers, header: str, results_of: Iterable[scaling.Scaling | forced.Choice],
                  report: Callable[[list[Any]], list[str]]) -> int:
    """Exit code as that of a run beside the peers."""
    results, interrupted = [], False
    try:
        workers.describe_machine()
        print(header, flush=True)
        for result in results_of:
            results.append(result)
            print(result.line(), flush=True)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        workers.close()
    print(*report(results), sep="\n")
    return 130 if interrupted else 1 if any(one.faults for one in results) else 0


def measure_scaling(options: argparse.Namespace, cases: list[DrawnCase]) -> int:
    workers = Workers([OURS], options.threads)
    ours = [group[0] for group in workers.by_threads.values()]
    return measure_alone(workers, scaling.header(list(workers.by_threads)),
                         scaling.scalings(cases, ours, options.rounds), scaling.report)


def measure_variants(options: argparse.Namespace, cases: list[DrawnCase], variants: list[forced.Variant],
                     environment: dict[str, str]) -> int:
    """At the first number of threads. environment: of the choice's process."""
    workers = Workers(forced.contestants(variants), options.threads[:1],
                      environments=[environment, *(one.environment for one in variants)])
    (group,) = workers.by_threads.values()
    return measure_alone(workers, forced.header(), forced.choices(cases, variants, group, options.rounds), forced.report)


def main() -> int:
    options = parse_arguments()
    settings, cases = choose_cases(options)
    if options.list:
        print("\n".join(f"{case.name:>9} {case.bytes_moved:>11} {case.title}" for case in cases))
        return 0
    # A shell starts what runs in the background with SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    if options.scaling:
        return measure_scaling(options, cases)
    if options.forced:
        return measure_variants(options, cases, forced.LEVERS, {})
    if options.thresholds is not None:
        names = options.thresholds or list(thresholds.read_thresholds())
        return measure_variants(options, cases, thresholds.variants(names), thresholds.ENVIRONMENT)
    path = options.out or ROOT / "build" / "random" / f"seed-{settings['seed']}-{settings['mode']}.json"
    run, interrupted = Run(settings), False
    bench = Bench(options)
    try:
        run.machine = bench.workers.describe_machine()
        measure_all(bench, run, cases, path)
        finish(run, path)
        if options.worst:
            shrink_worst(bench, run.results)
    except KeyboardInterrupt:
        interrupted = True
        finish(run, path)
    finally:
        bench.workers.close()
    lost = [one for one in run.results if not one.last.is_ok(OURS)]
    for one in lost:
        ours = one.last.outcomes[OURS]
        print(f"{one.case.name}, {one.threads} threads: {ours.status}: {ours.detail}")
    return 130 if interrupted else 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
