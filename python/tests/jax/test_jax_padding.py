"""The option padding_index: values beside NumPy, gradients, jit and vmap, and what is refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow
import windrow.jax as wj
from jax.test_util import check_grads
from jax_calls import GATHERS, SCATTERS, fold

HOST_ERRORS = (jax.errors.JaxRuntimeError, ValueError)
# The calls that have one index for every element.
PADDED_GATHERS = [name for name in GATHERS if name != "nd"]
PADDED_SCATTERS = [name for name in SCATTERS if name != "cells"]
TABLE = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
BEYOND = np.array([-9, -5, -1, 0, 4, 5, 12], np.int32)  # on an axis of extent 5
# A negative index that would count from the end, a legal one, the last one, to which clamp leads, one beyond the axis.
PADDINGS = (-1, 0, 4, 12)


def read(name, data, indices, padding):
    """The elements that a gather reads, with zeros for padding."""
    call = GATHERS[name]
    rows = call.expected(data, np.where(indices == padding, 0, indices))
    kept = (indices[..., 0] if call.name == "gather_nd" else indices) != padding
    if call.name != "take_along_axis":
        first = (call.options.get("axis") or 0) % data.ndim
        kept = kept.reshape(kept.shape + (1,) * (rows.ndim - first - kept.ndim))
    return np.where(np.broadcast_to(kept, rows.shape), rows, 0)


@pytest.mark.parametrize("padding", [-1, 0, 2])
@pytest.mark.parametrize("name", PADDED_GATHERS)
def test_gathers_give_zeros(name, padding):
    call = GATHERS[name]
    data, indices = call.arrays(np.random.default_rng(1), "float32")
    data = np.abs(data) + 1
    indices.flat[0] = padding
    result = jax.jit(lambda d, i: call(d, i, padding_index=padding))(data, indices)
    np.testing.assert_array_equal(result, read(name, data, indices, padding))
    indices[...] = padding
    assert not np.asarray(call(data, indices, padding_index=padding)).any()


@pytest.mark.parametrize("padding", [-1, 0, 2])
@pytest.mark.parametrize("name", PADDED_SCATTERS)
def test_scatters_leave_padding_out(name, padding):
    call = SCATTERS[name]
    data, indices, updates = call.arrays(np.random.default_rng(2), "int32")
    indices.flat[0] = padding
    # Padded updates go to cells of their own, behind data's.
    places = np.where(indices == padding, 10**6, indices)
    cells = [(cell, source) for cell, source in call.cells(places) if max(cell) < 10**6]
    for reduction in call.reductions:
        run = jax.jit(lambda d, i, u: call(d, i, u, reduction, padding_index=padding))  # noqa: B023
        np.testing.assert_array_equal(run(data, indices, updates), fold(data, cells, updates, reduction))
    indices[...] = padding
    np.testing.assert_array_equal(call(data, indices, updates, "sum", padding_index=padding), data)


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("policy", ["zero", "clamp", "modulo"])
@pytest.mark.parametrize("wraps", [True, False])
def test_policies_do_not_change_padding(policy, padding, wraps):
    options = {"padding_index": padding, "wrap_negative_indices": wraps}
    inside = (BEYOND >= (-5 if wraps else 0)) & (BEYOND < 5)
    cells = np.clip(BEYOND, 0, 4) if policy == "clamp" else BEYOND % 5
    kept = (BEYOND != padding) & (inside if policy == "zero" else True)
    columns = np.broadcast_to(BEYOND[:, None], (7, 3))
    rows = np.where(kept[:, None], TABLE[cells], 0)
    for function, indices in [(wj.take, BEYOND), (wj.take_along_axis, columns)]:
        np.testing.assert_array_equal(function(TABLE, indices, 0, out_of_range=policy, **options), rows)
    np.testing.assert_array_equal(wj.gather_nd(TABLE, BEYOND[:, None], out_of_range=policy, **options), rows)
    updates = np.arange(21, dtype=np.float32).reshape(7, 3)
    summed, put = TABLE.copy(), TABLE.copy()
    np.add.at(summed, cells[kept], updates[kept])
    for cell, update in zip(cells[kept], updates[kept], strict=True):
        put[cell] = update
    options["out_of_range"] = "skip" if policy == "zero" else policy
    np.testing.assert_array_equal(wj.index_add(TABLE, BEYOND, updates, **options), summed)
    np.testing.assert_array_equal(wj.scatter(TABLE, columns, updates, 0, "sum", **options), summed)
    np.testing.assert_array_equal(wj.scatter_nd(TABLE, BEYOND[:, None], updates, "sum", **options), summed)
    np.testing.assert_array_equal(wj.put_along_axis(TABLE, columns, updates, 0, False, **options), put)


@pytest.mark.parametrize("index_type", ["int8", "uint8", "int16", "uint32"])
def test_indices_of_other_types(index_type):
    ids = np.array([3, 4, 0], index_type)
    for padding, row in ((4, 1), (0, 2), (-1, None), (1000, None)):
        expected = TABLE[ids]
        if row is not None:
            expected[row] = 0
        for policy in ("error", "clamp"):
            taken = wj.take(TABLE, ids, 0, out_of_range=policy, padding_index=padding)
            np.testing.assert_array_equal(taken, expected)
    largest = np.array([255, 3], np.uint8)
    np.testing.assert_array_equal(wj.take(TABLE, largest, 0, padding_index=255), [[0, 0, 0], TABLE[3]])


@pytest.mark.parametrize("name", ["take_inner", "along_broadcast", "nd_slices", "nd_batch"])
def test_gradients_of_gathers(name):
    call = GATHERS[name]
    data, indices = call.arrays(np.random.default_rng(3), "float32")
    indices.flat[::2] = 1
    check_grads(jax.jit(lambda d: call(d, indices, padding_index=1)), (data,), order=2, rtol=2e-2, atol=2e-2)
    gradient = jax.grad(lambda d: call(d, indices, padding_index=1).sum())(data)
    # What the transposed call does by NumPy: the sum of ones at the places that are read.
    places = np.arange(data.size, dtype=np.float32).reshape(data.shape) + 1
    read_places = np.asarray(read(name, places, indices, 1)).astype(int)
    expected = np.bincount(read_places.ravel(), minlength=data.size + 1)[1:].reshape(data.shape)
    np.testing.assert_array_equal(gradient, expected)


@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod", "min", "max", "mean"])
@pytest.mark.parametrize("name", ["columns", "rows", "slices"])
def test_gradients_of_scatters(name, reduction):
    call = SCATTERS[name]
    if reduction not in call.reductions:
        pytest.skip("no such reduction")
    rng = np.random.default_rng(4)
    _, indices, _ = call.arrays(rng, "float32")
    indices = indices % call.extent
    indices.flat[::3] = 1
    cells = int(np.prod(call.data))
    numbers = 0.5 + rng.permutation(cells + int(np.prod(call.updates))).astype(np.float32) / 50
    data, updates = numbers[:cells].reshape(call.data), numbers[cells:].reshape(call.updates)
    options = {"padding_index": 1}
    check_grads(jax.jit(lambda d, u: call(d, indices, u, reduction, **options)),
                (data, updates), order=1, rtol=2e-2, atol=2e-2)
    of_updates = jax.grad(lambda u: call(data, indices, u, reduction, **options).sum())(updates)
    padded = np.zeros(call.updates, bool)
    for cell, source in call.cells(np.where(indices == 1, 10**6, indices)):
        padded[source] = max(cell) == 10**6
    assert padded.any() and not np.asarray(of_updates)[padded].any()


@pytest.mark.parametrize("policy", ["error", "modulo", "clamp"])
def test_vmap_is_a_loop(policy):
    rng = np.random.default_rng(5)
    gathers, scatters = ("take_inner", "along", "nd_slices", "nd_batch"), ("rows", "middle", "slices")
    for call in [GATHERS[name] for name in gathers] + [SCATTERS[name] for name in scatters]:
        rest = () if hasattr(call, "expected") else ("sum",)
        singles = [call.arrays(rng, "float32") for _ in range(3)]
        arrays = [np.stack(parts) for parts in zip(*singles, strict=True)]
        arrays[1][..., 0] = -1

        def run(*given):
            return call(*given, *rest, out_of_range=policy, padding_index=-1)  # noqa: B023

        for mapped in ([0] * len(arrays), [None, 0, None][: len(arrays)], [0, None, 0][: len(arrays)]):
            given = [array if dim == 0 else array[0] for array, dim in zip(arrays, mapped, strict=True)]
            expected = [
                run(*(array[n] if dim == 0 else array for array, dim in zip(given, mapped, strict=True)))
                for n in range(3)
            ]
            np.testing.assert_array_equal(jax.jit(jax.vmap(run, mapped))(*given), np.stack(expected))
        gradient = jax.jit(jax.grad(lambda *given: jax.vmap(run)(*given).sum()))(*arrays)  # noqa: B023
        single = jax.grad(lambda *given: run(*given).sum())  # noqa: B023
        expected = [single(*(array[n] for array in arrays)) for n in range(3)]
        np.testing.assert_array_equal(gradient, np.stack(expected))


def test_other_bad_indices_stay_errors():
    with pytest.raises(HOST_ERRORS, match="is 7, out of range .* padding: -1"):
        jax.block_until_ready(wj.take(TABLE, [-1, 7], 0, padding_index=-1))
    with pytest.raises(HOST_ERRORS, match="indices.0. is 5"):
        jax.block_until_ready(wj.index_add(TABLE, [5, 4], np.ones((2, 3), np.float32), padding_index=4))


def test_an_empty_axis_has_padding_alone():
    empty = jnp.zeros((0, 3))
    assert wj.take(empty, [-1, -1], 0, padding_index=-1).tolist() == [[0] * 3] * 2
    with pytest.raises(HOST_ERRORS, match="no index is legal, padding: -1"):
        jax.block_until_ready(wj.take(empty, [-1, 0], 0, padding_index=-1))
    assert wj.index_add(empty, [-1], jnp.ones((1, 3)), padding_index=-1).shape == (0, 3)


def test_tuples_of_another_length_are_refused():
    for length in (0, 2):
        tuples = np.zeros((2, length), np.int32)
        rows = np.ones((2, *TABLE.shape[length:]), np.float32)
        for run in (lambda t: wj.gather_nd(TABLE, t, padding_index=0),  # noqa: B023
                    lambda t: wj.scatter_nd(TABLE, t, rows, padding_index=0)):  # noqa: B023
            for call, given in ((run, tuples), (jax.vmap(run), np.stack([tuples] * 2))):
                with pytest.raises(windrow.ArgumentError, match="CALL-O4"):
                    call(given)


def test_padding_is_an_integer_of_64_bits():
    for padding in (0.5, "0", [0]):
        with pytest.raises(TypeError):
            wj.take(TABLE, [0], 0, padding_index=padding)
    with pytest.raises((OverflowError, windrow.ArgumentError)):
        wj.take(TABLE, [0], 0, padding_index=2**63)
    assert wj.take(TABLE, [3, 0], 0, padding_index=np.int8(3)).tolist() == [[0, 0, 0], TABLE[0].tolist()]
