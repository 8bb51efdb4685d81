"""The command on random calls of the array dialect beside NumPy's functions."""

import numpy as np
import pytest
from case_data import same_values
from command import call
from random_calls import DTYPES, NUMBERS, axis_of, indices, shape_of, values

CALLS = 12
INDEX_TYPES = ["int8", "int32", "int64", "uint8", "uint64"]
REDUCTIONS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


def make_rng(name):
    return np.random.default_rng(list(f"array {name}".encode()))


def check(folder, operator, inputs, attributes, expected, *flags):
    actual = call(folder, operator, inputs, attributes, *flags, dialect="array")
    shown = [(array.dtype, array.shape) for array in inputs]
    assert same_values(np.asarray(expected), actual), (operator, attributes, shown, expected, actual)


def legal(rng, shape, extent):
    dtype = rng.choice(INDEX_TYPES)
    found = indices(rng, shape, extent)
    return np.asarray(found % extent if dtype.startswith("u") else found, dtype=dtype)


def random_data(rng, dtypes, least=1):
    data = values(rng, shape_of(rng, rng.integers(least, 5)), rng.choice(dtypes))
    return data, axis_of(rng, data.ndim)


def test_take(tmp_path):
    rng = make_rng("take")
    for _ in range(CALLS):
        data, axis = random_data(rng, DTYPES)
        places = legal(rng, shape_of(rng, rng.integers(0, 3)), data.shape[axis])
        check(tmp_path, "Take", [data, places], {"axis": axis}, np.take(data, places, axis=axis))


@pytest.mark.parametrize(("policy", "mode"), [("clamp", "clip"), ("modulo", "wrap")])
def test_take_modes(tmp_path, policy, mode):
    rng = make_rng(mode)
    for _ in range(CALLS):
        data, axis = random_data(rng, DTYPES)
        places = 3 * indices(rng, shape_of(rng, rng.integers(0, 3)), data.shape[axis])
        check(tmp_path, "Take", [data, places], {"axis": axis}, np.take(data, places, axis=axis, mode=mode),
              "--out-of-range", policy)


def along_axis(rng, dtypes):
    """Data and indices that broadcast off the axis."""
    data, axis = random_data(rng, dtypes)
    normal = axis % data.ndim
    shape = [1 if rng.random() < 0.3 else extent for extent in data.shape]
    shape[normal] = int(rng.integers(1, 8))
    for d in range(data.ndim):
        if d != normal and rng.random() < 0.3:
            data = np.ascontiguousarray(np.take(data, [0], axis=d))
    return data, legal(rng, shape, data.shape[axis]), axis


def test_take_along_axis(tmp_path):
    rng = make_rng("take_along_axis")
    for _ in range(CALLS):
        data, places, axis = along_axis(rng, DTYPES)
        check(tmp_path, "TakeAlongAxis", [data, places], {"axis": axis},
              np.take_along_axis(data, places.astype(np.int64), axis=axis))


def test_put_along_axis(tmp_path):
    rng = make_rng("put_along_axis")
    for _ in range(CALLS):
        data, places, axis = along_axis(rng, DTYPES)
        shape = np.take_along_axis(data, places.astype(np.int64), axis=axis).shape
        own = [1 if rng.random() < 0.2 else extent for extent in shape][int(rng.integers(0, len(shape) + 1)):]
        new = values(rng, own, data.dtype.name)
        expected = data.copy()
        np.put_along_axis(expected, places.astype(np.int64), new, axis=axis)
        check(tmp_path, "PutAlongAxis", [data, places, new], {"axis": axis}, expected)


def rows(rng, dtypes):
    data, axis = random_data(rng, dtypes)
    shape = list(data.shape)
    shape[axis] = int(rng.integers(1, 5))
    return data, legal(rng, shape[axis], data.shape[axis]), values(rng, shape, data.dtype.name), axis


def folded(ufunc, data, places, updates, axis):
    expected = data.copy()
    ufunc.at(np.moveaxis(expected, axis, 0), places.astype(np.int64), np.moveaxis(updates, axis, 0))
    return expected


def test_add_at(tmp_path):
    rng = make_rng("add_at")
    for _ in range(CALLS):
        data, places, updates, axis = rows(rng, DTYPES)
        check(tmp_path, "IndexAdd", [data, places, updates], {"axis": axis},
              folded(np.add, data, places, updates, axis))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_ufunc_at(tmp_path, reduction):
    rng = make_rng(reduction)
    for _ in range(CALLS):
        data, places, updates, axis = rows(rng, NUMBERS)
        check(tmp_path, "IndexReduce", [data, places, updates], {"axis": axis, "reduction": reduction},
              folded(REDUCTIONS[reduction], data, places, updates, axis))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_reduceat(tmp_path, reduction):
    """Segments that all have rows."""
    rng = make_rng(f"reduceat {reduction}")
    for _ in range(CALLS):
        data, _ = random_data(rng, NUMBERS)
        segments = int(rng.integers(1, data.shape[0] + 1))
        ids = np.sort(np.concatenate([np.arange(segments), rng.integers(0, segments, data.shape[0] - segments)]))
        starts = np.searchsorted(ids, np.arange(segments))
        check(tmp_path, "SegmentReduce", [data, ids], {"num_segments": segments, "reduction": reduction},
              REDUCTIONS[reduction].reduceat(data, starts, axis=0, dtype=data.dtype))


def test_means_of_segments(tmp_path):
    rng = make_rng("mean")
    for _ in range(CALLS):
        data, _ = random_data(rng, ["float32", "float64"])
        ids = np.sort(rng.integers(0, 4, data.shape[0]))
        expected = np.zeros((4, *data.shape[1:]), data.dtype)
        for segment in set(ids):
            own = data[ids == segment]
            expected[segment] = own.sum(axis=0, dtype=data.dtype) / data.dtype.type(len(own))
        check(tmp_path, "SegmentReduce", [data, ids], {"num_segments": 4, "reduction": "mean"}, expected)
