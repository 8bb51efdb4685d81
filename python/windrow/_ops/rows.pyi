from typing import Any, Literal, TypeVar, overload

from windrow._base.typing import (
    Array,
    ArrayInput,
    DuplicatePolicy,
    GatherPolicy,
    KernelSet,
    NegativeMeaning,
    ScatterPolicy,
    SupportsDLPack,
)
from windrow.array import index_add as index_add
from windrow.array import index_reduce as index_reduce

_Out = TypeVar("_Out")
_Mode = Literal["raise", "wrap", "clip"]
_Reduction = Literal["sum", "add", "prod", "min", "max", "mean"]

@overload
def take(
    a: ArrayInput,
    indices: ArrayInput,
    axis: int | None = None,
    out: None = None,
    mode: _Mode = "raise",
    *,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def take(
    a: ArrayInput,
    indices: ArrayInput,
    axis: int | None = None,
    *,
    out: _Out,
    mode: _Mode = "raise",
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
@overload
def take_along_axis(
    arr: ArrayInput,
    indices: ArrayInput,
    axis: int | None = -1,
    *,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def take_along_axis(
    arr: ArrayInput,
    indices: ArrayInput,
    axis: int | None = -1,
    *,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
def put_along_axis(
    arr: Array | SupportsDLPack | bytearray | memoryview,
    indices: ArrayInput,
    values: ArrayInput,
    axis: int | None = -1,
    *,
    out_of_range: ScatterPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> None: ...
@overload
def put_along_axis_copy(
    arr: ArrayInput,
    indices: ArrayInput,
    values: ArrayInput,
    axis: int | None = -1,
    *,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def put_along_axis_copy(
    arr: ArrayInput,
    indices: ArrayInput,
    values: ArrayInput,
    axis: int | None = -1,
    *,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: DuplicatePolicy | None = None,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
@overload
def segment_reduce(
    data: ArrayInput,
    segment_ids: ArrayInput | None = None,
    num_segments: int | None = None,
    reduction: _Reduction = "sum",
    *,
    offsets: ArrayInput | None = None,
    include_last_offset: bool = False,
    out: None = None,
    out_of_range: Literal["error", "skip"] | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def segment_reduce(
    data: ArrayInput,
    segment_ids: ArrayInput | None = None,
    num_segments: int | None = None,
    reduction: _Reduction = "sum",
    *,
    offsets: ArrayInput | None = None,
    include_last_offset: bool = False,
    out: _Out,
    out_of_range: Literal["error", "skip"] | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
@overload
def embedding_bag(
    table: ArrayInput,
    ids: ArrayInput,
    *,
    offsets: ArrayInput | None = None,
    weights: ArrayInput | None = None,
    mode: Literal["sum", "mean", "max"] = "sum",
    include_last_offset: bool = False,
    accumulate: Literal["float32"] | None = None,
    out: None = None,
    out_of_range: ScatterPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def embedding_bag(
    table: ArrayInput,
    ids: ArrayInput,
    *,
    offsets: ArrayInput | None = None,
    weights: ArrayInput | None = None,
    mode: Literal["sum", "mean", "max"] = "sum",
    include_last_offset: bool = False,
    accumulate: Literal["float32"] | None = None,
    out: _Out,
    out_of_range: ScatterPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
@overload
def take_quantized(
    data: ArrayInput,
    ids: ArrayInput,
    scales: ArrayInput,
    zero_points: ArrayInput | None = None,
    *,
    axis: int = 0,
    quantize_axis: int = -1,
    block_size: int | None = None,
    bits: int | None = None,
    dtype: Any = None,
    out: None = None,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> Array: ...
@overload
def take_quantized(
    data: ArrayInput,
    ids: ArrayInput,
    scales: ArrayInput,
    zero_points: ArrayInput | None = None,
    *,
    axis: int = 0,
    quantize_axis: int = -1,
    block_size: int | None = None,
    bits: int | None = None,
    dtype: Any = None,
    out: _Out,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    kernels: KernelSet | None = None,
    threads: int | None = None,
) -> _Out: ...
