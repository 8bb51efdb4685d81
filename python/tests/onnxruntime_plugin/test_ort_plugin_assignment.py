"""Which nodes the plug-in takes: every operator row that ONNX Runtime's schemas have, and no other node."""

import collections
import re

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
import windrow
from onnx import TensorProto, helper
from ort_sessions import make_model, node_model, onnx_type, options, plugged, run_node, value
from windrow.onnxruntime import PROVIDER

# An operator with an input whose value determines the shape is left to ONNX Runtime's own kernels.
ROWS = [
    row for operator in windrow.ops("onnx") for row in operator.rows
    if not any(given["value_at_compile"] for given in row["inputs"]) and not row["deprecated"]
]
# Messages that say that the host's schemas, or the host as a whole, lack a type.
THE_HOSTS_REFUSAL = re.compile("Type Error|invalid type|not currently registered")


def row_id(row):
    return f"{row['name']}-{row['since_version']}"


def model_of(row, type_name):
    """A model with open shapes, whose first input has that type."""
    given_inputs = [given for given in row["inputs"] if not (row["name"] == "GatherBlockQuantized" and given["optional"])]
    names = [given["name"] for given in given_inputs]
    # Scales are float32, indices int64.
    groups = {"T": TensorProto.FLOAT, given_inputs[0]["type_group"]: onnx_number(type_name)}
    kinds = [groups.get(given["type_group"], TensorProto.INT64) for given in given_inputs]
    inputs = [helper.make_tensor_value_info(name, kind, None) for name, kind in zip(names, kinds, strict=True)]
    node = helper.make_node(row["name"], names, ["out"], domain=row["domain"])
    # ONNX Runtime takes no model of ai.onnx below 7.
    opset = row["since_version"] if row["domain"] else max(row["since_version"], 7)
    output = helper.make_tensor_value_info("out", groups["T"], None)
    return make_model([node], inputs, [output], opset, domain=row["domain"])


def onnx_number(type_name):
    dtype = np.dtype(object) if type_name == "string" else np.dtype(getattr(ml_dtypes, type_name, type_name))
    return onnx_type(dtype)


def assignment(model):
    """Names of operators by provider, as ONNX Runtime reports it."""
    made = windrow.onnxruntime.session_options(options())
    made.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), made)
    found = collections.defaultdict(list)
    for part in session.get_provider_graph_assignment_info():
        found[part.ep_name] += [node.op_type for node in part.get_nodes()]
    return found


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_every_type_of_every_row_is_taken(row):
    taken, refused = [], []
    for type_name in row["inputs"][0]["dtypes"]:
        try:
            plugged(model_of(row, type_name))
        except Exception as error:  # noqa: BLE001: ONNX Runtime's exceptions have no common base
            assert THE_HOSTS_REFUSAL.search(str(error)), (type_name, error)
            refused.append(type_name)
        else:
            taken.append(type_name)
    assert len(taken) >= 5, refused


def test_other_nodes_stay():
    data, indices = np.ones((3, 4), np.float32), np.array([0])
    nodes = [helper.make_node("Add", ["data", "data"], ["sum"]),
             helper.make_node("Gather", ["sum", "indices"], ["out"])]
    model = make_model(nodes, [value("data", data), value("indices", indices)], [value("out", data)])
    assert assignment(model) == {PROVIDER: ["Gather"], "CPUExecutionProvider": ["Add"]}


@pytest.mark.parametrize("attributes", [{"reduction": "median"}, {"reduction": "add", "axis": 7}])
def test_attributes_that_cannot_be_right_stay(attributes):
    """The plug-in leaves such nodes to ONNX Runtime, whatever it does with them."""
    arrays = [np.ones((3, 4), np.float32), np.zeros((1, 4), np.int64), np.ones((1, 4), np.float32)]
    model = node_model("ScatterElements", 18, attributes, arrays)
    assert assignment(model) == {"CPUExecutionProvider": ["ScatterElements"]}


def test_nodes_in_subgraphs_are_taken():
    data, indices = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([2, 0])
    out = helper.make_tensor_value_info("taken", TensorProto.FLOAT, None)
    branches = {
        name: helper.make_graph(
            [helper.make_node("Gather", ["data", "indices"], ["taken"], axis=axis)], name, [], [out])
        for axis, name in enumerate(("then_branch", "else_branch"))
    }
    node = helper.make_node("If", ["condition"], ["out"], **branches)
    condition = helper.make_tensor_value_info("condition", TensorProto.BOOL, [])
    model = make_model([node], [condition, value("data", data), value("indices", indices)],
                       [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)])
    session = plugged(model, others=True)
    result = session.run(None, {"condition": np.array(True), "data": data, "indices": indices})[0]
    assert result.tolist() == [[4, 5], [0, 1]]


def test_strings_of_any_bytes_and_lengths():
    words = np.array([["", "a", "Ä\u0000b"], ["日本", "a longer piece of text, past any small buffer", " "]], object)
    result = run_node("Gather", 13, {"axis": 1}, [words, np.array([2, -2])])
    assert result.tolist() == words[:, [2, -2]].tolist()


def test_constant_strings():
    words = np.array(["zero", "one", "two"], object)
    table = helper.make_tensor("i0", TensorProto.STRING, [3], [word.encode() for word in words])
    node = helper.make_node("Gather", ["i0", "i1"], ["out"])
    output = helper.make_tensor_value_info("out", TensorProto.STRING, None)
    model = make_model([node], [value("i1", np.array([0]))], [output], initializers=[table])
    session = plugged(model)
    for index in (2, 0, -2):
        assert session.run(None, {"i1": np.array([index])})[0].tolist() == [words[index]]


def test_packed_types():
    codes = np.arange(8).astype(ml_dtypes.int4).reshape(1, 4, 2)
    update = np.full((1, 2, 2), -3).astype(ml_dtypes.int4)
    nodes = [
        helper.make_node("Cast", ["wide"], ["cache"], to=TensorProto.INT4),
        helper.make_node("Cast", ["wide_update"], ["update"], to=TensorProto.INT4),
        helper.make_node("TensorScatter", ["cache", "update", "at"], ["present"]),
        helper.make_node("Cast", ["present"], ["out"], to=TensorProto.INT8),
    ]
    arrays = {"wide": codes.astype(np.int8), "wide_update": update.astype(np.int8), "at": np.array([1])}
    model = make_model(nodes, [value(name, array) for name, array in arrays.items()],
                       [helper.make_tensor_value_info("out", TensorProto.INT8, None)], 24)
    assert assignment(model)[PROVIDER] == ["TensorScatter"]
    result = plugged(model, others=True).run(None, arrays)[0]
    assert result.tolist() == [[[0, 1], [-3, -3], [-3, -3], [6, 7]]]


def test_an_omitted_optional_input():
    cache, update = np.zeros((1, 3, 2), np.float32), np.ones((1, 2, 2), np.float32)
    assert run_node("TensorScatter", 24, {}, [cache, update])[0, :, 0].tolist() == [1, 1, 0]
    assert run_node("TensorScatter", 24, {}, [cache, update, None])[0, :, 0].tolist() == [1, 1, 0]
