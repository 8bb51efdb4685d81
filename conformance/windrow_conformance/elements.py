"""Converts tensors in the corpus's notation to tensors in memory. cases/README.md defines the notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .fills import filled
from .tensor import CARRIERS, Tensor

_Array = np.ndarray[Any, Any]
# The width in bits of integers that are kept in a byte.
_NARROW = {"int4": 4, "uint4": 4, "uint2": 2, "uint1": 1}
_NAN_BFLOAT16 = 0x7FC0


def decode(tensor: Mapping[str, Any]) -> Tensor:
    """A tensor of a record or recipe. Raises ValueError, KeyError, TypeError or OverflowError for invalid input."""
    dtype, shape = str(tensor["dtype"]), tuple(tensor["shape"])
    if "fill" in tensor:
        return Tensor(dtype, filled(dtype, shape, tensor["fill"]))
    return Tensor(dtype, _elements(dtype, tensor["data"]).reshape(shape))


def any_nan(tensor: Mapping[str, Any]) -> _Array | None:
    """One flag per element or complex part: whether the expected result is "nan", which any NaN meets. None: nowhere."""
    if tensor["dtype"] == "string":
        return None
    parts = _parts(str(tensor["dtype"]), tensor["data"])
    flags = np.array([part == "nan" for part in parts], bool)
    return flags if flags.any() else None


def _parts(dtype: str, data: list[Any]) -> list[Any]:
    return [part for pair in data for part in pair] if dtype.startswith("complex") else data


def _elements(dtype: str, data: list[Any]) -> _Array:
    if dtype == "string":
        texts = np.empty(len(data), object)
        texts[:] = data
        return texts
    if dtype in ("complex64", "complex128"):
        part = "float32" if dtype == "complex64" else "float64"
        return _numbers(part, _parts(dtype, data)).view(dtype)
    return _numbers(dtype, data)


def _numbers(dtype: str, data: list[Any]) -> _Array:
    """Elements of one number each: numbers, the words nan, inf and -inf, or bits."""
    stored = np.dtype(CARRIERS.get(dtype, dtype))
    bits = [isinstance(element, str) and element.startswith("0x") for element in data]
    plain = [0 if is_bits else element for element, is_bits in zip(data, bits)]
    array = _of_numbers(dtype, stored, plain)
    if any(bits):
        words = array.view(f"u{stored.itemsize}")
        for position in np.flatnonzero(bits):
            words[position] = int(data[position], 16)
    return array


def _of_numbers(dtype: str, stored: np.dtype[Any], data: list[Any]) -> _Array:
    if dtype == "bfloat16":
        return _bfloat16(np.array([float(element) for element in data], np.float64))
    if dtype in _NARROW:
        return np.array([element & ((1 << _NARROW[dtype]) - 1) for element in data], stored)
    if stored.kind == "f":
        with np.errstate(over="ignore"):
            return np.array([float(element) for element in data], np.float64).astype(stored)
    return np.array(data, stored)


def _bfloat16(values: _Array) -> _Array:
    """The bits of the nearest elements, ties to even. float32 on the way is rounded to odd against double rounding."""
    with np.errstate(over="ignore", under="ignore"):
        single = values.astype(np.float32)
    single = np.where(np.abs(single.astype(np.float64)) > np.abs(values), np.nextafter(single, np.float32(0)), single)
    words = single.view(np.uint32)
    words = words | (single.astype(np.float64) != values).astype(np.uint32)
    rounded = (words + np.uint32(0x7FFF) + ((words >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), np.uint32(_NAN_BFLOAT16), rounded).astype(np.uint16)
