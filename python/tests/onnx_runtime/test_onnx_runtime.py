"""Windrow beside ONNX Runtime on random calls of every ONNX operator version: what differs is a row of a table.

WINDROW_ONNXRUNTIME_PROBES is how many, WINDROW_ONNXRUNTIME_SEED another run.
"""

import collections
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import windrow
from case_data import same_bits
from ort_differences import Comparison, explain
from ort_probe import OPERATORS, make_probe

pytest.importorskip("onnxruntime")

PROBES = int(os.environ.get("WINDROW_ONNXRUNTIME_PROBES", "270"))
SEED = int(os.environ.get("WINDROW_ONNXRUNTIME_SEED", "1"))
WORKERS = int(os.environ.get("WINDROW_JOBS", os.cpu_count()))
MOST_SHOWN = 10


def run_peer(numbers, folder):
    """Fills `folder` as ort_worker.py says; each worker takes a part of the numbers."""
    script = Path(__file__).with_name("ort_worker.py")
    parts = [part for part in (numbers[first::WORKERS] for first in range(WORKERS)) if part]
    workers = [subprocess.Popen([sys.executable, script, str(SEED), folder, *map(str, part)]) for part in parts]
    assert [worker.wait() for worker in workers] == [0] * len(parts)


def run_here(call):
    """The result, or the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", windrow.OperatorWarning)
            return windrow.call("onnx", call.operator.name, *call.inputs, version=call.version, **call.attributes)
    except windrow.Error as error:
        return error


def agreement(state, here, place):
    """How the two findings go together; the words of Comparison."""
    if state in ("died", "not implemented"):
        return state
    if state == "refused":
        return "same" if isinstance(here, windrow.Error) else "refused there"
    if isinstance(here, windrow.Error):
        return "refused here"
    there = np.load(place / "output.npy", allow_pickle=True)
    if there.dtype == np.float32 and here.dtype != np.float32:
        with np.errstate(invalid="ignore"):
            here = here.astype(np.float32)
    return "same" if same_bits(here, there) else "differs"


def compare(number, folder):
    call, place = make_probe(SEED, number), folder / str(number)
    finding = json.loads((place / "finding.json").read_text(encoding="utf-8"))
    here = run_here(call)
    there = np.load(place / "output.npy", allow_pickle=True) if (place / "output.npy").exists() else None
    return Comparison(number, call, finding["state"], finding["text"], agreement(finding["state"], here, place), here,
                      there)


def test_random_calls(tmp_path, capsys):
    run_peer(list(range(PROBES)), tmp_path)
    comparisons = [compare(number, tmp_path) for number in range(PROBES)]
    counts = collections.Counter(comparison.agreement for comparison in comparisons)
    needed = collections.Counter(explain(c).where for c in comparisons if c.agreement != "same" and explain(c))
    with capsys.disabled():
        print(f"ONNX Runtime probes: WINDROW_ONNXRUNTIME_SEED={SEED}, {PROBES}: {dict(counts)}; rows: {dict(needed)}")
    unknown = [c for c in comparisons if c.agreement != "same" and explain(c) is None]
    shown = "\n\n".join(c.describe() for c in unknown[:MOST_SHOWN])
    assert not unknown, f"{len(unknown)} unknown differences, WINDROW_ONNXRUNTIME_SEED={SEED}:\n{shown}"
    # The peer answered often enough to say something, of every operator.
    assert counts["same"] > PROBES / 2
    answered = {c.call.operator.name for c in comparisons if c.agreement in ("same", "differs")}
    assert answered == {operator.name for operator in OPERATORS}
