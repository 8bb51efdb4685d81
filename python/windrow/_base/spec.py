"""windrow.Spec, which compile() takes instead of an example array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from windrow._base.arrays import dtype_name, numpy_dtype
from windrow._base.errors import DTypeError, ShapeError


@dataclass(frozen=True, init=False)
class Spec:
    """Type, shape and byte strides of an input.

    dtype: a name ("float32", "bfloat16", "int4", "string") or anything that numpy.dtype() takes.
    shape: extents. strides: in bytes, one per axis; None: row-major. value: the value of an input on
    which shapes or addresses depend (OpenVINO's axis, OneHot's depth, the vectors of SliceScatter): a
    number or an array.
    Raises windrow.DTypeError, windrow.ShapeError.
    """

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    value: Any

    def __init__(
        self,
        dtype: Any,
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
        value: Any = None,
    ) -> None:
        name = dtype_name(dtype)
        extents = _integers(shape, "shape", 0)
        given = None if strides is None else _integers(strides, "strides", -(2**63))
        if given is not None and len(given) != len(extents):
            raise ShapeError(f"strides has {len(given)} entries, shape {len(extents)}")
        object.__setattr__(self, "dtype", name)
        object.__setattr__(self, "shape", extents)
        object.__setattr__(self, "strides", given)
        known = None if value is None else _known_value(value, name, extents)
        object.__setattr__(self, "value", known)


def _integers(numbers: Sequence[int], name: str, least: int) -> tuple[int, ...]:
    integers = tuple(index(number) for number in numbers)
    for integer in integers:
        if not least <= integer < 2**63:
            raise ShapeError(f"{name} has the entry {integer}, must be from {least} to 2^63-1")
    return integers


def _known_value(value: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    if dtype in ("string", "uint1", "nf4"):
        raise DTypeError(f"no input of type {dtype} has a value that compile() needs")
    given = np.asarray(value)
    if given.size != math.prod(shape):
        raise ShapeError(f"value has {given.size} elements, shape {list(shape)}")
    with np.errstate(all="ignore"):
        known = given.astype(numpy_dtype(dtype))
    if not np.array_equal(known.astype(given.dtype), given):
        raise DTypeError(f"value is {value}, which {dtype} can't hold")
    return known.reshape(shape)
