"""Windrow inside ONNX Runtime: gather and scatter nodes run in Windrow, all others in ONNX Runtime.

    session = onnxruntime.InferenceSession(path, windrow.onnxruntime.session_options())
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

from windrow import _core
from windrow._base.errors import needed_by

with needed_by("windrow.onnxruntime", "onnxruntime"):
    import onnxruntime  # type: ignore[import-untyped]

PROVIDER = "WindrowExecutionProvider"  #: the provider's name in ONNX Runtime
OLDEST = (1, 24)
_registration = threading.Lock()

__all__ = ["PROVIDER", "available", "register", "session_options"]


def _library(library: str | os.PathLike[str] | None) -> str:
    return os.path.abspath(library) if library is not None else _core.__file__


def _fault(library: str) -> Exception | None:
    """Why the provider cannot be registered; None if it can."""
    version = tuple(int(part) for part in onnxruntime.__version__.split(".")[:2])
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        text = f"windrow.onnxruntime needs onnxruntime {oldest} or newer; this is {onnxruntime.__version__}"
        return RuntimeError(text)
    if not hasattr(ctypes.CDLL(library), "CreateEpFactories"):
        text = "its C header was not there (WINDROW_ONNXRUNTIME_INCLUDE)"
        return ImportError(f"{library} was built without ONNX Runtime's plug-in: {text}")
    return None


def available() -> bool:
    """Whether register() can succeed: onnxruntime is new enough and this build has the plug-in."""
    return _fault(_library(None)) is None


def register(library: str | os.PathLike[str] | None = None) -> Any:
    """Registers the provider with onnxruntime, once, and returns its device.

    `library`: a libwindrow_onnxruntime.so instead of this package. Raises RuntimeError if onnxruntime is too
    old, ImportError if the build has no plug-in.
    """
    with _registration:
        if not _devices():
            path = _library(library)
            fault = _fault(path)
            if fault is not None:
                raise fault
            onnxruntime.register_execution_provider_library(PROVIDER, path)
        return _devices()[0]


def session_options(options: Any = None, *, threads: int | None = None) -> Any:
    """The given SessionOptions, or new ones, with the provider added.

    `threads` is the number of the session's threads that a node may use: those of
    options.intra_op_num_threads as it is now, all of the process's cores if that is 0.
    """
    device = register()
    options = onnxruntime.SessionOptions() if options is None else options
    count = options.intra_op_num_threads if threads is None else threads
    options.add_provider_for_devices([device], {"threads": str(count)} if count else {})
    return options


def _devices() -> list[Any]:
    return [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
