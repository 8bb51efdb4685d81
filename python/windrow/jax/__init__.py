"""Gathers and scatters inside JAX: checked, the same bits on any number of threads, on the CPU.

    import windrow.jax as wj
    rows = wj.take(table, ids, axis=0)

Every function works under jax.jit, vmap, grad and jvp, and in their compositions. An index out of
range is an error by default, which JAX raises as jax.errors.JaxRuntimeError or, from a function
that has run well before, as ValueError; wrong shapes and types are windrow errors, raised at once.
Guide: docs/guide/jax.md.

In all functions:
    arrays: jax arrays, NumPy arrays, numbers or lists. Updates have the type of data; numbers and
        lists take it if they can.
    indices: integers.
    out_of_range: "error"; "clamp": the nearest valid index, 0 for negative ones; "modulo"; gathers:
        "zero", scatters: "skip".
    wrap_negative_indices: whether negative indices count from the end; if not, out_of_range
        handles them: the call option `negative`, "from_end" or "out_of_range".
    padding_index: one index that stands for padding: it gives zeros in a gather and has no update
        in a scatter, whatever the other options say, and no gradient. For index tuples of length 1.
    reduction: "none": the last update of a cell, in row-major order, replaces it; "sum", "sub",
        "prod", "min", "max", "mean": folds the updates in that order.
    use_init_val: whether a fold starts with data's cell or with the reduction's neutral value.
"""

from __future__ import annotations

from operator import index
from typing import Any, Literal, cast

import numpy as np

from windrow._base.errors import ArgumentError, needed_by

with needed_by("windrow.jax", "jax"):
    import jax

from windrow._base.arrays import refuse_masked
from windrow.jax import _bags, _batching, _gradients, _operations, _primitives

Array = jax.Array
ArrayLike = Any  # the inputs of jax.numpy functions, and lists
GatherPolicy = Literal["error", "zero", "clamp", "modulo"]
ScatterPolicy = Literal["error", "skip", "clamp", "modulo"]

__all__ = [
    "embedding_bag",
    "gather_nd",
    "index_add",
    "index_reduce",
    "put_along_axis",
    "scatter",
    "scatter_nd",
    "take",
    "take_along_axis",
]

_primitives.register()
_gradients.register()
_batching.register()
_bags.register()


def _array(value: ArrayLike) -> Any:
    refuse_masked(value, "an array")
    return value if isinstance(value, jax.Array) else np.asarray(value)


def _indices(value: ArrayLike) -> Any:
    refuse_masked(value, "indices")
    if isinstance(value, jax.Array):
        return value
    array = np.asarray(value)
    if array.size == 0 and not isinstance(value, (np.ndarray, np.generic)):
        return array.astype(np.int32)  # an empty list
    if array.dtype.kind in "iu" and array.size:
        # JAX may truncate them to 32 bits, which could turn a bad index into a good one.
        limits = np.iinfo(jax.dtypes.canonicalize_dtype(array.dtype))
        if not limits.min <= array.min() <= array.max() <= limits.max:
            raise OverflowError("indices beyond 32 bits need jax_enable_x64")
    return array


def _like(value: ArrayLike, data: Any) -> Any:
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        return value
    array = np.asarray(value)
    kind = "f" if data.dtype.kind == "V" else data.dtype.kind
    if "biufc".find(array.dtype.kind.replace("u", "i")) > "biufc".find(kind.replace("u", "i")):
        raise TypeError(f"updates of type {array.dtype} do not fit data of type {data.dtype}")
    return array.astype(data.dtype)


def _policy(
    out_of_range: str, wrap_negative_indices: bool, padding_index: int | None
) -> _primitives.Policy:
    """The options by the names that all Windrow's calls have; under "clamp" no index counts from the end."""
    wraps = bool(wrap_negative_indices) and out_of_range != "clamp"
    return _primitives.Policy(
        cast(Any, out_of_range),
        "from_end" if wraps else "out_of_range",
        None if padding_index is None else index(padding_index),
    )


def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: int | None = None,
    *,
    out_of_range: GatherPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """A slice of `a` for every index: numpy.take.

    Shapes: a[:axis] ++ indices ++ a[axis+1:]; axis=None: `a` becomes one axis.

    >>> take(np.arange(6.0).reshape(3, 2), [2, -3], axis=0).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    """
    policy = _policy(out_of_range, wrap_negative_indices, padding_index)
    return _operations.take(_array(a), _indices(indices), axis, policy)


def take_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    axis: int | None = -1,
    *,
    out_of_range: GatherPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """For every index, the element of `arr` at its position with the index on `axis`: numpy.take_along_axis.

    Shapes: arr and indices of one rank, broadcast against each other off the axis; the result has
    indices' extent on it. axis=None: `arr` becomes one axis.

    >>> take_along_axis(np.array([[10, 30, 20]]), [[0, 2]], axis=1).tolist()
    [[10, 20]]
    """
    policy = _policy(out_of_range, wrap_negative_indices, padding_index)
    return _operations.take_along_axis(_array(arr), _indices(indices), axis, policy)


def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None = -1,
    inplace: bool = True,
    *,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """`arr` with values at the positions that take_along_axis() reads: jax.numpy.put_along_axis.

    Shapes: as take_along_axis(); indices broadcast to arr off the axis, values to the addressed
    elements. inplace: must be False, as in JAX's own function, because JAX's arrays are immutable
    and NumPy's function changes its array. Raises windrow.ArgumentError otherwise.

    >>> put_along_axis(np.array([[1, 2, 3]]), [[2, 0]], 9, axis=1, inplace=False).tolist()
    [[9, 2, 9]]
    """
    if inplace:
        raise ArgumentError(
            "put_along_axis can't change an array of JAX's; inplace=False gives a new one"
        )
    arr = _array(arr)
    values = _like(values, arr)
    policy = _policy(out_of_range, wrap_negative_indices, padding_index)
    return _operations.put_along_axis(arr, _indices(indices), values, axis, policy)


def scatter(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    *,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """Each update goes to its own position with its index on `axis`: ONNX's ScatterElements.

    Shapes: indices and updates of one shape and of data's rank, off the axis not larger than data;
    the result has data's shape.

    >>> scatter(np.array([1, 2, 3]), [2, 0, 2], [10, 20, 30], reduction="sum").tolist()
    [21, 2, 43]
    """
    data = _array(data)
    updates = _like(updates, data)
    return _operations.fold(
        data,
        _indices(indices),
        updates,
        "elements",
        axis,
        reduction,
        use_init_val,
        _policy(out_of_range, wrap_negative_indices, padding_index),
    )


def index_add(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: int = 0,
    *,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """Adds a slice of updates to data for every index; a repeated index adds repeatedly.

    Shapes: indices [n], updates data[:axis] ++ [n] ++ data[axis+1:]; the result has data's shape.

    >>> index_add(np.array([1, 2, 3]), [0, 2, 0], [10, 20, 30]).tolist()
    [41, 2, 23]
    """
    return index_reduce(
        data,
        indices,
        updates,
        axis,
        out_of_range=out_of_range,
        wrap_negative_indices=wrap_negative_indices,
        padding_index=padding_index,
    )


def index_reduce(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    axis: int = 0,
    reduction: str = "sum",
    use_init_val: bool = True,
    *,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """index_add() with another reduction: any but "none".

    >>> index_reduce(np.array([1, 2, 3]), [0, 2, 0], [4, 5, 6], reduction="max").tolist()
    [6, 2, 5]
    """
    data = _array(data)
    updates = _like(updates, data)
    return _operations.fold(
        data,
        _indices(indices),
        updates,
        "rows",
        axis,
        reduction,
        use_init_val,
        _policy(out_of_range, wrap_negative_indices, padding_index),
    )


def embedding_bag(
    table: ArrayLike,
    ids: ArrayLike,
    *,
    offsets: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    mode: str = "sum",
    include_last_offset: bool = False,
    accumulate: str | None = None,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """Rows of a table, pooled by bags of ids: their sum, mean or maximum; windrow.embedding_bag.

    Shapes: table [rows, ..]; ids [n] and offsets [bags], or ids [bags, n]; weights as ids -> [bags, ..].
    include_last_offset: one more offset, where the last bag ends. accumulate: "float32": 16- and 8-bit
    floats are summed in float32 and rounded once; None: every step is rounded. A bag without rows gives
    zeros.

    >>> embedding_bag(np.array([[1.0, 2.0], [3.0, 4.0]]), [0, 1, 1], offsets=[0, 2]).tolist()
    [[4.0, 6.0], [3.0, 4.0]]
    """
    table = _array(table)
    floats32 = accumulate is not None and table.dtype.itemsize < 4
    return _operations.embedding_bag(
        table,
        _indices(ids),
        None if offsets is None else _indices(offsets),
        None if weights is None else _like(weights, np.zeros(0, np.float32) if floats32 else table),
        mode,
        include_last_offset,
        accumulate or "",
        _policy(out_of_range, wrap_negative_indices, padding_index),
    )


def gather_nd(
    data: ArrayLike,
    indices: ArrayLike,
    batch_dims: int = 0,
    *,
    out_of_range: GatherPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """A slice of data for every index tuple: ONNX's GatherND.

    Shapes: indices [.., K]; the result is indices[:-1] ++ data[batch_dims+K:]. The first
    `batch_dims` extents of both are equal, and a tuple addresses the axes after them.

    >>> gather_nd(np.arange(6).reshape(3, 2), [[0, 1], [2, 0]]).tolist()
    [1, 4]
    """
    policy = _policy(out_of_range, wrap_negative_indices, padding_index)
    return _operations.gather_nd(_array(data), _indices(indices), batch_dims, policy)


def scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    reduction: str = "none",
    *,
    out_of_range: ScatterPolicy = "error",
    wrap_negative_indices: bool = True,
    padding_index: int | None = None,
) -> Array:
    """A slice of updates goes to each index tuple: ONNX's ScatterND. Any reduction but "mean".

    Shapes: indices [.., K], updates indices[:-1] ++ data[K:]; the result has data's shape.

    >>> scatter_nd(np.zeros(3), [[1], [1]], [2.0, 3.0], reduction="sum").tolist()
    [0.0, 5.0, 0.0]
    """
    data = _array(data)
    updates = _like(updates, data)
    policy = _policy(out_of_range, wrap_negative_indices, padding_index)
    return _operations.scatter_nd(data, _indices(indices), updates, reduction, policy)
