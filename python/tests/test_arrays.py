"""Shapes, strides and types of arrays, which are used without a copy."""

import ml_dtypes
import numpy as np
import pytest
import windrow
from array_kinds import ML_TYPES, ROWS, STRIDED, TYPES, numbers, same
from element_types import WORDS


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


@pytest.mark.parametrize("name", ["uint2", "float4_e2m1fn", "float8_e8m0fnu"])
@pytest.mark.parametrize("shape", [(7,), (5, 3), (5, 4), (3, 16)])
def test_types_that_openvino_copies(name, shape):
    dtype = np.dtype(getattr(ml_dtypes, name))
    values = {"uint2": 4, "float4_e2m1fn": 16, "float8_e8m0fnu": 256}[name]
    data = (np.arange(np.prod(shape)) * 5 % values).astype(np.uint8).view(dtype).reshape(shape)
    indices = np.array([2, 0, 1])
    updates = data[indices][::-1].copy()
    expected = data.copy()
    expected[indices] = updates
    same(windrow.openvino.gather(data, indices, 0), data[indices])
    same(windrow.openvino.gather(data[::-1], indices, 0), data[::-1][indices])
    same(windrow.openvino.scatter_update(data, indices, updates, 0), expected)
    out = np.zeros_like(data)
    assert windrow.openvino.scatter_nd_update(data, indices.reshape(3, 1), updates, out=out) is out
    same(out, expected)
    same(windrow.openvino.gather(data, [99], 0), np.zeros_like(data[:1]))
    with pytest.raises(windrow.DTypeError, match="OPENVINO-ScatterNDUpdate-A3"):
        windrow.openvino.scatter_nd_update(data, indices.reshape(3, 1), updates, reduction="sum")


def test_onnx_takes_no_uint2():
    with pytest.raises(windrow.DTypeError, match=r"ONNX-Gather-T1\]: data has type uint2"):
        windrow.onnx.gather(np.zeros(3, ml_dtypes.uint2), [0])


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
    with pytest.raises(windrow.DTypeError, match=r"must be str|all of them numbers|a null of 2 elements"):
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


@pytest.mark.parametrize(
    ("name", "update"),
    [("int4", 8), ("int4", -9), ("uint4", -1), ("uint2", 4), ("uint2", -1), ("int4", 1.5)],
)
def test_lists_lose_nothing_in_few_bits(name, update):
    data = np.zeros(3, getattr(ml_dtypes, name))
    with pytest.raises(windrow.DTypeError, match="can't hold"):
        windrow.openvino.scatter_update(data, [1], [update], 0)
    assert windrow.openvino.scatter_update(data, [1], [3], 0).tolist() == [0, 3, 0]


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
