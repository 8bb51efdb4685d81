# Written by scripts/write_stubs.py from the operator table.
from typing import TypeVar, overload

from windrow._typing import Array, ArrayInput, DuplicatePolicy, GatherPolicy, ScatterPolicy, KernelSet

_Out = TypeVar("_Out")

__all__ = [
    "gather",
    "gather_elements",
    "gather_nd",
    "scatter_update",
    "scatter_elements_update",
    "scatter_nd_update",
]

@overload
def gather(
    data: ArrayInput,
    indices: ArrayInput,
    axis: ArrayInput,
    batch_dims: int = 0,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Slices of data along one axis, at indices of any rank, behind batch dims.

    Shapes: data[:axis] ++ indices[batch_dims:] ++ data[axis+1:]

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    indices: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    axis: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    batch_dims: attribute, int, default 0.
    version: of 1, 7, 8 the newest that is not above it; None: the newest.
    out_of_range: None is 'zero', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.Gather; docs/operators/openvino.md.
    """
@overload
def gather(
    data: ArrayInput,
    indices: ArrayInput,
    axis: ArrayInput,
    batch_dims: int = 0,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...

@overload
def gather_elements(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """For every index, the element of data at its position with the index on one axis.

    Shapes: indices (data of the same shape off the axis)

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    indices: int64, int32.
    axis: attribute, int, required.
    version: of 6 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.GatherElements; docs/operators/openvino.md.
    """
@overload
def gather_elements(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...

@overload
def gather_nd(
    data: ArrayInput,
    indices: ArrayInput,
    batch_dims: int = 0,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Slices of data at index tuples, the last axis of indices, behind batch dims.

    Shapes: indices [.., K]: batch dims ++ indices[batch_dims:-1] ++ data[batch_dims+K:]
        (version 5: batch dims as one)

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    indices: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    batch_dims: attribute, int, default 0.
    version: of 5, 8 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.GatherND; docs/operators/openvino.md.
    """
@overload
def gather_nd(
    data: ArrayInput,
    indices: ArrayInput,
    batch_dims: int = 0,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...

@overload
def scatter_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: ArrayInput,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Data with slices along one axis replaced.

    Shapes: data (updates: data[:axis] ++ indices ++ data[axis+1:])

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4.
    indices: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    updates: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4.
    axis: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    version: of 3 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.ScatterUpdate; docs/operators/openvino.md.
    """
@overload
def scatter_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: ArrayInput,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...

@overload
def scatter_elements_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: ArrayInput,
    reduction: str = "none",
    use_init_val: bool = True,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Data with updates written, or reduced into, at their positions with the index on one axis.

    Shapes: data (indices and updates of one shape and the same rank)

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    indices: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    updates: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    axis: int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4.
    reduction: attribute, str, default 'none'.
    use_init_val: attribute, bool, default True.
    version: of 3, 12 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.ScatterElementsUpdate; docs/operators/openvino.md.
    """
@overload
def scatter_elements_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: ArrayInput,
    reduction: str = "none",
    use_init_val: bool = True,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...

@overload
def scatter_nd_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    reduction: str = "none",
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Data with updates written, or reduced into, at index tuples, the last axis of indices.

    Shapes: data (indices [.., K]; updates: indices[:-1] ++ data[K:])

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    indices: int64, int32.
    updates: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, uint1, nf4, string.
    reduction: attribute, str, default 'none'.
    version: of 3, 15 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: openvino.ScatterNDUpdate; docs/operators/openvino.md.
    """
@overload
def scatter_nd_update(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    reduction: str = "none",
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
