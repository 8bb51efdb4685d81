"""Calls of windrow.jax with small arrays, and their results by NumPy, cell by cell."""

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import windrow.jax as wj

TYPES = (
    "bool int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 float32 complex64 "
    "float8_e4m3fn float8_e5m2"
).split()
WIDE_TYPES = ["int64", "uint64", "float64", "complex128"]
# The types without arithmetic, whose elements are only moved.
MOVED_TYPES = ["float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"]


def values(rng, shape, dtype):
    """Small numbers, so that sums of any type are exact, with repetitions."""
    dtype = jnp.dtype(dtype)
    if dtype.name == "float8_e8m0fnu":
        return np.exp2(rng.integers(-3, 4, shape)).astype(dtype)
    if dtype.kind == "c":
        return (rng.integers(-3, 4, shape) + 1j * rng.integers(-3, 4, shape)).astype(dtype)
    low = 0 if dtype.kind in "ub" else -3
    return rng.integers(low, 2 if dtype.kind == "b" else 4, shape).astype(dtype)


def combine(reduction, cell, update):
    if reduction == "none":
        return update
    if reduction in ("sum", "mean"):
        return cell + update
    if reduction == "sub":
        return cell - update
    if reduction == "prod":
        return cell * update
    return np.maximum(cell, update) if reduction == "max" else np.minimum(cell, update)


def fold(data, cells, updates, reduction):
    """data with each update folded into its cell, in order. cells: (index tuple, update's)."""
    result = data.copy()
    counts = np.ones(data.shape, np.int64)
    with np.errstate(all="ignore"):  # integers wrap around
        for cell, source in cells:
            result[cell] = combine(reduction, result[cell], updates[source])
            counts[cell] += 1
    if reduction == "mean":
        integers = result.dtype.kind in "iu"
        result = (result // counts if integers else result / counts).astype(data.dtype)
    return result


def scatter_cells(indices, axis):
    for position in np.ndindex(indices.shape):
        cell = list(position)
        cell[axis] = int(indices[position])
        yield tuple(cell), position


def row_cells(shape, indices, axis):
    for position in np.ndindex(*shape[:axis], indices.size, *shape[axis + 1 :]):
        cell = list(position)
        cell[axis] = int(indices[position[axis]])
        yield tuple(cell), position


def tuple_cells(shape, indices):
    for position in np.ndindex(indices.shape[:-1]):
        head = tuple(int(index) for index in indices[position])
        for tail in np.ndindex(*shape[len(head) :]):
            yield (*head, *tail), (*position, *tail)


@dataclass
class Scatter:
    """A scatter as a function of arrays, and the shapes for one call."""

    name: str
    data: tuple[int, ...]
    indices: tuple[int, ...]
    updates: tuple[int, ...]
    extent: int  # indices are below it, or count from the end
    options: dict[str, Any]

    def __call__(self, data, indices, updates, reduction, **named):
        named = {**self.options, **named}
        return getattr(wj, self.name)(data, indices, updates, reduction=reduction, **named)

    def cells(self, indices):
        if self.name == "scatter":
            return scatter_cells(indices, self.options["axis"])
        if self.name == "index_reduce":
            return row_cells(self.data, indices, self.options["axis"] % len(self.data))
        return tuple_cells(self.data, indices)

    def arrays(self, rng, dtype, index_type=np.int32):
        indices = rng.integers(-self.extent, self.extent, self.indices).astype(index_type)
        return values(rng, self.data, dtype), indices, values(rng, self.updates, dtype)

    @property
    def reductions(self):
        return {
            "scatter": ("none", "sum", "sub", "prod", "min", "max", "mean"),
            "index_reduce": ("sum", "sub", "prod", "min", "max", "mean"),
            "scatter_nd": ("none", "sum", "sub", "prod", "min", "max"),
        }[self.name]


SCATTERS = {
    "vector": Scatter("scatter", (5,), (7,), (7,), 5, {"axis": 0}),
    "columns": Scatter("scatter", (4, 6), (3, 8), (3, 8), 6, {"axis": 1}),
    "middle": Scatter("scatter", (2, 5, 3), (2, 4, 3), (2, 4, 3), 5, {"axis": 1}),
    "rows": Scatter("index_reduce", (5, 3), (8,), (8, 3), 5, {"axis": 0}),
    "inner_rows": Scatter("index_reduce", (2, 4, 3), (6,), (2, 6, 3), 4, {"axis": 1}),
    "last_rows": Scatter("index_reduce", (3, 4), (6,), (3, 6), 4, {"axis": -1}),
    "cells": Scatter("scatter_nd", (3, 4), (6, 2), (6,), 3, {}),
    "slices": Scatter("scatter_nd", (4, 3), (2, 3, 1), (2, 3, 3), 4, {}),
}


@dataclass
class Gather:
    """A gather as a function of arrays, and the shapes for one call."""

    name: str
    data: tuple[int, ...]
    indices: tuple[int, ...]
    extent: int
    options: dict[str, Any]

    def __call__(self, data, indices, **named):
        return getattr(wj, self.name)(data, indices, **{**self.options, **named})

    def arrays(self, rng, dtype, index_type=np.int32):
        indices = rng.integers(-self.extent, self.extent, self.indices).astype(index_type)
        return values(rng, self.data, dtype), indices

    def expected(self, data, indices):
        if self.name == "take":
            return np.take(data, indices, **self.options)
        if self.name == "take_along_axis":
            return np.take_along_axis(data, indices, **self.options)
        batch = self.options.get("batch_dims", 0)
        rows = [
            data[tuple(position[:batch]) + tuple(int(k) for k in indices[position])]
            for position in np.ndindex(indices.shape[:-1])
        ]
        tail = data.shape[batch + indices.shape[-1] :]
        return np.array(rows, data.dtype).reshape(indices.shape[:-1] + tail)


GATHERS = {
    "take": Gather("take", (5, 3), (4,), 5, {"axis": 0}),
    "take_inner": Gather("take", (2, 5, 3), (2, 2), 5, {"axis": 1}),
    "take_last": Gather("take", (3, 5), (), 5, {"axis": -1}),
    "take_flat": Gather("take", (3, 5), (2, 3), 15, {"axis": None}),
    "along": Gather("take_along_axis", (4, 6), (4, 3), 6, {"axis": 1}),
    "along_first": Gather("take_along_axis", (4, 6), (3, 6), 4, {"axis": 0}),
    "along_broadcast": Gather("take_along_axis", (2, 5, 3), (1, 4, 3), 5, {"axis": 1}),
    "along_wide": Gather("take_along_axis", (1, 5), (3, 4), 5, {"axis": 1}),
    "nd": Gather("gather_nd", (3, 4), (5, 2), 3, {}),
    "nd_slices": Gather("gather_nd", (4, 2, 3), (2, 3, 1), 4, {}),
    "nd_batch": Gather("gather_nd", (3, 4, 2), (3, 5, 1), 4, {"batch_dims": 1}),
}
