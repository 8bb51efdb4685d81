"""Values at nodes inside a model: in ONNX models and in OpenVINO IR."""

import numpy as np
import onnx
import pytest
from runner_models import BOOL, EXPECTED, FLOAT, FOREIGN, INPUTS, INT64, IR_INPUTS, gelu, lookup, there, with_body
from runner_models import model as make_model
from windrow.runners import ModelFile, ModelRun, runner
from windrow.runners._onnx_models import plan_exposure


@pytest.mark.parametrize("name", FOREIGN)
def test_exposed_nodes(name):
    result = there(name).run(lookup(), INPUTS, expose=["look", "sum", "nothing"])
    assert result.failure is None and result.changed == ()
    assert list(result.outputs) == ["y"] and np.array_equal(result.outputs["y"], EXPECTED)
    rows = INPUTS["table"][INPUTS["ids"]]
    look, add = result.observed["look"], result.observed["sum"]
    assert np.array_equal(look.inputs[0], INPUTS["table"]) and look.inputs[1].tolist() == [3, 0, -2]
    assert np.array_equal(look.outputs[0], rows) and np.array_equal(add.inputs[0], rows)
    assert add.inputs[1].tolist() == [1, 0, -5]
    assert np.array_equal(add.outputs[0], rows + add.inputs[1])
    assert result.not_observed == {"nothing": "the model has no node of this name"}


def test_exposing_changes_what_the_host_fuses():
    values = {"x": np.random.default_rng(0).standard_normal(1000).astype(np.float32)}
    host = there("onnxruntime")
    assert host.run(gelu(), values, expose=["erf"], threads=1).changed == ("y",)
    assert host.run(gelu(), values, expose=["erf"], threads=1, optimize=False).changed == ()


@pytest.mark.parametrize("name", ["onnxruntime", "onnx_reference"])
def test_bodies_are_not_observed(name):
    values = {"c": np.array(True), "x": np.array([1, -1], np.float32)}
    result = there(name).run(with_body(), values, expose=["inside_then", "else_y", "choice"])
    assert result.outputs["y"].tolist() == [1, 0]
    assert result.not_observed == {
        "inside_then": "it is in a body of the If node 'choice'", "else_y": "it is in a body of the If node 'choice'"}
    assert result.observed["choice"].outputs[0].tolist() == [1, 0]


def test_a_copy_with_more_outputs_keeps_every_byte():
    """Fields that the installed onnx does not know are part of the model too."""
    unknown = b"\xca\x3e\x03abc"  # field 1001, three bytes
    content = lookup().SerializeToString() + unknown
    copy = plan_exposure(ModelRun(ModelFile.of(content), {}, ("look",))).model.data
    assert copy.startswith(content)
    merged = onnx.load_model_from_string(copy)
    assert [output.name for output in merged.graph.output] == ["y", "rows"]


@pytest.mark.parametrize("name", ["openvino", "openvino_evaluate"])
def test_openvino_ir(name, ir):
    rows = INPUTS["table"][INPUTS["ids"]]
    result = runner(name).run(ir, IR_INPUTS, expose=["look", "parts", "nothing"])
    assert result.failure is None and result.changed == ()
    assert [array.tolist() for array in result.outputs.values()] == [rows[:, 2:].tolist(), rows[:, :1].tolist()]
    assert np.array_equal(result.observed["look"].outputs[0], rows)
    assert result.observed["look"].inputs[2].tolist() == 0
    assert [part.shape for part in result.observed["parts"].outputs] == [(3, 1)] * 3
    assert result.observed["parts"].outputs[1].tolist() == rows[:, 1:2].tolist()
    assert result.not_observed == {"nothing": "the model has no node of this name"}
    content = ModelFile("openvino", data=ir.read_bytes(), weights=ir.with_suffix(".bin").read_bytes())
    assert runner(name).run(content, IR_INPUTS).outputs.keys() == result.outputs.keys()
    assert runner(name).run(ir, {"table": INPUTS["table"]}).failure.kind == "can't be asked"


def test_a_model_that_does_not_run_has_no_values():
    result = there("onnxruntime").run(lookup(), {**INPUTS, "ids": np.array([9])}, expose=["look"])
    assert result.failure.kind == "refused" and result.outputs is None
    assert (result.observed, result.not_observed) == ({}, {"look": "the model does not run"})


def test_a_value_that_the_host_cannot_give_is_no_failure():
    """OpenVINO converts a sequence that stays inside, and refuses one that goes out."""
    nodes = [onnx.helper.make_node("SequenceConstruct", ["x", "x"], ["parts"], name="make"),
             onnx.helper.make_node("ConcatFromSequence", ["parts"], ["y"], axis=0)]
    model = make_model(nodes, {"x": (FLOAT, [2])}, {"y": (FLOAT, [4])})
    result = there("openvino").run(model, {"x": np.ones(2, np.float32)}, expose=["make"])
    assert result.failure is None and result.outputs["y"].tolist() == [1] * 4
    assert result.not_observed["make"].startswith("the model does not run with these nodes exposed: refused")


@pytest.mark.parametrize("name", FOREIGN)
def test_a_cut_model_runs_what_exposed_values_need(name):
    """A node refuses its input, so that the whole model never runs; the nodes before it have values."""
    nodes = [onnx.helper.make_node("Add", ["ids", "ids"], ["twice"], name="add"),
             onnx.helper.make_node("Gather", ["table", "twice"], ["y"], axis=0, name="look"),
             onnx.helper.make_node("Reshape", ["y", "bad"], ["z"], name="behind")]
    model = make_model(nodes, {"table": (FLOAT, [4]), "ids": (INT64, ["n"])}, {"z": (FLOAT, ["k"])},
                       {"bad": np.array([7, 7])})
    values = {"table": np.arange(4, dtype=np.float32), "ids": np.array([0, 1])}
    host = there(name)
    assert host.run(model, values).failure is not None
    result = host.run(model, values, expose=["look"], cut=True)
    assert result.failure is None and result.outputs == {} and result.changed == ()
    assert result.observed["look"].inputs[1].tolist() == [0, 2]
    assert result.observed["look"].outputs[0].tolist() == [0, 2]
    result = host.run(model, values, expose_inputs=["behind", "add"], cut=True)
    assert result.observed["behind"].inputs[0].tolist() == [0, 2] and result.observed["behind"].outputs == ()
    assert result.observed["add"].inputs[0].tolist() == [0, 1]
    # Nothing has to run.
    result = host.run(model, values, expose_inputs=["add"], cut=True)
    assert (result.failure, result.observed["add"].inputs[0].tolist()) == (None, [0, 1])


def test_a_cut_model_keeps_what_bodies_read():
    nodes = [onnx.helper.make_node("Neg", ["x"], ["negative"]), *with_body().graph.node]
    for branch in nodes[1].attribute:
        branch.g.node[0].input[0] = "negative"
    model = make_model(nodes, {"c": (BOOL, []), "x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    values = {"c": np.array(True), "x": np.array([1, -1], np.float32)}
    result = there("onnxruntime").run(model, values, expose=["choice"], cut=True)
    assert result.observed["choice"].outputs[0].tolist() == [0, 1]


@pytest.mark.parametrize("name", ["openvino", "openvino_evaluate"])
def test_a_cut_openvino_ir(name, ir):
    result = runner(name).run(ir, IR_INPUTS, expose=["look"], expose_inputs=["parts", "nothing"], cut=True)
    rows = INPUTS["table"][INPUTS["ids"]]
    assert result.failure is None and result.outputs == {}
    assert np.array_equal(result.observed["look"].outputs[0], rows)
    assert np.array_equal(result.observed["parts"].inputs[0], rows) and result.observed["parts"].outputs == ()
    assert result.not_observed == {"nothing": "the model has no node of this name"}
