"""windrow.lowest_opset() and the rules of operators."""

import json
import pathlib
import pickle

import onnx
import pytest
from onnx import TensorProto, helper

import windrow

ROOT = pathlib.Path(__file__).resolve().parents[2]


def scatter_model(opset, reduction="add", data=TensorProto.FLOAT):
    node = helper.make_node("ScatterElements", ["data", "where", "u"], ["y"], name="write", reduction=reduction)
    inputs = [helper.make_tensor_value_info(name, dtype, [4, 3])
              for name, dtype in (("data", data), ("where", TensorProto.INT64), ("u", data))]
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", data, [4, 3])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


@pytest.mark.parametrize(("reduction", "lowest"), [("add", 16), ("max", 18), ("mean", None)])
@pytest.mark.parametrize("declared", [13, 16, 18])
def test_the_lowest_opset(reduction, lowest, declared):
    found = windrow.lowest_opset(scatter_model(declared, reduction))
    assert found.opset == lowest
    assert found.is_enough == (lowest is not None and declared >= lowest)
    assert found.domains == (windrow.DomainOpset("", declared, lowest, "main/write"),)
    (node,) = found.nodes
    assert (node.node, node.operator, node.domain) == ("main/write", "onnx.ScatterElements", "")
    assert (node.declared, node.lowest) == (declared, lowest)
    assert node.rule.startswith("ONNX-ScatterElements-A")
    assert node.rule in {rule.label for rule in windrow.operator_rules()}
    assert node.why
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("opset", [13, 15, 16, 18])
def test_onnx_agrees(opset):
    model = scatter_model(opset, "add")
    if windrow.lowest_opset(model).is_enough:
        onnx.checker.check_model(model)
    else:
        with pytest.raises(onnx.checker.ValidationError):
            onnx.checker.check_model(model)


def test_types_that_onnx_infers_count():
    model = scatter_model(18, "none", TensorProto.BFLOAT16)
    del model.graph.node[0].attribute[:]
    model.graph.node.insert(0, helper.make_node("Abs", ["data"], ["positive"]))
    model.graph.node[1].input[0] = "positive"
    assert windrow.lowest_opset(model).opset == 13
    assert windrow.lowest_opset(windrow.load(model)).opset == 13


def test_wrong_arguments():
    with pytest.raises(windrow.ArgumentError, match="folder"):
        windrow.lowest_opset(windrow.load(scatter_model(18)), folder=".")
    with pytest.raises(windrow.Error):
        windrow.lowest_opset("none.onnx")


def test_models_of_openvino_have_no_opsets(tmp_path):
    (tmp_path / "m.xml").write_text('<?xml version="1.0"?><net name="m" version="11"><layers/><edges/></net>')
    with pytest.raises(windrow.Unsupported, match="only ONNX models have opsets"):
        windrow.lowest_opset(tmp_path / "m.xml")


def test_operator_rules():
    rules = {rule.label: rule for rule in windrow.operator_rules()}
    texts = {row["label"]: row["rule"] for row in json.loads((ROOT / "cases/rules.json").read_text())}
    assert rules["ONNX-Gather-A1"].sentence == f"must hold: {texts['ONNX-Gather-A1']}"
    assert {effect.runtime for effect in rules["ONNX-Gather-A1"].effects} >= {"onnxruntime", "openvino", "onnx"}
    assert all(effect.ran and effect.source for rule in rules.values() for effect in rule.effects)
    assert {"operator-outputs", "operator-version", "opset-import"} <= set(rules)
    assert not set(rules) & {rule.label for rule in windrow.portability_rules()}


# The observed effects of models whose nodes have no operator, in the installed hosts.
@pytest.mark.parametrize("fault", ["two outputs", "no import"])
def test_what_runtimes_do_with_faulty_models(fault, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    model = scatter_model(18)
    if fault == "two outputs":
        model.graph.node[0].output.append("z")
        label = "operator-outputs"
    else:
        model.opset_import[0].domain = "odd"
        label = "opset-import"
    (finding,) = windrow.check(model, runtimes="onnxruntime:cpu", select=["operator-", "opset-"]).findings
    assert finding.rule == label
    assert finding.verdict == "happens"
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        refused = False
    except Exception:  # noqa: BLE001  its errors have no common type
        refused = True
    assert refused == (finding.effects[0].severity == "fails")
