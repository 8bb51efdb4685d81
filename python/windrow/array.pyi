# Written by scripts/write_stubs.py from the operator table.
from typing import TypeVar, overload

from windrow._typing import Array, ArrayInput, DuplicatePolicy, GatherPolicy, ScatterPolicy, KernelSet

_Out = TypeVar("_Out")

__all__ = [
    "take",
    "take_along_axis",
    "put_along_axis",
    "index_add",
    "index_reduce",
    "segment_reduce",
]

@overload
def take(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int = 0,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Elements of data along one axis, at indices of any rank: numpy.take.

    Shapes: data[:axis] ++ indices ++ data[axis+1:]

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16, float8_e4m3fn, float8_e4m3fnuz,
        float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4, uint4.
    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    axis: attribute, int, default 0.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.Take; docs/operators/array.md.
    """
@overload
def take(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int = 0,
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
def take_along_axis(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int = -1,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """For every index, the element of data at its position with the index on one axis: numpy.take_along_axis.

    Shapes: data and indices of one rank, broadcast off the axis; on it the extent of indices

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16, float8_e4m3fn, float8_e4m3fnuz,
        float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4, uint4.
    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    axis: attribute, int, default -1.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.TakeAlongAxis; docs/operators/array.md.
    """
@overload
def take_along_axis(
    data: ArrayInput,
    indices: ArrayInput,
    axis: int = -1,
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
def put_along_axis(
    data: ArrayInput,
    indices: ArrayInput,
    values: ArrayInput,
    axis: int = -1,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Data with values written at their positions with the index on one axis: numpy.put_along_axis.

    Shapes: data (values broadcast to what indices address)

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16, float8_e4m3fn, float8_e4m3fnuz,
        float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4, uint4.
    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    values: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16, float8_e4m3fn,
        float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4,
        uint4.
    axis: attribute, int, default -1.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.PutAlongAxis; docs/operators/array.md.
    """
@overload
def put_along_axis(
    data: ArrayInput,
    indices: ArrayInput,
    values: ArrayInput,
    axis: int = -1,
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
def index_add(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Data with updates added to slices along one axis, once per index.

    Shapes: data (indices [n]; updates: data with n at axis)

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, complex64,
        complex128.
    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    updates: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, complex64,
        complex128.
    axis: attribute, int, default 0.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.IndexAdd; docs/operators/array.md.
    """
@overload
def index_add(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
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
def index_reduce(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
    reduction: str = "sum",
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
    """Data with updates reduced into slices along one axis, once per index.

    Shapes: data (indices [n]; updates: data with n at axis)

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, complex64,
        complex128.
    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    updates: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, complex64,
        complex128.
    axis: attribute, int, default 0.
    reduction: attribute, str, default 'sum'.
    use_init_val: attribute, bool, default True.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.IndexReduce; docs/operators/array.md.
    """
@overload
def index_reduce(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
    reduction: str = "sum",
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
def segment_reduce(
    data: ArrayInput,
    segment_ids: ArrayInput,
    num_segments: int,
    reduction: str = "sum",
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Rows with one segment id, which ascend, reduced to one row.

    Shapes: [num_segments] ++ data[1:] (segment_ids [n], data [n, ..])

    data: bool, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
        float16, float8_e4m3fn, float8_e5m2, bfloat16, float32, float64, complex64,
        complex128.
    segment_ids: int64, int32, int16, int8, uint64, uint32, uint16, uint8.
    num_segments: attribute, int, required.
    reduction: attribute, str, default 'sum'.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: array.SegmentReduce; docs/operators/array.md.
    """
@overload
def segment_reduce(
    data: ArrayInput,
    segment_ids: ArrayInput,
    num_segments: int,
    reduction: str = "sum",
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
