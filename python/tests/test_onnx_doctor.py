"""windrow.onnx_doctor: the rules as a provider of onnx-doctor."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import windrow

onnx_doctor = pytest.importorskip("onnx_doctor")
onnx_ir = pytest.importorskip("onnx_ir")
provider = pytest.importorskip("windrow.onnx_doctor")


def ids(name, values):
    return numpy_helper.from_array(np.array(values), name)


def example():
    """Two nodes of one name, the second out of range; one in a body; and one that reads an input."""
    then = helper.make_graph([helper.make_node("Gather", ["table", "bad"], ["a"])], "then", [],
                             [helper.make_tensor_value_info("a", TensorProto.FLOAT, None)])
    other = helper.make_graph([helper.make_node("Relu", ["table"], ["b"])], "else", [],
                              [helper.make_tensor_value_info("b", TensorProto.FLOAT, None)])
    nodes = [
        helper.make_node("Gather", ["table", "good"], ["w"], name="lookup"),
        helper.make_node("Gather", ["table", "bad"], ["x"], name="lookup"),
        helper.make_node("If", ["c"], ["y"], name="choose", then_branch=then, else_branch=other),
        helper.make_node("Gather", ["table", "ids"], ["z"], name="free"),
    ]
    inputs = [helper.make_tensor_value_info("table", TensorProto.FLOAT, [5, 3]),
              helper.make_tensor_value_info("c", TensorProto.BOOL, []),
              helper.make_tensor_value_info("ids", TensorProto.INT64, [2])]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "wxyz"]
    graph = helper.make_graph(nodes, "g", inputs, outputs, [ids("good", [0, 4]), ids("bad", [0, 7])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def test_messages_name_their_nodes():
    model = onnx_ir.from_proto(example())
    options = {"select": ["gather-index-range"]}
    messages = onnx_doctor.diagnose(model, [provider.PortabilityProvider("onnxruntime:cpu", **options)])
    found = [message for message in messages if message.target_type == "node"]
    main, body = found
    assert main.location == 'graph:node[1](Gather, "lookup")'
    assert body.location == "graph:node[2](If, \"choose\"):then_branch:node[0](Gather)"
    for message in found:
        assert (message.severity, message.producer) == ("error", "windrow")
        assert message.error_code == message.rule.code == "WINDROW-GATHER-INDEX-RANGE"
        assert "indices[1] is 7" in message.message
        assert "onnxruntime:cpu ends the run" in message.message
        assert message.suggestion
    (contract,) = [message for message in messages if message.error_code == "WINDROW-CONTRACT"]
    assert contract.target is model.graph.inputs[2]
    assert contract.message == "ids must lie in -5 to 4"
    assert contract.severity == "info"


def test_the_model_stays_as_it_is():
    proto = example()
    model = onnx_ir.from_proto(proto)
    before = onnx_ir.to_proto(model).SerializeToString(deterministic=True)
    onnx_doctor.diagnose(model, [provider.PortabilityProvider()])
    assert onnx_ir.to_proto(model).SerializeToString(deterministic=True) == before


def test_external_data(tmp_path):
    proto = example()
    proto.graph.initializer.append(numpy_helper.from_array(np.arange(4096), "large"))
    proto.graph.node.append(helper.make_node("Gather", ["table", "large"], ["v"], name="wide"))
    onnx.save(proto, tmp_path / "m.onnx", save_as_external_data=True, size_threshold=1024)
    model = onnx_ir.load(tmp_path / "m.onnx")
    messages = onnx_doctor.diagnose(model, [provider.PortabilityProvider(select=["gather-index-range"])])
    assert [message.location for message in messages if "4095" in message.message or "is 5" in message.message] == [
        'graph:node[4](Gather, "wide")']


def test_rules_join_a_registry():
    registry = onnx_doctor.RuleRegistry()
    provider.register(registry)
    assert len(registry) == len(windrow.portability_rules()) + len(windrow.operator_rules())
    rule = registry.get("WINDROW-GATHER-INDEX-RANGE")
    assert registry.get("windrow-gather-index-range") is rule
    assert rule.default_severity == "error"


def test_errors_are_windrows():
    with pytest.raises(windrow.ArgumentError, match="cobol"):
        onnx_doctor.diagnose(onnx_ir.from_proto(example()), [provider.PortabilityProvider("cobol@x")])
