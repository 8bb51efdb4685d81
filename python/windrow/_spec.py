"""What compile() takes instead of an example array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, init=False)
class Spec:
    """Type, shape and byte strides of an input that is not there yet.

    dtype: a name ("float32", "bfloat16", "int4", "string") or anything that numpy.dtype() takes.
    shape: extents. strides: bytes, one per axis; None: row-major. value: the value of an input on
    which shapes or addresses depend (OpenVINO's axis, OneHot's depth): an integer or array of one.
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
        from windrow._arrays import dtype_name

        name = dtype_name(dtype)
        object.__setattr__(self, "dtype", name)
        object.__setattr__(self, "shape", tuple(int(extent) for extent in shape))
        given = None if strides is None else tuple(int(stride) for stride in strides)
        object.__setattr__(self, "strides", given)
        known = None if value is None else np.asarray(value, dtype=name).reshape(self.shape)
        object.__setattr__(self, "value", known)
