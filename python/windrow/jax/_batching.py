"""vmap: one call for the whole batch, with the results of a loop over it, bit for bit.

Each rule moves the mapped axes to a position where an operator takes them as one more axis.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
from jax.interpreters import batching

from windrow.jax._gradients import scatter_in_batches
from windrow.jax._primitives import Array, Policy, gather, gather_p, scatter, scatter_p

# The position of an array's mapped axis; None if it has none.
Dim = int | None


def _first(array: Array, dim: Dim, size: int) -> Array:
    """The array with the mapped axis first, repeated over the batch if it has none."""
    if dim is None:
        return jnp.broadcast_to(array, (size, *array.shape))
    return jnp.moveaxis(array, dim, 0)


def _first_or_one(array: Array, dim: Dim) -> Array:
    """The array with the mapped axis first, or with an axis of extent 1 if it has none."""
    return array[None] if dim is None else jnp.moveaxis(array, dim, 0)


def _size(arrays: Any, dims: Any) -> int:
    return next(
        int(array.shape[dim]) for array, dim in zip(arrays, dims, strict=True) if dim is not None
    )


def _gather_rows(data: Array, indices: Array, dims: Any, axis: int, policy: Policy) -> Any:
    if dims[1] is None:
        return gather(jnp.moveaxis(data, dims[0], 0), indices, "rows", policy, axis + 1), 0
    indices = jnp.moveaxis(indices, dims[1], 0)
    if dims[0] is None:
        return gather(data, indices, "rows", policy, axis), axis
    data = jnp.moveaxis(data, dims[0], 0)
    size, inner = indices.shape[0], indices.shape[1:]
    after = data.ndim - axis - 2
    columns = indices.reshape(size, *(1,) * axis, math.prod(inner), *(1,) * after)
    rows = gather(data, columns, "elements", policy, axis + 1)
    return rows.reshape(*data.shape[: axis + 1], *inner, *data.shape[axis + 2 :]), 0


def _gather_tuples(data: Array, indices: Array, dims: Any, batch_dims: int, policy: Policy) -> Any:
    if dims[0] is None:
        indices = jnp.moveaxis(indices, dims[1], batch_dims)
        return gather(data, indices, "tuples", policy, batch_dims=batch_dims), batch_dims
    size = _size((data, indices), dims)
    data, indices = _first(data, dims[0], size), _first(indices, dims[1], size)
    return gather(data, indices, "tuples", policy, batch_dims=batch_dims + 1), 0


def _batch_gather(arrays: Any, dims: Any, **parameters: Any) -> Any:
    data, indices = arrays
    form, axis, policy = parameters["form"], parameters["axis"], parameters["policy"]
    if form == "rows":
        return _gather_rows(data, indices, dims, axis, policy)
    if form == "tuples":
        return _gather_tuples(data, indices, dims, parameters["batch_dims"], policy)
    data, indices = _first_or_one(data, dims[0]), _first_or_one(indices, dims[1])
    return gather(data, indices, "elements", policy, axis + 1), 0


def _batch_scatter(arrays: Any, dims: Any, **parameters: Any) -> Any:
    size = _size(arrays, dims)
    data, updates = _first(arrays[0], dims[0], size), _first(arrays[2], dims[2], size)
    indices = arrays[1]
    form, axis = parameters["form"], parameters["axis"] + 1
    reduction, policy = parameters["reduction"], parameters["policy"]
    if form == "tuples":
        indices = _first(indices, dims[1], size)
        return scatter_in_batches(data, indices, updates, reduction, policy, 1), 0
    if form == "elements":
        indices = _first(indices, dims[1], size)
    elif dims[1] is not None:
        # Indices differ between entries of the batch, so that every element needs an index.
        form = "elements"
        columns = jnp.moveaxis(indices, dims[1], 0)
        count = math.prod(columns.shape[1:])
        columns = columns.reshape(size, *(1,) * (axis - 1), count, *(1,) * (data.ndim - axis - 1))
        indices = jnp.broadcast_to(columns, updates.shape)
    starts = parameters["use_init_val"]
    return scatter(data, indices, updates, form, reduction, policy, axis, starts), 0


def register() -> None:
    """Registers the batching rules of the primitives."""
    batching.primitive_batchers[gather_p] = _batch_gather
    batching.primitive_batchers[scatter_p] = _batch_scatter
