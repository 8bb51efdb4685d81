"""ONNX Runtime: a model of one node; inputs and output bound where they lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from peers.cases import Case, new_output
from peers.contestants import Inputs, NotOffered, Spelling

OPSET, IR_VERSION = 18, 10


def versions() -> dict[str, str]:
    return {"onnxruntime": onnxruntime.__version__}


def node_of(case: Case, indices: np.ndarray) -> tuple[str, np.ndarray, dict[str, object]]:
    """Operator, indices, attributes; a row operation of the array dialect as ONNX says it."""
    if case.operator in ("Gather", "Take"):
        return "Gather", indices, {"axis": case.axis}
    if case.operator == "GatherND":
        return "GatherND", indices, {"batch_dims": case.batch_dims}
    if case.operator == "IndexAdd":
        return "ScatterND", indices[:, None], {"reduction": "add"}
    if case.operator == "ScatterND":
        return "ScatterND", indices, {"reduction": case.reduction}
    attributes: dict[str, object] = {"axis": case.axis}
    if case.is_scatter:
        attributes["reduction"] = case.reduction
    return case.operator, indices, attributes


def make_session(operator: str, arrays: Inputs, out: np.ndarray, attributes: dict[str, object],
             threads: int) -> onnxruntime.InferenceSession:
    def info(name: str, array: np.ndarray) -> onnx.ValueInfoProto:
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(name, kind, array.shape)

    node = helper.make_node(operator, list(arrays), ["out"], **attributes)
    graph = helper.make_graph(
        [node], "case", [info(*item) for item in arrays.items()], [info("out", out)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its classes have no base of their own
        raise NotOffered(str(error)) from error


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    operator, indices, attributes = node_of(case, inputs["indices"])
    arrays, out = inputs | {"indices": indices}, new_output(case)
    session = make_session(operator, arrays, out, attributes, threads)
    binding = session.io_binding()
    for name, array in arrays.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    bound = onnxruntime.OrtValue.ortvalue_from_numpy(out)
    binding.bind_ortvalue_output("out", bound)
    options = onnxruntime.RunOptions()
    if bound.data_ptr() == out.ctypes.data:
        yield Spelling("IO binding", lambda: session.run_with_iobinding(binding, options), out,
                       keep=arrays)
        return

    # A version that copies: the result is in its own memory.
    def run() -> np.ndarray:
        session.run_with_iobinding(binding, options)
        return bound.numpy()

    yield Spelling("IO binding, copied", run, keep=arrays)
