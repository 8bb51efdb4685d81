# Written by scripts/write_stubs.py from the operator table.
from typing import TypeVar, overload

from windrow._typing import Array, ArrayInput, DuplicatePolicy, GatherPolicy, ScatterPolicy, KernelSet

_Out = TypeVar("_Out")

__all__ = [
    "gather",
    "scatter",
    "one_hot",
    "kv_cache_update",
]

@overload
def gather(
    data: ArrayInput,
    indices: ArrayInput,
    mode: str = "DEFAULT",
    axis: int = 0,
    num_elementwise_dims: int = 0,
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """DEFAULT: slices along one axis; ELEMENT: elements by position; ND: slices at index tuples.

    Shapes: DEFAULT: data[:axis] ++ indices[num_elementwise_dims:] ++ data[axis+1:]; ELEMENT:
        indices; ND: indices[:-1] ++ data[num_elementwise_dims+K:]

    data: float32, float16, bfloat16, int32, int8, int4, float8_e4m3fn, uint8, int64, bool.
    indices: int64, int32.
    mode: attribute, str, default 'DEFAULT'.
    axis: attribute, int, default 0.
    num_elementwise_dims: attribute, int, default 0.
    version: of 8, 9, 10, 11 the newest that is not above it; None: the newest.
    out_of_range: None is 'zero', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: tensorrt.Gather; docs/operators/tensorrt.md.
    """
@overload
def gather(
    data: ArrayInput,
    indices: ArrayInput,
    mode: str = "DEFAULT",
    axis: int = 0,
    num_elementwise_dims: int = 0,
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
    mode: str = "ELEMENT",
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
    """ELEMENT: updates at their positions with the index on one axis; ND: updates at index tuples.

    Shapes: data (ELEMENT: indices and updates of one shape; ND: indices [.., K], updates
        indices[:-1] ++ data[K:])

    data: float32, float16, bfloat16, int32, int8, int4, float8_e4m3fn, uint8, int64, bool.
    indices: int64, int32.
    updates: float32, float16, bfloat16, int32, int8, int4, float8_e4m3fn, uint8, int64, bool.
    mode: attribute, str, default 'ELEMENT'.
    axis: attribute, int, default 0.
    version: of 8, 9, 10, 11 the newest that is not above it; None: the newest.
    out_of_range: None is 'skip', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: tensorrt.Scatter; docs/operators/tensorrt.md.
    """
@overload
def scatter(
    data: ArrayInput,
    indices: ArrayInput,
    updates: ArrayInput,
    mode: str = "ELEMENT",
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
def one_hot(
    indices: ArrayInput,
    values: ArrayInput,
    depth: ArrayInput,
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

    Shapes: indices with depth inserted at axis (depth a scalar; values [off, on])

    indices: int64, int32.
    values: float32, float16, bfloat16, int32, int8, uint8, float8_e4m3fn, int64, bool.
    depth: int64, int32.
    axis: attribute, int, default -1.
    version: of 8, 9, 10, 11 the newest that is not above it; None: the newest.
    out_of_range: None is 'skip', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: tensorrt.OneHot; docs/operators/tensorrt.md.
    """
@overload
def one_hot(
    indices: ArrayInput,
    values: ArrayInput,
    depth: ArrayInput,
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
def kv_cache_update(
    cache: ArrayInput,
    update: ArrayInput,
    write_indices: ArrayInput,
    mode: str = "LINEAR",
    *,
    version: int | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array:
    """A key-value cache with an update written per sequence from a position on.

    Shapes: cache [b, heads, s, d] (update: [b, heads, new, d]; write_indices [b])

    cache: float32, float16, bfloat16, int32, int8, int4, float8_e4m3fn, uint8.
    update: float32, float16, bfloat16, int32, int8, int4, float8_e4m3fn, uint8.
    write_indices: int64, int32.
    mode: attribute, str, default 'LINEAR'.
    version: of 10, 11 the newest that is not above it; None: the newest.
    out_of_range: None is 'skip', what this operator says.
    out, strict, duplicates, kernels, threads: as for windrow.call().

    Returns output, a new array or `out`.
    Raises windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported.
    Source: tensorrt.KVCacheUpdate; docs/operators/tensorrt.md.
    """
@overload
def kv_cache_update(
    cache: ArrayInput,
    update: ArrayInput,
    write_indices: ArrayInput,
    mode: str = "LINEAR",
    *,
    version: int | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
