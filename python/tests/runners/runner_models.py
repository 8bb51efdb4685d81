"""The models that the tests of runners run, and the installed hosts."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from windrow.runners import run_with_host, runner, runners

NAMES = [host.name for host in runners()]
FOREIGN = [name for name in NAMES if name != "windrow"]


def model(nodes, inputs, outputs, constants=(), opset=17):
    """inputs, outputs: {name: (type, shape)}; a None type leaves it open. constants: {name: array}."""
    infos = [[helper.make_tensor_value_info(name, *given) for name, given in side.items()]
             for side in (inputs, outputs)]
    tensors = [numpy_helper.from_array(array, name) for name, array in dict(constants).items()]
    graph = helper.make_graph(nodes, "g", *infos, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def lookup():
    """Relu(Gather(table, ids) + bias): one node is Windrow's."""
    return model(
        [helper.make_node("Gather", ["table", "ids"], ["rows"], name="look"),
         helper.make_node("Add", ["rows", "bias"], ["sum"], name="add"),
         helper.make_node("Relu", ["sum"], ["y"], name="act")],
        {"table": (FLOAT, [4, 3]), "ids": (INT64, ["n"])}, {"y": (FLOAT, ["n", 3])},
        {"bias": np.array([1, 0, -5], np.float32)})


INPUTS = {"table": np.arange(12, dtype=np.float32).reshape(4, 3), "ids": np.array([3, 0, -2])}
EXPECTED = np.maximum(INPUTS["table"][[3, 0, 2]] + np.array([1, 0, -5], np.float32), 0)
# For the model of the fixture ir.
IR_INPUTS = {**INPUTS, "ids": INPUTS["ids"].astype(np.int32) % 4}


def gelu():
    """Nodes that ONNX Runtime fuses into one node with different rounding, unless an inner value is requested."""
    scalar = {"root": 2**0.5, "one": 1.0, "half": 0.5}
    return model(
        [helper.make_node("Div", ["x", "root"], ["a"]), helper.make_node("Erf", ["a"], ["b"], name="erf"),
         helper.make_node("Add", ["b", "one"], ["c"]), helper.make_node("Mul", ["x", "c"], ["d"]),
         helper.make_node("Mul", ["d", "half"], ["y"])],
        {"x": (FLOAT, [1000])}, {"y": (FLOAT, [1000])},
        {name: np.float32(value) for name, value in scalar.items()})


def with_body():
    """An If with a node in each branch."""
    branches = {
        f"{kind}_branch": helper.make_graph(
            [helper.make_node(operator, ["x"], [f"{kind}_y"], name=f"inside_{kind}")], kind, [],
            [helper.make_tensor_value_info(f"{kind}_y", FLOAT, [2])])
        for kind, operator in (("then", "Relu"), ("else", "Neg"))
    }
    return model([helper.make_node("If", ["c"], ["y"], name="choice", **branches)],
                 {"c": (BOOL, []), "x": (FLOAT, [2])}, {"y": (FLOAT, [2])})


def there(name):
    """The runner of this name; skips the test if the host is not installed."""
    host = runner(name)
    if host.fault():
        pytest.skip(host.fault())
    return host


def require_windrow_inside(name):
    """Skips the test unless the host can have Windrow's operators."""
    if name == "onnxruntime":
        there(name)
        if not __import__("windrow.onnxruntime").onnxruntime.available():
            pytest.skip("this build has no plug-in for ONNX Runtime")
    elif (failure := run_with_host(lookup(), INPUTS, host=name).failure) is not None:
        pytest.skip(failure.message)
