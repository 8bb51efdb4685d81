"""Every kind of array that a call takes: used where it lies, with any strides, of every type."""

import array
import ctypes
import tracemalloc

import ml_dtypes
import numpy as np
import pytest
import windrow
from element_types import WORDS

GIB = 1 << 30
ROWS = [2, 0, -1]
TYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
]
# Of ml_dtypes: those that an operator of ONNX takes.
ML_TYPES = [
    "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "float4_e2m1fn", "int4", "uint4",
]


class DLPackOnly:
    """An array of a library that gives its memory by DLPack alone."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class OnOtherDevice(DLPackOnly):
    def __dlpack_device__(self):
        return (2, 0)  # CUDA


def same(actual, expected):
    assert type(actual) is np.ndarray
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    assert actual.tobytes() == expected.tobytes()


def numbers(dtype, shape=(4, 3)):
    return np.arange(np.prod(shape), dtype=np.int64).reshape(shape).astype(dtype)


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


# --- Shapes and strides ---


def test_a_scalar_index_removes_the_axis():
    data = numbers("f4")
    for index in (2, np.int64(2), np.array(2), np.int32(2)):
        same(windrow.onnx.gather(data, index), data[2])
    same(windrow.onnx.gather(data[0], np.array(1)), np.array(1, "f4"))


def test_a_result_of_rank_0_goes_into_out():
    out = np.array(0, "f4")
    assert windrow.onnx.gather(np.array([5, 6], "f4"), 1, out=out) is out
    assert out == 6


STRIDED = {
    "C": lambda a: a,
    "Fortran": np.asfortranarray,
    "every second": lambda a: np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2],
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "columns of a wider array": lambda a: np.concatenate([a, a], 1)[:, :a.shape[1]],
    "repeated": lambda a: np.broadcast_to(a[:1], a.shape),
    "field of records": lambda a: np.rec.fromarrays([a, np.zeros(a.shape, "i1")], names="x,y")["x"],
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}


@pytest.mark.parametrize("way", STRIDED)
@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_strides_of_inputs(way, dtype):
    data = STRIDED[way](numbers(dtype))
    same(windrow.onnx.gather(data, ROWS), data[ROWS])
    same(windrow.onnx.gather(data, ROWS, axis=1), data[:, ROWS])
    indices = STRIDED[way](np.array([[0, 1, 2], [3, -4, -1], [0, 0, 0], [1, 2, 3]]))
    same(windrow.onnx.gather_elements(data, indices[:, :2]), np.take_along_axis(data[:, :2], indices[:, :2], 0))
    updates = STRIDED[way](numbers(dtype) + np.array(50, dtype))
    expected = np.array(data)
    expected[[3, 1, 0, 2]] = updates
    same(windrow.onnx.scatter_nd(data, [[3], [1], [0], [2]], updates), expected)


@pytest.mark.parametrize("way", ["C", "Fortran", "every second", "reversed", "columns of a wider array",
                                 "field of records"])
def test_strides_of_out(way):
    data = numbers("f4", (4, 3))
    out = STRIDED[way](np.zeros((3, 3), "f4"))
    assert windrow.onnx.gather(data, ROWS, out=out) is out
    assert np.array_equal(out, data[ROWS])


def test_a_result_is_a_new_array_in_row_major_order():
    data = np.asfortranarray(numbers("f4"))
    result = windrow.onnx.gather(data, ROWS)
    assert result.flags.c_contiguous
    assert result.flags.owndata
    assert result.flags.writeable
    assert not np.shares_memory(result, data)


def test_many_axes():
    data = numbers("i4", (2,) * 10).reshape((1,) * 22 + (2,) * 10)
    assert data.ndim == 32
    same(windrow.onnx.gather(data, [1, 0], axis=31), data[..., [1, 0]])
    with pytest.raises(windrow.ShapeError, match="33"):
        windrow.onnx.gather(data[None], [0])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
def test_empty_arrays(shape):
    data = np.empty(shape, "f4")
    none = np.empty((0,), "i8")
    same(windrow.onnx.gather(data, none), data[none])
    same(windrow.onnx.gather(data, []), data[none])


# --- Types ---


@pytest.mark.parametrize("dtype", TYPES)
def test_types_of_numpy(dtype):
    data = numbers(dtype)
    same(windrow.onnx.gather(data, ROWS), data[ROWS])


@pytest.mark.parametrize("dtype", ["l", "q", "L", "Q", np.intp, np.uintp])
def test_types_of_c(dtype):
    # NumPy has two types of 64 bits; the result's is the usual one.
    data = numbers(dtype)
    result = windrow.onnx.gather(data, ROWS)
    assert result.dtype == data.dtype
    assert np.array_equal(result, data[ROWS])
    assert np.array_equal(windrow.onnx.gather(data, np.array(ROWS, "q")), data[ROWS])


@pytest.mark.parametrize("name", ML_TYPES)
def test_types_of_ml_dtypes(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    cache, update = numbers(dtype, (2, 3, 4)), numbers(dtype, (2, 1, 4))
    expected = cache.copy()
    expected[:, 2:] = update
    result = windrow.onnx.tensor_scatter(cache, update, [2, 2])
    same(result, expected)
    same(windrow.onnx.tensor_scatter(cache[..., ::-1], update[..., ::-1], [2, 2]), expected[..., ::-1])
    out = np.zeros_like(cache)
    assert windrow.onnx.tensor_scatter(cache, update, [2, 2], out=out) is out
    same(out, expected)
    in_place = cache.copy()
    assert windrow.onnx.tensor_scatter(in_place, update, [2, 2], out=in_place) is in_place
    same(in_place, expected)


@pytest.mark.parametrize("name", ["int4", "uint4"])
@pytest.mark.parametrize("count", [1, 2, 3, 15])
def test_every_4_bit_value(name, count):
    dtype = np.dtype(getattr(ml_dtypes, name))
    data = np.arange(int(ml_dtypes.iinfo(dtype).min), int(ml_dtypes.iinfo(dtype).max) + 1).astype(dtype)
    indices = np.arange(count)[::-1].copy()
    same(windrow.openvino.gather(data, indices, 0), data[indices])
    # As indices, too.
    places = np.arange(5).astype(dtype)
    same(windrow.openvino.gather(numbers("f4", (8,)), places, 0), numbers("f4", (5,)))


@pytest.mark.parametrize("kind", [object, np.dtypes.StringDType(), "U48", np.dtypes.StringDType(na_object=None)],
                         ids=["object", "StringDType", "U", "StringDType-na"])
def test_text(kind):
    data = WORDS.astype(kind)
    result = windrow.onnx.gather(data, [6, 3, 0, -2])
    assert result.tolist() == WORDS[[6, 3, 0, -2]].tolist()
    assert result.dtype == data.dtype
    strided = windrow.onnx.gather(data[::-2], [3, 0])
    assert strided.tolist() == WORDS[::-2][[3, 0]].tolist()
    out = np.full((2,), "?", kind)
    assert windrow.onnx.gather(data, [4, 1], out=out) is out
    assert out.tolist() == ["日本", "a"]
    assert windrow.onnx.gather(data, [9, 1], out_of_range="zero").tolist() == ["", "a"]


def test_text_of_python():
    assert windrow.onnx.gather(["a", "b"], [1, 1]).tolist() == ["b", "b"]
    assert windrow.onnx.scatter_nd(["a", "b"], [[0], [0]], ["x", "y"], reduction="add").tolist() == ["axy", "b"]
    assert windrow.onnx.gather(np.array(["a\0b", "\0"], object), [0, 1]).tolist() == ["a\0b", "\0"]


def test_text_of_fixed_width_keeps_longer_updates():
    data, updates = np.array(["ab", "cd"]), np.array(["a longer text"])
    assert windrow.onnx.scatter_elements(data, [1], updates).tolist() == ["ab", "a longer text"]
    with pytest.raises(windrow.DTypeError, match="13 characters"):
        windrow.onnx.scatter_elements(data, [1], updates, out=data)
    assert data.tolist() == ["ab", "cd"]


@pytest.mark.parametrize("values", [[1, 2], ["a", None], [b"a", b"b"], [["a"], ["b", "c"]]])
def test_objects_that_are_no_text(values):
    data = np.empty(2, object)
    data[:] = values
    with pytest.raises(windrow.DTypeError, match="str"):
        windrow.onnx.gather(data, [0])


def test_text_that_is_no_unicode():
    with pytest.raises(windrow.DTypeError):
        windrow.onnx.gather(np.array(["a", "\ud800"], object), [0])


def test_lists_take_the_type_of_data():
    for dtype in ("f4", "i2", "u1", "c8"):
        result = windrow.onnx.scatter_elements(np.zeros(3, dtype), [1], [7])
        same(result, np.array([0, 7, 0], dtype))
    same(windrow.onnx.scatter_elements([1.5, 2.5], [0], [9.0]), np.array([9, 2.5]))
    bfloat = np.zeros(2, ml_dtypes.bfloat16)
    assert windrow.onnx.scatter_elements(bfloat, [1], [1.5]).tolist() == [0.0, 1.5]


@pytest.mark.parametrize("update", [300, -1, 1.5, 1j])
def test_lists_lose_nothing(update):
    with pytest.raises(windrow.DTypeError, match="can't hold"):
        windrow.onnx.scatter_elements(np.zeros(3, np.uint8), [1], [update])


@pytest.mark.parametrize(("name", "update"), [("int4", 8), ("int4", -9), ("uint4", -1), ("int4", 1.5)])
def test_lists_lose_nothing_in_4_bits(name, update):
    data = np.zeros(3, getattr(ml_dtypes, name))
    with pytest.raises(windrow.DTypeError, match="can't hold"):
        windrow.openvino.scatter_update(data, [1], [update], 0)
    assert windrow.openvino.scatter_update(data, [1], [7], 0).tolist() == [0, 7, 0]


def test_a_list_without_end():
    endless = []
    endless.append(endless)
    with pytest.raises(windrow.Error):
        windrow.onnx.gather(endless, [0])


def test_plans_take_lists():
    data = numbers("f4")
    plan = windrow.compile("onnx", "Gather", data, np.array([0, 0]))
    same(plan(data, [1, 2]), data[[1, 2]])
    none = windrow.compile("onnx", "Gather", data, windrow.Spec("int64", (0,)))
    same(none(data, []), data[:0])


@pytest.mark.parametrize("dtype", [">i2", ">f4", ">f8", ">c16"])
def test_foreign_byte_order(dtype):
    data = numbers(dtype)
    with pytest.raises(windrow.DTypeError, match="byte order.*astype") as caught:
        windrow.onnx.gather(data, ROWS)
    assert "data" in str(caught.value)
    with pytest.raises(windrow.DTypeError, match="byte order"):
        windrow.onnx.gather(data.astype(dtype[1:]), ROWS, out=data[:3])
    assert np.array_equal(data, numbers(dtype))


def test_foreign_byte_order_of_indices():
    with pytest.raises(windrow.DTypeError, match="indices"):
        windrow.onnx.gather(numbers("f4"), np.array(ROWS, ">i8"))


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[s]", "S3", "g", [("x", "f4")], "V3",
                                   ml_dtypes.float8_e3m4, ml_dtypes.int2])
def test_types_that_nobody_takes(dtype):
    with pytest.raises(windrow.DTypeError):
        windrow.onnx.gather(np.zeros(3, dtype), [0])


def test_subclasses():
    matrix = np.arange(6.0).reshape(2, 3).view(np.recarray)
    same(windrow.onnx.gather(matrix, [1]), np.asarray(matrix)[[1]])


# --- Memory-mapped files ---


def test_memmap(tmp_path):
    path = tmp_path / "table"
    numbers("f4").tofile(path)
    table = np.memmap(path, "f4", "r", shape=(4, 3))
    same(windrow.onnx.gather(table, ROWS), np.asarray(table)[ROWS])
    with pytest.raises(windrow.ArgumentError, match="read-only"):
        windrow.onnx.scatter_nd(table, [[1]], [[7, 8, 9]], out=table)
    writable = np.memmap(path, "f4", "r+", shape=(4, 3))
    assert windrow.onnx.scatter_nd(writable, [[1]], [[7, 8, 9]], out=writable) is writable
    writable.flush()
    assert np.fromfile(path, "f4").reshape(4, 3)[1].tolist() == [7, 8, 9]


@pytest.fixture
def huge(tmp_path):
    """40 GiB of rows, none of them in memory or on the disk."""
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(40 * GIB)
    return np.memmap(path, "f4", "r+", shape=(40 * GIB // 256, 64))


def test_rows_of_a_huge_file(huge):
    last = len(huge) - 1
    rows = [0, last, last // 2, -1, 5, last - 1, 1, 2]
    huge[last] = 7
    result = windrow.onnx.gather(huge, rows)
    assert result[:, 0].tolist() == [0, 7, 0, 7, 0, 0, 0, 0]
    plan = windrow.compile("onnx", "Gather", huge, np.array(rows))
    same(plan(huge, rows), result)


def test_rows_into_a_huge_file(huge):
    last = len(huge) - 1
    indices = np.array([[last], [3], [last]])
    updates = np.ones((3, 64), "f4")
    for _ in range(2):
        windrow.onnx.scatter_nd(huge, indices, updates, reduction="add", out=huge)
    assert huge[[3, last, 4], 0].tolist() == [2, 4, 0]
    with pytest.raises(windrow.IndexOutOfRange):
        windrow.onnx.scatter_nd(huge, [[3], [last + 1]], updates[:2], out=huge)
    assert huge[3, 0] == 2


@pytest.mark.parametrize("dtype", ["f4", ml_dtypes.bfloat16])
@pytest.mark.parametrize("way", ["C", "Fortran", "reversed"])
def test_nothing_is_copied(dtype, way):
    data = STRIDED[way](np.zeros((1 << 20, 8), dtype))
    updates = np.ones((4, 8), dtype)
    out = np.empty((4, 8), dtype)
    windrow.onnx.gather(data, [0, 1, 2, 3], out=out)
    windrow.onnx.scatter_nd(data, [[0], [1], [2], [3]], updates, out=data)
    tracemalloc.start()
    try:
        windrow.onnx.gather(data, [0, 1, 2, 3])
        windrow.onnx.gather(data, [0, 1, 2, 3], out=out)
        windrow.onnx.scatter_nd(data, [[0], [1], [2], [3]], updates, out=data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000 < data.nbytes


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
