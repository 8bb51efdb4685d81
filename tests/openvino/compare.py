"""Runs probes with OpenVINO and with Windrow and says where they part.

    .venv/bin/python tests/openvino/compare.py SEED NUMBER...

repeats probes of a run of test_openvino.py and shows them.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from comparison import Comparison
from generate import BUILD, generate
from known_differences import explain
from windrow.runners import Limits, Pool

COMMAND = os.environ.get("WINDROW_COMMAND", str(BUILD / "bin" / "windrow"))
SECONDS = 30
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


def add_dummy_output(folder):
    """`windrow verify` runs a case only with an expected output; where OpenVINO has none, any will do."""
    if not (folder / "output_0.npy").exists():
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
    for place in findings:
        add_dummy_output(place)
    cases = run_windrow(folder)
    comparisons = []
    for place in sorted(findings, key=lambda place: (int(place.parent.name), place.name)):
        case, finding = cases[str(place.relative_to(folder))], findings[place]
        comparisons.append(Comparison(
            generate(seed, int(place.parent.name)), place.name, finding["state"], finding["text"],
            agreement(finding["state"], case), case.get("reason", ""), place))
    return comparisons


def main():
    folder = Path(tempfile.mkdtemp(prefix="windrow-openvino-"))
    for comparison in compare(int(sys.argv[1]), [int(number) for number in sys.argv[2:]], folder):
        row = explain(comparison) if comparison.agreement != "same" else None
        print(comparison.describe(), f"  known: {row.where}\n" if row else "", sep="\n")


if __name__ == "__main__":
    main()
