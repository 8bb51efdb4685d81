"""What worker processes do with a request: the handler of the runners' pools."""

from __future__ import annotations

from typing import Any

from windrow.runners import _requests
from windrow.runners._hosts import runner
from windrow.runners._requests import NodeCall


def serve(item: dict[str, Any]) -> dict[str, Any]:
    """item: the host's name and the request. Gives the outputs, and with exposed nodes what they hold."""
    host, request = runner(item["host"]), _requests.from_value(item["request"])
    if isinstance(request, NodeCall):
        return {"outputs": host.execute_node(request)}
    if request.expose:
        return host.execute_exposed(request)
    return {"outputs": host.execute(request)}
