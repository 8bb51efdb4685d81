"""Values of every kind and element type go to another process and back without loss."""

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from windrow.processes import Pool

ML_TYPES = [name for name in ("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
                              "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn",
                              "float6_e3m2fn", "float4_e2m1fn", "int2", "uint2", "int4", "uint4")
            if hasattr(ml_dtypes, name)]
NUMPY_TYPES = [np.dtype(code).str for code in "?bBhHiIlLqQefdgFDG"]
pytestmark = pytest.mark.usefixtures("workers_of_its_own")


def there_and_back(values):
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        with Pool("handlers:act") as workers:
            endings = workers.run([{"do": "echo", "arguments": [value]} for value in values])
    finally:
        sys.path.pop(0)
    assert [ending.failure for ending in endings] == [None] * len(values)
    return [ending.value for ending in endings]


def bits(array):
    return np.array(array, order="C").reshape(-1).view(np.uint8).tobytes()


def every_pattern(dtype):
    """An array with every bit pattern of the type's first byte."""
    items = np.arange(256, dtype=np.uint8)
    if dtype.name in ("int2", "uint2", "int4", "uint4"):
        low, high = int(ml_dtypes.iinfo(dtype).min), int(ml_dtypes.iinfo(dtype).max)
        return np.arange(low, high + 1).astype(dtype)
    if dtype.itemsize == 1 and dtype.name.startswith(("float4", "float6")):
        return items[: 16 if dtype.name.startswith("float4") else 64].view(dtype)
    if dtype == bool:
        return (items & 1).astype(bool)
    return np.repeat(items, dtype.itemsize).view(dtype)


def test_element_types():
    dtypes = [np.dtype(getattr(ml_dtypes, name)) for name in ML_TYPES] + [np.dtype(name) for name in NUMPY_TYPES]
    assert len(dtypes) >= 30
    given = [every_pattern(dtype) for dtype in dtypes]
    for before, after in zip(given, there_and_back(given), strict=True):
        assert (after.dtype, after.shape) == (before.dtype, before.shape)
        assert bits(after) == bits(before)


def test_shapes_and_layouts():
    base = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    given = [base.T, base[::-1, :, ::2], np.float32(3).reshape(()), np.zeros((0, 3), "f8"), np.zeros((2, 0), object),
             np.broadcast_to(np.int8(1), (2, 2)), np.zeros((0,), ml_dtypes.int4), base.astype(">i4")]
    for before, after in zip(given, there_and_back(given), strict=True):
        assert after.shape == before.shape
        assert np.array_equal(after, before)
        assert after.flags.writeable


def test_text():
    words = ["", "a", "日本", "\x00", "\udc80", "\ud800", "\U0001f600" * 100]
    given = [np.array(words, object).reshape(7, 1), np.array(["ab", "c"]), np.array("alone", object)]
    for before, after in zip(given, there_and_back(given), strict=True):
        assert (after.dtype, after.shape, after.tolist()) == (np.dtype(object), before.shape, before.tolist())


def test_trees():
    given = [None, True, 3, -2**70, 0.1, float("inf"), "text \udc80", b"\x00\xff", [], (), {}, [1, (2, [b""])],
             {"list": [np.arange(3)], "keys": {"a": b"bytes", "": (None,)}}]
    after = there_and_back(given)
    assert after[:-1] == given[:-1]
    assert [type(value) for value in after] == [type(value) for value in given]
    assert after[-1]["list"][0].tolist() == [0, 1, 2]
    assert after[-1]["keys"] == {"a": b"bytes", "": (None,)}


def test_large_arrays():
    given = np.arange(20_000_000, dtype=np.int64)
    [after] = there_and_back([given])
    assert np.array_equal(after, given)


@pytest.mark.parametrize("value", [object(), {1: 2}, np.array([1, "a"], object), np.zeros(2, [("a", "i4")])])
def test_other_things_are_refused(value):
    from windrow.processes import _wire

    with pytest.raises(TypeError):
        _wire.new_file(value, "test")
