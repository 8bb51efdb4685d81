"""ONNX Runtime: a model of one node, or of a chain; inputs and output bound where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from peers.cases import BAGS, BLOCK, QUANTIZED, TUPLES, Case, Shape
from peers.contestants import (
    Inputs, NotOffered, Spelling, after, as_signed, contiguous, output_of)

OPSET, IR_VERSION = 18, 10


def versions() -> dict[str, str]:
    return {"onnxruntime": onnxruntime.__version__}


def _node_of(case: Case, indices: np.ndarray) -> tuple[str, np.ndarray, dict[str, object]]:
    """Operator, indices, attributes; a row operation of the array dialect as ONNX says it."""
    if case.operator in ("Gather", "Take"):
        return "Gather", indices, {"axis": case.axis}
    if case.operator == QUANTIZED:
        return case.operator, indices, {"bits": 4, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
    if case.operator == BAGS:
        raise NotOffered("it has no such operator")
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


def taken_inputs(case: Case, inputs: Inputs) -> tuple[str, Inputs, dict[str, object], Callable[[], object] | None]:
    """The case's node: its operator, its inputs by name, its attributes, and what fills them before every call, if they
    are converted. Raises NotOffered."""
    types = {"indices": "int64"} if case.operator in (*TUPLES, "IndexAdd") else {}
    arrays, fill = contiguous(case, as_signed(inputs), types)
    operator, arrays["indices"], attributes = _node_of(case, arrays["indices"])
    return operator, arrays, attributes, fill


def make_model(case: Case, operator: str, arrays: Inputs, attributes: dict[str, object]) -> bytes:
    """A node or a chain of them over the inputs of taken_inputs(); its result is "out"."""
    def info(name: str, dtype: np.dtype, shape: Shape) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)

    results = [*(f"result{number}" for number in range(1, case.nodes)), "out"]
    first, *others = arrays
    domain = "com.microsoft" if operator == QUANTIZED else ""
    nodes = [helper.make_node(operator, [taken, *others], [result], domain=domain, **attributes)
             for taken, result in zip([first, *results], results)]
    graph = helper.make_graph(nodes, "case",
                              [info(name, array.dtype, array.shape) for name, array in arrays.items()],
                              [info("out", np.dtype(case.dtype), case.output)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)],
        ir_version=IR_VERSION)
    return model.SerializeToString()


def _make_session(model: bytes, threads: int, plugin: bool) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if plugin:
        _plug_in(options)
    try:
        return onnxruntime.InferenceSession(model, options,
                                            providers=None if plugin else ["CPUExecutionProvider"])
    except Exception as error:  # its classes have no base of their own
        raise NotOffered(str(error)) from error


def _plug_in(options: onnxruntime.SessionOptions) -> None:
    import windrow.onnxruntime

    if not windrow.onnxruntime.available():
        raise NotOffered("this build of Windrow has no plug-in for ONNX Runtime")
    windrow.onnxruntime.session_options(options)


def _into_new(session: onnxruntime.InferenceSession,
              arrays: Inputs) -> Iterator[tuple[str, Callable[[], np.ndarray]]]:
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in arrays.items()}
    yield "OrtValues", lambda: session.run_with_ort_values(["out"], values)[0].numpy()
    yield "run", lambda: session.run(["out"], arrays)[0]


def spellings(case: Case, inputs: Inputs, threads: int, plugin: bool = False) -> Iterator[Spelling]:
    """plugin: Windrow's operators inside."""
    operator, arrays, attributes, fill = taken_inputs(case, inputs)
    session = _make_session(make_model(case, operator, arrays, attributes), threads, plugin)
    if case.mode == "fresh":
        for label, run in _into_new(session, arrays):
            yield Spelling(label, after(fill, run), keep=arrays)
        return
    out, reset = output_of(case, inputs)
    binding = session.io_binding()
    for name, array in arrays.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    bound = onnxruntime.OrtValue.ortvalue_from_numpy(out)
    binding.bind_ortvalue_output("out", bound)
    if bound.data_ptr() != out.ctypes.data:
        raise NotOffered("this version copies an output that is bound")
    # Without RunOptions, which alone take many times as long as a small call.
    yield Spelling("IO binding", after(fill, lambda: session.run_with_iobinding(binding)), out, keep=arrays,
                   reset=reset)
