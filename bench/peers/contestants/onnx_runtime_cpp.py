"""ONNX Runtime called from C++, by bench/onnxruntime_call.cc, with inputs and output bound where they lie: for small
calls, whose time is Python's. The library is the one of the installed package."""

from __future__ import annotations

import ctypes
import pathlib
from collections.abc import Iterator

import numpy as np
import onnxruntime
from onnx import helper

from peers.cases import Case
from peers.contestants import Inputs, NotOffered, Spelling, output_of
from peers.contestants.onnx_runtime import make_model, taken_inputs, versions  # noqa: F401
from peers.native import CallLibrary, NativeCall


class BoundTensor(ctypes.Structure):
    """As in bench/onnxruntime_call.cc, like the next."""

    _fields_ = [("name", ctypes.c_char_p), ("element_type", ctypes.c_int32), ("rank", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p), ("bytes", ctypes.c_int64)]


class Description(ctypes.Structure):
    _fields_ = [("get_api_base", ctypes.c_void_p), ("model", ctypes.c_char_p), ("model_bytes", ctypes.c_int64),
                ("threads", ctypes.c_int64), ("input_count", ctypes.c_int64), ("inputs", ctypes.POINTER(BoundTensor)),
                ("output", BoundTensor)]


def _find_host() -> ctypes.CDLL:
    """The shared library beside the package's own extension, for programs in C++. Raises ImportError."""
    folder = pathlib.Path(onnxruntime.__file__).parent / "capi"
    found = sorted(folder.glob("libonnxruntime.so*"))
    if not found:
        raise ImportError(f"no libonnxruntime.so in {folder}")
    return ctypes.CDLL(str(found[0]))


LIBRARY = CallLibrary("WINDROW_ONNXRUNTIME_CALL", "onnxruntime_call", Description)
HOST = _find_host()


def _bound(name: str, array: np.ndarray) -> BoundTensor:
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    return BoundTensor(name.encode(), helper.np_dtype_to_tensor_dtype(array.dtype), array.ndim, shape,
                       array.ctypes.data, array.nbytes)


def _make_call(model: bytes, arrays: Inputs, out: np.ndarray, threads: int) -> NativeCall:
    inputs = [_bound(*item) for item in arrays.items()]
    description = Description(
        ctypes.cast(HOST.OrtGetApiBase, ctypes.c_void_p), model, len(model), threads,
        len(inputs), (BoundTensor * len(inputs))(*inputs), _bound("out", out))
    try:
        return NativeCall(LIBRARY, description)
    except ValueError as error:
        raise NotOffered(str(error)) from None


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if case.mode == "fresh" or not case.is_small:
        raise NotOffered("only small calls with given outputs are timed in C++")
    operator, arrays, attributes, fill = taken_inputs(case, inputs)
    if fill is not None:
        raise NotOffered("it takes contiguous memory and int64 tuples alone, and a conversion would be Python's")
    out, reset = output_of(case, inputs)
    call = _make_call(make_model(case, operator, arrays, attributes), arrays, out, threads)
    yield Spelling("Session::Run, IoBinding", lambda: call.seconds(1), out, keep=arrays, reset=reset,
                   timed=call.seconds)
