"""windrow.check() and what it reports."""

import json
import pickle

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import windrow


def gather_model(indices=None, rows=5):
    """Gather of a table by `indices`, a constant, or by an input."""
    node = helper.make_node("Gather", ["table", "ids"], ["y"], name="lookup")
    inputs = [helper.make_tensor_value_info("table", TensorProto.FLOAT, [rows, 3])]
    constants = []
    if indices is None:
        inputs.append(helper.make_tensor_value_info("ids", TensorProto.INT64, [2]))
    else:
        constants.append(numpy_helper.from_array(np.array(indices), "ids"))
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([node], "graph", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def test_an_index_out_of_range_happens_with_position_and_value():
    report = windrow.check(gather_model([0, 7]))
    assert report.nodes == 1
    (finding,) = [found for found in report.findings if found.rule == "gather-index-range"]
    assert (finding.node, finding.operator) == ("main/lookup", "onnx.Gather-13")
    assert (finding.verdict, finding.evidence) == ("happens", "constant")
    assert (finding.input, finding.position, finding.value) == ("indices", (1,), "7")
    assert "onnxruntime:cpu" in finding.runtimes
    assert [effect.runtime for effect in finding.effects] == list(finding.runtimes)
    assert finding.severity == "fails"
    assert finding.what in finding.message
    assert finding.fix
    assert finding.observed is None
    assert finding.tried == ()
    assert report.fails()
    assert not report.fails("never")


def test_good_constants_give_no_finding_unless_asked_for():
    assert windrow.check(gather_model([0, 4])).findings == ()
    shown = windrow.check(gather_model([0, 4]), select=["gather-index-range"], show_cannot=True)
    assert [finding.verdict for finding in shown.findings] == ["cannot"]
    assert not shown.fails("slow")


def test_runtimes_choose_the_effects():
    report = windrow.check(gather_model([7]), runtimes="openvino:cpu", select=["gather-index-range"])
    assert report.findings[0].runtimes == ("openvino:cpu",)
    assert report.findings[0].severity == "silent"
    assert not report.fails("fails")
    both = windrow.check(gather_model([7]), runtimes=["openvino:cpu", "onnxruntime:cpu"])
    assert set(both.findings[0].runtimes) == {"openvino:cpu", "onnxruntime:cpu"}


def test_select_and_ignore_take_beginnings_of_labels():
    model = gather_model([7])
    assert windrow.check(model, ignore=["gather-"]).findings == ()
    assert windrow.check(model, select=["gather-index"]).findings
    with pytest.raises(windrow.ArgumentError, match="no-such-rule"):
        windrow.check(model, select=["no-such-rule"])


def test_wrong_arguments():
    model = gather_model()
    with pytest.raises(windrow.ArgumentError, match="cobol"):
        windrow.check(model, runtimes="cobol@x")
    with pytest.raises(windrow.ArgumentError, match="nothing"):
        windrow.check(model, assume={"nothing": (0, 3)})
    with pytest.raises(windrow.ArgumentError, match="ids"):
        windrow.check(model, assume={"ids": (0, 2**64)})
    with pytest.raises(TypeError):
        windrow.check(model, assume={"ids": ("a", "b")})
    with pytest.raises(windrow.ArgumentError, match="runs is 0"):
        windrow.check(model, runs=0)
    with pytest.raises(windrow.ArgumentError, match="folder"):
        windrow.check(windrow.load(model), folder=".")


def test_the_report_is_a_value():
    report = windrow.check(gather_model([7]))
    assert pickle.loads(pickle.dumps(report)) == report
    assert report == windrow.check(gather_model([7]))


def test_the_report_prints_itself_as_the_command_does():
    report = windrow.check(gather_model([7]))
    lines = repr(report).splitlines()
    assert lines[0].split() == ["NODE", "OPERATOR", "RULE", "VERDICT", "WORST", "RUNTIMES"]
    assert lines[1].split()[:5] == ["lookup", "onnx.Gather-13", "gather-index-range", "happens", "fails"]
    assert lines[-1].startswith("model: ")
    html = report._repr_html_()
    assert "gather-index-range" in html
    assert report.findings[0].fix in html


def test_json_has_what_the_report_has():
    report = windrow.check(gather_model([7]))
    document = json.loads(report.to_json())
    assert document["model"] == "model"
    found = document["findings"][0]
    assert found["position"] == [0]
    assert (found["rule"], found["message"]) == (report.findings[0].rule, report.findings[0].message)
    with pytest.raises(windrow.ArgumentError, match="there is no format 'xml'"):
        report.format("xml")
    with pytest.raises(windrow.ArgumentError, match="there is no severity 'loud'"):
        report.fails("loud")


def test_names_that_are_not_utf_8_and_control_characters():
    model = gather_model([7])
    content = model.SerializeToString().replace(b"lookup", b"l\xffo\x1b[p")
    report = windrow.check(content)
    assert report.findings[0].node == "main/l\udcffo\x1b[p"
    assert "\x1b" not in repr(report)
    assert "\x1b" not in report.to_json()
    json.loads(report.to_json())


def test_rules():
    rules = {rule.label: rule for rule in windrow.portability_rules()}
    rule = rules["gather-index-range"]
    assert rule.sentence and rule.fix
    assert json.loads(rule.example)["operator"] == "Gather"
    assert {effect.severity for effect in rule.effects} <= {"fails", "silent", "undefined", "slow"}
    assert all(effect.source for effect in rule.effects)
