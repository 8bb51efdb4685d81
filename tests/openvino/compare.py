"""Runs probes with OpenVINO and with Windrow and says where they part.

    .venv/bin/python tests/openvino/compare.py --seed 1 --calls 2000 [--operator GatherND]...
    .venv/bin/python tests/openvino/compare.py --seed 1 --probe 766...

The first draws that many calls of every operator of the table, or of those named, and counts the differences by the rows of
known_differences.py. It ends with exit code 1 if a difference has no row, which is shown with a script that repeats it, or
if an operator has no rule that draws its calls. The second repeats probes and shows what became of them.
"""

import argparse
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from comparison import Comparison
from generate import BUILD, OPERATORS, generate, numbers_of, undrawn
from known_differences import explain
from tally import Tally
from windrow.runners import Limits, Pool

COMMAND = os.environ.get("WINDROW_COMMAND", str(BUILD / "bin" / "windrow"))
SECONDS = 30
PART = 500  # probes whose files exist at a time
WORKERS = int(os.environ.get("WINDROW_JOBS", os.cpu_count()))


def run_openvino(seed, numbers, folder):
    """Fills `folder` as worker.py says. Gives {"state": ..., "text": ...} of each probe and runtime by its folder."""
    items = [{"seed": seed, "number": number, "runtime": runtime, "folder": str(folder / str(number) / runtime)}
             for number in numbers for runtime in ("evaluate", "cpu")]
    with Pool("worker:run", processes=WORKERS, limits=Limits(seconds=SECONDS)) as workers:
        endings = workers.run(items)
    without_model = [item for item in items if not Path(item["folder"], "model.xml").exists()]
    with Pool("worker:write_model", limits=Limits(seconds=SECONDS)) as workers:
        workers.run(without_model)
    return {Path(item["folder"]): found(ending) for item, ending in zip(items, endings, strict=True)}


def found(ending):
    """What became of a probe, in the words of Comparison."""
    failure = ending.failure
    return ending.value if failure is None else {"state": "died", "text": f"{failure} {failure.said}"}


def add_dummy_output(folder, state):
    """`windrow verify` runs a case only with an expected output; where OpenVINO has none, any will do. A process that died
    may have left a part of one."""
    if state != "ran":
        np.save(folder / "output_0.npy", np.zeros(0, bool))


def run_windrow(folder):
    """What `windrow verify` says of each probe's folder, by its path below `folder`."""
    done = subprocess.run([COMMAND, "verify", "--json", str(folder)], capture_output=True, encoding="utf-8",
                          timeout=600, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"windrow verify ended with {done.returncode}: {done.stderr}")
    return {case["name"]: case for case in json.loads(done.stdout)["cases"]}


def agreement(state, case):
    """How the runtime's finding and Windrow's case go together; the words of Comparison."""
    ran = case["outcome"] == "pass" or "mismatch" in case
    if not ran and not re.search(r"\[(OPENVINO|CALL)-", case["reason"]):
        return "not run here"
    if state in ("died", "not implemented"):
        return state
    if state == "refused":
        return "refused there" if ran else "same"
    if not ran:
        return "refused here"
    return "same" if case["outcome"] == "pass" else "differs"


def compare(seed, numbers, folder):
    """A Comparison for each probe and runtime, in order; their files stay in `folder`."""
    findings = run_openvino(seed, numbers, folder)
    for place, finding in findings.items():
        add_dummy_output(place, finding["state"])
    cases = run_windrow(folder)
    comparisons = []
    for place in sorted(findings, key=lambda place: (int(place.parent.name), place.name)):
        case, finding = cases[str(place.relative_to(folder))], findings[place]
        comparisons.append(Comparison(
            generate(seed, int(place.parent.name)), place.name, finding["state"], finding["text"],
            agreement(finding["state"], case), case.get("reason", ""), place))
    return comparisons


def compare_in_parts(seed, numbers, folder):
    """A Tally of these probes. The files of those with an unnamed difference stay in `folder`."""
    tally = Tally()
    for start in range(0, len(numbers), PART):
        part = numbers[start:start + PART]
        comparisons = compare(seed, part, folder)
        unnamed = {comparison.probe.number for comparison in comparisons if not tally.add(comparison)}
        for number in set(part) - unnamed:
            shutil.rmtree(folder / str(number))
        done = f"{start + len(part)} of {len(numbers)} calls, {len(tally.unnamed)} unnamed differences"
        print(done, file=sys.stderr, flush=True)
    return tally


def show(seed, numbers, folder):
    for comparison in compare(seed, numbers, folder):
        row = explain(comparison) if comparison.agreement != "same" else None
        print(comparison.describe(), f"  known: {row.where}\n" if row else "", sep="\n")


def draw_and_compare(seed, calls, names, folder):
    """Compares `calls` calls of each operator of these names, and prints what was found. Gives the exit code."""
    numbers = [number for name in names for number in numbers_of(name, calls)]
    print(f"{calls} calls of each of {len(names)} operators by evaluate and the CPU plugin, seed {seed}", flush=True)
    tally = compare_in_parts(seed, numbers, folder)
    print(tally.text())
    if not tally.unnamed:
        shutil.rmtree(folder)
    return 1 if tally.unnamed else 0


def main():
    every = list(dict.fromkeys(operator.name for operator in OPERATORS))
    parser = argparse.ArgumentParser(description="Compares drawn calls by OpenVINO and by Windrow.")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="the calls are drawn by it; default: by chance")
    parser.add_argument("--calls", type=int, default=2000, help="how many calls of each operator; default: 2000")
    parser.add_argument("--operator", action="append", choices=every, help="one of those to draw; default: every one")
    parser.add_argument("--probe", type=int, nargs="+", help="only repeats the calls of these numbers, and shows them")
    options = parser.parse_args()
    if undrawn():
        print(f"no rule of python/tests/drawn_calls.py draws calls of {', '.join(undrawn())}", file=sys.stderr)
        return 1
    folder = Path(tempfile.mkdtemp(prefix="windrow-openvino-"))
    if options.probe:
        show(options.seed, options.probe, folder)
        return 0
    return draw_and_compare(options.seed, options.calls, options.operator or every, folder)


if __name__ == "__main__":
    sys.exit(main())
