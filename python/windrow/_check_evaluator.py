"""What onnx's evaluator says of a node for which two hosts differ."""

from __future__ import annotations

from collections.abc import Sequence

from windrow._check_search import FirstDifferent
from windrow.runners import NodeCall, runner
from windrow.runners._closeness import find_distance
from windrow.runners._onnx_graphs import attributes_of, bodies_of


def evaluator_words(first: FirstDifferent, hosts: Sequence[str], tolerance: float | None) -> str:
    """Which of the hosts gives what onnx's evaluator gives for the node alone; empty if it does not say."""
    if not first.read or not first.graph.opsets or bodies_of(first.node):
        return ""
    versions = first.graph.opsets
    call = NodeCall(
        first.node.op_type,
        first.read,
        attributes_of(first.node),
        version=versions.get(first.node.domain, 1),
        domain=first.node.domain,
        outputs=len(first.node.output),
    )
    result = runner("onnx_reference").run_node(call)
    if result.outputs is None:
        return ""
    expected = list(result.outputs.values())[list(first.node.output).index(first.value)]
    agreeing = []
    for host, made in zip(hosts, first.made):
        distance = find_distance(expected, made, tolerance)
        if distance is None or distance.rounding:
            agreeing.append(host)
    if not agreeing:
        return "onnx's evaluator gives what neither host gives"
    return f"onnx's evaluator gives what {agreeing[0]} gives" if len(agreeing) == 1 else ""
