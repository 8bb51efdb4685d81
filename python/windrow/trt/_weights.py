"""The elements of constants."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from windrow._base.arrays import unpacked
from windrow._base.errors import ArgumentError, DTypeError
from windrow.trt._network import DataType, type_name
from windrow.trt._types import BY_NAME, array_dtype


def _at(address: int, type: DataType, count: int) -> np.ndarray[Any, Any]:
    """The elements at an address as an array on that memory (for 4-bit types: a copy)."""
    if count < 0 or (count > 0 and address == 0):
        raise ArgumentError(f"there cannot be {count} weights at address {address}")
    if type.itemsize < 1:
        packed = _memory(address, (count + 1) // 2)
        return unpacked(packed, type_name(type), (count,))
    return _memory(address, count * int(type.itemsize)).view(array_dtype(type))


def _memory(address: int, size: int) -> np.ndarray[Any, Any]:
    memory: Any = (ctypes.c_uint8 * size).from_address(address) if size else b""
    return np.frombuffer(memory, np.uint8)


class Weights:
    """An array for INetworkDefinition.add_constant().

    Weights(array): an array of a type that TensorRT has. It is flattened, and copied only if its
        elements are not in row-major order.
    Weights(type, ptr, count): elements at an address, whose memory must stay valid.
    Weights(type): no elements.

    Raises windrow.DTypeError for a type that TensorRT does not have, windrow.ArgumentError for a null ptr
    or a negative count.
    """

    def __init__(
        self, type: DataType | Any = None, ptr: int = 0, count: int = 0, *, a: Any = None
    ) -> None:
        if isinstance(type, DataType):
            self._array = _at(ptr, type, count)
            self._dtype = type
            return
        array = np.asarray(a if type is None else type)
        if array.dtype.name not in BY_NAME:
            raise DTypeError(
                f"weights have type {array.dtype.name}, which TensorRT does not have; it has:"
                f" {', '.join(BY_NAME)}"
            )
        self._array = array.reshape(-1)
        self._dtype = BY_NAME[array.dtype.name]

    @property
    def dtype(self) -> DataType:
        """The type of the elements."""
        return self._dtype

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._array.size

    @property
    def nbytes(self) -> int:
        """The size of the elements in bytes; two elements of a 4-bit type share a byte."""
        return math.ceil(self.size * self.dtype.itemsize)

    def numpy(self) -> np.ndarray[Any, Any]:
        """The elements, of one axis."""
        return self._array

    def __len__(self) -> int:
        return self.size
