"""SegmentMax of OpenVINO without num_segments: the last id says how many segments there are."""

import pickle

import numpy as np
import pytest
import windrow

DATA = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
segment_max = windrow.openvino.segment_max


def test_the_last_id_decides_the_extent():
    ids = np.array([0, 0, 2])
    np.testing.assert_array_equal(segment_max(DATA, ids, fill_mode="ZERO"), [[3, 4], [0, 0], [5, 6]])
    for last in (3, 1, 4, 1):  # one type and shape, several plans
        ids[2] = last
        for options in ({}, {"num_segments": None}):
            assert segment_max(DATA, ids, fill_mode="LOWEST", **options).shape == (last + 1, 2)


def test_no_ids_are_no_segments():
    assert segment_max(DATA[:0], np.array([], np.int32), fill_mode="ZERO").shape == (0, 2)


def test_ids_with_gaps_between_them():
    ids = np.array([9, 0, 9, 1, 9, 1])[1::2]
    np.testing.assert_array_equal(segment_max(DATA, ids, fill_mode="ZERO"), [[1, 2], [5, 6]])
    np.testing.assert_array_equal(segment_max(DATA, ids[::-1][2:].repeat(3), fill_mode="ZERO"), [[5, 6]])


def test_out_must_have_the_extent_that_the_ids_give():
    out = np.empty((3, 2), np.float32)
    assert segment_max(DATA, np.array([0, 1, 2]), fill_mode="ZERO", out=out) is out
    np.testing.assert_array_equal(out, DATA)
    with pytest.raises(windrow.ShapeError, match=r"the output has shape \[3, 2\]"):
        segment_max(DATA, np.array([0, 1, 3]), fill_mode="ZERO", out=out)


@pytest.mark.parametrize(
    ("ids", "label"),
    [([0, 5, 2], "C4"), ([-1, 0, 1], "C5"), ([-3, -2, -1], "C5"), ([0, 1, 2**63 - 1], "C3")],
)
def test_wrong_ids_are_refused(ids, label):
    with pytest.raises(windrow.Error) as caught:
        segment_max(DATA, np.array(ids), fill_mode="ZERO")
    assert caught.value.constraint == f"OPENVINO-SegmentMax-{label}"


def test_an_error_tells_the_bad_ids_in_another_process_too():
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        segment_max(DATA, np.array([-2, -1, 0]), fill_mode="ZERO")
    there = pickle.loads(pickle.dumps(caught.value))
    for error in (caught.value, there):
        assert (error.position, error.value, error.count) == ((0,), -2, 2)


def test_a_plan_needs_num_segments():
    with pytest.raises(windrow.ShapeError, match="num_segments is left out"):
        segment_max.compile(DATA, np.array([0, 0, 1]), fill_mode="ZERO")


def test_explain_shows_what_was_left_out():
    explanation = windrow.explain(segment_max, DATA, np.array([0, 0, 2]), fill_mode="ZERO")
    assert "num_segments: left out" in str(explanation)
    assert list(explanation.output.shape) == [3, 2]
    with pytest.raises(windrow.ArgumentError, match="num_segments is left out and segment_ids, .* has no known values"):
        windrow.explain(segment_max, DATA, windrow.Spec("int64", (3,)), fill_mode="ZERO")
