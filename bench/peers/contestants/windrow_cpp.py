"""This library called from C++, by bench/native_call.cc: for small calls, whose time is Python's."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator

import numpy as np

from peers.cases import Case
from peers.contestants import Inputs, NotOffered, Spelling, output_of
from peers.contestants.windrow_plan import operator_of, versions  # noqa: F401
from peers.native import load_library

VARIABLE = "WINDROW_NATIVE_CALL"
MESSAGE_BYTES = 1000


class Operand(ctypes.Structure):
    """As in bench/native_call.cc, like the next two."""

    _fields_ = [("dtype", ctypes.c_char_p), ("rank", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("byte_strides", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p)]


class Attribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("number", ctypes.c_int64)]


class Description(ctypes.Structure):
    _fields_ = [("dialect", ctypes.c_char_p), ("name", ctypes.c_char_p),
                ("out_of_range", ctypes.c_char_p), ("threads", ctypes.c_int64),
                ("attribute_count", ctypes.c_int64), ("attributes", ctypes.POINTER(Attribute)),
                ("input_count", ctypes.c_int64), ("inputs", ctypes.POINTER(Operand)),
                ("output", Operand)]


def _load() -> ctypes.CDLL:
    library = load_library(VARIABLE)
    library.native_call_new.restype = ctypes.c_void_p
    library.native_call_new.argtypes = [
        ctypes.POINTER(Description), ctypes.c_char_p, ctypes.c_size_t]
    library.native_call_delete.restype = None
    library.native_call_delete.argtypes = [ctypes.c_void_p]
    library.native_call_run.restype = ctypes.c_double
    library.native_call_run.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    return library


LIBRARY = _load()


def _operand(array: np.ndarray) -> Operand:
    numbers = ctypes.c_int64 * array.ndim
    return Operand(array.dtype.name.encode(), array.ndim, numbers(*array.shape),
                   numbers(*array.strides), array.ctypes.data)


def _attribute(name: str, value: int | str) -> Attribute:
    if isinstance(value, str):
        return Attribute(name.encode(), value.encode(), 0)
    return Attribute(name.encode(), None, value)


class NativeCall:
    """A plan with its inputs and its output, which must live as long."""

    def __init__(self, case: Case, inputs: Inputs, out: np.ndarray, threads: int) -> None:
        dialect, name, attributes, options = operator_of(case)
        listed = [_attribute(*item) for item in attributes.items()]
        operands = [_operand(array) for array in inputs.values()]
        policy = options.get("out_of_range")
        description = Description(
            dialect.encode(), name.encode(), policy.encode() if policy else None, threads,
            len(listed), (Attribute * len(listed))(*listed),
            len(operands), (Operand * len(operands))(*operands), _operand(out))
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        self._call = LIBRARY.native_call_new(description, message, MESSAGE_BYTES)
        if not self._call:
            raise ValueError(message.value.decode())
        weakref.finalize(self, LIBRARY.native_call_delete, self._call)

    def seconds(self, calls: int) -> float:
        taken: float = LIBRARY.native_call_run(self._call, calls)
        if taken < 0:
            raise ValueError("the plan failed")
        return taken


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if case.mode == "fresh" or not case.is_small:
        raise NotOffered("only small calls with given outputs are timed in C++")
    out, reset = output_of(case, inputs)
    call = NativeCall(case, inputs, out, threads)
    yield Spelling("Plan::run", lambda: call.seconds(1), out, keep=inputs, reset=reset,
                   timed=call.seconds)
