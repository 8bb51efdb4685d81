"""Models on which runtimes differ, with inputs that show the difference."""

import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TYPES = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "int64": TensorProto.INT64,
         "float16": TensorProto.FLOAT16, "bool": TensorProto.BOOL}

IR = """
import sys
sys.modules["openvino_telemetry"] = None
import openvino
from openvino import opset15 as ops
node, parameters = {"gather": lambda data, ids: (
    ops.gather(data, ids, ops.constant(0, openvino.Type.i32), 0, name="look"), [data, ids]),
  "mean": lambda data, ids: (
    ops.scatter_elements_update(data, ids, data, ops.constant(0, openvino.Type.i32), "mean", name="pool"), [data, ids]),
}[sys.argv[2]](ops.parameter([2], getattr(openvino.Type, sys.argv[3]), name="data"),
               ops.parameter([-1], openvino.Type.i32, name="ids"))
openvino.save_model(openvino.Model([node], parameters, "m"), sys.argv[1], compress_to_fp16=False)
"""


def ir(folder, operator, type_):
    path = folder / "model.xml"
    subprocess.run([sys.executable, "-c", IR, str(path), operator, type_], check=True)
    return path


CONVERT = """
import sys
sys.modules["openvino_telemetry"] = None
import openvino
openvino.save_model(openvino.convert_model(sys.argv[1]), sys.argv[2], compress_to_fp16=False)
"""


def as_ir(folder, proto):
    """An ONNX model as an IR."""
    onnx.save(proto, folder / "model.onnx")
    subprocess.run([sys.executable, "-c", CONVERT, folder / "model.onnx", folder / "model.xml"], check=True)
    return folder / "model.xml"


def openvino_gather(folder, type_):
    """An IR whose node `look` computes data[ids]."""
    return ir(folder, "gather", type_)


def integer_mean(folder):
    """An IR whose node `pool` computes a mean of negative integers."""
    return ir(folder, "mean", "i32"), {"data": np.array([-1, -2], np.int32), "ids": np.array([0, 0], np.int32)}


def model(nodes, inputs, outputs, constants=(), opset=18):
    """inputs: {name: (type, shape)}. outputs: names. constants: {name: array}."""
    infos = [helper.make_tensor_value_info(name, TYPES[type_], shape) for name, (type_, shape) in inputs.items()]
    given = [helper.make_empty_tensor_value_info(name) for name in outputs]
    tensors = [numpy_helper.from_array(array, name) for name, array in dict(constants).items()]
    graph = helper.make_graph(nodes, "g", infos, given, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def message_passing(edges=100_000, features=16, nodes=100):
    """A graph network's sum over edges: a ScatterND of additions in which threads race."""
    built = model(
        [helper.make_node("Gather", ["x", "source"], ["messages"], name="send"),
         helper.make_node("ScatterND", ["zeros", "target", "messages"], ["sums"], name="receive", reduction="add"),
         helper.make_node("Relu", ["sums"], ["y"], name="act")],
        {"x": ("float32", [nodes, features]), "source": ("int64", ["e"]), "target": ("int64", ["e", 1])}, ["y"],
        {"zeros": np.zeros((nodes, features), np.float32)})
    rng = np.random.default_rng(0)
    # Whole numbers: whatever the order, every sum has the same bits.
    inputs = {"x": rng.integers(0, 8, (nodes, features)).astype(np.float32),
              "source": rng.integers(0, nodes, edges), "target": rng.integers(0, nodes, (edges, 1))}
    return built, inputs


def nan_in_max():
    built = model(
        [helper.make_node("ScatterElements", ["x", "ids", "new"], ["y"], name="pool", reduction="max")],
        {"x": ("float32", [4]), "ids": ("int64", [4]), "new": ("float32", [4])}, ["y"])
    nan = np.nan
    inputs = {"x": np.array([nan, 1, 2, 3], np.float32), "ids": np.array([0, 1, 2, 1]),
              "new": np.array([5, nan, nan, 2], np.float32)}
    return built, inputs


def hashed_ids(type_="int64"):
    """A table of wide numbers behind a Gather."""
    built = model(
        [helper.make_node("Gather", ["table", "ids"], ["rows"], name="look"),
         helper.make_node("Identity", ["rows"], ["y"])],
        {"table": (type_, [1000]), "ids": ("int64", ["n"])}, ["y"])
    rng = np.random.default_rng(1)
    table = rng.integers(2**40, 2**62, 1000)
    if type_ == "float64":
        table = rng.standard_normal(1000) * 1e300
    return built, {"table": table, "ids": rng.integers(0, 1000, 50)}


def foreign_reads():
    """A GatherND for which OpenVINO reads memory outside of data."""
    built = model(
        [helper.make_node("GatherND", ["x", "ids"], ["y"], name="pick")],
        {"x": ("float32", [64, 3]), "ids": ("int64", ["n", 1])}, ["y"])
    return built, {"x": np.ones((64, 3), np.float32), "ids": np.array([[3], [70]])}


def unequal_batch():
    built = model(
        [helper.make_node("GatherND", ["x", "ids"], ["y"], name="pick", batch_dims=1)],
        {"x": ("float32", ["a", 2]), "ids": ("int64", ["b", 1])}, ["y"])
    return built, {"x": np.array([[1, 2], [3, 4]], np.float32), "ids": np.array([[0], [1], [0], [1]])}


def bad_index():
    """A Gather whose last index a runtime that follows ONNX must refuse."""
    built = model(
        [helper.make_node("Add", ["ids", "one"], ["next"], name="add"),
         helper.make_node("Gather", ["table", "next"], ["rows"], name="look"),
         helper.make_node("Gather", ["rows", "one"], ["y"], name="last")],
        {"table": ("float32", [4, 3]), "ids": ("int64", ["n"])}, ["y"], {"one": np.array([1])})
    return built, {"table": np.arange(12, dtype=np.float32).reshape(4, 3), "ids": np.array([0, 2, 3])}
