"""The handler of the runners' pools, which worker processes call for each request."""

from __future__ import annotations

import dataclasses
from typing import Any

from windrow.runners import _requests
from windrow.runners._compare import Difference, find_difference
from windrow.runners._hosts import runner
from windrow.runners._requests import NodeCall
from windrow.runners._runner import Runner


def serve(item: dict[str, Any]) -> dict[str, Any]:
    """item: the host's name and the request. Returns the outputs and the values at exposed nodes.

    If the item has "runs" and "expected", the node runs that number of times; returns the number of differing runs and
    the first difference.
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
    differing = 0
    first: Difference | None = None
    run = host.prepare_node(call)
    for _ in range(runs):
        [output, *_] = run().values()
        difference = find_difference(output, expected)
        if difference is not None:
            differing += 1
            first = first or difference
    return {"differing": differing, "first": None if first is None else dataclasses.asdict(first)}
