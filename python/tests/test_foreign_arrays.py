"""Arrays that are not NumPy's: by the buffer protocol and by DLPack."""

import array
import ctypes

import numpy as np
import pytest
import windrow
from array_kinds import ROWS, TYPES, DLPackOnly, OnOtherDevice, numbers, same


# --- The buffer protocol ---


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview], ids=lambda make: make.__name__)
def test_bytes(make):
    data = make(b"abcdef") if make is not memoryview else memoryview(b"abcdef")
    same(windrow.onnx.gather(data, [5, 0]), np.array([102, 97], np.uint8))


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_array_module(code):
    data = array.array(code, [1, 2, 3, 4])
    same(windrow.onnx.gather(data, [3, 0]), np.array([4, 1], np.dtype(code)))
    out = array.array(code, [0, 0])
    assert windrow.onnx.gather(data, [3, 0], out=out) is out
    assert out.tolist() == [4, 1]


@pytest.mark.parametrize("code", "il")
def test_indices_of_the_array_module(code):
    same(windrow.onnx.gather(numbers("f4"), array.array(code, ROWS)), numbers("f4")[ROWS])


def test_memoryviews_with_shape_and_steps():
    room = bytearray(range(24))
    view = memoryview(room).cast("B", (4, 6))
    same(windrow.onnx.gather(view, ROWS), np.frombuffer(room, np.uint8).reshape(4, 6)[ROWS])
    same(windrow.onnx.gather(memoryview(room)[::-3], ROWS), np.frombuffer(room, np.uint8)[::-3][ROWS])
    shorts = memoryview(room).cast("h")
    same(windrow.onnx.gather(shorts, ROWS), np.frombuffer(room, np.int16)[ROWS])


def test_ctypes_arrays():
    data = ((ctypes.c_float * 3) * 4)(*[(ctypes.c_float * 3)(i, i + 1, i + 2) for i in range(4)])
    same(windrow.onnx.gather(data, (ctypes.c_int64 * 3)(*ROWS)), np.ctypeslib.as_array(data)[ROWS])
    out = ((ctypes.c_float * 3) * 3)()
    assert windrow.onnx.gather(data, ROWS, out=out) is out
    assert np.array_equal(np.ctypeslib.as_array(out), np.ctypeslib.as_array(data)[ROWS])
    flags = (ctypes.c_bool * 3)(True, False, True)
    same(windrow.onnx.gather(flags, [1, 2]), np.array([False, True]))


def test_scatter_in_place_into_a_bytearray():
    room = bytearray(b"abcd")
    assert windrow.onnx.scatter_elements(room, [1, -1], b"XY", out=room) is room
    assert room == b"aXcY"


def test_a_buffer_is_given_back():
    room = bytearray(b"abcd")
    windrow.onnx.gather(room, [0])
    with pytest.raises(windrow.IndexOutOfRange):
        windrow.onnx.gather(room, [9])
    room.extend(b"e")  # a BufferError if somebody still held it


# --- DLPack ---


@pytest.mark.parametrize("dtype", TYPES)
def test_dlpack(dtype):
    data = numbers(dtype)
    same(windrow.onnx.gather(DLPackOnly(data), DLPackOnly(np.array(ROWS))), data[ROWS])
    same(windrow.onnx.gather(DLPackOnly(data[::-1, ::2]), ROWS), data[::-1, ::2][ROWS])
    out = DLPackOnly(np.zeros((3, 3), dtype))
    assert windrow.onnx.gather(data, ROWS, out=out) is out
    assert np.array_equal(out.values, data[ROWS])


def test_dlpack_in_place():
    data = DLPackOnly(numbers("f4"))
    assert windrow.onnx.scatter_nd(data, [[0]], [[7, 8, 9]], out=data) is data
    assert data.values[0].tolist() == [7, 8, 9]


def test_dlpack_read_only():
    data = numbers("f4")
    data.flags.writeable = False
    same(windrow.onnx.gather(DLPackOnly(data), ROWS), data[ROWS])
    with pytest.raises(windrow.ArgumentError, match="out"):
        windrow.onnx.scatter_nd(DLPackOnly(data), [[0]], [[7, 8, 9]], out=DLPackOnly(data))
    assert data[0].tolist() == [0, 1, 2]


def test_dlpack_elsewhere():
    with pytest.raises(windrow.ArgumentError, match="data.*CPU"):
        windrow.onnx.gather(OnOtherDevice(numbers("f4")), ROWS)
    with pytest.raises(windrow.ArgumentError, match="out.*CPU"):
        windrow.onnx.gather(numbers("f4"), ROWS, out=OnOtherDevice(numbers("f4", (3, 3))))


def test_dlpack_that_fails():
    class Broken(DLPackOnly):
        def __dlpack__(self, **options):
            raise ValueError("no memory to give")

    with pytest.raises(windrow.ArgumentError, match="data"):
        windrow.onnx.gather(Broken(numbers("f4")), ROWS)
    with pytest.raises(windrow.ArgumentError, match="out"):
        windrow.onnx.gather(numbers("f4"), ROWS, out=Broken(numbers("f4", (3, 3))))


# --- Other libraries' arrays ---


def test_jax():
    jax = pytest.importorskip("jax")
    data = jax.numpy.arange(12, dtype="float32").reshape(4, 3)
    same(windrow.onnx.gather(data, jax.numpy.array(ROWS)), np.asarray(data)[ROWS])
    narrow = data.astype("bfloat16")
    same(windrow.onnx.gather(narrow, ROWS), np.asarray(narrow)[ROWS])
    for constant in (jax.numpy.zeros((3, 3)), jax.numpy.zeros((3, 3), "bfloat16")):
        with pytest.raises(windrow.ArgumentError, match="out is read-only"):
            windrow.onnx.gather(data.astype(constant.dtype), ROWS, out=constant)
        assert not constant.any()


def test_torch():
    torch = pytest.importorskip("torch")
    data = torch.arange(12, dtype=torch.float32).reshape(4, 3)
    same(windrow.onnx.gather(data, torch.tensor(ROWS)), data.numpy()[ROWS])
    same(windrow.onnx.gather(data.t(), ROWS), data.t().numpy()[ROWS])
    out = torch.zeros(3, 3)
    assert windrow.onnx.gather(data, ROWS, out=out) is out
    assert torch.equal(out, data[ROWS])
    narrow = data.to(torch.bfloat16)
    assert np.array_equal(windrow.onnx.gather(narrow, ROWS).astype("f4"), narrow.float().numpy()[ROWS])
