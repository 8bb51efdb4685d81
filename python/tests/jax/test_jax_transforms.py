"""jit, vmap, grad and jvp, alone and combined, give the results of plain loops."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow.jax as wj
from jax_calls import GATHERS, SCATTERS, values

SIZE = 3


def stacked(rng, call, mapped, dtype="float32"):
    """The call's arrays, SIZE of each that is mapped."""
    singles = [call.arrays(rng, dtype) for _ in range(SIZE)]
    return [
        np.stack([single[place] for single in singles]) if is_mapped else singles[0][place]
        for place, is_mapped in enumerate(mapped)
    ]


def entry(arrays, mapped, number):
    return [array[number] if is_mapped else array for array, is_mapped in zip(arrays, mapped)]


def check_vmap(function, arrays, mapped, places=(0, -1)):
    """Compiled and mapped over the first and the last axis, the results are those of single calls."""
    expected = np.stack([function(*entry(arrays, mapped, n)) for n in range(SIZE)])
    for place in places:
        axes = tuple(place if is_mapped else None for is_mapped in mapped)
        moved = [
            np.moveaxis(array, 0, place) if is_mapped else array
            for array, is_mapped in zip(arrays, mapped)
        ]
        result = jax.jit(jax.vmap(function, in_axes=axes))(*moved)
        np.testing.assert_array_equal(np.asarray(result), expected)


def choices(count):
    return [choice for choice in itertools.product([True, False], repeat=count) if any(choice)]


@pytest.mark.parametrize("name", GATHERS)
def test_vmap_of_gather(name):
    call = GATHERS[name]
    for mapped in choices(2):
        arrays = stacked(np.random.default_rng(1), call, mapped)
        check_vmap(call, arrays, mapped)
        arrays[1] = arrays[1] * 2
        for policy in ("zero", "clamp", "modulo"):
            check_vmap(lambda d, i: call(d, i, out_of_range=policy), arrays, mapped, (0,))  # noqa: B023
        padding = {"out_of_range": "zero", "wrap_negative_indices": False}
        arrays[1] = arrays[1] - 3
        check_vmap(lambda d, i: call(d, i, **padding), arrays, mapped, (0,))  # noqa: B023


@pytest.mark.parametrize("name", SCATTERS)
def test_vmap_of_scatter(name):
    call = SCATTERS[name]
    for mapped in choices(3):
        arrays = stacked(np.random.default_rng(2), call, mapped)
        check_vmap(lambda d, i, u: call(d, i, u, call.reductions[0]), arrays, mapped)
    arrays = stacked(np.random.default_rng(3), call, mapped := (True, True, True))
    for reduction in call.reductions[1:]:
        check_vmap(lambda d, i, u: call(d, i, u, reduction), arrays, mapped, (0,))  # noqa: B023
    arrays[1] = arrays[1] * 2
    for policy in ("skip", "clamp", "modulo"):
        check_vmap(
            lambda d, i, u: call(d, i, u, "sum", out_of_range=policy),  # noqa: B023
            arrays,
            mapped,
            (0,),
        )


@pytest.mark.parametrize("reduction", ["sum", "prod", "mean"])
@pytest.mark.parametrize("name", SCATTERS)
def test_vmap_of_complex_scatter(name, reduction):
    call, mapped = SCATTERS[name], (True, True, True)
    if reduction not in call.reductions:
        pytest.skip("no such reduction")
    arrays = stacked(np.random.default_rng(4), call, mapped, "complex64")
    check_vmap(lambda d, i, u: call(d, i, u, reduction), arrays, mapped, (0,))
    if call.name != "scatter_nd":
        function = lambda d, i, u: call(d, i, u, reduction, use_init_val=False)  # noqa: E731
        check_vmap(function, arrays, mapped, (0,))


@pytest.mark.parametrize("name", [*GATHERS, *SCATTERS])
def test_vmap_over_an_empty_batch(name):
    """A batch of no calls has an empty result, whose other extents are those of one call."""
    call = GATHERS.get(name) or SCATTERS[name]
    count = 2 if name in GATHERS else 3
    rest = () if name in GATHERS else (call.reductions[0],)
    for mapped in choices(count):
        arrays = stacked(np.random.default_rng(3), call, mapped)
        single = call(*entry(arrays, mapped, 0), *rest)
        empty = [array[:0] if is_mapped else array for array, is_mapped in zip(arrays, mapped)]
        axes = tuple(0 if is_mapped else None for is_mapped in mapped)
        result = jax.vmap(lambda *given: call(*given, *rest), in_axes=axes)(*empty)  # noqa: B023
        assert (result.shape, result.dtype) == ((0, *single.shape), single.dtype)


def test_vmap_of_inexact_sums():
    """Every fold has the same order, hence the same bits."""
    rng = np.random.default_rng(3)
    data = rng.standard_normal((SIZE, 4, 5), dtype=np.float32)
    rows = rng.integers(0, 4, (SIZE, 50)).astype(np.int32)
    updates = rng.standard_normal((SIZE, 50, 5), dtype=np.float32)
    check_vmap(wj.index_add, [data, rows, updates], (True, True, True))


def test_nested_vmap():
    rng = np.random.default_rng(4)
    data = rng.standard_normal((2, 3, 5, 4), dtype=np.float32)
    rows = rng.integers(-5, 5, (2, 3, 6))
    result = jax.vmap(jax.vmap(lambda d, i: wj.take(d, i, 0)))(data, rows)
    for n, m in np.ndindex(2, 3):
        np.testing.assert_array_equal(result[n, m], data[n, m][rows[n, m]])


def test_gradients_of_a_batch():
    rng = np.random.default_rng(5)
    data = jnp.asarray(rng.standard_normal((SIZE, 4, 2), dtype=np.float32))
    rows = jnp.asarray(rng.integers(-4, 4, (SIZE, 6)))
    updates = jnp.asarray(rng.standard_normal((SIZE, 6, 2), dtype=np.float32))
    for reduction in ("sum", "prod", "max", "mean"):

        def loss(data, rows, updates, reduction=reduction):
            return (wj.index_reduce(data, rows, updates, reduction=reduction) ** 2).sum()

        gradient = jax.grad(loss, argnums=(0, 2))
        batched = jax.jit(jax.vmap(gradient))(data, rows, updates)
        for n in range(SIZE):
            for ours, single in zip(batched, gradient(data[n], rows[n], updates[n])):
                np.testing.assert_allclose(ours[n], single, rtol=1e-6)


def test_embedding_is_trained_as_by_jax():
    rng = np.random.default_rng(6)
    table = jnp.asarray(rng.standard_normal((50, 8), dtype=np.float32))
    ids = jnp.asarray(rng.integers(0, 50, (4, 10)))

    def loss(take, table):
        return jnp.tanh(take(table, ids, 0)).sum()

    ours = jax.jit(jax.grad(lambda table: loss(wj.take, table)))(table)
    theirs = jax.jit(jax.grad(lambda table: loss(jnp.take, table)))(table)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_jacobians_agree():
    rng = np.random.default_rng(7)
    updates = jnp.asarray(rng.standard_normal(5, dtype=np.float32))

    def run(updates):
        return wj.scatter(jnp.ones(3), [0, 2, 2, 0, 1], updates, 0, "prod")

    np.testing.assert_allclose(jax.jacfwd(run)(updates), jax.jacrev(run)(updates), rtol=1e-6)
    hessian = jax.hessian(lambda u: (run(u) ** 2).sum())(updates)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-5)


def test_inside_loops():
    table = jnp.arange(12.0).reshape(4, 3)

    def step(sums, row):
        return wj.index_add(sums, row[None], wj.take(table, row[None], 0)), row

    rows = jnp.array([1, 3, 1])
    sums, _ = jax.jit(lambda: jax.lax.scan(step, jnp.zeros((4, 3)), rows))()
    assert sums.tolist() == [[0, 0, 0], [6, 8, 10], [0, 0, 0], [9, 10, 11]]


def test_checkpoint_and_custom_shapes():
    table = jnp.arange(12.0).reshape(4, 3)
    loss = jax.checkpoint(lambda table: (wj.take(table, [1, 1], 0) ** 2).sum())
    assert jax.grad(loss)(table)[1].tolist() == [12, 16, 20]


def test_without_jit():
    with jax.disable_jit():
        assert wj.take(jnp.arange(5.0), [3, -1], 0).tolist() == [3, 4]
        gradient = jax.grad(lambda a: wj.take(a, [3, 3], 0).sum())(jnp.arange(5.0))
        assert gradient.tolist() == [0, 0, 0, 2, 0]


def test_shapes_are_known_without_running():
    shape = jax.eval_shape(
        lambda a, i: wj.take(a, i, 1),
        jax.ShapeDtypeStruct((2, 5, 3), jnp.bfloat16),
        jax.ShapeDtypeStruct((4, 4), jnp.int32),
    )
    assert shape.shape == (2, 4, 4, 3) and shape.dtype == jnp.bfloat16


def test_numbers_and_lists_take_the_type_of_data():
    assert wj.scatter(jnp.zeros(3, jnp.bfloat16), [0, 1], [1, 2.5]).dtype == jnp.bfloat16
    assert values(np.random.default_rng(0), (2,), "int8").dtype == np.int8
    with pytest.raises(TypeError, match="do not fit"):
        wj.scatter(jnp.zeros(3, jnp.int32), [0], [1.5])
