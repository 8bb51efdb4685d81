"""Everyday row operations: the operators of the array dialect with NumPy's parameters."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from windrow import _core
from windrow._arrays import assign
from windrow._errors import ArgumentError
from windrow._operators import FUNCTIONS

_TAKE_DOC = """Elements of an array along an axis: numpy.take.

Shapes: a[:axis] ++ indices ++ a[axis+1:]; axis=None: a becomes one axis, the result has the shape
of indices.

a: an array of any type. indices: integers of any type and rank (booleans and floats are refused).
axis: an int, or None. out: an array for the result, of its type and shape, overlapping no input.
mode: "raise": an index below -extent or above extent-1 is an error, negative ones count from the
    end; "wrap": modulo the extent; "clip": the nearest valid one, negative ones become 0.
out_of_range: outranks mode; "zero" gives zeros there. strict, duplicates, kernels, threads: as for
    windrow.call().

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
    out: an array for the result, overlapping no input. options: out_of_range, strict, kernels,
    threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.IndexOutOfRange, windrow.DTypeError,
    windrow.ShapeError, windrow.ArgumentError. Source: array.TakeAlongAxis.

    >>> windrow.take_along_axis([[10, 30, 20]], [[0, 2]], axis=1)
    array([[10, 20]])
    """
    if axis is None:
        arr, axis = np.ravel(arr), 0
    return FUNCTIONS["array", "TakeAlongAxis"](arr, indices, axis, out=out, **options)


def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None = -1, *, out: Any = None, **options: Any
) -> Any:
    """`arr` with values written at their positions with the index on one axis.

    numpy.put_along_axis, but the result is returned and `arr` stays as it is; in place with
    out=arr. Shapes: as for take_along_axis(); values broadcast to what is addressed. axis=None:
    arr counts as one axis, the result has its shape. The last of several values for one cell wins,
    in row-major order.

    arr: an array of any type. indices: integers of any type; negative ones count from the end.
    values: an array of the type of arr, or lists and numbers that it can hold.
    options: out_of_range, strict, duplicates, kernels, threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.IndexOutOfRange, windrow.DuplicateIndex,
    windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError; then a scatter in place has
    changed nothing. Source: array.PutAlongAxis.

    >>> windrow.put_along_axis([[1, 2, 3]], [[2, 0]], 9, axis=1)
    array([[9, 2, 9]])
    """
    function = FUNCTIONS["array", "PutAlongAxis"]
    if axis is not None:
        return function(arr, indices, values, axis, out=out, **options)
    shape = np.shape(arr)
    result = function(np.ravel(arr), indices, values, 0, **options).reshape(shape)
    if out is None:
        return result
    memory = np.asarray(out)
    if not memory.flags.writeable:
        raise ArgumentError("out is read-only")
    assign(memory, result)
    return out


def segment_reduce(
    data: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    reduction: str = "sum",
    *,
    out: Any = None,
    **options: Any,
) -> Any:
    """Rows of one segment reduced to one: sum, prod, min, max or mean, in the order of the rows.

    Shapes: data [n, ..], segment_ids [n] -> [num_segments, ..].

    data: an array of numbers. segment_ids: ascending integers from 0 to num_segments-1.
    num_segments: None: the last id and one. A segment without rows holds the reduction's neutral
    value: 0 (sum, mean), 1 (prod), the largest (min) or lowest (max) of the type, infinity if it
    has that. options: out_of_range ("skip" drops rows
    with an id outside), kernels, threads as for windrow.call().

    Returns a new array, or `out`. Raises windrow.ArgumentError (ids not ascending),
    windrow.IndexOutOfRange, windrow.DTypeError, windrow.ShapeError. Source: array.SegmentReduce.

    >>> windrow.segment_reduce([1.0, 2.0, 3.0, 4.0], [0, 0, 2, 2], reduction="mean")
    array([1.5, 0. , 3.5])
    """
    if num_segments is None:
        ids = np.asarray(segment_ids)
        num_segments = int(ids.flat[-1]) + 1 if ids.size and ids.dtype.kind in "iu" else 0
    return FUNCTIONS["array", "SegmentReduce"](
        data, segment_ids, num_segments=num_segments, reduction=reduction, out=out, **options
    )
