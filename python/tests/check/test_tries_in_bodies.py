"""Suspected nodes in bodies of If, Loop and Scan and in functions, each tried alone in installed hosts."""

import check_models
import numpy as np
import pytest
import test_bodies
import windrow
from onnx import helper, numpy_helper

HOSTS = ("onnxruntime:cpu", "openvino:cpu")
FLOAT, INT64 = test_bodies.FLOAT, test_bodies.INT64
value, pick = test_bodies.value, test_bodies.pick
pytestmark = pytest.mark.usefixtures("both_hosts")


def tries(model, rule="gather-index-range", host=HOSTS[0]):
    """{node: its tries}, and the notes about nodes that were not tried."""
    given = model if isinstance(model, (str, bytes)) else model.SerializeToString()
    report = windrow.check(given, runtimes=host, attempt=True, select=[rule])
    return {finding.node: finding.tried for finding in report.findings}, [note for note in report.notes if "not tried" in note]


def branch():
    """A Gather of computed indices in one branch of an If."""
    then = helper.make_graph([pick(ids="hashed", out="a")], "t", [], [helper.make_empty_tensor_value_info("a")])
    other = helper.make_graph([helper.make_node("Identity", ["table"], ["b"])], "e", [], [helper.make_empty_tensor_value_info("b")])
    return check_models.model(
        [helper.make_node("Mul", ["ids", "ids"], ["hashed"]),
         helper.make_node("If", ["yes"], ["y"], name="choice", then_branch=then, else_branch=other)],
        {"table": ("float32", [4, 3]), "ids": ("int64", [2]), "yes": ("bool", [])}, ["y"])


def scan(table="table", nodes=()):
    """A Gather of computed indices in a Scan."""
    body = helper.make_graph([*nodes, helper.make_node("Mul", ["one", "one"], ["hashed"]), pick(table, "hashed")], "b",
                             [value("one", INT64, [])], [value("row", FLOAT, [3])])
    return check_models.model(
        [helper.make_node("Scan", ["ids"], ["y"], name="scan", body=body, num_scan_inputs=1)],
        {"table": ("float32", [4, 3]), "ids": ("int64", ["n"])}, ["y"])


MODELS = {
    "loop": (test_bodies.loop, "main/loop.body/pick"),
    "if": (branch, "main/choice.then_branch/pick"),
    "scan": (scan, "main/scan.body/pick"),
    "nested": (test_bodies.nested, "main/outer.body/inner.body/pick"),
    "function": (test_bodies.function, "function mine.Next/pick"),
}


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("kind", MODELS)
def test_a_node_in_a_body_is_tried(kind, host):
    make, node = MODELS[kind]
    found, notes = tries(make(), host=host)
    [tried] = found[node]
    assert tried.runtime.startswith(f"{host}@") and tried.agreement == "agrees" and notes == []
    if host == HOSTS[0]:
        assert tried.outcome.startswith("refused: ") and "idx=9" in tried.outcome
    else:
        assert tried.outcome.startswith("differs: got float32[") and "expected an error" in tried.outcome


def test_a_node_in_nested_bodies_of_ir_is_tried(tmp_path):
    """OpenVINO's Gather-8 gives zeros, as it is specified, for indices out of range."""
    found, notes = tries(str(check_models.as_ir(tmp_path, test_bodies.nested())), host="openvino:cpu")
    [tried] = found["main/y.body/part.body/row"]
    assert (tried.outcome, notes) == ("as specified", [])


def test_constants_in_bodies_of_ir_are_kept(tmp_path):
    model = cast_rows({"table": TABLE})
    found, notes = tries(str(check_models.as_ir(tmp_path, model)), "type-float64", "openvino:cpu")
    assert len(found) == 2 and notes == []
    for [tried] in found.values():
        assert tried.agreement == "agrees" and "expected 0.1" in tried.outcome


def cast_rows(constants, body_nodes=(), main_nodes=()):
    """An If in whose branches rows of a float64 table `table` are picked by the attributes' axis."""
    def body(out):
        graph = helper.make_graph([*body_nodes, pick(out=out, name="inside", axis=1)], out, [],
                                  [helper.make_empty_tensor_value_info(out)])
        graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
        return graph
    return check_models.model(
        [*main_nodes, helper.make_node("If", ["yes"], ["y"], name="choice", then_branch=body("a"), else_branch=body("b"))],
        {"yes": ("bool", []), "ids": ("int64", [2])}, ["y"])


TABLE = np.array([[0.1, 1e300, 2.0], [3.0, 4.0, 5.0]])
CONSTANT = helper.make_node("Constant", [], ["table"], value=numpy_helper.from_array(TABLE))


@pytest.mark.parametrize("made", [
    lambda: cast_rows({"table": TABLE}), lambda: cast_rows({}, [CONSTANT]), lambda: cast_rows({}, [], [CONSTANT])])
def test_constants_in_and_around_a_body_are_kept(made):
    """The table shows that OpenVINO has no float64: 0.1 is rounded."""
    found, notes = tries(made(), "type-float64", "openvino:cpu")
    assert notes == []
    for branch in ("then_branch", "else_branch"):
        [tried] = found[f"main/choice.{branch}/inside"]
        assert tried.agreement == "agrees" and "expected 0.1" in tried.outcome and "of 4 elements" in tried.outcome


def test_an_attribute_that_calls_give_leaves_other_nodes_known():
    """The function's Softmax, whose axis its calls give, does not keep its Gather from being tried."""
    model = test_bodies.function()
    softmax = model.functions[0].node.add(op_type="Softmax", input=["data"], output=["parts"])
    softmax.attribute.add(name="axis", ref_attr_name="along", type=2)
    model.functions[0].attribute.append("along")
    model.graph.node[0].attribute.append(helper.make_attribute("along", 0))
    found, notes = tries(model)
    [tried] = found["function mine.Next/pick"]
    assert tried.agreement == "agrees" and notes == []


def test_an_unknown_type_in_a_body_is_told():
    model = scan("other", [helper.make_node("Odd", ["table"], ["other"], domain="odd")])
    model.opset_import.append(helper.make_opsetid("odd", 1))
    found, [note] = tries(model)
    assert found["main/scan.body/pick"] == () and note.endswith("the type of its input other is unknown")
