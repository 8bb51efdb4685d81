"""Random calls beside PyTorch, where it is installed: its CPU operators as an outsider.

Integers must be equal; floats, which PyTorch may add in another order, nearly so.
"""

import numpy as np
import pytest

import windrow

torch = pytest.importorskip("torch")

TYPES = ("float32", "float64", "int32", "int64", "uint8")
CALLS = 60


def draw(seed):
    """A generator, a random array of rank 1 to 4 without zero extents, and one of its axes."""
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 7, rng.integers(1, 5))
    dtype = TYPES[seed % len(TYPES)]
    data = rng.integers(0, 9, shape).astype(dtype)
    if data.dtype.kind == "f":
        data += rng.standard_normal(shape).astype(dtype)
    return rng, data, int(rng.integers(len(shape)))


def same(ours, theirs):
    theirs = theirs.numpy()
    assert ours.dtype == theirs.dtype
    if ours.dtype.kind == "f":
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(CALLS))
def test_gathers(seed):
    rng, data, axis = draw(seed)
    tensor, extent = torch.from_numpy(data), data.shape[axis]
    rows = rng.integers(0, extent, rng.integers(0, 9))
    same(windrow.take(tensor, rows, axis), torch.index_select(tensor, axis, torch.from_numpy(rows)))
    smaller = [int(rng.integers(1, length + 1)) for length in data.shape]
    smaller[axis] = int(rng.integers(1, 9))
    indices = rng.integers(0, extent, smaller)
    theirs = torch.gather(tensor, axis, torch.from_numpy(indices))
    same(windrow.onnx.gather_elements(data, indices, axis), theirs)
    stretched = rng.integers(0, extent, [1 if d != axis else 3 for d in range(data.ndim)])
    theirs = torch.take_along_dim(tensor, torch.from_numpy(stretched), axis)
    same(windrow.take_along_axis(data, stretched, axis), theirs)


@pytest.mark.parametrize("seed", range(CALLS))
def test_row_reductions(seed):
    rng, data, axis = draw(seed)
    tensor, count = torch.from_numpy(data), int(rng.integers(1, 9))
    rows = rng.integers(0, data.shape[axis], count)
    shape = [*data.shape[:axis], count, *data.shape[axis + 1 :]]
    updates = rng.integers(1, 4, shape).astype(data.dtype)
    theirs = (axis, torch.from_numpy(rows), torch.from_numpy(updates))
    same(windrow.index_add(data, rows, updates, axis), torch.index_add(tensor, *theirs))
    for ours, name in (("prod", "prod"), ("mean", "mean"), ("max", "amax"), ("min", "amin")):
        for init in (True, False):
            expected = torch.index_reduce(tensor, *theirs, name, include_self=init)
            result = windrow.index_reduce(data, rows, updates, axis, ours, use_init_val=init)
            same(result, expected)


@pytest.mark.parametrize("seed", range(CALLS))
def test_element_reductions(seed):
    rng, data, axis = draw(seed)
    shape = [int(rng.integers(1, length + 1)) for length in data.shape]
    indices = rng.integers(0, data.shape[axis], shape)
    updates = rng.integers(1, 4, shape).astype(data.dtype)
    theirs = (axis, torch.from_numpy(indices), torch.from_numpy(updates))
    for ours, name in (("add", "sum"), ("mul", "prod"), ("max", "amax"), ("min", "amin")):
        expected = torch.scatter_reduce(torch.from_numpy(data), *theirs, name)
        same(windrow.onnx.scatter_elements(data, indices, updates, axis, ours), expected)
    kept = windrow.openvino.scatter_elements_update(
        data, indices, updates, axis, "mean", use_init_val=False
    )
    same(kept, torch.scatter_reduce(torch.from_numpy(data), *theirs, "mean", include_self=False))
