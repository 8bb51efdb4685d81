"""OpenVINO: a model of one node, or of a chain, compiled for the CPU, over shared tensors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

# It sends usage data from a thread of its own when it is imported.
sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino  # noqa: E402
from openvino import opset8, opset12, opset15  # noqa: E402

from peers.cases import Case  # noqa: E402
from peers.contestants import (  # noqa: E402
    Inputs, NotOffered, Spelling, after, as_signed, contiguous, output_of)


def versions() -> dict[str, str]:
    return {"openvino": openvino.__version__}


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


def _make_request(case: Case, arrays: Inputs, threads: int, plugin: bool) -> openvino.InferRequest:
    """With its inputs set. arrays: those of the node."""
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    core = openvino.Core()
    try:
        parameters = [opset8.parameter(array.shape, array.dtype) for array in arrays.values()]
        node = parameters[0]
        for _ in range(case.nodes):
            node = _node(case, [node, *parameters[1:]])
        model = openvino.Model([node], parameters)
        if plugin:
            _replace_nodes(core, model)
        request = core.compile_model(model, "CPU", settings).create_infer_request()
    except RuntimeError as error:
        raise NotOffered(str(error)) from error
    for number, array in enumerate(arrays.values()):
        request.set_input_tensor(number, openvino.Tensor(array, shared_memory=True))
    return request


def _replace_nodes(core: openvino.Core, model: openvino.Model) -> None:
    from windrow import openvino_plugin

    core.add_extension(openvino_plugin.extension())
    if not openvino_plugin.replace(model):
        raise NotOffered("the plug-in replaces no node")


def _into_given(request: openvino.InferRequest,
                out: np.ndarray) -> Iterator[tuple[str, Callable[[], object]]]:
    request.set_output_tensor(openvino.Tensor(out, shared_memory=True))

    def start_and_wait() -> None:
        request.start_async()
        request.wait()

    yield "infer, shared tensors", lambda: request.infer(share_outputs=True)
    yield "start_async, shared tensors", start_and_wait


def spellings(case: Case, inputs: Inputs, threads: int, plugin: bool = False) -> Iterator[Spelling]:
    """plugin: Windrow's operators inside."""
    arrays, fill = contiguous(case, as_signed(inputs), {})
    if case.operator == "IndexAdd":  # Said as a scatter of rows at tuples of one index.
        arrays["indices"] = arrays["indices"][:, None]
    request = _make_request(case, arrays, threads, plugin)
    if case.mode != "fresh":
        out, reset = output_of(case, inputs)
        for label, run in _into_given(request, out):
            yield Spelling(label, after(fill, run), out, keep=arrays, reset=reset)
        return
    # A request of its own: this one would go on writing to the last of these outputs.
    other = _make_request(case, arrays, threads, plugin)

    def run_into_new() -> np.ndarray:
        out = np.empty(case.output, case.dtype)
        other.set_output_tensor(openvino.Tensor(out, shared_memory=True))
        other.infer(share_outputs=True)
        return out

    yield Spelling("infer", after(fill, lambda: request.infer(share_outputs=False)[0]), keep=arrays)
    yield Spelling("infer, new tensor", after(fill, run_into_new), keep=arrays)
