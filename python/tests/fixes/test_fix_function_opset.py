"""windrow.fix() where a newer opset allows a node in a function, which imports operators of its own."""

import numpy as np
import onnx
import pytest
import windrow
from onnx import helper
from test_fix_opset import INPUTS, check, relu, sums

SUMS = [[5] * 3, [1] * 3, [1] * 3, [1] * 3]
WRITE = helper.make_node("ScatterElements", ["inner", "b", "c"], ["d"], name="write", reduction="add")


def abs_of(source, target):
    return helper.make_node("Abs", [source], [target], name=f"abs_{target}")


def add_function(model, name, nodes, opset, inputs=("a", "b", "c"), outputs=("d",)):
    model.functions.append(
        helper.make_function("mine", name, inputs, outputs, nodes, [helper.make_opsetid("", opset), helper.make_opsetid("mine", 1)]))
    return model


def in_a_function(opset, function_opset, nodes=(abs_of("a", "inner"), WRITE)):
    """x -> Relu -> Sum, a function of a ScatterElements with a reduction and of other nodes -> y."""
    model = sums(opset, [relu("x", "data")])
    model.graph.node[1].CopyFrom(helper.make_node("Sum", ["data", "i", "u"], ["y"], domain="mine", name="call"))
    model.opset_import.append(helper.make_opsetid("mine", 1))
    return add_function(model, "Sum", nodes, function_opset)


def fix(model, hosts=("onnxruntime",)):
    pytest.importorskip("onnxruntime")
    return windrow.fix(model, check(model), hosts=hosts)


def raised(result):
    """The changed model, which onnx and ONNX Runtime take, with the opsets of it and of its functions."""
    assert result.left == ()
    assert check(result.model).findings == ()
    proto = onnx.load_from_string(result.model._source.content)
    onnx.checker.check_model(proto)
    run = windrow.runners.run_with_host(proto.SerializeToString(), INPUTS, host="onnxruntime")
    np.testing.assert_array_equal(run.outputs["y"], SUMS)
    return proto, [{each.domain: each.version for each in one.opset_import}[""] for one in (proto, *proto.functions)]


def runs(result):
    return {row.host: row.equal for row in result.verifications if "other nodes" in row.host}


def test_the_opset_of_a_function_is_raised_with_the_models():
    result = fix(in_a_function(15, 15))
    (change,) = result.applied
    assert (change.rule, change.node) == ("ONNX-ScatterElements-A2", "function mine.Sum/write")
    assert change.what == "the opset of function mine.Sum is 16, was 15; that of the model is 16, was 15"
    assert raised(result)[1] == [16, 16]
    assert runs(result) == {"onnxruntime (the other nodes)": 6, "onnxruntime (the other nodes of function mine.Sum)": 6}


def test_a_function_that_is_older_than_the_model_gets_the_models_opset():
    result = fix(in_a_function(18, 15))
    assert [change.what for change in result.applied] == ["the opset of function mine.Sum is 18, was 15"]
    assert raised(result)[1] == [18, 18]
    assert runs(result) == {"onnxruntime (the other nodes of function mine.Sum)": 6}


def test_other_versions_of_operators_in_the_function_are_converted():
    squeeze = helper.make_node("Squeeze", ["wide"], ["inner"], axes=[0])
    unsqueeze = helper.make_node("Unsqueeze", ["a"], ["wide"], axes=[0])
    result = fix(in_a_function(12, 12, [unsqueeze, squeeze, WRITE]))
    proto, opsets = raised(result)
    assert opsets == [16, 16]
    assert [len(node.input) for node in proto.functions[0].node if "squeeze" in node.op_type.lower()] == [2, 2]
    assert runs(result)["onnxruntime (the other nodes of function mine.Sum)"] == 6


def test_every_function_is_raised_with_the_model():
    """One of them calls the one with the node, the other one has a Squeeze whose axes become an input."""
    model = in_a_function(12, 12)
    model.graph.node[1].op_type = "Outer"
    call = helper.make_node("Sum", ["e", "b", "c"], ["d"], domain="mine", name="call")
    add_function(model, "Outer", [abs_of("a", "e"), call], 12)
    add_function(model, "Same", [helper.make_node("Unsqueeze", ["a"], ["b"], axes=[0]), helper.make_node("Squeeze", ["b"], ["c"], axes=[0])],
                 12, ("a",), ("c",))
    model.graph.node.insert(1, helper.make_node("Same", ["data"], ["data2"], domain="mine", name="same"))
    model.graph.node[2].input[0] = "data2"
    result = fix(model)
    assert raised(result)[1] == [16] * 4
    assert runs(result) == {f"onnxruntime (the other nodes{end})": 6
                            for end in ("", *(f" of function mine.{name}" for name in ("Sum", "Outer", "Same")))}


def test_a_raise_of_the_model_keeps_its_functions():
    model = sums(15)
    model.graph.node.insert(0, helper.make_node("Same", ["x"], ["data"], domain="mine", name="same"))
    model.graph.node[1].input[0] = "data"
    model.opset_import.append(helper.make_opsetid("mine", 1))
    result = fix(add_function(model, "Same", [abs_of("a", "b")], 15, ("a",), ("b",)))
    assert [change.what for change in result.applied] == ["the model's opset is 16, was 15"]
    assert raised(result)[1] == [16, 16]


def test_a_node_in_a_body_in_a_function():
    def branch(node, out):
        return helper.make_graph([node], out, [], [helper.make_empty_tensor_value_info(out)])

    then, other = branch(WRITE, "d"), branch(abs_of("inner", "other"), "other")
    flag = helper.make_node("Cast", ["flag"], ["yes"], to=9)
    constant = helper.make_node("Constant", [], ["flag"], value_int=1)
    choose = helper.make_node("If", ["yes"], ["chosen"], name="choose", then_branch=then, else_branch=other)
    model = in_a_function(15, 15, [constant, flag, abs_of("a", "inner"), choose])
    model.functions[0].output[0] = "chosen"
    result = fix(model)
    assert [change.node for change in result.applied] == ["function mine.Sum/choose.then_branch/write"]
    assert raised(result)[1] == [16, 16]


def test_what_changes_other_nodes_of_the_function_is_left(monkeypatch):
    convert = onnx.version_converter.convert_version

    def other_nodes(proto, opset):
        changed = convert(proto, opset)
        for node in changed.graph.node:
            node.op_type = {"Squeeze": "Relu", "Unsqueeze": "Relu"}.get(node.op_type, node.op_type)
            del node.input[1 if node.op_type == "Relu" else len(node.input):]
        return changed

    monkeypatch.setattr(onnx.version_converter, "convert_version", other_nodes)
    squeeze = [helper.make_node("Unsqueeze", ["a"], ["wide"], axes=[0]), helper.make_node("Squeeze", ["wide"], ["inner"], axes=[0])]
    result = fix(in_a_function(12, 12, [*squeeze, WRITE]))
    assert result.applied == ()
    [left] = result.left
    assert left.what.startswith("the opset is not raised: other nodes change: onnxruntime (the other nodes of function mine.Sum): run ")


def test_what_cannot_be_converted_is_told():
    squeeze = helper.make_node("Squeeze", ["a"], ["inner"])
    squeeze.attribute.add(name="axes", ref_attr_name="axes", type=7)
    model = in_a_function(12, 12, [squeeze, WRITE])
    model.functions[0].attribute.append("axes")
    model.graph.node[1].attribute.append(helper.make_attribute("axes", [0]))
    result = fix(model)
    assert result.applied == ()
    assert [change.what for change in result.left] == [
        "the opset is not raised: Squeeze in function mine.Sum has another version in opset 16, and onnx's converter takes no "
        "attributes that calls give"]
