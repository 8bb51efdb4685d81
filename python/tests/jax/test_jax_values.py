"""Results compared with NumPy's, cell by cell, and with those of jax.numpy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow.jax as wj
from jax_calls import GATHERS, MOVED_TYPES, SCATTERS, TYPES, fold, values


def same(result, expected):
    result = np.asarray(result)
    assert result.dtype == expected.dtype and result.shape == expected.shape
    np.testing.assert_array_equal(result.astype(np.complex128), expected.astype(np.complex128))


@pytest.mark.parametrize("dtype", TYPES + MOVED_TYPES)
@pytest.mark.parametrize("name", GATHERS)
def test_gather(name, dtype):
    if dtype in MOVED_TYPES and name.startswith("nd"):
        pytest.skip("OpenVINO's GatherND has not this type")
    data, indices = GATHERS[name].arrays(np.random.default_rng(1), dtype)
    same(GATHERS[name](data, indices), GATHERS[name].expected(data, indices))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name, dtype):
    call, kind = SCATTERS[name], jnp.dtype(dtype).kind
    data, indices, updates = call.arrays(np.random.default_rng(2), dtype)
    tried = 0
    for reduction in call.reductions:
        if kind == "b" and reduction in ("sub", "mean"):
            continue
        if kind == "c" and reduction in ("min", "max"):
            continue
        result = call(data, indices, updates, reduction)
        expected = fold(data, call.cells(indices), updates, reduction)
        if reduction == "mean" and kind == "c":
            np.testing.assert_allclose(result, expected, rtol=1e-6)
        else:
            same(result, expected)
        tried += 1
    assert tried >= 3


@pytest.mark.parametrize("rows", [3, 500_000])
def test_sums_of_subnormal_numbers(rows):
    """XLA's threads, the calling one and those of the pool, treat such numbers as zero."""
    tiny = np.float32(1.4e-45)
    result = wj.index_add(jnp.zeros(4), jnp.arange(rows) % 4, jnp.full(rows, tiny))
    counts = np.bincount(np.arange(rows) % 4, minlength=4)
    np.testing.assert_array_equal(np.asarray(result).view(np.int32), counts)


@pytest.mark.parametrize("index_type", ["int8", "int32", "uint32"])
@pytest.mark.parametrize("name", SCATTERS)
def test_complex_products(name, index_type):
    """Operators whose folds start from data or from 1, with indices that are widened and indices that are not."""
    call = SCATTERS[name]
    data, indices, updates = call.arrays(np.random.default_rng(8), "complex64")
    indices = (indices % call.extent).astype(index_type)
    expected = fold(data, call.cells(indices), updates, "prod")
    same(call(data, indices, updates, "prod"), expected)
    if name not in ("cells", "slices"):
        ones = data.copy()
        for cell, _ in call.cells(indices):
            ones[cell] = 1
        expected = fold(ones, call.cells(indices), updates, "prod")
        same(call(data, indices, updates, "prod", use_init_val=False), expected)
    bad = indices.copy()
    bad.flat[1] = np.iinfo(index_type).max
    inside = [
        (cell, source)
        for cell, source in call.cells(bad)
        if all(place < extent for place, extent in zip(cell, data.shape))
    ]
    expected = fold(data, inside, updates, "prod")
    same(call(data, bad, updates, "prod", out_of_range="skip"), expected)
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match=f"is {bad.flat[1]}, out"):
        jax.block_until_ready(call(data, bad, updates, "prod"))


@pytest.mark.parametrize("index_type", ["int8", "int16", "int32", "uint8", "uint16", "uint32"])
def test_index_types(index_type):
    data = values(np.random.default_rng(3), (5, 3), "float32")
    rows = np.array([4, 0, 2], index_type)
    same(wj.take(data, rows, 0), data[rows])
    same(wj.take_along_axis(data, rows[:, None], 0), np.take_along_axis(data, rows[:, None], 0))
    added = data.copy()
    added[rows] += 1
    same(wj.index_add(data, rows, np.ones((3, 3), np.float32)), added)
    if index_type != "uint32":
        same(wj.gather_nd(data, rows[:, None]), data[rows])
        same(wj.scatter_nd(data, rows[:, None], np.ones((3, 3), np.float32), "sum"), added)


def test_beside_jax_numpy():
    rng = np.random.default_rng(4)
    data = jnp.asarray(rng.standard_normal((6, 5, 4), dtype=np.float32))
    rows = jnp.asarray(rng.integers(-6, 6, (3, 2)))
    columns = jnp.asarray(rng.integers(-5, 5, (6, 7, 4)))
    same(wj.take(data, rows, 0), np.asarray(jnp.take(data, rows, 0)))
    same(wj.take(data, rows), np.asarray(jnp.take(data, rows)))
    same(wj.take_along_axis(data, columns, 1), np.asarray(jnp.take_along_axis(data, columns, 1)))
    updates = jnp.asarray(rng.standard_normal((9, 5, 4), dtype=np.float32))
    many = jnp.asarray(rng.integers(-6, 6, 9))
    for reduction, method in [("max", "max"), ("min", "min")]:
        theirs = getattr(data.at[many], method)(updates)
        same(wj.index_reduce(data, many, updates, reduction=reduction), np.asarray(theirs))
    np.testing.assert_allclose(
        wj.index_add(data, many, updates), data.at[many].add(updates), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        wj.index_reduce(data, many, updates, reduction="prod"),
        data.at[many].multiply(updates),
        rtol=1e-5,
    )


@pytest.mark.parametrize("use_init_val", [True, False])
@pytest.mark.parametrize("reduction", ["sum", "prod", "min", "max", "mean"])
def test_starts(reduction, use_init_val):
    """index_reduce and scatter start with the same value as the package's own index_reduce."""
    import windrow

    rng = np.random.default_rng(5)
    data = rng.standard_normal((5, 3), dtype=np.float32)
    rows = np.array([1, -1, 1, 3], np.int32)
    updates = rng.standard_normal((4, 3), dtype=np.float32)
    expected = windrow.index_reduce(data, rows, updates, 0, reduction, use_init_val)
    same(wj.index_reduce(data, rows, updates, 0, reduction, use_init_val), expected)
    columns = np.broadcast_to(rows[:, None], updates.shape)
    same(wj.scatter(data, columns, updates, 0, reduction, use_init_val), expected)


def test_put_along_axis():
    rng = np.random.default_rng(6)
    for shape, index_shape, value_shape, axis in [
        ((3, 4), (3, 2), (3, 2), 1),
        ((3, 4), (1, 4), (), 0),
        ((2, 3, 4), (1, 2, 1), (4,), 1),
        ((3, 4), (5,), (5,), None),
    ]:
        data = values(rng, shape, "float32")
        extent = data.size if axis is None else shape[axis]
        indices = rng.permutation(extent)[: index_shape[axis or 0]]
        if axis is None:
            indices = rng.integers(0, extent, index_shape)
        else:
            indices = np.broadcast_to(
                indices.reshape([-1 if d == axis else 1 for d in range(len(shape))]), index_shape
            )
        new = values(rng, value_shape, "float32")
        expected = data.copy()
        np.put_along_axis(expected, indices, new, axis)
        if axis is None:  # NumPy leaves open which of several values stays
            expected = data.copy()
            for index, value in zip(indices, new):
                expected.flat[index] = value
        same(wj.put_along_axis(data, indices, new, axis, inplace=False), expected)
    assert wj.put_along_axis(np.zeros(3, np.float32), [1], 2, 0, False).tolist() == [0, 2, 0]


BEYOND = np.array([-9, -5, -1, 0, 4, 5, 12], np.int32)  # on an axis of extent 5


def test_policies():
    data = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    clipped, wrapped = data[np.clip(BEYOND, 0, 4)], data[BEYOND % 5]
    zeroed = np.where((BEYOND >= -5)[:, None] & (BEYOND < 5)[:, None], data[BEYOND % 5], 0)
    expected = {"clamp": clipped, "modulo": wrapped, "zero": zeroed}
    columns = np.broadcast_to(BEYOND[:, None], (7, 3))
    for policy, rows in expected.items():
        same(wj.take(data, BEYOND, 0, out_of_range=policy), rows)
        same(wj.take_along_axis(data, columns, 0, out_of_range=policy), rows)
        same(wj.gather_nd(data, BEYOND[:, None], out_of_range=policy), rows)
    same(
        wj.take(data, BEYOND, 0, out_of_range="clamp"),
        np.asarray(jnp.take(data, BEYOND, 0, mode="clip")),
    )
    updates = np.arange(21, dtype=np.float32).reshape(7, 3)
    kept = (BEYOND >= -5) & (BEYOND < 5)
    for policy, cells, used in [
        ("clamp", np.clip(BEYOND, 0, 4), np.ones(7, bool)),
        ("modulo", BEYOND % 5, np.ones(7, bool)),
        ("skip", BEYOND % 5, kept),
    ]:
        summed = data.copy()
        np.add.at(summed, cells[used], updates[used])
        same(wj.index_add(data, BEYOND, updates, out_of_range=policy), summed)
        same(wj.scatter(data, columns, updates, 0, "sum", out_of_range=policy), summed)
        same(wj.scatter_nd(data, BEYOND[:, None], updates, "sum", out_of_range=policy), summed)


def test_negative_indices_that_do_not_wrap():
    data = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    columns = np.broadcast_to(BEYOND[:, None], (7, 3))
    inside = (BEYOND >= 0) & (BEYOND < 5)
    zeroed = np.where(inside[:, None], data[BEYOND % 5], 0)
    chosen = {"out_of_range": "zero", "wrap_negative_indices": False}
    same(wj.take(data, BEYOND, 0, **chosen), zeroed)
    same(wj.take_along_axis(data, columns, 0, **chosen), zeroed)
    same(wj.gather_nd(data, BEYOND[:, None], **chosen), zeroed)
    updates = np.arange(21, dtype=np.float32).reshape(7, 3)
    summed = data.copy()
    np.add.at(summed, BEYOND[inside], updates[inside])
    chosen["out_of_range"] = "skip"
    same(wj.index_add(data, BEYOND, updates, **chosen), summed)
    same(wj.index_reduce(data, BEYOND, updates, reduction="sum", **chosen), summed)
    same(wj.scatter(data, columns, updates, 0, "sum", **chosen), summed)
    same(wj.scatter_nd(data, BEYOND[:, None], updates, "sum", **chosen), summed)
    put = data.copy()
    put[BEYOND[inside]] = updates[inside]
    same(wj.put_along_axis(data, columns, updates, 0, False, **chosen), put)
    same(
        jnp.asarray(data).at[BEYOND].add(updates, mode="drop", wrap_negative_indices=False),
        np.asarray(wj.index_add(data, BEYOND, updates, **chosen)),
    )


def test_clamp_fits_narrow_indices():
    data = np.arange(300, dtype=np.float32)
    same(wj.take(data, np.array([255, 3], np.uint8), 0, out_of_range="clamp"), data[[255, 3]])
    same(wj.take(data, np.array([-7, 127], np.int8), 0, out_of_range="clamp"), data[[0, 127]])


def test_empty():
    data = np.zeros((4, 0), np.float32)
    assert wj.take(data, [1, 2], 0).shape == (2, 0)
    assert wj.take(np.zeros((4, 3), np.float32), [], 0).shape == (0, 3)
    rows = np.zeros((4, 3), np.float32)
    same(wj.index_add(rows, [], np.zeros((0, 3), np.float32)), rows)
    assert wj.scatter(data, np.zeros((2, 0), np.int32), np.zeros((2, 0), np.float32)).shape == (
        4,
        0,
    )


def test_large_on_threads():
    """Calls that are large enough for several threads give the same bits as the package's own run."""
    import windrow

    rng = np.random.default_rng(7)
    data = rng.standard_normal((20_000, 64), dtype=np.float32)
    rows = rng.integers(-20_000, 20_000, 100_000).astype(np.int32)
    updates = rng.standard_normal((100_000, 64), dtype=np.float32)
    same(wj.take(data, rows, 0), windrow.take(data, rows, 0, threads=1))
    same(wj.index_add(data, rows, updates), windrow.index_add(data, rows, updates, threads=1))


def test_inputs_stay_as_they_are():
    data = jnp.zeros(4)
    wj.scatter(data, [1], [5.0])
    assert data.tolist() == [0, 0, 0, 0]
    step = jax.jit(lambda data: (wj.scatter(data, [1], [5.0]), data + 1))
    assert [array.tolist() for array in step(data)] == [[0, 5, 0, 0], [1, 1, 1, 1]]


def test_donated_data_is_scattered_in_place():
    step = jax.jit(lambda data: wj.index_add(data, [1], jnp.ones((1, 64))), donate_argnums=0)
    data = jnp.zeros((100, 64))
    memory = data.unsafe_buffer_pointer()
    data = step(step(data))
    assert data.unsafe_buffer_pointer() == memory
    assert data[1].tolist() == [2] * 64 and data.sum() == 128


def test_numpy_scalars_as_attributes():
    data = np.arange(6, dtype=np.float32).reshape(2, 3)
    same(wj.take(data, [2], np.int64(1)), data[:, [2]])
    result = wj.index_reduce(data, [0], data[1:], np.int8(0), "max", np.bool_(False))
    same(result, data[[1, 1]])
    same(wj.gather_nd(data, [[0], [1]], np.int32(1)), data[[0, 1], [0, 1]])


def test_one_array_as_data_and_updates():
    step = jax.jit(lambda x: wj.index_add(x, [2, 1, 0], x), donate_argnums=0)
    assert step(jnp.array([1.0, 2.0, 4.0])).tolist() == [5, 4, 5]
