"""Suspected nodes of a model, each tried alone in installed hosts."""

import json

import check_models
import numpy as np
import pytest
import windrow
from onnx import helper, numpy_helper
from windrow._check import tries
from windrow._check.provoke import GivenInput, NodeForm, NoInputs, provoke

BOTH = "onnxruntime:cpu,openvino:cpu"
pytestmark = pytest.mark.usefixtures("both_hosts")


def tried(model, runtimes=BOTH, **options):
    """{(rule, node, runtime without its version): (agreement, outcome)}"""
    report = windrow.check(model.SerializeToString(), runtimes=runtimes, attempt=True, **options)
    return {(finding.rule, finding.node.removeprefix("main/"), one.runtime.partition("@")[0]):
            (one.agreement, one.outcome) for finding in report.findings for one in finding.tried}, report


def inner_lookup(**attributes):
    """A Gather whose indices are computed, so that they get a finding and not a contract."""
    return check_models.model(
        [helper.make_node("Mul", ["ids", "ids"], ["hashed"], name="hash"),
         helper.make_node("Gather", ["table", "hashed"], ["y"], name="look", **attributes)],
        {"table": ("float32", [100, 3]), "ids": ("int64", ["n"])}, ["y"])


def test_indices_out_of_range():
    found, _ = tried(inner_lookup())
    wide, _ = tried(inner_lookup(), select=["index-beyond-32-bits"])
    agreement, outcome = found["gather-index-range", "look", "onnxruntime:cpu"]
    assert agreement == "agrees" and outcome.startswith("refused: ") and "idx=105" in outcome
    agreement, outcome = found["gather-index-range", "look", "openvino:cpu"]
    assert agreement == "agrees" and outcome.startswith("differs: got float32[4, 3], expected an error")
    assert wide["index-beyond-32-bits", "look", "openvino:cpu"][0] == "agrees"


def test_sums_that_race():
    """A million updates of the first cell, twenty times; repeated because the race depends on chance."""
    model = check_models.model(
        [helper.make_node("Mul", ["ids", "ids"], ["cells"]),
         helper.make_node("ScatterND", ["zeros", "cells", "new"], ["y"], name="receive", reduction="add")],
        {"ids": ("int64", ["n", 1]), "new": ("float32", ["n", 16])}, ["y"], {"zeros": np.zeros((9, 16), np.float32)})
    for _ in range(5):
        found, _ = tried(model, "onnxruntime:cpu", select=["scatter-nd-race"])
        agreement, outcome = found["scatter-nd-race", "receive", "onnxruntime:cpu"]
        assert agreement in ("agrees", "not seen")
        if agreement == "agrees":
            break
    else:
        pytest.skip(f"threads never met on this machine: {outcome}")
    assert "of 20 runs: " in outcome


TABLE = np.array([0.1, 1e300])


@pytest.mark.parametrize("nodes, constants", [
    ([], {"table": TABLE}), ([helper.make_node("Constant", [], ["table"], value=numpy_helper.from_array(TABLE))], {})])
def test_types_and_constants(nodes, constants):
    """The table is a constant: it is not changed, and shows that OpenVINO has no float64."""
    model = check_models.model(
        [*nodes, helper.make_node("Gather", ["table", "ids"], ["y"], name="look")], {"ids": ("int64", ["n"])}, ["y"], constants)
    found, _ = tried(model, select=["type-float64"])
    agreement, outcome = found["type-float64", "look", "openvino:cpu"]
    assert agreement == "agrees" and "expected 0.1" in outcome


def test_what_is_not_tried_is_said():
    model = check_models.model(
        [helper.make_node("Odd", ["ids"], ["hashed"], domain="odd"),
         helper.make_node("Gather", ["table", "hashed"], ["y"], name="look")],
        {"table": ("float64", [4]), "ids": ("int64", [2])}, ["y"])
    model.opset_import.append(helper.make_opsetid("odd", 1))
    found, report = tried(model, select=["type-float64"])
    assert found == {}
    assert any("look was not tried for type-float64: the type of its input hashed is unknown" in note for note in report.notes)


def test_constant_indices_are_not_said_to_show_a_rule():
    """They are in range for the extent that a try gives to the table, but not for every extent that a run may give."""
    model = check_models.model(
        [helper.make_node("Gather", ["table", "one"], ["y"], name="last")],
        {"table": ("float32", ["n", 3])}, ["y"], {"one": np.array([1])})
    found, report = tried(model, select=["gather-index-range"])
    assert report.findings[0].verdict == "can" and found == {}
    assert any("its indices are constants" in note for note in report.notes)


def test_many_nodes_that_are_alike_are_tried_once(monkeypatch):
    nodes = [helper.make_node("Mul", ["ids", "ids"], ["hashed"])]
    nodes += [helper.make_node("Gather", ["table", "hashed"], [f"y{n}"], name=f"look{n}") for n in range(20)]
    model = check_models.model(nodes, {"table": ("float32", [100, 3]), "ids": ("int64", ["n"])},
                               [f"y{n}" for n in range(20)])
    calls = []
    try_call = tries.try_call
    monkeypatch.setattr(tries, "try_call", lambda *args: calls.append(args) or try_call(*args))
    found, _ = tried(model, "onnxruntime:cpu", select=["gather-index-range"])
    assert len(found) == 20 and len(calls) == 1


def test_without_a_host_nothing_is_tried():
    found, report = tried(inner_lookup(), "tensorrt")
    assert found == {} and report.findings


@pytest.mark.parametrize("kind, severity, effect, provocation, expected", [
    ("refused", "fails", "ends the run with an error", "index-above", "agrees"),
    ("crashed", "fails", "ends the run with an error", "index-above", "agrees"),
    ("differs", "fails", "ends the run with an error", "index-above", "worse"),
    ("same", "fails", "ends the run with an error", "index-above", "no longer shown"),
    ("differs", "silent", "gives zeros", "index-above", "agrees"),
    ("refused", "silent", "gives zeros", "index-above", "no longer shown"),
    ("crashed", "silent", "gives zeros", "index-above", "worse"),
    ("same", "silent", "gives zeros", "index-above", "no longer shown"),
    ("same", "undefined", "counts from the end", "index-negative", "not seen"),
    ("same", "silent", "loses updates", "race", "not seen"),
    ("crashed", "silent", "reads outside of data", "index-above", "agrees"),
    ("same", "silent", "reads outside of data", "index-above", "not seen"),
])
def test_agreement(kind, severity, effect, provocation, expected):
    row = windrow.RuleEffect("openvino", "cpu", "", "", severity, effect, True, "", "2026-11-23")
    assert tries.agreement(row, provocation, tries.Outcome(kind, "")) == expected


def test_inputs_of_open_shapes_fit_the_operator():
    """Every operator runs on the inputs that are made for it where a model declares only types."""
    data, ids = GivenInput("float32", ("a", None)), GivenInput("int64", ("n", None))
    for operator, inputs, attributes in [
        ("Gather", (data, GivenInput("int64", None)), {"axis": 1}),
        ("GatherElements", (data, ids), {"axis": 1}),
        ("GatherND", (data, ids), {}),
        ("GatherND", (GivenInput("float32", ("a", "b", "c")), ids), {"batch_dims": 1}),
        ("ScatterElements", (data, ids, data), {"axis": 0, "reduction": "max"}),
        ("ScatterND", (data, ids, GivenInput("float32", None)), {"reduction": "add"}),
        ("OneHot", (ids, GivenInput("int64", ()), GivenInput("float32", (2,))), {}),
    ]:
        form = NodeForm("onnx", operator, attributes, inputs)
        for provocation in ("any", "duplicates", "nan", "both-zeros"):
            windrow.call("onnx", operator, *provoke(form, provocation), **attributes)
        if operator != "OneHot":  # for which it is not an error
            with pytest.raises(windrow.IndexOutOfRange):
                windrow.call("onnx", operator, *provoke(form, "index-above"), **attributes)


def test_inputs_that_a_type_cannot_hold():
    form = NodeForm("onnx", "Gather", {}, (GivenInput("float32", (4,)), GivenInput("int32", (2,))))
    with pytest.raises(NoInputs, match="no int32 holds such an index"):
        provoke(form, "index-wide")
    form = NodeForm("onnx", "Gather", {}, (GivenInput("float32", (1 << 16, 1 << 16)), GivenInput("int64", (2,))))
    with pytest.raises(NoInputs, match="more than"):
        provoke(form, "nan")


def test_examples_are_provoked_by_their_provocations():
    """Windrow finds the index that a provocation promises on the example's shapes."""
    for rule in windrow.portability_rules():
        if rule.provocation == "index-above" and json.loads(rule.example)["dialect"] == "onnx":
            example = json.loads(rule.example)
            inputs = tuple(GivenInput(dtype, tuple(shape)) for dtype, shape, *_ in example["inputs"])
            form = NodeForm("onnx", example["operator"], example["attributes"], inputs)
            with pytest.raises(windrow.IndexOutOfRange):
                windrow.call("onnx", example["operator"], *provoke(form, "index-above"), version=example["version"],
                             **example["attributes"])
