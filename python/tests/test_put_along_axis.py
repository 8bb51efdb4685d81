"""put_along_axis changes its array as NumPy's does; put_along_axis_copy returns a new one."""

import array

import ml_dtypes
import numpy as np
import pytest
import windrow
from array_kinds import STRIDED, DLPackOnly, numbers

WRITABLE = [way for way in STRIDED if way not in ("repeated", "read-only")]


def drawn(seed):
    """Arguments in which no cell is written twice: NumPy leaves open which value stays."""
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 6, rng.integers(1, 4))
    arr = rng.integers(0, 99, shape).astype(["f4", "i8", "u1", "c8"][seed % 4])
    axis = int(rng.integers(-arr.ndim, arr.ndim))
    indices = np.argsort(rng.random(shape), axis=axis)
    indices = np.take(indices, range(int(rng.integers(1, shape[axis] + 1))), axis)
    indices = indices - (rng.random(indices.shape) < 0.3) * shape[axis]
    values = rng.integers(0, 99, indices.shape if seed % 3 else ()).astype(arr.dtype)
    return arr, indices, values, axis


@pytest.mark.parametrize("seed", range(30))
def test_as_numpy(seed):
    arr, indices, values, axis = drawn(seed)
    expected, before = arr.copy(), arr.copy()
    np.put_along_axis(expected, indices, values, axis)
    assert np.array_equal(windrow.put_along_axis_copy(arr, indices, values, axis), expected)
    assert np.array_equal(arr, before)
    assert windrow.put_along_axis(arr, indices, values, axis) is None
    assert np.array_equal(arr, expected)


@pytest.mark.parametrize("way", WRITABLE)
@pytest.mark.parametrize("axis", [0, 1, None])
def test_memory_of_any_layout(way, axis):
    arr = STRIDED[way](numbers("f4"))
    indices = [5, -1, 0] if axis is None else [[1, 0, -1]]
    expected = np.array(arr, order="C")
    if axis is None:
        expected.reshape(-1)[indices] = 99
    else:
        np.put_along_axis(expected, np.array(indices), np.float32(99), axis)
    copied = windrow.put_along_axis_copy(arr, indices, 99, axis)
    assert not np.shares_memory(copied, arr)
    assert np.array_equal(copied, expected)
    windrow.put_along_axis(arr, indices, 99, axis)
    assert np.array_equal(arr, expected)


@pytest.mark.parametrize("axis", [0, None])
def test_arrays_of_other_kinds(axis):
    room = array.array("f", [1, 2, 3])
    windrow.put_along_axis(room, [2], 9, axis)
    assert room.tolist() == [1, 2, 9]
    dlpack = DLPackOnly(numbers("i4", (3,)))
    windrow.put_along_axis(dlpack, [2], 9, axis)
    assert dlpack.values.tolist() == [0, 1, 9]
    for kind in (object, "U3", np.dtypes.StringDType()):
        text = np.array(["a", "b"]).astype(kind)
        windrow.put_along_axis(text, [1], ["xyz"], axis)
        assert text.tolist() == ["a", "xyz"]
    nibbles = np.zeros(3, ml_dtypes.int4)
    windrow.put_along_axis(nibbles, [1], [-8], axis)
    assert nibbles.tolist() == [0, -8, 0]


def test_out_of_the_copying_form():
    arr, out = numbers("f4"), np.zeros((4, 3), "f4")
    assert windrow.put_along_axis_copy(arr, [5], 9, None, out=out) is out
    assert out[1, 2] == 9
    assert windrow.put_along_axis_copy(arr, [[0]], 9, 1, out=arr) is arr
    assert arr[0, 0] == 9


def read_only():
    arr = numbers("f4")
    arr.flags.writeable = False
    return arr


@pytest.mark.parametrize("axis", [0, None])
def test_what_can_not_be_changed(axis):
    for arr, words in (([[1, 2]], "list"), (7, "int"), (read_only(), "read-only"), (b"ab", "read-only"),
                       (np.float32(1), "read-only")):
        with pytest.raises(windrow.ArgumentError, match=f"arr .*{words}.*put_along_axis_copy"):
            windrow.put_along_axis(arr, [[0]], 1, axis)
    with pytest.raises(TypeError, match="out"):
        windrow.put_along_axis(numbers("f4"), [[0]], 1, 0, out=numbers("f4"))


@pytest.mark.parametrize("axis", [1, None])
def test_an_error_changes_nothing(axis):
    for arr in (numbers("f4"), np.asfortranarray(numbers("f4")), DLPackOnly(numbers("f4"))):
        indices = [[0], [1], [-99], [2]] if axis else [0, -99, 3]
        with pytest.raises(windrow.IndexOutOfRange, match="-99"):
            windrow.put_along_axis(arr, indices, 7, axis)
        with pytest.raises(windrow.DTypeError):
            windrow.put_along_axis(arr, [[0]] if axis else [0], 1.5j, axis)
        with pytest.raises(windrow.DuplicateIndex):
            windrow.put_along_axis(arr, [[0, 0]] if axis else [0, 0], 7, axis, duplicates="error")
        assert np.array_equal(getattr(arr, "values", arr), numbers("f4"))
