"""Tensors as .npy files and as members of .npz archives, which every NumPy reads without pickles.

Elements of types that NumPy lacks are their bits in unsigned integers, those of less than a byte one to a byte, in its
low bits; the index of an export says which type is meant. Strings are NumPy's fixed-length Unicode.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ..record import Record
from ..tensor import Tensor
from .files import ExportError


def npy_bytes(array: np.ndarray[Any, Any]) -> bytes:
    """A .npy file of format version 1, row-major and little-endian."""
    file = io.BytesIO()
    little = np.ascontiguousarray(array).reshape(array.shape)
    np.lib.format.write_array(file, little.astype(little.dtype.newbyteorder("<"), copy=False), version=(1, 0), allow_pickle=False)
    return file.getvalue()


def plain_array(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The elements in a type that .npy has. Raises ExportError for a text that ends in a zero character."""
    if tensor.dtype != "string":
        return tensor.array
    texts = tensor.array.reshape(-1).tolist()
    if any(text.endswith("\0") for text in texts):
        raise ExportError("a .npy file cannot hold a text that ends in a zero character")
    return np.array(texts, np.str_).reshape(tensor.shape)


def any_nan_array(record: Record) -> np.ndarray[Any, Any] | None:
    """Where any NaN is right, in the shape of the output; complex types have a last axis of two parts. None: nowhere."""
    if record.any_nan is None or record.output is None:
        return None
    is_complex = record.output.dtype.startswith("complex")
    return record.any_nan.reshape(record.output.shape + ((2,) if is_complex else ()))
