"""Runs probes with ONNX Runtime on one thread: python ort_worker.py SEED FOLDER NUMBER...

Every probe gets FOLDER/<number>/finding.json, {"state": "ran" | "refused" | "not implemented" | "died", "text": ...},
and output.npy if there is one. Each run is a process of its own, forked from this one, which never starts ONNX Runtime
itself. Results of types that NumPy lacks come as float32, which holds all their values.
"""

import json
import re
import signal
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from ort_probe import make_probe

from apart import how_it_ended, in_child  # ort_probe finds its folder

SECONDS = 30
# One that every operator's newest version is in, and that ONNX Runtime takes.
OTHER_DOMAIN_OPSET = 17
# How it says that it has no code for a version or type, whatever the values are.
NOT_IMPLEMENTED = re.compile(
    "NOT_IMPLEMENTED|Could not find an implementation|is till opset|not supported|Type Error|has been deprecated|"
    "invalid type|INVALID_GRAPH|not currently registered")


def onnx_type(dtype):
    return TensorProto.STRING if dtype == object else helper.np_dtype_to_tensor_dtype(dtype)


def is_numpys(dtype):
    return dtype.kind in "biufcO" and dtype.name != "bfloat16"


def model_of(call):
    arrays = {f"input_{number}": array for number, array in enumerate(call.inputs) if array is not None}
    names = [f"input_{number}" if array is not None else "" for number, array in enumerate(call.inputs)]
    domain, data = call.row["domain"], call.inputs[2 if call.row["name"] == "OneHot" else 0]
    nodes = [helper.make_node(call.row["name"], names, ["output"], domain=domain, **call.attributes)]
    if not is_numpys(data.dtype):
        nodes.append(helper.make_node("Cast", ["output"], ["wide"], to=TensorProto.FLOAT))
    wide = len(nodes) == 2
    result = helper.make_tensor_value_info(
        "wide" if wide else "output", TensorProto.FLOAT if wide else onnx_type(data.dtype), None)
    graph = helper.make_graph(nodes, "probe", [
        helper.make_tensor_value_info(name, onnx_type(array.dtype), array.shape) for name, array in arrays.items()
    ], [result])
    opsets = [helper.make_opsetid("", OTHER_DOMAIN_OPSET if domain else call.version)]
    opsets += [helper.make_opsetid(domain, call.version)] * bool(domain)
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString(), arrays


def to_value(array):
    if is_numpys(array.dtype):
        return onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array).reshape(array.shape))
    memory = np.array(array, order="C").view(f"u{array.dtype.itemsize}")
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(memory, onnx_type(array.dtype))


def run_session(call):
    model, arrays = model_of(call)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    if any(array.dtype == object for array in arrays.values()):
        return session.run(None, arrays)[0]
    return session.run_with_ort_values(None, {name: to_value(array) for name, array in arrays.items()})[0].numpy()


def write_finding(folder, state, text=""):
    (folder / "finding.json").write_text(json.dumps({"state": state, "text": text}), encoding="utf-8")


def run(call, folder):
    """In the child. The alarm's default action ends the process wherever it is."""
    signal.alarm(SECONDS)
    try:
        output = run_session(call)
    except Exception as error:
        write_finding(folder, "not implemented" if NOT_IMPLEMENTED.search(str(error)) else "refused", str(error))
        return
    np.save(folder / "output.npy", output, allow_pickle=True)
    write_finding(folder, "ran")


def main():
    seed, folder = int(sys.argv[1]), Path(sys.argv[2])
    for number in sys.argv[3:]:
        place = folder / number
        place.mkdir()
        call = make_probe(seed, int(number))
        log = place / "stderr.txt"
        code = in_child(lambda call=call, place=place: run(call, place), log)
        if code != 0:
            write_finding(place, "died", how_it_ended(code, log, SECONDS))


if __name__ == "__main__":
    main()
