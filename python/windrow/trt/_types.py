"""Element types: TensorRT's lower-case names, and NumPy's types."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow._base.arrays import ml_dtype
from windrow.trt._network import DataType, type_name

# TensorRT defines these besides the members of DataType.
float32 = DataType.FLOAT
float16 = DataType.HALF
int8 = DataType.INT8
int32 = DataType.INT32
bool = DataType.BOOL
uint8 = DataType.UINT8
fp8 = DataType.FP8
bfloat16 = DataType.BF16
int64 = DataType.INT64
int4 = DataType.INT4
fp4 = DataType.FP4
e8m0 = DataType.E8M0

# By the names of array types in NumPy and ml_dtypes.
BY_NAME: dict[str, DataType] = {type_name(type): type for type in DataType}


def _numpy_dtype(name: str) -> np.dtype[Any] | None:
    """NumPy's own type, or a type of ml_dtypes if that package is loaded."""
    try:
        return np.dtype(name)
    except TypeError:
        return None


def array_dtype(type: DataType) -> np.dtype[Any]:
    """The type of NumPy or ml_dtypes with the same elements. Raises windrow.DTypeError if ml_dtypes is missing."""
    name = type_name(type)
    dtype = _numpy_dtype(name)
    return ml_dtype(name) if dtype is None else dtype


def nptype(trt_type: DataType) -> type[np.generic]:
    """NumPy's own type with the same elements. Raises TypeError if NumPy does not have it."""
    name = type_name(trt_type)
    dtype = _numpy_dtype(name)
    if dtype is None or dtype.isbuiltin != 1:
        raise TypeError(
            f"Could not resolve TensorRT datatype {trt_type} to an equivalent numpy datatype;"
            f" ml_dtypes.{name} is one"
        )
    return dtype.type
