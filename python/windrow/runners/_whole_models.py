"""Whole models in an installed host, with Windrow's gather and scatter operators inside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from windrow._base.errors import HostError, OutOfMemory, Unsupported
from windrow.processes import Failure, Limits
from windrow.runners._hosts import runner, runners
from windrow.runners._requests import ModelFile, ModelRun
from windrow.runners._results import Result

_NO_LIMITS = Limits(None, None)
# Failures that are not caused by the model.
_NEXT_MAY_RUN = ("not installed", "can't be asked")


def run_with_host(
    model: Any,
    inputs: Mapping[str, Any],
    *,
    host: str | None = None,
    folder: Any = None,
    threads: int | None = None,
    expose: tuple[str, ...] = (),
    limits: Limits = _NO_LIMITS,
) -> Result:
    """Runs a whole model in an installed host, and its gather and scatter nodes in Windrow.

    model: a path, the bytes of an ONNX model, an onnx.ModelProto or a ModelFile; folder: where the external data of a
    model in memory stands. inputs: arrays by name, of the types that the model declares. host: "onnxruntime" or
    "openvino"; None takes the first of them that is installed and has Windrow's plug-in. threads: the host's, None for
    its default. expose: nodes to observe, as in ModelRun. limits: none unless given.
    Without a host, the Result's failure says what to install. Raises windrow.ArgumentError for an unknown host.
    """
    run = ModelRun(
        ModelFile.of(model, folder), dict(inputs), tuple(expose), windrow_inside=True, threads=threads
    )
    if host is not None:
        return runner(host).run_batch([run], limits=limits)[0]
    tried = []
    for candidate in runners():
        if run.format in candidate.takes_windrow:
            result = candidate.run_batch([run], limits=limits)[0]
            if result.failure is None or result.failure.kind not in _NEXT_MAY_RUN:
                return result
            tried.append(result.failure)
    message = f"no host can run this model: {'; '.join(failure.message for failure in tried)}"
    missing = any(failure.kind == "not installed" for failure in tried)
    return Result("", failure=Failure("not installed" if missing else "can't be asked", message))


def require_outputs(result: Result) -> dict[str, Any]:
    """The outputs; a failure is raised as an exception of this package."""
    if result.failure is None:
        assert result.outputs is not None
        return result.outputs
    text = f"{result.host}: {result.failure.message}"
    if result.failure.kind == "memory":
        raise OutOfMemory(text)
    if result.failure.kind in _NEXT_MAY_RUN:
        raise Unsupported(result.failure.message)
    raise HostError(text, result.failure.kind)
