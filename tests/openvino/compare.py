"""Runs probes with OpenVINO and with Windrow and says where they part."""

import dataclasses
import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from generate import generate
from probe import Probe

HERE = Path(__file__).resolve().parent
COMMAND = os.environ.get("WINDROW_COMMAND", str(HERE.parents[1] / "build" / "release" / "bin" / "windrow"))
WORKERS = 2


@dataclasses.dataclass
class Comparison:
    """One probe by one runtime of OpenVINO (`state` and `text`, see worker.py) beside Windrow: `agreement` is one of
    "same" (bits, or both refuse), "differs", "refused here" (only by Windrow), "refused there", "died",
    "not implemented". `detail` is what Windrow said."""

    probe: Probe
    runtime: str
    state: str
    text: str
    agreement: str
    detail: str
    folder: Path

    @functools.cached_property
    def output(self):
        """What the runtime computed; None if it did not."""
        path = self.folder / "output_0.npy"
        return np.load(path) if self.state == "ran" else None

    def describe(self):
        return (f"{self.probe.describe()}\n  OpenVINO ({self.runtime}): {self.state} {' '.join(self.text.split())[-400:]}"
                f"\n  Windrow: {self.agreement}: {self.detail}\n  files: {self.folder}")


def run_openvino(seed, numbers, folder):
    """Fills `folder` as worker.py says, with a worker for each of WORKERS parts of the numbers."""
    parts = [numbers[first::WORKERS] for first in range(WORKERS)]
    workers = [subprocess.Popen([sys.executable, str(HERE / "worker.py"), str(seed), str(folder), *map(str, part)])
               for part in parts if part]
    codes = [worker.wait() for worker in workers]
    if any(codes):
        raise RuntimeError(f"a worker ended with the codes {codes}")


def _add_dummy_output(folder):
    """`windrow verify` runs a case only with an expected output; where OpenVINO has none, any will do."""
    if not (folder / "output_0.npy").exists():
        np.save(folder / "output_0.npy", np.zeros(0, bool))


def run_windrow(folder):
    """The outcome of `windrow verify` of each probe's folder, by its path below `folder`."""
    done = subprocess.run([COMMAND, "verify", "--json", "--threads", "2", str(folder)], capture_output=True,
                          encoding="utf-8", timeout=600, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"windrow verify ended with {done.returncode}: {done.stderr}")
    return {case["name"]: case for case in json.loads(done.stdout)["cases"]}


def _agreement(state, case):
    """How the two went together. `windrow verify` fails without a mismatch where the model or the run gave an error."""
    refused = case["outcome"] == "fail" and "mismatch" not in case
    if state in ("died", "not implemented"):
        return state
    if state == "refused":
        return "same" if refused else "refused there"
    if refused:
        return "refused here"
    return "same" if case["outcome"] == "pass" else "differs"


def compare(seed, numbers, folder):
    """A Comparison for each probe and runtime."""
    run_openvino(seed, numbers, folder)
    findings = {path.parent: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*/*/finding.json")}
    for place in findings:
        _add_dummy_output(place)
    cases = run_windrow(folder)
    comparisons = []
    for place, finding in sorted(findings.items(), key=lambda item: (int(item[0].parent.name), item[0].name)):
        case = cases[str(place.relative_to(folder))]
        comparisons.append(Comparison(
            generate(seed, int(place.parent.name)), place.name, finding["state"], finding["text"],
            _agreement(finding["state"], case), case.get("reason", ""), place))
    return comparisons
