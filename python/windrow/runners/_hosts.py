"""The known hosts."""

from __future__ import annotations

from windrow import _core
from windrow._errors import ArgumentError
from windrow.runners._onnx_reference import OnnxReference
from windrow.runners._onnxruntime import OnnxRuntime
from windrow.runners._openvino import OpenVino, OpenVinoEvaluate
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
