"""windrow.embedding_bag: the parameters of torch's function, and what they mean."""

import os

import numpy as np
import pytest
import windrow

TABLE = np.arange(1, 9, dtype=np.float32).reshape(4, 2)
IDS, OFFSETS = np.array([0, 3, 1, 1, 2]), np.array([0, 2, 2])


def folded(table, bags, mode):
    """The rows of each bag folded by NumPy; zeros for a bag without any."""
    fold = {"sum": np.sum, "mean": np.mean, "max": np.max}[mode]
    rows = [fold(table[bag], axis=0) if len(bag) else np.zeros(table.shape[1:]) for bag in bags]
    return np.array(rows, table.dtype).reshape(len(bags), *table.shape[1:])


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_by_offsets_and_by_rows(mode):
    bags = [IDS[:2], IDS[:0], IDS[2:]]
    found = windrow.embedding_bag(TABLE, IDS, offsets=OFFSETS, mode=mode)
    np.testing.assert_array_equal(found, folded(TABLE, bags, mode))
    with_end = windrow.embedding_bag(TABLE, IDS, offsets=[0, 2, 2, 4], mode=mode, include_last_offset=True)
    np.testing.assert_array_equal(with_end, folded(TABLE, [*bags[:2], IDS[2:4]], mode))
    matrix = np.array([[0, 1, 3], [2, 2, -1]])
    np.testing.assert_array_equal(windrow.embedding_bag(TABLE, matrix, mode=mode), folded(TABLE, matrix, mode))


def test_weights_scale_the_rows_of_a_sum():
    weights = np.array([1, 2, 0.5, -1, 0], np.float32)
    rows = TABLE[IDS] * weights[:, None]
    expected = np.array([rows[:2].sum(0), [0, 0], rows[2:].sum(0)])
    np.testing.assert_array_equal(windrow.embedding_bag(TABLE, IDS, offsets=OFFSETS, weights=weights), expected)
    with pytest.raises(windrow.ArgumentError, match="'max', which takes no weights"):
        windrow.embedding_bag(TABLE, IDS, offsets=OFFSETS, weights=weights, mode="max")


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_padding_and_skipped_ids_take_no_row(mode):
    ids = np.array([0, 1, 1, 1, 3])
    padded = windrow.embedding_bag(TABLE, ids, offsets=[0, 2, 4], mode=mode, padding_index=1)
    np.testing.assert_array_equal(padded, folded(TABLE, [[0], [], [3]], mode))
    skipped = windrow.embedding_bag(TABLE, [[0, 9], [-9, 9]], mode=mode, out_of_range="skip")
    np.testing.assert_array_equal(skipped, folded(TABLE, [[0], []], mode))


def test_sums_in_float32_are_rounded_once():
    table = np.array([[2048.0], [1.0]], np.float16)
    ids = [[0, 1, 1, 1, 1]]
    assert windrow.embedding_bag(table, ids).item() == 2048
    assert windrow.embedding_bag(table, ids, accumulate="float32").item() == 2052
    weights = np.full((1, 5), 1 / 3, np.float32)
    exact = np.float16(np.add.reduce(table[ids[0], 0].astype(np.float32) * weights[0]))
    found = windrow.embedding_bag(table, ids, weights=weights, accumulate="float32")
    assert found.dtype == np.float16
    assert abs(float(found.item()) - float(exact)) <= 1
    with pytest.raises(windrow.DTypeError, match="float64 does not have"):
        windrow.embedding_bag(np.ones((2, 1)), ids, accumulate="float32")


def test_bad_offsets_and_ids_are_named():
    with pytest.raises(windrow.ArgumentError, match=r"offsets\[0\] is 1, must be 0"):
        windrow.embedding_bag(TABLE, IDS, offsets=[1, 2])
    with pytest.raises(windrow.ArgumentError, match=r"offsets\[2\] is 1 after 2"):
        windrow.embedding_bag(TABLE, IDS, offsets=[0, 2, 1])
    with pytest.raises(windrow.IndexOutOfRange, match=r"offsets\[1\] is 9, must be in \[0, 5\]"):
        windrow.embedding_bag(TABLE, IDS, offsets=[0, 9])
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.embedding_bag(TABLE, [0, 4], offsets=[0])
    assert (caught.value.input, caught.value.position, caught.value.value) == ("ids", (1,), 4)
    with pytest.raises(windrow.ShapeError, match="offsets must be given"):
        windrow.embedding_bag(TABLE, IDS)


def test_the_bits_do_not_depend_on_threads_and_kernels():
    random = np.random.default_rng(3)
    table = random.standard_normal((100, 67)).astype(np.float16)
    ids, offsets = random.integers(0, 100, 5000), np.sort(random.integers(0, 5000, 300))
    offsets[0] = 0
    for mode, accumulate in (("sum", None), ("mean", "float32"), ("max", None)):
        results = {
            windrow.embedding_bag(
                table, ids, offsets=offsets, mode=mode, accumulate=accumulate, threads=threads, kernels=kernels
            ).tobytes()
            for threads in (1, 3)
            for kernels, supported in windrow.kernel_sets().items()
            if supported
        }
        assert len(results) == 1


def test_a_plan_and_an_output():
    plan = windrow.compile("array", "EmbeddingBag", TABLE, IDS, OFFSETS, reduction="mean")
    out = np.empty(plan.shape, plan.dtype)
    assert plan(TABLE, IDS, OFFSETS, out=out) is out
    again = np.full_like(out, 7)
    assert windrow.embedding_bag(TABLE, IDS, offsets=OFFSETS, mode="mean", out=again) is again
    np.testing.assert_array_equal(out, again)


def draw_bags(rng):
    """A call that OpenVINO's operators have, too: the table, ids, offsets (None for a matrix), weights and the mode."""
    dtype = np.dtype(rng.choice(["float64", "float32", "float16", "int32", "int64", "uint8"]))
    table = rng.integers(0, 100, (rng.integers(1, 8), *rng.integers(1, 5, rng.integers(3)))) / 3
    shape = tuple(rng.integers(0, 6, 2)) if rng.integers(2) else (rng.integers(10),)
    index = rng.choice([np.int32, np.int64])
    ids = rng.integers(0, len(table), shape).astype(index)
    offsets = None
    if len(shape) == 1:
        offsets = np.sort(rng.integers(0, shape[0] + 1, rng.integers(6))).astype(index)
        offsets[:1] = 0
    mode = rng.choice(["sum", "mean"])
    weights = (rng.integers(0, 9, shape) / 4).astype(dtype) if mode == "sum" and rng.integers(2) else None
    return table.astype(dtype), ids, offsets, weights, str(mode)


def test_drawn_bags_are_those_of_the_operators_of_openvino():
    """Which are compared with OpenVINO by tests/openvino."""
    rng = np.random.default_rng(int(os.environ.get("WINDROW_BAG_SEED", "1")))
    for number in range(int(os.environ.get("WINDROW_BAG_CALLS", "400"))):
        table, ids, offsets, weights, mode = draw_bags(rng)
        found = windrow.embedding_bag(table, ids, offsets=offsets, weights=weights, mode=mode)
        if offsets is None:
            expected = windrow.openvino.embedding_bag_packed(table, ids, weights, mode)
        else:
            expected = windrow.openvino.embedding_bag_offsets(table, ids, offsets, None, weights, mode)
        np.testing.assert_array_equal(found, expected, strict=True, err_msg=str((number, table, ids, offsets, weights, mode)))
