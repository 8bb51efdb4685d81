"""Tensors in the corpus's types: a type by name, a shape, and elements in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["CARRIERS", "Tensor"]

#: Types that NumPy does not have: the elements' bits are kept in unsigned integers, one for each element (types of less
#: than a byte in a byte of their own, in its low bits; the others are zero).
CARRIERS = {
    "bfloat16": "uint16",
    **dict.fromkeys(
        (
            "float8_e4m3fn",
            "float8_e4m3fnuz",
            "float8_e5m2",
            "float8_e5m2fnuz",
            "float8_e8m0fnu",
            "float4_e2m1fn",
            "nf4",
            "int4",
            "uint4",
            "uint1",
            "uint2",
        ),
        "uint8",
    ),
}


@dataclass(frozen=True)
class Tensor:
    """A tensor. dtype: the corpus's name. array: the elements, in NumPy's type of that name, in unsigned integers for a
    type of CARRIERS, and as objects of type str for strings. The shape is the array's.
    """

    dtype: str
    array: np.ndarray[Any, Any]

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the array."""
        return tuple(self.array.shape)
