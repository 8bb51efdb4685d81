"""Fixtures of the tests of the plug-in for OpenVINO; ./dev builds the plug-in for them."""

import numpy as np
import onnx
import openvino
import pytest
from onnx import helper

from windrow import openvino_plugin


@pytest.fixture
def core():
    """A core that has the plug-in."""
    core = openvino.Core()
    core.add_extension(openvino_plugin.extension())
    return core


@pytest.fixture
def node_model():
    """Makes the bytes of an ONNX model of one node from its operator, inputs and attributes.

    The inputs are arrays, or shapes with a NumPy type; an extent that is text is dynamic.
    """

    def make(operator, *inputs, opset=18, domain="", **attributes):
        names = [f"input_{number}" for number in range(len(inputs))]
        values = []
        for name, given in zip(names, inputs, strict=True):
            dtype, shape = given if isinstance(given, tuple) else (given.dtype, given.shape)
            kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
            values.append(helper.make_tensor_value_info(name, kind, shape))
        node = helper.make_node(operator, names, ["result"], domain=domain, **attributes)
        result = helper.make_empty_tensor_value_info("result")
        result.type.tensor_type.elem_type = values[0].type.tensor_type.elem_type
        graph = helper.make_graph([node], operator, values, [result])
        opsets = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        return onnx.ModelProto.SerializeToString(model)

    return make


@pytest.fixture
def compile_node(core, node_model):
    """Compiles a model that node_model makes, read with the plug-in."""

    def make(*arguments, config=None, **named):
        model = core.read_model(node_model(*arguments, **named))
        return core.compile_model(model, "CPU", config or {})

    return make


@pytest.fixture
def layers():
    """The kinds of the layers that a compiled model runs, by their nodes' names."""

    def kinds(compiled):
        nodes = compiled.get_runtime_model().get_ordered_ops()
        return {node.friendly_name: node.get_rt_info()["layerType"].astype(str) for node in nodes}

    return kinds
