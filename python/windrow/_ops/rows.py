"""Everyday row operations: the operators of the array dialect with NumPy's parameters."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.arrays import as_numpy
from windrow._base.errors import ArgumentError
from windrow._ops.table import FUNCTIONS

_TAKE_DOC = """Elements of an array along an axis: numpy.take.

Shapes: a[:axis] ++ indices ++ a[axis+1:]; axis=None: a becomes one axis, the result has the shape
of indices.

a: an array of any type. indices: integers of any type and rank (booleans and floats are refused).
axis: an int, or None, the default, as in numpy.take; windrow.array.take has the default 0.
out: an array for the result, of its type and shape, overlapping no input.
mode: "raise": an index below -extent or above extent-1 is an error, negative ones count from the
    end; "wrap": modulo the extent; "clip": the nearest valid one, negative ones become 0.
out_of_range: outranks mode; "zero" gives zeros there. negative, padding_index, strict, duplicates,
    kernels, threads: as for windrow.call().

Returns a new array, or `out`. Raises windrow.IndexOutOfRange, windrow.DTypeError,
windrow.ShapeError, windrow.ArgumentError.
Source: array.Take; docs/operators/array.md.

>>> windrow.take([10, 20, 30], [2, -1, 0])
array([30, 30, 10])
>>> windrow.take([[1, 2], [3, 4]], [1, 5], axis=0, mode="clip")
array([[3, 4],
       [3, 4]])
"""

_TAKE_PARAMETERS: list[tuple[str, str, str, Any]] = [
    ("a", "input", "data", inspect.Parameter.empty),
    ("indices", "input", "indices", inspect.Parameter.empty),
    ("axis", "attribute", "axis", None),
    ("out", "out", "", None),
    ("mode", "mode", "", "raise"),
    ("out_of_range", "out_of_range", "", None),
    ("negative", "negative", "", None),
    ("padding_index", "padding_index", "", None),
    ("strict", "strict", "", False),
    ("duplicates", "duplicates", "", None),
    ("kernels", "kernels", "", None),
    ("threads", "threads", "", None),
]
_TAKE_POSITIONAL = 5  # as numpy.take


def _make_take() -> Any:
    rows = [row[:3] for row in _TAKE_PARAMETERS]
    function = _core.make_function("array", "Take", "take", rows, _TAKE_POSITIONAL, True)
    kinds = inspect.Parameter
    function.__signature__ = inspect.Signature(
        [
            kinds(
                name,
                kinds.POSITIONAL_OR_KEYWORD if number < _TAKE_POSITIONAL else kinds.KEYWORD_ONLY,
                default=default,
            )
            for number, (name, _, _, default) in enumerate(_TAKE_PARAMETERS)
        ]
    )
    function.__name__ = function.__qualname__ = "take"
    function.__module__ = "windrow"
    function.__doc__ = _TAKE_DOC
    return function


take = _make_take()
index_add = FUNCTIONS["array", "IndexAdd"]
index_reduce = FUNCTIONS["array", "IndexReduce"]


def take_along_axis(
    arr: Any, indices: Any, axis: int | None = -1, *, out: Any = None, **options: Any
) -> Any:
    """For every index, the element of `arr` at its position with the index on one axis.

    numpy.take_along_axis. Shapes: arr and indices of one rank, broadcast against each other off the
    axis; the result has the broadcast shape with indices' extent on the axis. axis=None: arr
    becomes one axis.

    arr: an array of any type. indices: integers of any type; negative ones count from the end.
    out: an array for the result, overlapping no input. options: out_of_range, negative,
    padding_index, strict, kernels, threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.IndexOutOfRange, windrow.DTypeError,
    windrow.ShapeError, windrow.ArgumentError. Source: array.TakeAlongAxis.

    >>> windrow.take_along_axis([[10, 30, 20]], [[0, 2]], axis=1)
    array([[10, 20]])
    """
    if axis is None:
        arr, axis = as_numpy(arr, "arr").reshape(-1), 0
    return FUNCTIONS["array", "TakeAlongAxis"](arr, indices, axis, out=out, **options)


def _check_destination(arr: Any) -> None:
    """Raises windrow.ArgumentError for an object that cannot be changed in place."""
    if isinstance(arr, np.ndarray):
        writable = arr.flags.writeable
    elif hasattr(arr, "__dlpack__"):
        return  # for other arrays the request for writable memory fails
    else:
        try:
            writable = not memoryview(arr).readonly
        except TypeError:
            raise ArgumentError(
                f"arr must be a writable array, is a {type(arr).__name__}; "
                "windrow.put_along_axis_copy() gives a new array"
            ) from None
    if not writable:
        raise ArgumentError("arr is read-only; windrow.put_along_axis_copy() gives a new array")


def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None = -1, **options: Any
) -> None:
    """Writes values into `arr`, at their positions with the index on one axis.

    numpy.put_along_axis: changes `arr` and returns None; put_along_axis_copy() leaves `arr` as it
    is. Shapes: as for take_along_axis(); values broadcast to what is addressed. axis=None: arr
    counts as one axis. The last of several values for one cell wins, in row-major order.

    arr: an array of any type that can be written. indices: integers of any type; negative ones
    count from the end. values: an array of the type of arr, or lists and numbers that it can hold.
    options: out_of_range, negative, padding_index, strict, duplicates, kernels, threads as for
    windrow.call().

    Raises windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.DTypeError, windrow.ShapeError,
    windrow.ArgumentError; then `arr` is unchanged. Source: array.PutAlongAxis.

    >>> a = np.array([[1, 2, 3]])
    >>> windrow.put_along_axis(a, [[2, 0]], 9, axis=1)
    >>> a
    array([[9, 2, 9]])
    """
    _check_destination(arr)
    if axis is not None:
        FUNCTIONS["array", "PutAlongAxis"](arr, indices, values, axis, out=arr, **options)
    elif isinstance(arr, np.ndarray) and arr.flags.c_contiguous:
        flat = arr.reshape(-1)
        FUNCTIONS["array", "PutAlongAxis"](flat, indices, values, 0, out=flat, **options)
    else:
        put_along_axis_copy(arr, indices, values, None, out=arr, **options)


def put_along_axis_copy(
    arr: Any, indices: Any, values: Any, axis: int | None = -1, *, out: Any = None, **options: Any
) -> Any:
    """A copy of `arr` with values written as put_along_axis() writes them.

    arr: also lists and arrays that are read-only. out: an array for the result, of its type and
    shape; it overlaps no input, or is arr. The rest as for put_along_axis().

    Returns a new array, or `out`. Raises the same; then the contents of an `out` that is not arr
    are unspecified. Source: array.PutAlongAxis.

    >>> windrow.put_along_axis_copy([[1, 2, 3]], [[2, 0]], 9, axis=1)
    array([[9, 2, 9]])
    """
    function = FUNCTIONS["array", "PutAlongAxis"]
    if axis is not None:
        return function(arr, indices, values, axis, out=out, **options)
    array = as_numpy(arr, "arr")
    result = function(array.reshape(-1), indices, values, 0, **options).reshape(array.shape)
    return result if out is None else FUNCTIONS["array", "Take"](result[None], 0, 0, out=out)


def segment_reduce(
    data: Any,
    segment_ids: Any = None,
    num_segments: int | None = None,
    reduction: str = "sum",
    *,
    offsets: Any = None,
    include_last_offset: bool = False,
    out: Any = None,
    **options: Any,
) -> Any:
    """Rows of one segment reduced to one: sum, prod, min, max or mean, in the order of the rows.

    Shapes: data [n, ..], segment_ids [n] -> [num_segments, ..]; or data [n, ..], offsets
    [segments] -> [segments, ..].

    data: an array of numbers. segment_ids: ascending integers from 0 to num_segments-1.
    num_segments: None: the last id and one. offsets, in place of both: integers from 0 to n that do
    not fall: the row with which each segment begins; with include_last_offset one more, where the
    last one ends, which else ends with data. A segment without rows holds the reduction's neutral
    value: 0 (sum, mean), 1 (prod), the largest (min) or lowest (max) of the type, infinity if it
    has that. options: out_of_range ("skip" drops rows
    with an id outside), kernels, threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.ArgumentError (ids or offsets not ascending),
    windrow.IndexOutOfRange, windrow.DTypeError, windrow.ShapeError. Source: array.SegmentReduce.

    >>> windrow.segment_reduce([1.0, 2.0, 3.0, 4.0], [0, 0, 2, 2], reduction="mean")
    array([1.5, 0. , 3.5])
    >>> windrow.segment_reduce([1.0, 2.0, 3.0, 4.0], offsets=[0, 2, 2], reduction="mean")
    array([1.5, 0. , 3.5])
    """
    if offsets is not None:
        if num_segments is not None:
            raise ArgumentError("num_segments goes with segment_ids, offsets say it themselves")
        num_segments = np.asarray(offsets).size - include_last_offset
        if num_segments < 0:
            raise ArgumentError("offsets are empty, must end with the end of the last segment")
    elif include_last_offset:
        raise ArgumentError("include_last_offset is true, for which offsets must be given")
    elif num_segments is None:
        ids = np.asarray(segment_ids)
        num_segments = int(ids.flat[-1]) + 1 if ids.size and ids.dtype.kind in "iu" else 0
    return FUNCTIONS["array", "SegmentReduce"](
        data,
        segment_ids,
        offsets,
        num_segments=num_segments,
        reduction=reduction,
        out=out,
        **options,
    )


def embedding_bag(
    table: Any,
    ids: Any,
    *,
    offsets: Any = None,
    weights: Any = None,
    mode: str = "sum",
    include_last_offset: bool = False,
    accumulate: str | None = None,
    out: Any = None,
    **options: Any,
) -> Any:
    """Rows of a table, pooled by bags of ids: their sum, mean or maximum.

    As torch.nn.functional.embedding_bag, without a copy of the rows that are pooled. Shapes: table
    [rows, ..]; ids [n] and offsets [bags], or ids [bags, n]; weights as ids -> [bags, ..].

    table: an array of numbers. ids: integers of any type; negative ones count from the end.
    offsets: for ids of rank 1, integers that begin with 0 and do not fall: where each bag begins;
    with include_last_offset one more, where the last one ends. weights: a factor for each id, of
    the type of the table, for sums only. mode: "sum", "mean" or "max"; a bag without rows gives
    zeros. accumulate: "float32": 16- and 8-bit floats are summed in float32, with weights of their
    type or of float32, and rounded once; None: every step is rounded. Sums are folded in the order
    of the ids. options: padding_index (an id whose row is left out, and not counted by a mean),
    out_of_range ("skip" leaves such ids out, too), negative, strict, kernels, threads as for
    windrow.call().

    Returns a new array, or `out`. Raises windrow.ArgumentError (offsets that fall or begin late),
    windrow.IndexOutOfRange, windrow.DTypeError, windrow.ShapeError. Source: array.EmbeddingBag.

    >>> windrow.embedding_bag([[1.0, 2.0], [3.0, 4.0]], [0, 1, 1], offsets=[0, 2])
    array([[4., 6.],
           [3., 4.]])
    """
    return FUNCTIONS["array", "EmbeddingBag"](
        table,
        ids,
        offsets,
        weights,
        reduction=mode,
        include_last_offset=include_last_offset,
        accumulate=accumulate or "",
        out=out,
        **options,
    )


def take_quantized(
    data: Any,
    ids: Any,
    scales: Any,
    zero_points: Any = None,
    *,
    axis: int = 0,
    quantize_axis: int = -1,
    block_size: int | None = None,
    bits: int | None = None,
    dtype: Any = None,
    out: Any = None,
    **options: Any,
) -> Any:
    """Slices of a quantised table, as numbers: (data - zero_points) * scales at indices of any rank.

    Only what is taken is computed. Shapes: data[:axis] ++ ids ++ data[axis+1:], each value of data
    counted; scales as data, with the number of blocks on quantize_axis; zero_points as scales,
    packed as data is.

    data: integers of 4 or 8 bits, or floats of at most 8 (ml_dtypes); uint8 may hold several values
    in a byte, from the low end on, along the last axis. ids: integers of any type; negative ones
    count from the end. scales: float32, float16 or bfloat16. zero_points: of the type of data; None:
    0, for uint8 2**(bits-1). block_size: the values along quantize_axis that share a scale; None:
    all. bits: of a value, 2, 4 or 8 in uint8; None: those of the type. dtype: float32, float16 or
    bfloat16, the type of the result; None: that of scales. out: an array for the result, overlapping
    no input. options: out_of_range ("error" is the default, "zero", "clamp", "modulo"), negative,
    padding_index, strict, kernels, threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.IndexOutOfRange, windrow.DTypeError,
    windrow.ShapeError, windrow.ArgumentError. Source: array.TakeQuantized; docs/operators/array.md.

    >>> table = np.array([[0x21, 0x43], [0x65, 0x87]], np.uint8)
    >>> scales = np.array([[1], [0.5]], np.float32)
    >>> windrow.take_quantized(table, [1], scales, bits=4)
    array([[-1.5, -1. , -0.5,  0. ]], dtype=float32)
    """
    name = "" if dtype is None else dtype if isinstance(dtype, str) else np.dtype(dtype).name
    return FUNCTIONS["array", "TakeQuantized"](
        data,
        ids,
        scales,
        zero_points,
        axis=axis,
        quantize_axis=quantize_axis,
        block_size=0 if block_size is None else block_size,
        bits=0 if bits is None else bits,
        dtype=name,
        out=out,
        **options,
    )
