"""Models of one or a few nodes, and sessions of them with or without the plug-in."""

import numpy as np
import onnxruntime
import windrow.onnxruntime
from onnx import TensorProto, helper

# An opset that ONNX Runtime accepts, and with which every operator of another domain is valid.
OPSET, IR_VERSION = 21, 10


def onnx_type(dtype):
    return TensorProto.STRING if np.dtype(dtype) == object else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def value(name, array, shape=None):
    """The declaration of a value; its extents are left open unless a shape is given."""
    extents = [None] * array.ndim if shape is None else shape
    return helper.make_tensor_value_info(name, onnx_type(array.dtype), extents)


def make_model(nodes, inputs, outputs, opset=OPSET, initializers=(), domain=""):
    """A model. `inputs` and `outputs` are declarations; `opset` is the version of `domain`'s operators."""
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(domain, opset)] if domain else [
        helper.make_opsetid("", opset)]
    graph = helper.make_graph(nodes, "test", inputs, outputs, initializer=list(initializers))
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def node_model(name, version, attributes, arrays, domain=""):
    """A model of one node with the inputs i0, i1, ... (absent where the array is None) and the output `out`."""
    names = [f"i{number}" if array is not None else "" for number, array in enumerate(arrays)]
    inputs = [value(name, array) for name, array in zip(names, arrays, strict=True) if array is not None]
    node = helper.make_node(name, names, ["out"], domain=domain, **attributes)
    result = helper.make_tensor_value_info("out", onnx_type(arrays[0].dtype), None)
    return make_model([node], inputs, [result], version, domain=domain)


def feeds(arrays):
    return {f"i{number}": array for number, array in enumerate(arrays) if array is not None}


def options(threads=1):
    made = onnxruntime.SessionOptions()
    made.intra_op_num_threads = threads
    made.log_severity_level = 4  # errors that tests expect
    return made


def plugged(model, threads=1, others=False):
    """A session with the plug-in. Unless `others`, it fails if any node is left to ONNX Runtime."""
    made = options(threads)
    made.add_session_config_entry("session.disable_cpu_ep_fallback", "0" if others else "1")
    return onnxruntime.InferenceSession(model.SerializeToString(), windrow.onnxruntime.session_options(made))


def plain(model, threads=1):
    """A session of ONNX Runtime alone."""
    return onnxruntime.InferenceSession(model.SerializeToString(), options(threads),
                                        providers=["CPUExecutionProvider"])


def run_node(name, version, attributes, arrays, domain="", threads=1):
    """The result of one node through the plug-in alone."""
    session = plugged(node_model(name, version, attributes, arrays, domain), threads)
    return session.run(None, feeds(arrays))[0]
