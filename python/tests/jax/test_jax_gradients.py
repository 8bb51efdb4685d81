"""Derivatives compared with finite differences, and the rules for winners, zeros and duplicates."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow.jax as wj
from jax.test_util import check_grads
from jax_calls import GATHERS, SCATTERS


def floats(rng, shape):
    """Numbers that are distinct and not near zero, so that finite differences do not cross a kink."""
    numbers = rng.permutation(int(np.prod(shape))) + 1.0
    signs = rng.choice([-1.0, 1.0], numbers.shape)
    return jnp.asarray((0.5 + numbers / numbers.size) * signs, jnp.float32).reshape(shape)


def check(function, *arrays, order=2):
    check_grads(jax.jit(function), arrays, order=order, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("name", GATHERS)
def test_gather(name):
    call = GATHERS[name]
    _, indices = call.arrays(rng := np.random.default_rng(1), "float32")
    data = floats(rng, call.data)
    check(lambda data: call(data, indices), data)
    for policy in ("zero", "modulo", "clamp"):
        check(lambda data: call(data, indices * 2, out_of_range=policy), data, order=1)  # noqa: B023
    padding = {"out_of_range": "zero", "wrap_negative_indices": False}
    check(lambda data: call(data, indices - 2, **padding), data, order=1)


def apart(rng, call):
    """data and updates without equal numbers."""
    cells = int(np.prod(call.data))
    numbers = floats(rng, (cells + int(np.prod(call.updates)),))
    return numbers[:cells].reshape(call.data), numbers[cells:].reshape(call.updates)


@pytest.mark.parametrize("reduction", ["none", "sum", "sub", "prod", "min", "max", "mean"])
@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name, reduction):
    call = SCATTERS[name]
    if reduction not in call.reductions:
        pytest.skip("no such reduction")
    _, indices, _ = call.arrays(rng := np.random.default_rng(2), "float32")
    order = 2 if name in ("vector", "last_rows", "slices") else 1
    check(lambda d, u: call(d, indices, u, reduction), *apart(rng, call), order=order)


@pytest.mark.parametrize("reduction", ["none", "sum", "prod", "mean"])
@pytest.mark.parametrize("name", ["columns", "inner_rows", "slices"])
def test_complex_scatter(name, reduction):
    call = SCATTERS[name]
    if reduction not in call.reductions:
        pytest.skip("no such reduction")
    _, indices, _ = call.arrays(rng := np.random.default_rng(9), "float32")
    data, updates = (
        jax.lax.complex(*parts) for parts in zip(apart(rng, call), apart(rng, call), strict=True)
    )
    check(lambda d, u: call(d, indices, u, reduction), data, updates, order=1)
    if reduction == "prod":  # a factor of 0 leaves the product of the others
        updates = updates.at[(0,) * updates.ndim].set(0)
        check(lambda d, u: call(d, indices, u, reduction), data, updates, order=1)


@pytest.mark.parametrize("policy", ["skip", "modulo", "clamp"])
@pytest.mark.parametrize("name", ["columns", "rows", "slices"])
def test_policies(name, policy):
    call = SCATTERS[name]
    _, indices, _ = call.arrays(rng := np.random.default_rng(3), "float32")
    for reduction in {*call.reductions} - {"sub", "min"}:
        check(
            lambda d, u: call(d, indices * 2, u, reduction, out_of_range=policy),  # noqa: B023
            *apart(rng, call),
            order=1,
        )


@pytest.mark.parametrize("name", ["columns", "inner_rows"])
@pytest.mark.parametrize("reduction", ["sum", "prod", "min", "max", "mean"])
def test_without_start(reduction, name):
    call = SCATTERS[name]
    rng = np.random.default_rng(3)
    _, indices, _ = call.arrays(rng, "float32")

    def run(data, updates):
        return call(data, indices, updates, reduction, use_init_val=False)

    check(run, *apart(rng, call))


def test_put_along_axis():
    rng = np.random.default_rng(4)
    indices = np.array([[2, 0, 2]])
    for shape in [(3, 3), ()]:
        check(
            lambda data, values: wj.put_along_axis(data, indices, values, 1, False),
            floats(rng, (3, 4)),
            floats(rng, shape),
        )


def test_complex():
    rng = np.random.default_rng(5)
    data = floats(rng, (4, 3)) + 1j * floats(rng, (4, 3))
    updates = floats(rng, (5, 3)) + 1j * floats(rng, (5, 3))
    rows = np.array([1, 3, 1, 0, 1])
    columns = np.broadcast_to(rows[:, None], (5, 3))
    check(lambda data: wj.take(data, rows, 0), data)
    check(lambda d, u: wj.index_add(d, rows, u), data, updates)
    check(lambda d, u: wj.scatter(d, columns, u, 0, "mean"), data, updates)
    check(lambda d, u: wj.scatter_nd(d, rows[:, None], u), data, updates)


def grads(function, *arrays):
    total = jax.grad(lambda *given: function(*given).sum(), argnums=tuple(range(len(arrays))))
    return [
        array.tolist() for array in total(*(jnp.asarray(array, jnp.float32) for array in arrays))
    ]


def test_the_last_assignment_gets_the_gradient():
    of_data, of_updates = grads(
        lambda data, updates: wj.scatter(data, [1, 1, 3], updates), [1, 2, 3, 4], [5, 6, 7]
    )
    assert of_data == [1, 0, 1, 0]
    assert of_updates == [0, 1, 1]


def test_one_winner_gets_the_gradient():
    """The last of equal values wins, as in the fold."""
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
        lambda u: (
            wj.index_reduce(
                jnp.zeros(1, jnp.float16), jnp.zeros(3000, jnp.int32), u, 0, "mean", False
            ).sum()
            * 3000
        )
    )(updates)
    np.testing.assert_allclose(gradient.astype(jnp.float32), 1, rtol=2e-3)
