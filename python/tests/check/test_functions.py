"""Findings in a model's functions follow from the types of their calls."""

import onnx
import windrow
from onnx import TensorProto, helper


def model(*calls):
    """A model that calls a function, which gathers its first input by its second one, with these pairs of inputs."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
    pick = helper.make_node("Gather", ["a", "b"], ["c"], name="pick")
    function = helper.make_function("mine", "Pick", ["a", "b"], ["c"], [pick], opsets[:1])
    nodes = [helper.make_node("Pick", list(inputs), [f"y_{number}"], domain="mine") for number, inputs in enumerate(calls)]
    inputs = [helper.make_tensor_value_info(name, kind, [3])
              for name, kind in (("x", TensorProto.FLOAT), ("wide", TensorProto.DOUBLE), ("floats", TensorProto.FLOAT))]
    outputs = [helper.make_tensor_value_info(f"y_{number}", TensorProto.UNDEFINED, None) for number in range(len(calls))]
    far, near = (helper.make_tensor(name, TensorProto.INT64, [2], values) for name, values in (("far", [0, 3]), ("near", [0, 2])))
    graph = helper.make_graph(nodes, "g", inputs, outputs, [far, near])
    return helper.make_model(graph, opset_imports=opsets, functions=[function], ir_version=8)


def found(*calls):
    report = windrow.check(model(*calls).SerializeToString(), runtimes="onnxruntime:cpu")
    assert report.fails() == bool(report.findings)
    return [(finding.rule, finding.node, finding.verdict) for finding in report.findings]


def test_each_call_is_judged():
    broken = ("ONNX-Gather-T2", "function mine.Pick/pick", "happens")
    assert broken in found(("x", "floats"))
    assert broken in found(("x", "near"), ("wide", "floats"))
    assert not any(rule.startswith("ONNX-") for rule, *_ in found(("x", "near"), ("wide", "near")))
