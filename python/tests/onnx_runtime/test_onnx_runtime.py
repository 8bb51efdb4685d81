"""Windrow beside ONNX Runtime on random calls of every ONNX operator version: every difference is a row of a table.

WINDROW_ONNXRUNTIME_PROBES is how many, WINDROW_ONNXRUNTIME_SEED another run.
"""

import collections
import os
import warnings

import pytest
import windrow
from case_data import same_bits
from ort_differences import Comparison, explain
from ort_probe import OPERATORS, make_probe, node_call
from windrow.runners import Limits, runner

pytest.importorskip("onnxruntime")

PROBES = int(os.environ.get("WINDROW_ONNXRUNTIME_PROBES", "270"))
SEED = int(os.environ.get("WINDROW_ONNXRUNTIME_SEED", "1"))
WORKERS = int(os.environ.get("WINDROW_JOBS", os.cpu_count()))
SECONDS = 30
MOST_SHOWN = 10


def state_of(failure):
    """The word of Comparison for how ONNX Runtime's run ended."""
    if failure is None:
        return "ran"
    if failure.kind == "can't be asked":
        return "not asked"
    if failure.kind != "refused":
        return "died"
    return "not implemented" if runner("onnxruntime").has_no_code(failure) else "refused"


def run_here(call):
    """The result, or the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", windrow.OperatorWarning)
            return windrow.call("onnx", call.operator.name, *call.inputs, version=call.version, **call.attributes)
    except windrow.Error as error:
        return error


def agreement(state, here, there):
    """How the two results compare, in the words of Comparison."""
    if state in ("died", "not asked", "not implemented"):
        return state
    if state == "refused":
        return "same" if isinstance(here, windrow.Error) else "refused there"
    if isinstance(here, windrow.Error):
        return "refused here"
    return "same" if same_bits(here, there) else "differs"


def compare(number, call, result):
    state, here = state_of(result.failure), run_here(call)
    there = None if result.outputs is None else result.outputs["output_0"]
    text = "" if result.failure is None else f"{result.failure.message} {result.failure.said}"
    return Comparison(number, call, state, text, agreement(state, here, there), here, there)


def test_random_calls(capsys):
    calls = [make_probe(SEED, number) for number in range(PROBES)]
    limits = Limits(seconds=SECONDS)
    results = runner("onnxruntime").run_batch(list(map(node_call, calls)), processes=WORKERS, limits=limits)
    comparisons = [compare(number, *pair) for number, pair in enumerate(zip(calls, results, strict=True))]
    counts = collections.Counter(comparison.agreement for comparison in comparisons)
    needed = collections.Counter(explain(c).where for c in comparisons if c.agreement != "same" and explain(c))
    with capsys.disabled():
        print(f"ONNX Runtime probes: WINDROW_ONNXRUNTIME_SEED={SEED}, {PROBES}: {dict(counts)}; rows: {dict(needed)}")
    unknown = [c for c in comparisons if c.agreement != "same" and explain(c) is None]
    shown = "\n\n".join(c.describe() for c in unknown[:MOST_SHOWN])
    assert not unknown, f"{len(unknown)} unknown differences, WINDROW_ONNXRUNTIME_SEED={SEED}:\n{shown}"
    # ONNX Runtime gave enough results for every operator.
    assert counts["same"] > PROBES / 2
    answered = {c.call.operator.name for c in comparisons if c.agreement in ("same", "differs")}
    assert answered == {operator.name for operator in OPERATORS}
