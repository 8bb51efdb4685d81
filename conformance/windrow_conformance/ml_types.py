"""Tensors as arrays of the package ml_dtypes, which onnx and JAX require, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from .element_bytes import PACKED_BITS
from .tensor import CARRIERS, Tensor


def to_ml(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The elements in the tensor's own memory, except for int4, whose sign has to be extended."""
    array = tensor.array
    if tensor.dtype not in CARRIERS:
        return array
    import ml_dtypes

    if tensor.dtype == "int4":
        signed = (array.astype(np.uint8) ^ 8).astype(np.int8) - np.int8(8)
        return np.asarray(signed).astype(ml_dtypes.int4).reshape(array.shape)
    # ml_dtypes keeps types of fewer than 8 bits in a byte each.
    return array.view(getattr(ml_dtypes, tensor.dtype))


def from_ml(array: np.ndarray[Any, Any]) -> Tensor:
    """The inverse. The type is the array's."""
    name = array.dtype.name
    if array.dtype.kind in "OUT" or name.startswith("str"):
        return Tensor("string", np.asarray(array.tolist(), dtype=object).reshape(array.shape))
    carrier = CARRIERS.get(name)
    if carrier is None:
        return Tensor(name, np.ascontiguousarray(array).reshape(array.shape))
    bits = np.ascontiguousarray(array).reshape(array.shape).view(carrier)
    return Tensor(name, bits & np.uint8((1 << PACKED_BITS[name]) - 1) if name in PACKED_BITS else bits)
