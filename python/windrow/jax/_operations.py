"""The functions in terms of the primitives; JAX compiles them when they are called eagerly."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import windrow
from windrow.jax._bags import Bags
from windrow.jax._primitives import Array, Form, Policy, gather, spec
from windrow.jax._primitives import scatter as scatter_by


def _axis_of(array: Array, axis: int) -> int:
    """The axis counted from the front; an invalid one is returned unchanged, for the operator to refuse."""
    axis = index(axis)
    return axis + array.ndim if -array.ndim <= axis < 0 else axis


def _tuples(indices: Array) -> Array:
    """Index tuples, as these operators take them: only of 32 and 64 bits."""
    if jnp.issubdtype(indices.dtype, jnp.integer) and indices.dtype.itemsize < 4:
        return indices.astype(jnp.int32)
    return indices


def _folded(reduction: str, updates: Array) -> tuple[str, Array]:
    """The reduction by its own name; subtraction becomes the sum of negated updates."""
    if reduction == "sub":
        return "sum", -updates
    return "sum" if reduction == "add" else reduction, updates


def _take(a: Array, indices: Array, axis: int | None, policy: Policy) -> Array:
    a, indices = jnp.asarray(a), jnp.asarray(indices)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis_of(a, axis)
    return gather(a, indices, "rows", policy, axis)


def _take_along_axis(arr: Array, indices: Array, axis: int | None, policy: Policy) -> Array:
    arr, indices = jnp.asarray(arr), jnp.asarray(indices)
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    axis = _axis_of(arr, axis)
    return gather(arr, indices, "elements", policy, axis)


def _put_along_axis(
    arr: Array, indices: Array, values: Array, axis: int | None, policy: Policy
) -> Array:
    arr, indices, values = jnp.asarray(arr), jnp.asarray(indices), jnp.asarray(values)
    shape = arr.shape
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    inputs = [spec(array) for array in (arr, indices, values)]
    windrow.compile("array", "PutAlongAxis", *inputs, axis=axis)
    axis = _axis_of(arr, axis)
    addressed = (*arr.shape[:axis], indices.shape[axis], *arr.shape[axis + 1 :])
    if any(n not in (1, m) for n, m in zip(indices.shape, addressed, strict=True)):
        raise windrow.ShapeError(
            f"put_along_axis: indices have shape {list(indices.shape)}, "
            f"which do not broadcast to {list(addressed)}"
        )
    values = jnp.broadcast_to(values.reshape(values.shape[-arr.ndim :]), addressed)
    indices = jnp.broadcast_to(indices, addressed)
    result = scatter_by(arr, indices, values, "elements", "none", policy, axis)
    return result.reshape(shape)


def _fold(
    data: Array,
    indices: Array,
    updates: Array,
    form: Form,
    axis: int,
    reduction: str,
    use_init_val: bool,
    policy: Policy,
) -> Array:
    """form: "elements", an index for each update, or "rows", one for each slice of updates."""
    data, indices, updates = jnp.asarray(data), jnp.asarray(indices), jnp.asarray(updates)
    reduction, updates = _folded(reduction, updates)
    axis = _axis_of(data, axis)
    return scatter_by(data, indices, updates, form, reduction, policy, axis, bool(use_init_val))


def _embedding_bag(
    table: Array,
    ids: Array,
    offsets: Array | None,
    weights: Array | None,
    mode: str,
    include_last_offset: bool,
    accumulate: str,
    policy: Policy,
) -> Array:
    table, ids = jnp.asarray(table), jnp.asarray(ids)
    inputs = [None if array is None else spec(array) for array in (table, ids, offsets, weights)]
    attributes: dict[str, Any] = {
        "reduction": mode,
        "include_last_offset": include_last_offset,
        "accumulate": accumulate,
        **policy.options(),
    }
    windrow.compile("array", "EmbeddingBag", *inputs, **attributes)
    if weights is not None and offsets is None:
        # The primitive's operands follow one another, so that the rows of a matrix get offsets.
        rows, width = ids.shape
        offsets = jnp.arange(rows, dtype=np.int32) * width
        ids, weights = ids.reshape(-1), weights.reshape(-1)
    bags = Bags(ids, offsets, weights, policy, include_last_offset)
    return bags.fold(table, mode, accumulate)


def _gather_nd(data: Array, indices: Array, batch_dims: int, policy: Policy) -> Array:
    data, indices = jnp.asarray(data), jnp.asarray(indices)
    if batch_dims > 0 and data.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise windrow.ShapeError(
            f"gather_nd: the first {batch_dims} extents of data, {list(data.shape)}, and of "
            f"indices, {list(indices.shape)}, must be equal"
        )
    return gather(data, _tuples(indices), "tuples", policy, batch_dims=index(batch_dims))


def _scatter_nd(
    data: Array, indices: Array, updates: Array, reduction: str, policy: Policy
) -> Array:
    data, indices, updates = jnp.asarray(data), jnp.asarray(indices), jnp.asarray(updates)
    reduction, updates = _folded(reduction, updates)
    indices = _tuples(indices)
    if policy.padding_index is not None:
        # Under vmap the primitive has other tuples, so that the rule on their length is looked at here.
        specs = [spec(array) for array in (data, indices, updates)]
        options = policy.options()
        windrow.compile("openvino", "ScatterNDUpdate", *specs, reduction=reduction, **options)
    return scatter_by(data, indices, updates, "tuples", reduction, policy)


def _compiled(function: Any, static: int) -> Callable[..., jax.Array]:
    """Compiles a function whose arguments from position `static` on are static; within a trace it is inlined."""
    count = function.__code__.co_argcount
    return jax.jit(function, static_argnums=tuple(range(static, count)), inline=True)


take = _compiled(_take, 2)
take_along_axis = _compiled(_take_along_axis, 2)
put_along_axis = _compiled(_put_along_axis, 3)
fold = _compiled(_fold, 3)
embedding_bag = _compiled(_embedding_bag, 4)
gather_nd = _compiled(_gather_nd, 2)
scatter_nd = _compiled(_scatter_nd, 3)
