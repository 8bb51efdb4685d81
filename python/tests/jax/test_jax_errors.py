"""Errors: raised at once if shapes are wrong, and as JAX's own exceptions if indices are."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import windrow
import windrow.jax as wj

# The exceptions of a failed JAX program; compiled functions that ran successfully before raise the second one.
HOST_ERRORS = (jax.errors.JaxRuntimeError, ValueError)
TABLE = jnp.arange(15.0).reshape(5, 3)


def message(function, *arrays):
    with pytest.raises(HOST_ERRORS) as raised:
        jax.block_until_ready(function(*arrays))
    return str(raised.value)


def test_a_bad_index_arrives_as_jax_error():
    text = message(lambda: wj.take(TABLE, [[0, 1], [2, 7]], 0))
    assert text.startswith("OUT_OF_RANGE: array.Take-1 [ARRAY-Take-C3]: ")
    assert "indices[1, 1] is 7, out of range for axis 0 of data with extent 5" in text
    for function, where in [
        (lambda: wj.take_along_axis(TABLE, [[0, 0, -6]], 0), "indices[0, 2] is -6"),
        (lambda: wj.gather_nd(TABLE, [[0, 3]]), "indices[0, 1] is 3"),
        (lambda: wj.scatter(TABLE, [[0, 9, 0]], [[1, 2, 3]], 0), "indices[0, 1] is 9"),
        (lambda: wj.index_add(TABLE, [1, 5], jnp.ones((2, 3))), "indices[1] is 5"),
        (lambda: wj.scatter_nd(TABLE, [[5]], jnp.ones((1, 3))), "indices[0, 0] is 5"),
        (lambda: wj.put_along_axis(TABLE, [[-4]], 1, 1, False), "indices[0, 0] is -4"),
    ]:
        assert where in message(function)


def test_under_jit_grad_and_vmap():
    bad = jnp.array([0, 7])
    loss = jax.jit(jax.grad(lambda table: wj.take(table, bad, 0).sum()))
    assert "indices[1] is 7" in message(loss, TABLE)
    assert "is 7" in message(jax.vmap(lambda row: wj.take(TABLE, row, 0)), bad)
    # A program that failed runs again.
    run = jax.jit(lambda rows: wj.take(TABLE, rows, 0))
    assert "indices[0] is 5" in message(run, jnp.array([5]))
    assert run(jnp.array([4])).tolist() == [[12, 13, 14]]


def test_both_exceptions_of_jax():
    """A compiled function that has run successfully takes a fast path, with an exception of its own."""
    for error, good in [(jax.errors.JaxRuntimeError, []), (ValueError, [jnp.arange(4)])]:
        run = jax.jit(lambda rows: wj.take(TABLE, rows, 0))
        for rows in good:
            run(rows)
        with pytest.raises(error, match="OUT_OF_RANGE: .*indices.3. is 9"):
            jax.block_until_ready(run(jnp.array([0, 1, 2, 9])))


EMPTY = jnp.zeros((0, 3))
ON_AN_EMPTY_AXIS = {
    "take": lambda **o: wj.take(EMPTY, [0], 0, **o),
    "take of all": lambda **o: wj.take(EMPTY, [0], **o),
    "take without elements": lambda **o: wj.take(EMPTY[:, :0], [0], 0, **o),
    "take_along_axis": lambda **o: wj.take_along_axis(EMPTY, [[0, 0, 0]], 0, **o),
    "broadcast": lambda **o: wj.take_along_axis(EMPTY, [[0]], 0, **o),
    "gather_nd": lambda **o: wj.gather_nd(EMPTY, [[0]], **o),
    "second coordinate": lambda **o: wj.gather_nd(EMPTY.T, [[0, 0]], **o),
    "batch": lambda **o: wj.gather_nd(EMPTY.T, [[[0]]] * 3, 1, **o),
    "put_along_axis": lambda **o: wj.put_along_axis(EMPTY, [[0, 0, 0]], 1, 0, False, **o),
    "scatter": lambda **o: wj.scatter(EMPTY, [[0, 0, 0]], [[1, 1, 1]], 0, **o),
    "index_add": lambda **o: wj.index_add(EMPTY, [0], jnp.ones((1, 3)), **o),
    "scatter_nd": lambda **o: wj.scatter_nd(EMPTY, [[0]], jnp.ones((1, 3)), **o),
}


@pytest.mark.parametrize("name", ON_AN_EMPTY_AXIS)
def test_an_axis_without_extent_is_an_error_while_jax_traces(name):
    call = ON_AN_EMPTY_AXIS[name]
    axis = 1 if name in ("second coordinate", "batch") else 0
    for policy in ("error", "clamp", "modulo"):
        for trace in (jax.eval_shape, lambda run: jax.jit(run).trace(), lambda run: run()):
            with pytest.raises(windrow.IndexOutOfRange, match="extent 0 .no index is legal") as at:
                trace(lambda policy=policy: call(out_of_range=policy))
            found = at.value
            assert (found.axis, found.extent, found.input) == (axis, 0, "indices")
            assert found.count in (1, 3) and "-" in found.operator
    gathers = name.startswith(("take", "gather")) or name in ("broadcast", "second coordinate", "batch")
    result = call(out_of_range="zero" if gathers else "skip")
    assert not np.asarray(result).any()


def test_an_axis_without_extent_and_no_indices():
    none = np.zeros((0, 3), np.int32)
    assert wj.take(EMPTY, none, 0).shape == (0, 3, 3)
    assert wj.take_along_axis(EMPTY, none, 0).shape == (0, 3)
    assert wj.gather_nd(EMPTY, none[:, :1]).shape == (0, 3)
    assert wj.scatter(EMPTY, none, none.astype(np.float32)).shape == (0, 3)
    assert wj.index_add(EMPTY, none[:, 0], EMPTY).shape == (0, 3)
    assert wj.scatter_nd(EMPTY, none[:, :1], EMPTY).shape == (0, 3)
    assert jax.vmap(lambda row: wj.take(row, [0], 0))(EMPTY).shape == (0, 1)


def test_a_sum_has_both_of_its_names():
    for call in (lambda name: wj.scatter(TABLE, [[0]], [[1]], reduction=name),
                 lambda name: wj.index_reduce(TABLE, [0], jnp.ones((1, 3)), reduction=name),
                 lambda name: wj.scatter_nd(TABLE, [[0]], jnp.ones((1, 3)), name)):
        assert (call("add") == call("sum")).all()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: wj.take(TABLE, [0], 2), windrow.ArgumentError, "ARRAY-Take-A1"),
        (lambda: wj.take(TABLE, [0], -3), windrow.ArgumentError, "ARRAY-Take-A1"),
        (lambda: wj.take(TABLE, [0.5], 0), windrow.DTypeError, "ARRAY-Take-T2"),
        (lambda: wj.take(TABLE, [True], 0), windrow.DTypeError, "ARRAY-Take-T2"),
        (lambda: wj.take(jnp.float32(1), [0], 0), windrow.ShapeError, "ARRAY-Take-C1"),
        (lambda: wj.take(TABLE, [0], 0, out_of_range="skip"), windrow.ArgumentError, "CALL-O1"),
        (lambda: wj.take(TABLE, [0], 0, out_of_range="wrap"), windrow.ArgumentError, "wrap"),
        (lambda: wj.take_along_axis(TABLE, [0], 0), windrow.ShapeError, "ARRAY-TakeAlongAxis-C1"),
        (lambda: wj.index_add(TABLE, [0], jnp.ones((2, 3))), windrow.ShapeError, "IndexReduce-C3"),
        (
            lambda: wj.index_add(TABLE, [0], jnp.ones((1, 3), jnp.float16)),
            windrow.DTypeError,
            "IndexReduce-T3",
        ),
        (
            lambda: wj.index_reduce(TABLE * 1j, [0], jnp.ones((1, 3)), reduction="mean"),
            windrow.DTypeError,
            "IndexReduce-T3",
        ),
        (
            lambda: wj.index_reduce(TABLE, [0], jnp.ones((1, 3)), reduction="none"),
            windrow.ArgumentError,
            "IndexReduce-A3",
        ),
        (
            lambda: wj.scatter(TABLE, [[0]], [[1, 2]]),
            windrow.ShapeError,
            "OPENVINO-ScatterElementsUpdate-C2",
        ),
        (
            lambda: wj.scatter(TABLE, [[0]], [[1]], reduction="xor"),
            windrow.ArgumentError,
            "OPENVINO-ScatterElementsUpdate-A3",
        ),
        (
            lambda: wj.scatter_nd(TABLE, [[0]], jnp.ones((1, 3)), "mean"),
            windrow.ArgumentError,
            "OPENVINO-ScatterNDUpdate-A3",
        ),
        (lambda: wj.gather_nd(TABLE, [[0, 0, 0]]), windrow.ShapeError, "OPENVINO-GatherND-C"),
        (lambda: wj.gather_nd(TABLE, [[[0]]], 1), windrow.ShapeError, "extents"),
        (lambda: wj.put_along_axis(TABLE, [[0, 1]], 1, 0, False), windrow.ShapeError, "PutAlongAxis"),
        (
            lambda: wj.put_along_axis(TABLE[:1], [[0], [1]], 1, 1, False),
            windrow.ShapeError,
            "do not broadcast",
        ),
        (lambda: wj.put_along_axis(TABLE, [[0]], 1, 1), windrow.ArgumentError, "inplace=False"),
        (lambda: wj.take(np.ma.masked_array([1, 2], [0, 1]), [0]), windrow.DTypeError, "masked"),
        (lambda: wj.take(TABLE, np.ma.masked_array([1, 2], [0, 1])), windrow.DTypeError, "masked"),
    ],
)
def test_shapes_and_types(call, error, text):
    with pytest.raises(error, match=text.replace("[", r"\[")):
        call()


def test_indices_are_not_cut_to_32_bits():
    with pytest.raises(OverflowError, match="jax_enable_x64"):
        wj.take(TABLE, np.array([2**32]), 0)


def raw(result, *arrays, **attributes):
    call = jax.ffi.ffi_call("windrow", result, vmap_method="sequential")
    return call(*arrays, **attributes)


TAKE = {"dialect": "array", "operator": "Take"}


@pytest.mark.parametrize(
    ("shape", "dtype", "attributes", "text"),
    [
        ((2, 3), np.float32, {**TAKE, "axis": np.int64(0)}, None),
        ((2, 3), np.float32, {**TAKE, "axis": np.int32(0)}, None),
        ((2, 4), np.float32, TAKE, "the result is float32[2, 3], the call expects float32[2, 4]"),
        ((6,), np.float32, TAKE, "expects float32[6]"),
        ((2, 3), np.int32, TAKE, "expects int32[2, 3]"),
        ((2, 3), np.float32, {**TAKE, "axis": np.int64(5)}, "ARRAY-Take-A1"),
        ((2, 3), np.float32, {**TAKE, "axis": "0"}, "ARRAY-Take-A2"),
        ((2, 3), np.float32, {**TAKE, "axes": np.int64(0)}, "ARRAY-Take-A2"),
        ((2, 3), np.float32, {**TAKE, "axis": np.arange(2)}, "attribute 'axis' must be"),
        ((2, 3), np.float32, {**TAKE, "version": "1"}, "attribute 'version' must be"),
        (
            (2, 3),
            np.float32,
            {**TAKE, "out_of_range": "ignore"},
            "attribute 'out_of_range' must be",
        ),
        ((2, 3), np.float32, {**TAKE, "negative": "wrap"}, "attribute 'negative' must be"),
        (
            (2, 3),
            np.float32,
            {**TAKE, "padding_index": "-1"},
            "attribute 'padding_index' must be an integer",
        ),
        ((2, 3), np.float32, {**TAKE, "operator": "Tale"}, "no such operator"),
        ((2, 3), np.float32, {"operator": "Take"}, "attribute 'dialect' must be given"),
    ],
)
def test_the_handler_believes_nothing(shape, dtype, attributes, text):
    def call():
        return raw(jax.ShapeDtypeStruct(shape, dtype), TABLE, jnp.array([4, 0]), **attributes)

    if text is None:
        assert call()[0].tolist() == [12, 13, 14]
    else:
        assert text in message(call)


def test_the_handler_takes_a_padding_index():
    struct, ids = jax.ShapeDtypeStruct((3, 3), np.float32), jnp.array([0, -1, 1])
    rows = raw(struct, TABLE, ids, **TAKE, axis=np.int64(0), padding_index=np.int64(-1))
    assert rows.tolist() == [TABLE[0].tolist(), [0, 0, 0], TABLE[1].tolist()]


def test_the_handler_counts_operands_and_results():
    rows = jnp.array([0])
    one, struct = jax.ShapeDtypeStruct((1, 3), np.float32), TABLE
    assert "2 inputs and one result" in message(lambda: raw(one, struct, rows, rows, **TAKE))
    assert "one result" in message(lambda: raw([one, one], TABLE, rows, **TAKE))
    assert "Take" in message(lambda: raw(one, TABLE, **TAKE))


def test_an_axis_as_an_attribute():
    update = {"dialect": "openvino", "operator": "ScatterElementsUpdate"}
    arrays = (TABLE, jnp.array([[2]]), jnp.array([[9.0]]))
    assert raw(TABLE, *arrays, **update, axis=np.int64(1))[0].tolist() == [0, 1, 9]
    assert "axis" in message(lambda: raw(TABLE, *arrays, **update, axis="1"))
    assert "axis" in message(lambda: raw(TABLE, *arrays, **update))


def test_a_type_that_is_not_there():
    with pytest.raises(windrow.Error, match="int4|OPENVINO|type"):
        wj.index_add(
            jnp.zeros(3, jnp.float8_e4m3b11fnuz), [0], jnp.zeros(1, jnp.float8_e4m3b11fnuz)
        )
    result = jax.ShapeDtypeStruct((1,), jnp.int4)
    text = message(lambda: raw(result, jnp.zeros(3, jnp.int4), jnp.array([0]), **TAKE))
    assert "data has XLA's element type number" in text


def test_many_threads_at_once():
    """Different shapes and programs, good and bad, from several threads: each gets its own result or error."""
    rng = np.random.default_rng(1)
    tables = [rng.standard_normal((n, 16), dtype=np.float32) for n in range(200, 216)]
    failures = []

    def work(seed):
        try:
            calls(seed)
        except Exception as error:  # a thread's own would be lost
            failures.append(repr(error))

    def calls(seed):
        rng = np.random.default_rng(seed)
        for _ in range(30):
            table = tables[rng.integers(len(tables))]
            rows = rng.integers(-len(table), len(table), 300).astype(np.int32)
            if not np.array_equal(wj.take(table, rows, 0), table[rows]):
                failures.append("take")
            updates = rng.standard_normal((300, 16), dtype=np.float32)
            expected = windrow.index_add(table, rows, updates)
            if not np.array_equal(wj.index_add(table, rows, updates), expected):
                failures.append("index_add")
            rows[7] = 1000
            try:
                jax.block_until_ready(wj.take(table, rows, 0))
                failures.append("no error")
            except HOST_ERRORS as error:
                if "indices[7] is 1000" not in str(error):
                    failures.append(str(error))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_large_calls_at_once():
    """More concurrent calls with several threads than XLA's pool has threads: none deadlocks."""
    table = np.arange(40_000 * 64, dtype=np.float32).reshape(40_000, 64)
    rows = np.random.default_rng(2).integers(0, 40_000, 60_000).astype(np.int32)
    expected = table[rows]
    results = [wj.take(table, rows, 0) for _ in range(12)]
    both = jax.jit(lambda t, r: [wj.take(t, r + 0 * n, 0) for n in range(6)])(table, rows)
    for result in results + both:
        np.testing.assert_array_equal(np.asarray(result), expected)


def test_more_shapes_than_are_kept():
    """The handler keeps the last 256 plans, and compiles the ones that it has dropped again."""
    for extent in [*range(1, 262), 1, 2]:
        data = np.arange(extent, dtype=np.float32)
        assert wj.take(data, [-1], 0).tolist() == [extent - 1]
    jax.clear_caches()
