"""windrow.segment_reduce by offsets: what NumPy's reduceat and segment ids give for the same segments."""

import itertools
import os

import ml_dtypes
import numpy as np
import pytest
import windrow

ROWS = np.arange(1, 13, dtype=np.float32).reshape(6, 2)
REDUCTIONS = ["sum", "prod", "min", "max", "mean"]
TYPES = [*"bhilBHILefd?", "int4", "uint4", "bfloat16", "float8_e5m2"]


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_segments_without_gaps_are_those_of_reduceat(reduction):
    offsets = [1, 3, 4]
    function = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum, "mean": np.add}[reduction]
    expected = function.reduceat(ROWS, offsets)
    if reduction == "mean":
        expected = expected / np.array([[2], [1], [2]], np.float32)
    np.testing.assert_array_equal(windrow.segment_reduce(ROWS, offsets=offsets, reduction=reduction), expected, strict=True)
    ended = windrow.segment_reduce(ROWS, offsets=[*offsets, 6], include_last_offset=True, reduction=reduction)
    np.testing.assert_array_equal(ended, expected, strict=True)


def ids_of(ends, rows):
    """The segment of each row; one in front of all has -1, one behind them the number of segments."""
    return np.searchsorted(ends, np.arange(rows), side="right") - 1


def draw_call(rng):
    name = str(rng.choice(TYPES))
    rows = int(rng.integers(0, 40)) if rng.integers(9) else 3000
    data = rng.integers(0, 2 if name == "?" else 7, (rows, *rng.integers(0 if rng.integers(9) == 0 else 1, 6, rng.integers(3))))
    segments, last = int(rng.integers(0, 12)), bool(rng.integers(2))
    index = rng.choice([t for t in (np.int8, np.uint8, np.int16, np.int64, np.uint64) if np.iinfo(t).max >= rows])
    offsets = np.sort(rng.integers(0, rows + 1, segments + last)).astype(index)
    if rng.integers(3) == 0:
        offsets[:1] = 0
    if rng.integers(4) == 0:
        data = data[::-1]
    return data.astype(getattr(ml_dtypes, name, name)), offsets, segments, last


def test_drawn_offsets_are_the_ids_that_say_the_same():
    rng = np.random.default_rng(int(os.environ.get("WINDROW_SEGMENT_SEED", "1")))
    for number in range(int(os.environ.get("WINDROW_SEGMENT_CALLS", "500"))):
        data, offsets, segments, last = draw_call(rng)
        ends = offsets.astype(np.int64) if last else np.append(offsets.astype(np.int64), len(data))
        names = [name for name in REDUCTIONS if (name, data.dtype.char) != ("mean", "?")]
        reduction = names[number % len(names)]
        found = windrow.segment_reduce(data, offsets=offsets, include_last_offset=last, reduction=reduction, threads=1)
        by_ids = windrow.segment_reduce(data, ids_of(ends, len(data)), segments, reduction, out_of_range="skip")
        again = windrow.segment_reduce(data, offsets=offsets, include_last_offset=last, reduction=reduction, threads=3)
        about = str((number, data.dtype, data.shape, offsets, last, reduction))
        assert found.shape == (segments, *data.shape[1:]), about
        assert found.tobytes() == by_ids.tobytes() == again.tobytes(), about
        if reduction != "sum" or data.dtype.kind not in "iufb" or data.dtype.itemsize < 4:
            continue
        sums = [data[begin:end].sum(axis=0, dtype=data.dtype) for begin, end in itertools.pairwise(ends)]
        np.testing.assert_array_equal(found, np.array(sums, data.dtype).reshape(found.shape), err_msg=about)


def test_the_bits_do_not_depend_on_threads_and_kernels():
    random = np.random.default_rng(3)
    rows = random.standard_normal((20000, 67)).astype(np.float16)
    offsets = np.sort(random.integers(0, 20000, 300))
    ids = ids_of(np.append(offsets, 20000), 20000)
    for reduction in ("sum", "mean", "max"):
        results = {windrow.segment_reduce(rows, ids, 300, reduction, out_of_range="skip").tobytes()}
        for threads, (kernels, supported) in itertools.product((1, 3), windrow.kernel_sets().items()):
            if supported:
                found = windrow.segment_reduce(rows, offsets=offsets, reduction=reduction, threads=threads, kernels=kernels)
                results.add(found.tobytes())
        assert len(results) == 1


REFUSED = [
    ({"offsets": [0, 2, 1]}, windrow.ArgumentError, r"offsets\[2\] is 1 after 2, must not be smaller"),
    ({"offsets": [0, 7]}, windrow.IndexOutOfRange, r"offsets\[1\] is 7, must be in \[0, 6\]; 1 of 2 is out of range"),
    ({"offsets": [-1, 7, 2]}, windrow.IndexOutOfRange, r"offsets\[0\] is -1, must be in \[0, 6\]; 2 of 3 are out of range"),
    ({"offsets": [0, 7], "include_last_offset": True}, windrow.IndexOutOfRange, r"offsets\[1\] is 7, must be in \[0, 6\]"),
    ({"offsets": np.array([2**64 - 1], np.uint64)}, windrow.IndexOutOfRange, r"offsets\[0\] is 18446744073709551615, must"),
    ({"offsets": [0, 7], "out_of_range": "skip"}, windrow.IndexOutOfRange, "ARRAY-SegmentReduce-C5"),
    ({"offsets": [[0, 2]]}, windrow.ShapeError, r"offsets have shape \[1, 2\], must have shape \[2\]"),
    ({"offsets": [0.0]}, windrow.DTypeError, "offsets has type float64"),
    ({"offsets": [0], "padding_index": 0}, windrow.ArgumentError, "CALL-O4"),
    ({"offsets": [0], "segment_ids": [0] * 6}, windrow.ArgumentError, "inputs segment_ids and offsets are given"),
    ({"offsets": [0], "num_segments": 1}, windrow.ArgumentError, "num_segments goes with segment_ids"),
    ({"offsets": [], "include_last_offset": True}, windrow.ArgumentError, "offsets are empty"),
    ({"segment_ids": [0] * 6, "include_last_offset": True}, windrow.ArgumentError, "for which offsets must be given"),
    ({}, windrow.ArgumentError, "input segment_ids is missing, and so is offsets"),
]


@pytest.mark.parametrize(("given", "error", "text"), REFUSED, ids=lambda value: str(value)[:60])
def test_what_is_refused_writes_nothing(given, error, text):
    for reduction in ("sum", "mean"):
        segments = len(given.get("offsets", [0])) - given.get("include_last_offset", False)
        out = np.full((max(segments, 1), 2), 77, np.float32)
        with pytest.raises(error, match=text):
            windrow.segment_reduce(ROWS, **given, reduction=reduction, out=out)
        assert (out == 77).all()


def test_a_plan_reads_other_offsets_and_refuses_bad_ones():
    plan = windrow.compile("array", "SegmentReduce", ROWS, None, np.array([0, 2, 2]), num_segments=3, reduction="max")
    out = np.empty(plan.shape, plan.dtype)
    assert plan(ROWS, None, np.array([1, 1, 5]), out=out) is out
    np.testing.assert_array_equal(out, [[-np.inf, -np.inf], [9, 10], [11, 12]])
    with pytest.raises(windrow.IndexOutOfRange, match=r"offsets\[2\] is 9"):
        plan(ROWS, None, np.array([0, 2, 9]), out=out)
    np.testing.assert_array_equal(out, [[-np.inf, -np.inf], [9, 10], [11, 12]])
    assert "output[segment_ids[i0], i1] = max(" in plan.describe() and "segment_ids by offsets" in plan.describe()


def test_empty_segments_hold_what_those_of_ids_hold():
    for reduction in REDUCTIONS:
        found = windrow.segment_reduce(np.ones(3, np.int16), offsets=[1, 1, 3], reduction=reduction)
        by_ids = windrow.segment_reduce(np.ones(3, np.int16), [1, 1, 1], 3, reduction)
        assert [found[0], found[2]] == [by_ids[0], by_ids[2]]


def test_explain_shows_the_segments_of_offsets():
    explanation = windrow.explain("array.SegmentReduce", ROWS, None, np.array([1, 3, 3]), num_segments=3)
    text = str(explanation)
    assert "output[segment_ids[i0], i1] += data[i0, i1], segment_ids by offsets" in text
    refused = str(windrow.explain("array.SegmentReduce", ROWS, None, np.array([1, 3, 2]), num_segments=3))
    assert "offsets[2] is 2 after 3, must not be smaller" in refused
