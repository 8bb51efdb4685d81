"""Models and cases that the tests write to disk."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_TYPES = {
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "bfloat16": TensorProto.BFLOAT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "string": TensorProto.STRING,
}


def value(name, dtype, shape):
    return helper.make_tensor_value_info(name, _TYPES[dtype], shape)


def save(path, nodes, inputs, outputs, opset=13, initializers=(), opsets=None, **kwargs):
    """Writes a model; returns its path."""
    graph = helper.make_graph(nodes, "graph", inputs, outputs, list(initializers))
    imports = opsets or {"": opset}
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid(d, v) for d, v in imports.items()], ir_version=8
    )
    onnx.save(model, path, **kwargs)
    return path


def gather(path, data=(5, 3), indices=(2,), out=(2, 3), opset=13, dtype="float32", **attributes):
    """y = Gather(data, indices), the node called 'pick'."""
    node = helper.make_node("Gather", ["data", "indices"], ["y"], name="pick", **attributes)
    return save(
        path,
        [node],
        [value("data", dtype, data), value("indices", "int64", indices)],
        [value("y", dtype, out)],
        opset,
    )


def scatter_elements(path, opset=18, **attributes):
    """y = ScatterElements(data [5], indices [3], updates [3]), the node called 'put'."""
    node = helper.make_node(
        "ScatterElements", ["data", "indices", "updates"], ["y"], name="put", **attributes
    )
    inputs = [value("data", "float32", [5]), value("indices", "int64", [3])]
    inputs.append(value("updates", "float32", [3]))
    return save(path, [node], inputs, [value("y", "float32", [5])], opset)


def scatter_11(path):
    """y = Scatter(data, indices, updates), deprecated in opset 11, the node called 'old'."""
    node = helper.make_node("Scatter", ["data", "indices", "updates"], ["y"], name="old")
    inputs = [value("data", "float32", [5]), value("indices", "int64", [3])]
    inputs.append(value("updates", "float32", [3]))
    graph = helper.make_graph([node], "graph", inputs, [value("y", "float32", [5])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
    onnx.save(model, path)
    return path


def write_pb(path, array, name=""):
    path.write_bytes(numpy_helper.from_array(np.asarray(array), name).SerializeToString())


def write_case(folder, make_model, inputs, outputs, number=0):
    """A case in ONNX's test layout; make_model(path) writes the model."""
    data = folder / f"test_data_set_{number}"
    data.mkdir(parents=True)
    make_model(folder / "model.onnx")
    for i, (name, array) in enumerate(inputs):
        write_pb(data / f"input_{i}.pb", array, name)
    for i, (name, array) in enumerate(outputs):
        write_pb(data / f"output_{i}.pb", array, name)
    return folder
