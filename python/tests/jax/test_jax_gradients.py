"""Derivatives beside finite differences, and the rules of winners, zeros and duplicates."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from jax_calls import GATHERS, SCATTERS

import windrow.jax as wj


def floats(rng, shape):
    """No two alike, none near zero: finite differences do not cross a kink."""
    numbers = rng.permutation(int(np.prod(shape))) + 1.0
    signs = rng.choice([-1.0, 1.0], numbers.shape)
    return jnp.asarray((0.5 + numbers / numbers.size) * signs, jnp.float32).reshape(shape)


@pytest.mark.parametrize("policy", ["error", "zero", "modulo", "clamp"])
@pytest.mark.parametrize("name", GATHERS)
def test_gather(name, policy):
    rng = np.random.default_rng(1)
    call = GATHERS[name]
    _, indices = call.arrays(rng, "float32")
    if policy != "error":
        indices = indices * 2
    check_grads(
        lambda data: call(data, indices, out_of_range=policy), (floats(rng, call.data),), order=2
    )


@pytest.mark.parametrize("policy", ["error", "skip", "modulo", "clamp"])
@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod", "min", "max", "mean"])
@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name, reduction, policy):
    call = SCATTERS[name]
    if reduction not in call.reductions:
        pytest.skip("no such reduction")
    rng = np.random.default_rng(2)
    _, indices, _ = call.arrays(rng, "float32")
    if policy != "error":
        indices = indices * 2
    numbers = floats(rng, (int(np.prod(call.data)) + int(np.prod(call.updates)),))
    data = numbers[: int(np.prod(call.data))].reshape(call.data)
    updates = numbers[int(np.prod(call.data)) :].reshape(call.updates)

    def run(data, updates):
        return call(data, indices, updates, reduction, out_of_range=policy)

    check_grads(run, (data, updates), order=2, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("name", ["columns", "inner_rows"])
@pytest.mark.parametrize("reduction", ["sum", "prod", "min", "max", "mean"])
def test_without_start(reduction, name):
    call = SCATTERS[name]
    rng = np.random.default_rng(3)
    _, indices, _ = call.arrays(rng, "float32")

    def run(data, updates):
        return call(data, indices, updates, reduction, use_init_val=False)

    arrays = (floats(rng, call.data), floats(rng, call.updates))
    check_grads(run, arrays, order=2, rtol=2e-2, atol=2e-2)


def test_put_along_axis():
    rng = np.random.default_rng(4)
    indices = np.array([[2, 0, 2]])
    check_grads(
        lambda data, values: wj.put_along_axis(data, indices, values, 1),
        (floats(rng, (3, 4)), floats(rng, (3, 3))),
        order=2,
    )
    check_grads(
        lambda data, value: wj.put_along_axis(data, indices, value, 1),
        (floats(rng, (3, 4)), floats(rng, ())),
        order=2,
    )


def test_complex():
    rng = np.random.default_rng(5)
    data = floats(rng, (4, 3)) + 1j * floats(rng, (4, 3))
    updates = floats(rng, (5, 3)) + 1j * floats(rng, (5, 3))
    rows = np.array([1, 3, 1, 0, 1])
    columns = np.broadcast_to(rows[:, None], (5, 3))
    check_grads(lambda data: wj.take(data, rows, 0), (data,), order=2)
    check_grads(lambda d, u: wj.index_add(d, rows, u), (data, updates), order=2)
    check_grads(lambda d, u: wj.scatter(d, columns, u, 0, "mean"), (data, updates), order=2)
    check_grads(lambda d, u: wj.scatter_nd(d, rows[:, None], u), (data, updates), order=2)


def grads(function, *arrays):
    total = jax.grad(lambda *given: function(*given).sum(), argnums=tuple(range(len(arrays))))
    return [array.tolist() for array in total(*(jnp.asarray(array, jnp.float32) for array in arrays))]


def test_the_last_assignment_gets_the_gradient():
    of_data, of_updates = grads(
        lambda data, updates: wj.scatter(data, [1, 1, 3], updates), [1, 2, 3, 4], [5, 6, 7]
    )
    assert of_data == [1, 0, 1, 0]
    assert of_updates == [0, 1, 1]


def test_one_winner_gets_the_gradient():
    """Of equal values the later one wins, as in the fold."""
    for reduction, data in [("max", [5, 1, 9, 5]), ("min", [5, 9, 1, 5])]:
        of_data, of_updates = grads(
            lambda data, updates, reduction=reduction: wj.index_reduce(
                data, [0, 1, 1, 2, 3], updates, reduction=reduction
            ),
            data,
            [5, 5, 5, 5, 5],
        )
        assert of_data == [0, 0, 1, 0]
        assert of_updates == [1, 0, 1, 0, 1]


def test_product_of_zeros():
    """d/dx of x*y*z where one factor is 0, where two are, and where none is."""
    of_data, of_updates = grads(
        lambda data, updates: wj.index_reduce(data, [0, 0, 1, 1, 2, 2], updates, reduction="prod"),
        [2, 3, 2, 7],
        [0, 3, 0, 0, 5, 7],
    )
    assert of_data == [0, 0, 35, 1]
    assert of_updates == [6, 0, 0, 0, 14, 10]
    of_data, _ = grads(lambda d, u: wj.index_reduce(d, [0, 0], u, reduction="prod"), [0], [4, 5])
    assert of_data == [20]


def test_skipped_updates_get_none():
    for reduction in ("none", "sum", "max", "mean", "prod"):
        _, of_updates = grads(
            lambda data, updates, reduction=reduction: wj.scatter(
                data, [7, 1, -9], updates, 0, reduction, out_of_range="skip"
            ),
            [1, 2, 3],
            [4, 5, 6],
        )
        assert of_updates[0] == of_updates[2] == 0 and of_updates[1] != 0, reduction


def test_half_precision():
    for dtype in (jnp.float16, jnp.bfloat16):
        table = jnp.ones((4, 2), dtype)
        gradient = jax.grad(lambda t: wj.take(t, [1, 1, 2], 0).sum().astype(jnp.float32))(table)
        assert gradient.dtype == dtype
        assert gradient[:, 0].tolist() == [0, 2, 1, 0]


def test_gradient_of_a_large_mean_of_many():
    """Counts are exact beyond what float16 can count."""
    updates = jnp.ones(3000, jnp.float16)
    gradient = jax.grad(
        lambda u: wj.index_reduce(
            jnp.zeros(1, jnp.float16), jnp.zeros(3000, jnp.int32), u, 0, "mean", False
        ).sum() * 3000
    )(updates)
    np.testing.assert_allclose(gradient.astype(jnp.float32), 1, rtol=2e-3)
