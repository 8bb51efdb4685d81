"""OpenVINO's two ways to run a probe, and the files of a probe that Windrow reads."""

import re
import sys
from pathlib import Path

import numpy as np
from element_values import STORAGE
from windrow.runners import runner
from windrow.runners._openvino_tensors import to_tensor

RUNTIMES = {"evaluate": runner("openvino_evaluate"), "cpu": runner("openvino")}
RUNTIMES["cpu"].preload()  # before the import, which would send usage data
import openvino  # noqa: E402
from openvino import opset15  # noqa: E402
from openvino.utils.node_factory import NodeFactory  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from openvino_opsets import first_opsets  # noqa: E402

OPSETS = first_opsets()
CPU_THREADS = 2


def model_of(probe, nodes, parameters):
    node = NodeFactory(f"opset{OPSETS[probe.operator, probe.version]}").create(probe.operator, nodes, probe.attributes)
    return openvino.Model([node], parameters, "probe")


def build(probe):
    """The model and the tensors of its parameters, in order. An error means that OpenVINO refuses the call."""
    nodes, parameters, tensors = [], [], []
    for name, given in probe.inputs.items():
        tensor = to_tensor(given.values, given.type)
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
    legal = {name: openvino.Type.f32 if name in probe.payloads else openvino.Type.i64 for name in probe.inputs}
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


def run(runtime, probe):
    """The output as save_inputs() writes inputs: one item per element, text as str."""
    model, tensors = build(probe)
    [output] = RUNTIMES[runtime].run_built(model, tensors, CPU_THREADS).values()
    if output.dtype == object:
        return np.array(output.tolist(), dtype=str).reshape(output.shape)
    packed = {"int4": STORAGE["i4"], "uint4": STORAGE["u4"], "uint2": STORAGE["u2"]}
    return output.astype(packed.get(output.dtype.name, output.dtype))
