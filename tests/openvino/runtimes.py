"""OpenVINO's two ways to run a probe, and the files of a probe that Windrow reads."""

import re
import sys

import numpy as np
from element_values import pack, unpack

# Importing openvino sends usage data from a thread of its own, unless this package is missing.
sys.modules["openvino_telemetry"] = None
import openvino
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


def model_of(probe, nodes, parameters):
    node = NodeFactory(OPSETS[probe.operator, probe.version]).create(probe.operator, nodes, probe.attributes)
    return openvino.Model([node], parameters, "probe")


def build(probe):
    """The model and the tensors of its parameters, in order. An error means that OpenVINO refuses the call."""
    nodes, parameters, tensors = [], [], []
    for name, given in probe.inputs.items():
        tensor = to_openvino(given)
        if given.constant:
            nodes.append(openvino.op.Constant(tensor, shared_memory=False))
            continue
        dims = [-1] * given.values.ndim if probe.dynamic else list(given.values.shape)
        nodes.append(opset15.parameter(openvino.PartialShape(dims), tensor.element_type, name=name))
        parameters.append(nodes[-1])
        tensors.append(tensor)
    return model_of(probe, nodes, parameters), tensors


def port_type(name):
    """An element type as a port's attribute precision has it."""
    special = {"boolean": "BOOL", "u1": "BIN", "f16": "FP16", "f32": "FP32", "f64": "FP64"}
    return special.get(name, name.upper())


def save_inputs(probe, folder):
    parameters = [given for given in probe.inputs.values() if not given.constant]
    for number, given in enumerate(parameters):
        values = given.values if given.type != "string" else np.array(given.values.tolist(), dtype=str)
        np.save(folder / f"input_{number}.npy", values.reshape(given.values.shape))


def save(probe, folder):
    """Writes model.xml, model.bin and input_<n>.npy of a call that OpenVINO takes."""
    model, _ = build(probe)
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
    save_inputs(probe, folder)


def save_refused(probe, folder):
    """The same of a call that OpenVINO refuses: it is told no shapes and legal types, the true types are filled in
    afterwards."""
    legal = {name: openvino.Type.i64 if name in ("indices", "axis") else openvino.Type.f32 for name in probe.inputs}
    parameters = [opset15.parameter(openvino.PartialShape.dynamic(), type_, name=name)
                  for name, type_ in legal.items()]
    path = folder / "model.xml"
    openvino.save_model(model_of(probe, parameters, parameters), path, compress_to_fp16=False)
    text = path.read_text(encoding="utf-8")
    for name, given in probe.inputs.items():
        given.constant = False
        text = re.sub(rf'(name="{name}" type="Parameter".*?element_type=")\w+(".*?precision=")\w+',
                      rf"\g<1>{given.type}\g<2>{port_type(given.type)}", text, count=1, flags=re.DOTALL)
    path.write_text(text, encoding="utf-8")
    save_inputs(probe, folder)


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
