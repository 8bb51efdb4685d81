"""The arrays of a drawn case."""

from __future__ import annotations

import math

import numpy as np

from draws.cases import DrawnCase
from peers.cases import ELEMENTWISE, TUPLES, Shape, small_integers
from peers.check import row_offsets, where

NEAR = 32  # Half of the window in which near indices lie.
HOT_SHARE, HOT_CELLS = 0.9, 0.01  # Shares: of the indices, and of the cells that these address.
SCRAMBLE = 2_654_435_761  # A prime: multiplied by it, modulo an extent, neighbours are far apart.
# How many updates that are not zero a cell may get so that sums neither round nor wrap. Float32 and
# wider types need no bound at the sizes that are drawn, as long as updates have different signs.
FEW = {"float16": 200, "int8": 10, "uint8": 20}
FEW_OF_ONE_SIGN = FEW | {"float32": 2_000_000}
MOST_COUNTERS = 1 << 24


def _permuted(random: np.random.Generator, shape: Shape, extent: int, axis: int) -> np.ndarray:
    """A permutation, again from its start where it ends; every lane begins elsewhere in it."""
    order = random.permutation(extent)
    steps = np.arange(shape[axis]).reshape([-1 if one == axis else 1 for one in range(len(shape))])
    starts = random.integers(0, extent, [1 if one == axis else n for one, n in enumerate(shape)])
    return order[(steps + starts) % extent]


def draw_positions(random: np.random.Generator, distribution: str, shape: Shape, extent: int,
                   axis: int = 0) -> np.ndarray:
    """Positions in [0, extent). axis: the one along which they are sorted, near or permuted."""
    steps = np.arange(shape[axis]).reshape([-1 if one == axis else 1 for one in range(len(shape))])
    if distribution == "zipf":
        ranks = np.floor(float(extent) ** random.random(shape)).astype(np.int64) - 1
        return np.minimum(ranks, extent - 1) * SCRAMBLE % extent
    if distribution == "sorted":
        return np.sort(random.integers(0, extent, shape), axis=axis)
    if distribution == "near":
        centres = steps * extent // shape[axis]
        return np.clip(centres + random.integers(-NEAR, NEAR + 1, shape), 0, extent - 1)
    if distribution == "permuted":
        return _permuted(random, shape, extent, axis)
    if distribution == "constant":
        return np.broadcast_to(random.integers(0, extent, steps.shape), shape)
    drawn = random.integers(0, extent, shape)
    if distribution == "hot":
        hot = random.integers(0, extent, max(1, int(extent * HOT_CELLS)))
        chosen = random.random(shape) < HOT_SHARE
        return np.where(chosen, hot[random.integers(0, len(hot), shape)], drawn)
    return drawn


def _draw_indices(case: DrawnCase, random: np.random.Generator) -> np.ndarray:
    if case.operator in TUPLES:
        shape = case.indices[:-1]
        cells = draw_positions(random, case.distribution, shape, case.cells, axis=len(shape) - 1)
        depth = case.indices[-1]
        extents = case.data[case.batch_dims : case.batch_dims + depth]
        drawn = np.stack(np.unravel_index(cells, extents), axis=-1)
    elif case.operator in ELEMENTWISE:
        drawn = draw_positions(random, case.distribution, case.indices, case.cells, case.axis)
    else:
        flat = draw_positions(random, case.distribution, (case.points,), case.cells)
        drawn = flat.reshape(case.indices)
    return drawn.astype(case.index_dtype)


def _most_updates(case: DrawnCase, indices: np.ndarray) -> int:
    """Of a cell, or somewhat more: several cells share a counter where there are very many."""
    rows = math.prod(case.row_grid)
    together = -(-rows // MOST_COUNTERS)
    return int(np.bincount(row_offsets(case, indices).reshape(-1) // together).max())


def _keep_exact(case: DrawnCase, random: np.random.Generator, updates: np.ndarray, most: int) -> np.ndarray:
    """The updates of a sum, with zeros where a cell would get too many; most: the updates of a cell. One that is
    broadcast may be added to a cell any number of times: such ones are all zero where too many meet."""
    if case.broadcast_axes("updates"):
        return updates if most <= FEW_OF_ONE_SIGN[case.dtype] else np.zeros_like(updates)
    kept = FEW[case.dtype] / most
    if kept < 1:
        updates[random.random(case.direct) >= kept] = 0
    return updates


def _updates(case: DrawnCase, random: np.random.Generator, indices: np.ndarray) -> np.ndarray:
    """Of assignments the same for every write to a cell, as peers promise no order of them."""
    repeated = case.broadcast_axes("updates")
    if case.reduction == "none" and not repeated:
        return small_integers(random, case.data, case.dtype)[where(case, indices)]
    updates = small_integers(random, case.direct, case.dtype)
    if case.reduction == "none" or case.dtype not in (FEW_OF_ONE_SIGN if repeated else FEW):
        return updates
    return _keep_exact(case, random, updates, _most_updates(case, indices))


def _place(case: DrawnCase, name: str, array: np.ndarray) -> np.ndarray:
    """The array as the case lays it out. Where it is broadcast, its first elements along an axis stand for all."""
    base = np.zeros(case.base_shape(name), array.dtype)
    axes = case.broadcast_axes(name)
    if axes:
        base[...] = array[tuple(slice(1 if axis in axes else None) for axis in range(array.ndim))]
    else:
        case.view(name, base)[...] = array
    return case.view(name, base)


def make_inputs(case: DrawnCase) -> dict[str, np.ndarray]:
    """data, indices and, of a scatter, updates, each laid out as the case says; the same every time."""
    random = np.random.default_rng([case.seed, case.number, 1])
    inputs = {"data": _place(case, "data", small_integers(random, case.data, case.dtype))}
    inputs["indices"] = _place(case, "indices", _draw_indices(case, random))
    if case.is_scatter:
        inputs["updates"] = _place(case, "updates", _updates(case, random, inputs["indices"]))
    return inputs
