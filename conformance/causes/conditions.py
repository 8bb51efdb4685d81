"""Conditions on records: which records a cause explains, where operator and rule do not decide it."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow_conformance.record import Record
from windrow_conformance.tensor import Tensor

from .cause import Condition

_INT32 = np.iinfo(np.int32)


def has_an_extent_of_0(record: Record) -> bool:
    return any(0 in tensor.shape for tensor in _given(record))


def has_no_extent_of_0(record: Record) -> bool:
    return not has_an_extent_of_0(record)


def data_has_an_extent_of_0(record: Record) -> bool:
    return 0 in _given(record)[0].shape


def data_is_a_vector(record: Record) -> bool:
    """Whether data has rank 1 and at least one element."""
    return len(_given(record)[0].shape) == 1 and not data_has_an_extent_of_0(record)


def has_an_index_beyond_32_bits(record: Record) -> bool:
    indices = _indices(record)
    if indices.dtype.kind not in "iu" or not indices.size:
        return False
    return int(indices.max()) > _INT32.max or int(indices.min()) < _INT32.min


def has_a_negative_index(record: Record) -> bool:
    return bool((_indices(record) < 0).any())


def has_an_index_below_the_axis(record: Record) -> bool:
    """Whether an index is below -s, but not below -2^31. OpenVINO's axis is an input, ONNX's an attribute."""
    inputs, indices = _given(record), _indices(record).astype(object)
    data = inputs[0].shape
    axis = int(inputs[-1].array.reshape(-1)[0]) if record.dialect == "openvino" else record.attrs.get("axis", 0)
    return bool(((indices < -data[axis % len(data)]) & (indices >= _INT32.min)).any())


def there_is_one_batch(record: Record) -> bool:
    """Whether there are batch axes and all of them have the extent 1."""
    data, indices = _given(record)[:2]
    batch_dims = record.attrs.get("batch_dims", 0)
    return batch_dims != 0 and set(data.shape[: batch_dims % len(indices.shape) or batch_dims]) == {1}


def depth_is_a_vector(record: Record) -> bool:
    return len(_given(record)[1].shape) == 1


def data_is_of(*types: str) -> Condition:
    return lambda record: _given(record)[0].dtype in types


def indices_are_of(*types: str) -> Condition:
    return lambda record: _given(record)[1].dtype in types


def values_are_of(*types: str) -> Condition:
    """Whether OneHot's values have one of the types: its last input, which OpenVINO calls off_value."""
    return lambda record: _given(record)[-1].dtype in types


def fills_with_the_lowest(record: Record) -> bool:
    """Whether a SegmentMax gives segments without rows the lowest number."""
    return str(record.attrs.get("fill_mode")).upper() == "LOWEST"


def axis_is_of(*types: str) -> Condition:
    """Whether the axis has one of the types. For OpenVINO's operators whose last input is the axis."""
    return lambda record: _given(record)[-1].dtype in types


def slices_are_of(*types: str) -> Condition:
    """Whether start, stop, step or axes of a SliceScatter have one of the types."""
    return lambda record: any(tensor.dtype in types for tensor in _given(record)[2:])


def goes_back_from_before_the_first(record: Record) -> bool:
    """Whether a slice of SliceScatter begins before the first element, and goes backwards."""
    data, _, start, _, step, *axes = _given(record)
    extents = data.shape
    chosen = [int(axis) % len(extents) for axis in axes[0].array] if axes else range(len(start.array))
    return any(
        by < 0 and begin < -extents[axis] for axis, begin, by in zip(chosen, start.array, step.array, strict=True)
    )


def both(first: Condition, second: Condition) -> Condition:
    return lambda record: first(record) and second(record)


def _indices(record: Record) -> np.ndarray[Any, Any]:
    """The indices: OneHot's first input, the second input of all other operators."""
    indices = _given(record)[0 if record.op == "OneHot" else 1]
    # The elements are 4-bit codes in two's complement.
    return (indices.array.astype(np.int8) ^ 8) - 8 if indices.dtype == "int4" else indices.array


def _given(record: Record) -> list[Tensor]:
    return [tensor for tensor in record.inputs if tensor is not None]
