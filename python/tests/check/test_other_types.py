"""Element types that no operator takes or that Windrow does not have, and numbers that ONNX has given to no type."""

import itertools

import onnx
import onnxruntime
import openvino
import pytest
import windrow
from onnx import TensorProto, helper

UNASSIGNED = max(TensorProto.DataType.values()) + 1
NUMBERS = (TensorProto.INT2, UNASSIGNED)
BROKEN = "onnxruntime:cpu,openvino:cpu"


def scatter(types, nodes=(), initializers=()):
    """x, ids and new with the types, through the nodes, into a ScatterElements."""
    inputs = [helper.make_tensor_value_info(name, number, [4]) for name, number in types.items()]
    put = helper.make_node("ScatterElements", ["x", "ids", "new"], ["y"], name="put")
    graph = helper.make_graph([*nodes, put], "g", inputs, [helper.make_tensor_value_info("y", types.get("x", 1), [4])], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=12)


def scatter_with(name, number):
    return scatter({"x": TensorProto.FLOAT, "ids": TensorProto.INT64, "new": TensorProto.FLOAT, name: number})


def broken_rules(model):
    report = windrow.check(model.SerializeToString(), runtimes=BROKEN)
    assert report.fails("fails")
    return [(finding.rule, finding.verdict, finding.runtimes) for finding in report.findings if finding.verdict == "happens"]


@pytest.mark.parametrize("name,number", list(itertools.product(("x", "ids", "new"), NUMBERS)))
def test_type_of_an_input_breaks_its_rule(name, number):
    rule = {"x": "T1", "ids": "T2", "new": "T3"}[name]
    assert broken_rules(scatter_with(name, number)) == [
        (f"ONNX-ScatterElements-{rule}", "happens", ("onnxruntime:cpu", "openvino:cpu"))]


@pytest.mark.parametrize("name,number", list(itertools.product(("x", "ids", "new"), NUMBERS)))
def test_hosts_refuse_it(name, number):
    model = scatter_with(name, number).SerializeToString()
    with pytest.raises(Exception, match="[Tt]ype"):
        onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    with pytest.raises(RuntimeError, match="data type"):
        openvino.Core().read_model(model)


def test_type_of_an_inner_value_breaks_its_rule():
    types = {"wide": TensorProto.FLOAT, "ids": TensorProto.INT64, "new": TensorProto.FLOAT}
    cast = helper.make_node("Cast", ["wide"], ["x"], to=TensorProto.INT2)
    copied = [helper.make_node("Cast", ["wide"], ["narrow"], to=TensorProto.INT2), helper.make_node("Flatten", ["narrow"], ["x"], axis=0)]
    assert [rule for rule, *_ in broken_rules(scatter(types, [cast]))] == ["ONNX-ScatterElements-T1"]
    report = windrow.check(scatter(types, copied).SerializeToString(), runtimes=BROKEN)
    assert ("ONNX-ScatterElements-T1", "can") in [(finding.rule, finding.verdict) for finding in report.findings]


def test_type_of_an_initializer_breaks_its_rule():
    table = onnx.TensorProto(name="x", data_type=TensorProto.INT2, dims=[4], raw_data=b"\x1b")
    types = {"ids": TensorProto.INT64, "new": TensorProto.FLOAT}
    assert [rule for rule, *_ in broken_rules(scatter(types, (), [table]))] == ["ONNX-ScatterElements-T1"]


def test_types_are_named():
    assert str(windrow.load(scatter_with("x", TensorProto.INT2).SerializeToString()).infer()["x"]) == "int2[4]"
    (finding,) = windrow.load(scatter_with("ids", UNASSIGNED).SerializeToString()).infer().findings
    assert f"indices has type element type {UNASSIGNED}, must be one of: int64, int32" in finding.message
