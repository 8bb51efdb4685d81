"""The part of Windrow's C interface that a call needs: structs, constants and functions, by ctypes.

It is used instead of the Python functions because it reads inputs of every type in place.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Mapping, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p, sizeof
from typing import Any

import numpy as np

from .element_bytes import PACKED_BITS, BitOrder, element_bytes, unpacked
from .record import Record
from .tensor import CARRIERS, Tensor

UNSUPPORTED = 6
_NEGATIVE = {"from_end": 1, "out_of_range": 2, "error": 3}
_OUT_OF_RANGE = {"error": 1, "zero": 2, "skip": 3, "clamp": 4, "modulo": 5}
_DUPLICATES = {"allow": 0, "error": 1}
_INT, _STRING = 1, 3


class WindrowError(Exception):
    """An error of the library. code: a windrow_code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class _String(Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class _Tensor(Structure):
    _fields_ = [
        ("dtype", c_int32),
        ("rank", c_int32),
        ("shape", POINTER(c_int64)),
        ("byte_strides", POINTER(c_int64)),
        ("data", c_void_p),
    ]


class _Attribute(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int32),
        ("int_value", c_int64),
        ("float_value", c_double),
        ("string_value", c_char_p),
        ("ints", POINTER(c_int64)),
        ("ints_count", c_size_t),
    ]


class _CallOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("out_of_range", c_int32),
        ("strict", c_int32),
        ("duplicates", c_int32),
        ("kernels", c_char_p),
        ("negative", c_int32),
        ("has_padding_index", c_int32),
        ("padding_index", c_int64),
    ]


class _RunOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_void_p),
        ("scratch", c_void_p),
        ("scratch_bytes", c_size_t),
        ("fresh_output", c_int32),
        ("interrupted", c_void_p),
        ("interrupted_user", c_void_p),
    ]


class Plan:
    """A record's operator, compiled for its inputs. Raises WindrowError, also when it runs."""

    def __init__(self, record: Record, threads: int, kernels: str | None) -> None:
        self._library = _library()
        inputs = _Inputs(record.inputs)
        attributes = _attributes(record.attrs)
        self._handle, error = c_void_p(), c_void_p()
        code = self._library.windrow_compile(
            record.dialect.encode(),
            record.op.encode(),
            record.version,
            attributes,
            len(attributes),
            inputs.structs,
            len(inputs.structs),
            byref(_options(record.options, kernels)),
            byref(self._handle),
            byref(error),
        )
        self._check(code, error)
        self._pool = c_void_p(self._library.windrow_thread_pool_make(threads)) if threads > 1 else None

    def __call__(self, tensors: Sequence[Tensor | None]) -> Tensor:
        inputs, result = _Inputs(tensors), _Tensor()
        self._library.windrow_plan_result(self._handle, byref(result))
        dtype = self._library.windrow_dtype_name(result.dtype).decode()
        shape = tuple(result.shape[axis] for axis in range(result.rank))
        options = _RunOptions(size=sizeof(_RunOptions))
        if self._pool is not None:
            options.threads = self._library.windrow_thread_pool_threads(self._pool)
        if dtype == "string":
            return self._run_strings(inputs, result, shape, options)
        bits = self._library.windrow_dtype_bits(result.dtype)
        elements = int(np.prod(shape, dtype=np.int64))
        memory = np.empty((elements * bits + 7) // 8, np.uint8)
        result.data = memory.ctypes.data
        error = c_void_p()
        code = self._library.windrow_plan_run(
            self._handle, inputs.structs, len(inputs.structs), byref(result), byref(options), byref(error)
        )
        self._check(code, error)
        if dtype in PACKED_BITS:
            return unpacked(memory.tobytes(), dtype, shape, _bit_order(dtype))
        return Tensor(dtype, memory.view(CARRIERS.get(dtype, dtype)).reshape(shape))

    def _run_strings(self, inputs: _Inputs, result: _Tensor, shape: tuple[int, ...], options: _RunOptions) -> Tensor:
        count = int(np.prod(shape, dtype=np.int64))
        elements = (_String * max(1, count))()
        result.data = ctypes.addressof(elements)
        strings, error = c_void_p(), c_void_p()
        code = self._library.windrow_plan_run_strings(
            self._handle,
            inputs.structs,
            len(inputs.structs),
            byref(result),
            byref(options),
            byref(strings),
            byref(error),
        )
        self._check(code, error)
        texts = np.empty(count, object)
        for at in range(count):
            # As an address: c_char_p would end the text at its first zero byte.
            address = c_void_p.from_address(ctypes.addressof(elements[at])).value
            texts[at] = ctypes.string_at(address, elements[at].size).decode() if address else ""
        self._library.windrow_strings_free(strings)
        return Tensor("string", texts.reshape(shape))

    def _check(self, code: int, error: c_void_p) -> None:
        if code != 0:
            message = self._library.windrow_error_message(error).decode()
            self._library.windrow_error_free(error)
            raise WindrowError(code, message)


class _Inputs:
    """Tensors as the library takes them, with the memory that they point to. Arrays of sub-byte types are packed."""

    def __init__(self, tensors: Sequence[Tensor | None]) -> None:
        self._kept: list[Any] = []
        self.structs = (_Tensor * len(tensors))(*map(self._struct, tensors))

    def _struct(self, tensor: Tensor | None) -> _Tensor:
        if tensor is None:
            return _Tensor()
        shape = (c_int64 * max(1, len(tensor.shape)))(*tensor.shape)
        code = _library().windrow_dtype_parse(tensor.dtype.encode())
        memory = self._memory(tensor)
        self._kept += [tensor, shape, memory]
        return _Tensor(code, len(tensor.shape), shape, None, memory.ctypes.data)

    def _memory(self, tensor: Tensor) -> np.ndarray[Any, Any]:
        if tensor.dtype in PACKED_BITS:
            return np.frombuffer(element_bytes(tensor, _bit_order(tensor.dtype)), np.uint8)
        if tensor.dtype != "string":
            return tensor.array
        texts = [text.encode() for text in tensor.array.reshape(-1)]
        elements = np.array([(0, len(text)) for text in texts], np.uintp).reshape(-1, 2)
        for element, text in zip(elements, texts):
            element[0] = ctypes.cast(text, c_void_p).value or 0
        self._kept.append(texts)
        return elements


def _bit_order(dtype: str) -> BitOrder:
    return "big" if dtype == "uint1" else "little"


def _attributes(attrs: Mapping[str, Any]) -> Any:
    rows = []
    for name, value in attrs.items():
        if isinstance(value, str):
            rows.append(_Attribute(name=name.encode(), kind=_STRING, string_value=value.encode()))
        else:
            rows.append(_Attribute(name=name.encode(), kind=_INT, int_value=int(value)))
    return (_Attribute * len(rows))(*rows)


def _options(options: Mapping[str, Any], kernels: str | None) -> _CallOptions:
    return _CallOptions(
        sizeof(_CallOptions),
        _OUT_OF_RANGE[options["out_of_range"]] if "out_of_range" in options else 0,
        int(options.get("strict", False)),
        _DUPLICATES[options.get("duplicates", "allow")],
        None if kernels is None else kernels.encode(),
        _NEGATIVE[options["negative"]] if "negative" in options else 0,
        int("padding_index" in options),
        options.get("padding_index", 0),
    )


@functools.lru_cache
def _library() -> ctypes.CDLL:
    """The extension of the package windrow, which exports the C interface."""
    library = ctypes.CDLL(importlib.import_module("windrow._core").__file__)
    texts = ("windrow_error_message", "windrow_dtype_name")
    for name in texts:
        getattr(library, name).restype = c_char_p
    library.windrow_error_message.argtypes = [c_void_p]
    library.windrow_error_free.argtypes = [c_void_p]
    library.windrow_thread_pool_make.restype = c_void_p
    library.windrow_thread_pool_threads.restype = c_void_p
    library.windrow_thread_pool_threads.argtypes = [c_void_p]
    library.windrow_strings_free.argtypes = [c_void_p]
    library.windrow_plan_result.argtypes = [c_void_p, c_void_p]
    size = c_size_t
    library.windrow_compile.argtypes = [
        c_char_p, c_char_p, c_int, c_void_p, size, c_void_p, size, c_void_p, c_void_p, c_void_p,
    ]
    library.windrow_plan_run.argtypes = [c_void_p, c_void_p, size, c_void_p, c_void_p, c_void_p]
    library.windrow_plan_run_strings.argtypes = [c_void_p, c_void_p, size, c_void_p, c_void_p, c_void_p, c_void_p]
    return library
