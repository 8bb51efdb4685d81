"""How arrays differ, and nodes that run many times."""

import ml_dtypes
import numpy as np
import pytest
from runner_models import there
from windrow.runners import NodeCall
from windrow.runners._compare import find_difference, same


def test_the_first_of_several_differences():
    expected = np.arange(12, dtype=np.float32).reshape(3, 4)
    got = expected.copy()
    got[1, 2], got[2, 0] = 6.5, -1
    difference = find_difference(got, expected)
    assert (difference.position, difference.got, difference.expected) == ((1, 2), "6.5", "6.0")
    assert (difference.differing, difference.elements, difference.largest) == (2, 12, 9.0)
    assert str(difference) == ("2 of 12 elements differ, by at most 9; the first is [1, 2]: got 6.5, expected 6.0")
    assert find_difference(expected.T, np.ascontiguousarray(expected.T)) is None


def test_differences_beyond_the_first_piece():
    expected = np.zeros(3 << 20, np.int8)
    got = expected.copy()
    got[[2_000_000, 3_000_000]] = 1
    difference = find_difference(got, expected)
    assert (difference.position, difference.differing) == ((2_000_000,), 2)


@pytest.mark.parametrize("type_", [np.float16, np.float64, np.complex64, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2])
def test_nan_equals_nan_and_zeros_have_signs(type_):
    nan = np.array([np.nan, 1], type_)
    other = nan.copy()
    other.view(np.uint8)[other.itemsize // (2 if type_ is np.complex64 else 1) - 1] ^= 0x80  # NaN of the other sign
    assert np.isnan(other[0]) and other.tobytes() != nan.tobytes()
    assert find_difference(nan, other) is None and same(nan, other)
    zeros = np.array([0.0, -0.0], type_)
    assert find_difference(zeros, -zeros).differing == 2
    assert find_difference(nan, zeros).largest == (None if type_ is np.complex64 else 1.0)


def test_types_and_shapes_differ():
    difference = find_difference(np.zeros((2, 3), np.float32), np.zeros((2, 3)))
    assert str(difference) == "got float32[2, 3], expected float64[2, 3]"
    assert find_difference(np.zeros(0), np.zeros((0, 1))).position is None
    assert find_difference(np.zeros((0, 1)), np.zeros((0, 1))) is None


def test_text_and_four_bits():
    text = np.array([["a", "\x1b[1m"]], object)
    difference = find_difference(text, np.array([["a", "b"]]))
    assert difference.position == (0, 1) and difference.expected == "'b'" and "\x1b" not in difference.got
    assert find_difference(text, text.copy()) is None
    nibbles = np.array([-8, 7], ml_dtypes.int4)
    assert find_difference(nibbles, nibbles[::-1]).got == "-8"


def test_a_scalar_has_the_empty_position():
    assert find_difference(np.array(1), np.array(2)).position == ()


def test_repeated_nodes():
    host = there("onnxruntime")
    call = NodeCall("Gather", (np.arange(3), np.array([2, 0])), version=13)
    repeats = host.repeat_node(call, np.array([2, 0]), 3)
    assert (repeats.runs, repeats.differing, repeats.first, repeats.failure) == (3, 0, None, None)
    repeats = host.repeat_node(call, np.array([2, 1]), 3)
    assert (repeats.differing, repeats.first.position, repeats.first.got) == (3, (1,), "0")
    refused = NodeCall("Gather", (np.arange(3), np.array([3])), version=13)
    assert host.repeat_node(refused, np.array([2]), 3).failure.kind == "refused"


def test_a_host_that_is_not_there_repeats_nothing(monkeypatch):
    host = there("onnxruntime")
    monkeypatch.setattr(type(host), "fault", lambda self: "not here")
    call = NodeCall("Gather", (np.arange(3), np.array([2])), version=13)
    assert host.repeat_node(call, np.array([2]), 3).failure.message == "not here"
