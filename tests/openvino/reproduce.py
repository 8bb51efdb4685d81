"""Writes the call of a comparison as a Python script that needs NumPy and OpenVINO alone."""

from windrow.runners._openvino_tensors import pack

HEAD = """# {title}
from pathlib import Path

import numpy as np
import openvino as ov


def tensor(type_, shape, data):
    if type_ == "string":
        return ov.Tensor(np.array(data, dtype=str).reshape(shape))
    room = np.frombuffer(bytearray.fromhex(data) or bytearray(1), np.uint8)
    return ov.Tensor(room, ov.Shape(shape), getattr(ov.Type, type_))


model = ov.Core().read_model(Path(__file__).with_name("model.xml"))
inputs = [
{inputs}
]
"""
RUNS = {
    "cpu": """request = ov.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
request.infer(inputs)
output = request.get_output_tensor(0)
""",
    "evaluate": """output = ov.Tensor(model.output(0).get_element_type(), ov.Shape([0]))
assert model.evaluate([output], inputs), "OpenVINO has no evaluate function for this model"
""",
}
TAIL = "print(output.shape, output.element_type, output.str_data if output.element_type == ov.Type.string else output.data)\n"


def _tensor_text(given):
    elements = given.values.reshape(-1)
    data = elements.tolist() if given.type == "string" else pack(elements, given.type).tobytes().hex()
    return f"    tensor({given.type!r}, {list(given.values.shape)}, {data!r}),"


def _parameters(comparison):
    """The inputs that are parameters of the kept model. Of a call that OpenVINO refuses to build, all are."""
    given = list(comparison.probe.inputs.values())
    if len(list(comparison.folder.glob("input_*.npy"))) == len(given):
        return given
    return [one for one in given if not one.constant]


def write_reproduction(comparison):
    """Writes reproduce.py beside the call's model.xml. Gives its text, and how to run it and Windrow."""
    title = comparison.probe.describe().splitlines()[0]
    inputs = "\n".join(_tensor_text(given) for given in _parameters(comparison))
    text = HEAD.format(title=title, inputs=inputs) + RUNS[comparison.runtime] + TAIL
    path = comparison.folder / "reproduce.py"
    path.write_text(text, encoding="utf-8")
    return f"  python {path}\n  windrow verify {comparison.folder}\n\n{text}"
