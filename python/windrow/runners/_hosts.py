"""The known hosts, and the handler of their pools, which worker processes call for each request."""

from __future__ import annotations

import dataclasses
from typing import Any

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow.runners import _requests
from windrow.runners._compare import Difference, find_difference
from windrow.runners._onnx_reference import OnnxReference
from windrow.runners._onnxruntime import OnnxRuntime
from windrow.runners._openvino import OpenVino, OpenVinoEvaluate
from windrow.runners._requests import NodeCall
from windrow.runners._runner import Runner
from windrow.runners._windrow import Windrow

_RUNNERS: dict[str, Runner] = {
    host.name: host
    for host in (OnnxRuntime(), OpenVino(), OpenVinoEvaluate(), OnnxReference(), Windrow())
}


def runners() -> tuple[Runner, ...]:
    """Every known host, installed or not."""
    return tuple(_RUNNERS.values())


def runner(name: str) -> Runner:
    """The host with this name. Raises windrow.ArgumentError for an unknown name."""
    try:
        return _RUNNERS[name]
    except KeyError:
        hint = _core.nearest_hint(name, list(_RUNNERS))
        raise ArgumentError(f"there is no host {name!r}; there are: {', '.join(_RUNNERS)}{hint}") from None


def serve(item: dict[str, Any]) -> dict[str, Any]:
    """item: the host's name and the request. Returns the outputs and the values at exposed nodes.

    If the item has "runs" and "expected", the node runs that number of times; returns the fields of Repeats.
    """
    host, request = runner(item["host"]), _requests.from_value(item["request"])
    if isinstance(request, NodeCall) and "runs" in item:
        return _repeat(host, request, item["runs"], item["expected"])
    if isinstance(request, NodeCall):
        return {"outputs": host.execute_node(request)}
    if request.exposed:
        return host.execute_exposed(request)
    return {"outputs": host.execute(request)}


def _repeat(host: Runner, call: NodeCall, runs: int, expected: Any) -> dict[str, Any]:
    differing = varying = 0
    first: Difference | None = None
    earlier: Any = None
    run = host.prepare_node(call)
    for _ in range(runs):
        [output, *_] = run().values()
        earlier = output if earlier is None else earlier
        varying += find_difference(output, earlier) is not None
        difference = find_difference(output, expected)
        if difference is not None:
            differing += 1
            first = first or difference
    return {"differing": differing, "varying": varying, "first": None if first is None else dataclasses.asdict(first)}
