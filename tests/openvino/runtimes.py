"""OpenVINO's two ways to run a probe, and the files of a probe that Windrow reads."""

import re

import numpy as np
import openvino
from element_values import pack, unpack
from openvino import opset15
from openvino.utils.node_factory import NodeFactory
from probe import OPSETS

CPU_OPTIONS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 2, "PERFORMANCE_HINT": "LATENCY"}


def to_openvino(given):
    if given.type == "string":
        text = np.array(given.values.tolist(), dtype=str).reshape(given.values.shape)
        return openvino.Tensor(text) if text.size else openvino.Tensor(openvino.Type.string, list(text.shape))
    raw = pack(given.values, given.type)
    room = np.zeros(max(1, raw.size), np.uint8)
    room[:raw.size] = raw
    return openvino.Tensor(room, list(given.values.shape), getattr(openvino.Type, given.type))


def from_openvino(tensor):
    shape, name = tuple(tensor.shape), tensor.element_type.get_type_name()
    if name == "string":
        return np.array(tensor.str_data, dtype=str).reshape(shape)
    if 0 in shape:
        return unpack(b"", name, shape)
    return unpack(np.ascontiguousarray(tensor.data).tobytes(), name, shape)


def build(probe, known_ranks=True):
    """The model and the tensors of its parameters, in order. An error means that OpenVINO refuses the call."""
    nodes, parameters, tensors = [], [], []
    for name, given in probe.inputs.items():
        tensor = to_openvino(given)
        if given.constant:
            nodes.append(openvino.op.Constant(tensor, shared_memory=False))
            continue
        dims = [-1] * given.values.ndim if probe.dynamic else list(given.values.shape)
        shape = openvino.PartialShape(dims) if known_ranks else openvino.PartialShape.dynamic()
        node = opset15.parameter(shape, tensor.element_type, name=name)
        nodes.append(node)
        parameters.append(node)
        tensors.append(tensor)
    factory = NodeFactory(OPSETS[probe.operator, probe.version])
    node = factory.create(probe.operator, nodes, probe.attributes)
    return openvino.Model([node], parameters, "probe"), tensors


def save(probe, folder):
    """Writes model.xml, model.bin and input_<n>.npy; returns OpenVINO's objection to the call's shapes, if any."""
    objection = None
    try:
        model, _ = build(probe)
    except Exception as error:
        # Windrow has to object too: it gets a model that says nothing of the inputs.
        objection = str(error)
        for given in probe.inputs.values():
            given.constant = False
        model, _ = build(probe, known_ranks=False)
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
    parameters = [given for given in probe.inputs.values() if not given.constant]
    for number, given in enumerate(parameters):
        values = given.values if given.type != "string" else np.array(given.values.tolist(), dtype=str)
        np.save(folder / f"input_{number}.npy", values.reshape(given.values.shape))
    return objection


def evaluate(probe):
    model, tensors = build(probe)
    output = openvino.Tensor(model.output(0).get_element_type(), openvino.Shape([0]))
    model.evaluate([output], tensors)
    return output


def cpu(probe):
    model, tensors = build(probe)
    request = openvino.Core().compile_model(model, "CPU", CPU_OPTIONS).create_infer_request()
    for number, tensor in enumerate(tensors):
        request.set_input_tensor(number, tensor)
    request.infer()
    return request.get_output_tensor(0)


RUNTIMES = {"evaluate": evaluate, "cpu": cpu}

# How they say that they have no code for the operator or its types, whatever the values are.
NOT_IMPLEMENTED = re.compile(r"Evaluation failed on|Not Implemented|is not supported yet|unsupported '.*' input precision|"
                             r"does not support string")
