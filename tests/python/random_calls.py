"""Random legal calls of the operators as NumPy arrays."""

import numpy as np

DTYPES = ["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint64", "float16", "complex64", "bool"]
NUMBERS = ["float32", "float64", "int32", "int64", "uint8", "int16"]


def values(rng, shape, dtype):
    """Small whole numbers: sums and products of a few are exact in every order."""
    low = 0 if dtype in ("bool", "uint8", "uint64") else -5
    return np.asarray(rng.integers(low, 6, shape)).astype(dtype)


def shape_of(rng, rank, most=7):
    return tuple(int(extent) for extent in rng.integers(1, most, rank))


def indices(rng, shape, extent, dtype="int64"):
    return np.asarray(rng.integers(-extent, extent, shape), dtype=dtype)


def axis_of(rng, rank):
    return int(rng.integers(-rank, rank))


def gather(rng, dtypes):
    data = values(rng, shape_of(rng, rng.integers(1, 5)), rng.choice(dtypes))
    axis = axis_of(rng, data.ndim)
    index_type = rng.choice(["int32", "int64"])
    return [data, indices(rng, shape_of(rng, rng.integers(0, 3)), data.shape[axis], index_type)], {"axis": axis}


def gather_elements(rng, dtypes, plain=False):
    """`plain`: no more than the reference evaluator takes, indices of data's extents and an axis from the front."""
    data = values(rng, shape_of(rng, rng.integers(1, 5)), rng.choice(dtypes))
    axis = axis_of(rng, data.ndim) % data.ndim if plain else axis_of(rng, data.ndim)
    shape = [extent if plain else int(rng.integers(1, extent + 1)) for extent in data.shape]
    shape[axis] = int(rng.integers(1, 10))
    return [data, indices(rng, shape, data.shape[axis])], {"axis": axis}


def _tuples(rng, outer, extents):
    columns = [indices(rng, outer, extent) for extent in extents]
    return np.stack(columns, axis=-1)


def gather_nd(rng, dtypes):
    data = values(rng, shape_of(rng, rng.integers(1, 5)), rng.choice(dtypes))
    batch = int(rng.integers(0, data.ndim))
    length = int(rng.integers(1, data.ndim - batch + 1))
    outer = data.shape[:batch] + shape_of(rng, rng.integers(0, 3))
    if batch + 1 > len(outer) + 1:
        outer += (1,)
    return [data, _tuples(rng, outer, data.shape[batch:batch + length])], {"batch_dims": batch}


def _unique(rng, extent, count):
    """Different coordinates, counted from either end."""
    chosen = rng.permutation(extent)[:count]
    return np.where(rng.random(len(chosen)) < 0.3, chosen - extent, chosen)


def scatter_elements(rng, dtypes, reduction="none"):
    data = values(rng, shape_of(rng, rng.integers(1, 5)), rng.choice(dtypes))
    axis = axis_of(rng, data.ndim)
    shape = list(data.shape)
    shape[axis] = int(rng.integers(1, data.shape[axis] + 1))
    places = indices(rng, shape, data.shape[axis])
    if reduction == "none":
        lines = np.moveaxis(places, axis, -1)
        for line in np.ndindex(lines.shape[:-1]):
            lines[line] = _unique(rng, data.shape[axis], shape[axis])
    attributes = {"axis": axis} | ({} if reduction == "none" else {"reduction": reduction})
    return [data, places, values(rng, shape, data.dtype.name)], attributes


def scatter_nd(rng, dtypes, reduction="none"):
    data = values(rng, shape_of(rng, rng.integers(1, 5)), rng.choice(dtypes))
    length = int(rng.integers(1, data.ndim + 1))
    count = int(rng.integers(1, 6))
    tuples = _tuples(rng, (count,), data.shape[:length])
    if reduction == "none":
        cells = np.ravel_multi_index(tuple(tuples[:, k] % data.shape[k] for k in range(length)), data.shape[:length])
        tuples = tuples[np.sort(np.unique(cells, return_index=True)[1])]
    updates = values(rng, tuples.shape[:1] + data.shape[length:], data.dtype.name)
    return [data, tuples, updates], ({} if reduction == "none" else {"reduction": reduction})
