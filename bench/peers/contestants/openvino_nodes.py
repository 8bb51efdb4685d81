"""OpenVINO: a model of one node, compiled for the CPU, over shared tensors."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

# It sends usage data from a thread of its own when it is imported.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402
from openvino import opset8, opset12, opset15  # noqa: E402

from peers.cases import Case, new_output  # noqa: E402
from peers.contestants import Inputs, NotOffered, Spelling  # noqa: E402


def versions() -> dict[str, str]:
    return {"openvino": openvino.__version__}


def operand(case: Case, indices: np.ndarray) -> np.ndarray:
    """IndexAdd is said as a scatter of rows at tuples of one index."""
    return indices[:, None] if case.operator == "IndexAdd" else indices


def _node(case: Case, parameters: list[openvino.Node]) -> openvino.Node:
    reduction = "sum" if case.reduction == "add" else "none"
    axis = np.int64(case.axis)
    if case.operator in ("Gather", "Take"):
        return opset8.gather(*parameters, opset8.constant(axis))
    if case.operator == "GatherElements":
        return opset8.gather_elements(*parameters, case.axis)
    if case.operator == "GatherND":
        return opset8.gather_nd(*parameters, case.batch_dims)
    if case.operator == "ScatterElements":
        return opset12.scatter_elements_update(
            *parameters, opset8.constant(axis), reduction=reduction)
    return opset15.scatter_nd_update(*parameters, reduction=reduction)


def make_request(case: Case, arrays: Inputs, threads: int) -> openvino.InferRequest:
    """With its inputs set. arrays: those of the node."""
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    try:
        parameters = [opset8.parameter(array.shape, array.dtype) for array in arrays.values()]
        model = openvino.Model([_node(case, parameters)], parameters)
        request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()
    except RuntimeError as error:
        raise NotOffered(str(error)) from error
    for number, array in enumerate(arrays.values()):
        request.set_input_tensor(number, openvino.Tensor(array, shared_memory=True))
    return request


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    arrays = inputs | {"indices": operand(case, inputs["indices"])}
    out = new_output(case)
    request = make_request(case, arrays, threads)
    request.set_output_tensor(openvino.Tensor(out, shared_memory=True))

    def start_and_wait() -> None:
        request.start_async()
        request.wait()

    yield Spelling("infer, shared tensors", lambda: request.infer(share_outputs=True), out, arrays)
    yield Spelling("start_async, shared tensors", start_and_wait, out, arrays)
