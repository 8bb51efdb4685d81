"""Arrays as OpenVINO's tensors and back, in all of its element types."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow._base.arrays import ml_dtype

# OpenVINO's names of the types that NumPy lacks, with their names in ml_dtypes.
_ML_TYPES = {
    "bf16": "bfloat16",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
    "i4": "int4",
    "u4": "uint4",
    "u2": "uint2",
}
_NAMES = {name: type_name for type_name, name in _ML_TYPES.items()}
# Types of less than a byte: their bits, and whether the first element lies in the highest bits. An array has one
# element per byte; those of types that ml_dtypes lacks hold the elements' codes.
_PACKED = {
    "i4": (4, False),
    "u4": (4, False),
    "nf4": (4, False),
    "f4e2m1": (4, False),
    "u2": (2, False),
    "u1": (1, True),
}


def to_tensor(array: Any, type_name: str = "") -> Any:
    """A tensor with its own memory. type_name: OpenVINO's type if the array's type does not determine it: "u1", "nf4"."""
    import openvino  # type: ignore[import-untyped]

    given = np.asarray(array)
    if given.dtype.kind in "OTU":
        text = np.array(given.tolist(), dtype=str).reshape(given.shape)
        return openvino.Tensor(text) if text.size else openvino.Tensor(openvino.Type.string, list(text.shape))
    name = type_name or _NAMES.get(given.dtype.name)
    element_type = getattr(openvino.Type, name) if name else openvino.Type(given.dtype)
    raw = pack(given, element_type.get_type_name())
    room = np.zeros(max(1, raw.size), np.uint8)
    room[: raw.size] = raw
    return openvino.Tensor(room, list(given.shape), element_type)


def from_tensor(tensor: Any) -> np.ndarray[Any, Any]:
    """A copy of a tensor's elements; codes of u1 and nf4, one to a byte."""
    shape, name = tuple(tensor.shape), tensor.element_type.get_type_name()
    if name == "string":
        return np.array(tensor.str_data, dtype=object).reshape(shape)
    if name in _PACKED or name in _ML_TYPES:
        raw = np.ascontiguousarray(tensor.data).tobytes() if 0 not in shape else b""
        return unpack(raw, name, shape)
    return np.array(tensor.data).reshape(shape)


def pack(array: np.ndarray[Any, Any], type_name: str) -> np.ndarray[Any, Any]:
    """The bytes of a tensor of this type: little-endian, types of less than a byte packed."""
    items = np.asarray(array, order="C").reshape(-1)
    raw: np.ndarray[Any, Any] = items.view(np.uint8) if items.size else np.empty(0, np.uint8)
    if type_name not in _PACKED:
        return raw
    bits, high_first = _PACKED[type_name]
    each = (raw.reshape(-1, 1) >> np.arange(bits, dtype=np.uint8)) & 1
    return np.packbits(each.reshape(-1), bitorder="big" if high_first else "little")


def unpack(raw: bytes, type_name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The inverse of pack()."""
    count = int(np.prod(shape, dtype=np.int64))
    name = _ML_TYPES.get(type_name)
    if type_name not in _PACKED:
        assert name is not None
        return np.frombuffer(raw, ml_dtype(name), count).reshape(shape)
    bits, high_first = _PACKED[type_name]
    stream = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="big" if high_first else "little")
    codes = (stream[: count * bits].reshape(count, bits) @ (1 << np.arange(bits))).astype(np.uint8)
    if name == "int4":
        return ((codes ^ 8).astype(np.int8) - np.int8(8)).astype(ml_dtype(name)).reshape(shape)
    return (codes if name is None else codes.view(ml_dtype(name))).reshape(shape)
