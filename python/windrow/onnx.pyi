# Written by scripts/write_stubs.py from the operator table.
from typing import TypeVar, overload

from windrow._typing import Array, ArrayInput, DuplicatePolicy, GatherPolicy, ScatterPolicy, KernelSet

_Out = TypeVar("_Out")

__all__ = [
    "gather",
    "gather_elements",
    "gather_nd",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "tensor_scatter",
    "one_hot",
    "array_feature_extractor",
]

@overload
def gather(
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
    """Slices of data along one axis, at indices of any rank.

    Shapes: data[:axis] ++ indices ++ data[axis+1:]

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16.
    indices: int64, int32.
    axis: attribute, int, default 0.
    version: of 1, 11, 13 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.Gather; docs/operators/onnx.md.
    """
@overload
def gather(
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
def gather_elements(
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
    """For every index, the element of data at its position with the index on one axis.

    Shapes: indices (data of the same rank)

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16.
    indices: int64, int32.
    axis: attribute, int, default 0.
    version: of 11, 13 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.GatherElements; docs/operators/onnx.md.
    """
@overload
def gather_elements(
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

    Shapes: indices [.., K]: indices[:-1] ++ data[batch_dims+K:]

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16.
    indices: int64.
    batch_dims: attribute, int, default 0.
    version: of 11, 12, 13 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.GatherND; docs/operators/onnx.md.
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
def scatter(
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
    """Data with updates written at their positions with the index on one axis.

    Shapes: data (indices and updates of one shape and the same rank)

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128.
    indices: int64, int32.
    updates: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128.
    axis: attribute, int, default 0.
    version: of 9, 11 (deprecated) the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.Scatter; docs/operators/onnx.md.
    """
@overload
def scatter(
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
def scatter_elements(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
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
    """Data with updates written, or reduced into, at their positions with the index on one axis.

    Shapes: data (indices and updates of one shape and the same rank)

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16.
    indices: int64, int32.
    updates: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16.
    axis: attribute, int, default 0.
    reduction: attribute, str, default 'none'.
    version: of 11, 13, 16, 18 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.ScatterElements; docs/operators/onnx.md.
    """
@overload
def scatter_elements(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    axis: int = 0,
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

@overload
def scatter_nd(
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

    data: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64,
        string, bool, complex64, complex128, bfloat16.
    indices: int64.
    updates: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16.
    reduction: attribute, str, default 'none'.
    version: of 11, 13, 16, 18 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.ScatterND; docs/operators/onnx.md.
    """
@overload
def scatter_nd(
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

@overload
def tensor_scatter(
    past_cache: ArrayInput,
    update: ArrayInput,
    write_indices: ArrayInput | None = None,
    axis: int = -2,
    mode: str = "linear",
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """A cache with an update written per batch element from a position on.

    Shapes: past_cache (update: the same but for axis; write_indices [batch])

    past_cache: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16, float8_e4m3fn,
        float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4,
        uint4.
    update: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16, float8_e4m3fn,
        float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn, int4,
        uint4.
    write_indices, optional: int64.
    axis: attribute, int, default -2.
    mode: attribute, str, default 'linear'.
    version: of 24 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns present_cache, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.TensorScatter; docs/operators/onnx.md.
    """
@overload
def tensor_scatter(
    past_cache: ArrayInput,
    update: ArrayInput,
    write_indices: ArrayInput | None = None,
    axis: int = -2,
    mode: str = "linear",
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
def one_hot(
    indices: ArrayInput,
    depth: ArrayInput,
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
    """One value at the index and another one elsewhere, along a new axis.

    Shapes: indices with depth inserted at axis (depth of one element; values [off, on])

    indices: int64, int32, int16, int8, uint64, uint32, uint16, uint8, float16, float32,
        float64.
    depth: int64, int32, int16, int8, uint64, uint32, uint16, uint8, float16, float32,
        float64.
    values: uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32,
        float64, string, bool, complex64, complex128, bfloat16.
    axis: attribute, int, default -1.
    version: of 9, 11, 28 the newest that is not above it; None: the newest.
    out_of_range: None is 'skip', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.OneHot; docs/operators/onnx.md.
    """
@overload
def one_hot(
    indices: ArrayInput,
    depth: ArrayInput,
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
def array_feature_extractor(
    X: ArrayInput,
    Y: ArrayInput,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """Columns of X, the last axis, at the indices Y.

    Shapes: X[:-1] ++ [number of elements of Y]

    X: float32, float64, int64, int32, string.
    Y: int64.
    version: of 1 the newest that is not above it; None: the newest.
    out_of_range: None is 'error', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns Z, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: onnx.ArrayFeatureExtractor; docs/operators/onnx.md.
    """
@overload
def array_feature_extractor(
    X: ArrayInput,
    Y: ArrayInput,
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
