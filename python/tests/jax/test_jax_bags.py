"""windrow.jax.embedding_bag beside windrow.embedding_bag, with derivatives and batches."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow
import windrow.jax as wj
from jax.test_util import check_grads

MODES = ("sum", "mean", "max")
STATIC = ("mode", "include_last_offset", "out_of_range", "padding_index")
# Names of calls: ids, the other arguments.
IDS = np.array([0, 3, 1, -1, 2, 0, 0], np.int32)
MATRIX = IDS[:6].reshape(3, 2)
OFFSETS = np.array([0, 2, 2, 5], np.int32)
CALLS = {
    "offsets": (IDS, {"offsets": OFFSETS}),
    "end": (IDS, {"offsets": OFFSETS, "include_last_offset": True}),
    "matrix": (MATRIX, {}),
    "padding": (IDS, {"offsets": OFFSETS, "padding_index": 0}),
    "skip": (MATRIX * 2, {"out_of_range": "skip"}),
    "clamp": (MATRIX * 2, {"out_of_range": "clamp"}),
    "modulo": (IDS * 2, {"offsets": OFFSETS, "out_of_range": "modulo"}),
    "no_bags": (IDS, {"offsets": OFFSETS[:0]}),
    "no_samples": (MATRIX[:, :0], {}),
}


def table(*shape, seed=0):
    """Distinct numbers not near zero, so that finite differences do not cross a kink."""
    rng = np.random.default_rng(seed)
    return (rng.permutation(int(np.prod(shape))) / 20 + 0.5).reshape(shape).astype(np.float32)


def weights_of(ids):
    return table(*ids.shape, seed=3) - 0.75


def alone(data, ids, options):
    """The call outside of JAX."""
    named = dict(options)
    if named.get("out_of_range") == "clamp":
        named["negative"] = "out_of_range"
    return windrow.embedding_bag(data, ids, **named)


@pytest.mark.parametrize(("mode", "weighted"), [*((mode, False) for mode in MODES), ("sum", True)])
@pytest.mark.parametrize("name", CALLS)
def test_values_and_derivatives(name, mode, weighted):
    ids, options = CALLS[name]
    options = {**options, "mode": mode}
    if weighted:
        options["weights"] = weights_of(ids)
    for shape in ((4, 3), (4,), (4, 2, 3)):
        data = table(*shape)
        expected = alone(data, ids, options)
        for run in (wj.embedding_bag, jax.jit(wj.embedding_bag, static_argnames=STATIC)):
            found = run(data, ids, **options)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)

        def call(data, *weights):
            named = {**options, "weights": weights[0]} if weights else options  # noqa: B023
            return wj.embedding_bag(data, ids, **named)

        if shape == (4, 3) or name == "offsets":
            arrays = (data, options["weights"]) if weighted else (data,)
            check_grads(jax.jit(call), arrays, order=2, rtol=2e-2, atol=2e-2)


def stacked(function, count):
    return np.stack([function(entry) for entry in range(count)])


@pytest.mark.parametrize("mapped", ["table", "ids", "weights", "offsets", "table ids", "ids weights", "table ids offsets weights"])
@pytest.mark.parametrize("matrix", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_batches(mode, matrix, mapped):
    mapped = mapped.split()
    if (matrix and "offsets" in mapped) or (mode != "sum" and "weights" in mapped):
        pytest.skip("there are none")
    ids = MATRIX if matrix else IDS
    arrays = {"table": table(4, 3), "ids": ids, "offsets": None if matrix else OFFSETS}
    arrays["weights"] = weights_of(ids) if mode == "sum" else None
    batches = dict(arrays)
    if "table" in mapped:
        batches["table"] = np.stack([table(4, 3, seed=s) for s in range(3)], -1)
    if "ids" in mapped:
        batches["ids"] = np.stack([ids, ids[::-1], -ids - 1])
    if "offsets" in mapped:
        batches["offsets"] = np.array([[0, 2, 2, 5], [0, 0, 0, 7], [0, 1, 2, 3]], np.int32)
    if "weights" in mapped:
        batches["weights"] = np.stack([arrays["weights"] * s for s in (1, 2, -1)], 1)
    axes = {"table": -1, "ids": 0, "offsets": 0, "weights": 1}

    def call(given):
        return wj.embedding_bag(given["table"], given["ids"], offsets=given["offsets"], weights=given["weights"], mode=mode)

    over = {name: axes[name] if name in mapped else None for name in arrays}
    found = jax.vmap(call, in_axes=(over,))(batches)

    def entry(number):
        given = {name: np.take(batches[name], number, axes[name]) if name in mapped else batches[name] for name in arrays}
        return call(given)

    np.testing.assert_array_equal(found, stacked(entry, 3))


def test_the_last_of_equal_maxima_has_the_gradient():
    data = jnp.array([[1.0, 3.0], [2.0, 3.0], [2.0, 0.0]])
    found = jax.grad(lambda data: wj.embedding_bag(data, [0, 2, 1, 1], offsets=[0, 3], mode="max").sum())(data)
    assert found.tolist() == [[0, 0], [2, 2], [0, 0]]


def test_nothing_flows_to_what_takes_no_row():
    def call(data, weights):
        ids, offsets = [0, 7, 1, 2, 1], [0, 3, 4]
        options = {"out_of_range": "skip", "padding_index": 2, "include_last_offset": True}
        return wj.embedding_bag(data, ids, offsets=offsets, weights=weights, **options).sum()

    of_data, of_weights = jax.grad(call, (0, 1))(jnp.ones((3, 2)), jnp.ones(5))
    assert of_data.tolist() == [[1, 1], [1, 1], [0, 0]] and of_weights.tolist() == [2, 0, 2, 0, 0]


def test_sums_in_float32():
    data = jnp.array([[2048.0], [1.0]], jnp.float16)
    ids, weights = [[0, 1, 1, 1, 1]], jnp.full((1, 5), 1.0, jnp.float32)
    assert wj.embedding_bag(data, ids).item() == 2048
    assert wj.embedding_bag(data, ids, accumulate="float32").item() == 2052
    assert wj.embedding_bag(data, ids, weights=weights, accumulate="float32").item() == 2052

    def call(data, weights):
        return wj.embedding_bag(data, ids, weights=weights, accumulate="float32").sum()

    of_data, of_weights = jax.grad(call, (0, 1))(data, weights)
    assert (of_data.dtype, of_weights.dtype) == (data.dtype, weights.dtype)
    assert of_data.tolist() == [[1], [4]] and of_weights.tolist() == [[2048, 1, 1, 1, 1]]


def test_complex_weights():
    data = (table(4, 3) + 1j * table(4, 3, seed=1)).astype(np.complex64)
    weights = (weights_of(MATRIX) + 1j).astype(np.complex64)
    check_grads(lambda d, w: wj.embedding_bag(d, MATRIX, weights=w), (data, weights), order=1, rtol=2e-2, atol=2e-2)


RUNTIME = {
    r"ids\[1, 0\] is 4, out of range": lambda: wj.embedding_bag(table(4, 3), [[0, 1], [4, 9]]),
    r"offsets\[1\] is 8, must be in \[0, 7\]": lambda: wj.embedding_bag(table(4, 3), IDS, offsets=[0, 8]),
    r"offsets\[0\] is 1, must be 0": lambda: wj.embedding_bag(table(4, 3), IDS, offsets=[1, 2]),
    r"offsets\[2\] is 1 after 2": lambda: wj.embedding_bag(table(4, 3), IDS, offsets=[0, 2, 1]),
    r"ids\[0\] is 0, out of range": lambda: wj.embedding_bag(table(0, 3), [0], offsets=[0]),
}


@pytest.mark.parametrize("text", RUNTIME)
def test_errors_of_a_run(text):
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match=text):
        jax.block_until_ready(RUNTIME[text]())


def test_errors_of_a_call():
    with pytest.raises(windrow.ShapeError, match="offsets must be given"):
        wj.embedding_bag(table(4, 3), IDS)
    with pytest.raises(windrow.ArgumentError, match="'max', which takes no weights"):
        wj.embedding_bag(table(4, 3), MATRIX, weights=weights_of(MATRIX), mode="max")
    with pytest.raises(windrow.DTypeError, match="int32"):
        wj.embedding_bag(np.ones((4, 3), np.int32), MATRIX, accumulate="float32")
