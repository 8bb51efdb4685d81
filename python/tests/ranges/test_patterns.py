"""What the check proves for models of known forms: that indices are in range where this is true, and no more."""

import dataclasses
import importlib
import re

import numpy as np
import onnx
import onnxruntime
import pytest
import windrow
from facts_beside_values import Run
from patterns import PATTERNS, model_of
from random_values import random_array
from single_nodes import session_options
from soundness import ask_here
from unproved_patterns import UNPROVED, model_and_run
from windrow._models import onnx_shapes

# The rules that an index outside of its axis breaks.
RANGE_RULES = [f"{family}-index-range" for family in (
    "gather", "gather-elements", "gather-nd", "scatter-elements", "scatter-nd", "scatter-update", "feature-extractor")]
# ONNX Runtime's messages for an index out of range.
OUT_OF_RANGE = re.compile("out of data bounds|Out of range value|invalid index|invalid indice|index is out of range")
# Patterns with a remainder of any integers, and the runtimes that compute it exactly. OpenVINO divides in float32.
REMAINDERS = ["cache_modulo_window", "modulo_of_an_extent", "either_branch"]
OPENVINO_REMAINDERS = ["hashed_ids", "rows_put"]
EXACT = {"onnxruntime:cpu", "onnx:reference"}
RUNS = 20
MOST_EXTENT = 9


@pytest.fixture(autouse=True)
def ask_onnx_here(monkeypatch):
    """onnx's shape inference in this process: a process for each model would take most of the time."""
    monkeypatch.setattr(onnx_shapes, "ask", ask_here)


def unproved(report):
    """The findings of a report about nodes that are not proved."""
    assert report.nodes and (report.findings or report.contracts)
    messages = [finding.message for finding in report.findings if finding.verdict != "cannot"]
    return messages + [contract.sentence for contract in report.contracts]


def check(model):
    return windrow.check(model, select=RANGE_RULES, show_cannot=True)


def may_hold(run, premise):
    """Whether a premise holds in a run of which the inputs are known, or is about other values."""
    try:
        return run.meets(premise)
    except ValueError:
        return True


def random_inputs(random, model):
    """Inputs of a run: equal extents for equal symbols, and numbers from the whole range of their types."""
    extents = {}
    given = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [
            extents.setdefault(dim.dim_param, int(random.integers(0, MOST_EXTENT))) if dim.dim_param else dim.dim_value
            for dim in tensor.shape.dim
        ]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        given[value.name] = random_array(random, dtype, shape, random.choice([0, 0.3]))
    return given


def session_of(model):
    return onnxruntime.InferenceSession(model.SerializeToString(), session_options())


def refusal(session, inputs):
    """ONNX Runtime's error for a run; empty if it gives results."""
    try:
        session.run(None, inputs)
    except Exception as error:  # the kinds of ONNX Runtime's errors have no common base
        return str(error)
    return ""


# OpenVINO's Range counts on where its limit lies behind its start, and nothing says that a sum of two extents does not lie below one of them.
SUMS_OF_EXTENTS = {"positions_after_the_past"}


@pytest.mark.parametrize("name", PATTERNS)
def test_indices_are_proved_in_range(name):
    report = check(model_of(PATTERNS[name]))
    if name in REMAINDERS or name in SUMS_OF_EXTENTS:
        assert {finding.verdict for finding in report.findings if set(finding.runtimes) & EXACT} == {"cannot"}
        assert {finding.verdict for finding in report.findings if "openvino:cpu" in finding.runtimes} >= {"can"}
        report = dataclasses.replace(report, findings=[one for one in report.findings if set(one.runtimes) & EXACT])
    assert unproved(report) == []


@pytest.mark.parametrize("name", PATTERNS)
def test_indices_that_are_proved_in_range_are(name):
    model = model_of(PATTERNS[name])
    session = session_of(model)
    random = np.random.default_rng(sum(name.encode()))
    premises = {premise for finding in check(model).findings for premise in finding.premises}
    refusals = []
    for _ in range(RUNS):
        inputs = random_inputs(random, model)
        refusals.append(refusal(session, inputs))
        keeps_to_premises = all(may_hold(Run(inputs), premise) for premise in premises)
        assert not (keeps_to_premises and OUT_OF_RANGE.search(refusals[-1])), (inputs, refusals[-1])
    assert "" in refusals, refusals[0]


@pytest.mark.parametrize("name", UNPROVED)
def test_what_can_be_out_of_range_is_not_proved(name):
    model, inputs = model_and_run(UNPROVED[name])
    reason = refusal(session_of(model), inputs)
    assert OUT_OF_RANGE.search(reason), reason or "the run that shows it gives results"
    run = Run(inputs)
    report = check(model)
    # A proof whose premises this run breaks does not apply to it.
    broken = [finding for finding in report.findings if not all(map(run.meets, finding.premises))]
    assert unproved(report) or broken, "every node is proved, though this run ends with an index out of range"


@pytest.fixture(scope="module")
def openvino_patterns():
    pytest.importorskip("openvino")
    return importlib.import_module("openvino_patterns")


def test_indices_of_openvino_models_are_proved_in_range(openvino_patterns, tmp_path):
    import openvino

    missing = {}
    for name, function in openvino_patterns.PATTERNS.items():
        openvino.serialize(openvino_patterns.model_of(function), tmp_path / f"{name}.xml")
        missing[name] = unproved(check(tmp_path / f"{name}.xml"))
    assert [name for name in missing if missing[name]] == OPENVINO_REMAINDERS, missing


def test_rows_of_openvino_models_are_proved_to_differ(openvino_patterns, tmp_path):
    import openvino

    path = tmp_path / "rows.xml"
    openvino.serialize(openvino_patterns.model_of(openvino_patterns.PATTERNS["rows_put_in_order"]), path)
    [finding] = windrow.check(path, select=["scatter-update-duplicates"], show_cannot=True).findings
    assert finding.verdict == "cannot"
    assert finding.message.endswith("differ"), finding.message


def test_there_are_enough_patterns():
    assert len(PATTERNS) >= 40
    assert len(UNPROVED) >= 15
