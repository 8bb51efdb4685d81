"""This library called from C++, by bench/native_call.cc: for small calls, whose time is Python's."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np

from peers.cases import Case
from peers.contestants import Inputs, NotOffered, Spelling, output_of
from peers.contestants.windrow_plan import operator_of, versions  # noqa: F401
from peers.native import CallLibrary, NativeCall


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


LIBRARY = CallLibrary("WINDROW_NATIVE_CALL", "native_call", Description)


def _operand(array: np.ndarray) -> Operand:
    numbers = ctypes.c_int64 * array.ndim
    return Operand(array.dtype.name.encode(), array.ndim, numbers(*array.shape),
                   numbers(*array.strides), array.ctypes.data)


def _attribute(name: str, value: int | str) -> Attribute:
    if isinstance(value, str):
        return Attribute(name.encode(), value.encode(), 0)
    return Attribute(name.encode(), None, value)


def _make_call(case: Case, inputs: Inputs, out: np.ndarray, threads: int) -> NativeCall:
    dialect, name, attributes, options = operator_of(case)
    listed = [_attribute(*item) for item in attributes.items()]
    operands = [_operand(array) for array in inputs.values()]
    policy = options.get("out_of_range")
    return NativeCall(LIBRARY, Description(
        dialect.encode(), name.encode(), policy.encode() if policy else None, threads,
        len(listed), (Attribute * len(listed))(*listed),
        len(operands), (Operand * len(operands))(*operands), _operand(out)))


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if case.mode == "fresh" or not case.is_small:
        raise NotOffered("only small calls with given outputs are timed in C++")
    out, reset = output_of(case, inputs)
    call = _make_call(case, inputs, out, threads)
    yield Spelling("Plan::run", lambda: call.seconds(1), out, keep=inputs, reset=reset,
                   timed=call.seconds)
