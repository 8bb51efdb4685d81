"""What an id may mean: options of take() and scatter(), and their errors."""

import numpy as np
import pyarrow as pa
import pytest

import windrow
import windrow.arrow

COLUMNS = {
    "number": (pa.array([1, 2, None]), 0),
    "truth": (pa.array([True, True, None]), False),
    "text": (pa.array(["a", "b", None]), ""),
    "view": (pa.array(["a", "b", None], pa.string_view()), ""),
    "list": (pa.array([[1, 2], [3, 4], None], pa.list_(pa.int8(), 2)), [0, 0]),
    "chunks": (pa.chunked_array([[1], [2, None]]), 0),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_null_and_zero(name):
    column, zero = COLUMNS[name]
    values = column.to_pylist()
    for ids in ([0, 5, 1], pa.array([0, 5, 1], pa.uint64()), np.array([0, 5, 1], np.int8)):
        taken = windrow.arrow.take(column, ids, out_of_range="null").to_pylist()
        assert taken == [values[0], None, values[1]]
        taken = windrow.arrow.take(column, ids, out_of_range="zero").to_pylist()
        assert taken == [values[0], zero, values[1]]
    assert windrow.arrow.take(column, [0, 7], padding_index=7).to_pylist() == [values[0], zero]
    assert windrow.arrow.take(column, [0, -1], padding_index=-1).to_pylist() == [values[0], zero]
    assert windrow.arrow.take(column, [0, -1], negative="out_of_range", out_of_range="null").to_pylist() == [values[0], None]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_without_rows(name):
    column, zero = COLUMNS[name]
    empty = column.slice(0, 0)
    assert windrow.arrow.take(empty, []).to_pylist() == []
    assert windrow.arrow.take(empty, [None, None]).to_pylist() == [None, None]
    assert windrow.arrow.take(empty, [3], out_of_range="zero").to_pylist() == [zero]
    for policy in (None, "clamp", "modulo"):
        with pytest.raises(windrow.IndexOutOfRange, match=r"ids\[0\] is 0, .* with 0 rows \(no id is legal\)"):
            windrow.arrow.take(empty, [0], out_of_range=policy)


@pytest.mark.parametrize("policy", ["clamp", "modulo"])
@pytest.mark.parametrize("negative", [None, "from_end", "out_of_range"])
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint64])
def test_the_policies_are_those_of_windrow_take(policy, negative, dtype):
    numbers = [0, 1, 2, 3, 4, 100] + ([-1, -3, -4, -100] if dtype is not np.uint64 else [2**64 - 1])
    ids = np.array(numbers, dtype)
    options = {"out_of_range": policy, "negative": negative}
    expected = windrow.take(np.array([5, 6, 7]), ids, **options)
    assert windrow.arrow.take(pa.array([5, 6, 7]), ids, **options).to_pylist() == expected.tolist()


def test_the_error_names_column_position_and_value():
    table = pa.table({"price": [1, 2], "name": ["a", "b"]})
    ids = pa.chunked_array([[0, 1, None], [1, 2, -3]], pa.int16())
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.arrow.take(table, ids)
    assert str(caught.value) == (
        "arrow.take: ids[4] is 2, out of range for values (columns 'price', 'name') with 2 rows (legal: -2 to 1); "
        "2 of 6 ids are out of range"
    )
    error = caught.value
    assert (error.input, error.position, error.value, error.extent, error.count) == ("ids", (4,), 2, 2, 2)
    with pytest.raises(windrow.IndexOutOfRange, match=r"ids\[0\] is 18446744073709551615, out of range"):
        windrow.arrow.take(table, pa.array([2**64 - 1], pa.uint64()))
    with pytest.raises(windrow.IndexOutOfRange, match=r"ids\[1\] is -1, negative, and the call says negative=error"):
        windrow.arrow.take(table, [0, -1], negative="error")


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint32(), pa.int64(), pa.uint64()])
def test_the_error_lists_every_bad_id(kind):
    chunks = [[0, 9, None], [], [7, 1, 3]]
    ids = pa.chunked_array(chunks, kind)
    for call in (
        lambda: windrow.arrow.take(pa.array([5, 6]), ids),
        lambda: windrow.arrow.take(pa.table({"a": [5, 6], "b": ["x", "y"]}), ids),
        lambda: windrow.arrow.take(pa.array([5, 6]), [0, 9, None, 7, 1, 3]),
        lambda: windrow.arrow.scatter(pa.array([5, 6]), ids, pa.array([0] * 6)),
    ):
        with pytest.raises(windrow.IndexOutOfRange) as caught:
            call()
        found = caught.value.positions()
        assert found.positions.tolist() == [[1], [3], [5]] and found.values.tolist() == [9, 7, 3]
        assert caught.value.positions(2).positions.tolist() == [[1], [3]]
        assert caught.value.positions(0).positions.shape == (0, 1)
    bits = np.array([2**64 - 1, 0], np.uint64)
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.arrow.take(pa.array([1]), bits)
    assert caught.value.positions().values.tolist() == [2**64 - 1]
    bits[:] = 0
    assert caught.value.positions().positions.shape == (0, 1)


def test_the_error_of_a_scatter_that_skips_lists_negative_ids():
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.arrow.scatter(pa.array([1]), [7, -1], pa.array([2, 3]), out_of_range="skip", negative="error")
    assert caught.value.positions().positions.tolist() == [[1]]


def test_what_lies_under_a_null_id_does_not_matter():
    ids = pa.Array.from_buffers(pa.int64(), 3, [pa.py_buffer(b"\x05"), pa.py_buffer(np.array([0, 999, 1]).tobytes())])
    assert windrow.arrow.take(pa.array([7, 8]), ids).to_pylist() == [7, None, 8]


def test_the_first_bad_id_is_named_with_threads():
    ids = np.zeros(300_000, np.int32)
    ids[[123_456, 123_457, 299_999]] = 9
    for threads in (1, 4):
        with pytest.raises(windrow.IndexOutOfRange, match=r"ids\[123456\] is 9, .*; 3 of 300000 ids are out of range"):
            windrow.arrow.take(pa.array([1]), ids, threads=threads)


def test_policies_that_do_not_exist():
    with pytest.raises(windrow.ArgumentError, match="out_of_range is 'skip', which a take does not have"):
        windrow.arrow.take(pa.array([1]), [0], out_of_range="skip")
    for policy in ("zero", "null"):
        with pytest.raises(windrow.ArgumentError, match="out_of_range"):
            windrow.arrow.scatter(pa.array([1]), [0], pa.array([2]), out_of_range=policy)


def test_scatter():
    column, values = pa.array([1, 2, 3]), pa.array([10, None, 30])
    assert windrow.arrow.scatter(column, [0, 1, 0], values).to_pylist() == [30, None, 3]
    assert windrow.arrow.scatter(column, [0, None, 7], values, out_of_range="skip").to_pylist() == [10, 2, 3]
    assert windrow.arrow.scatter(column, [0, 5, 2], values, padding_index=5).to_pylist() == [10, 2, 30]
    assert windrow.arrow.scatter(column, [0, 9, -9], values, out_of_range="modulo").to_pylist() == [30, 2, 3]
    assert column.to_pylist() == [1, 2, 3]
    with pytest.raises(windrow.IndexOutOfRange, match=r"arrow\.scatter: ids\[1\] is 3, out of range for column with 3 rows"):
        windrow.arrow.scatter(column, [0, 3, 1], values)
    with pytest.raises(windrow.DuplicateIndex, match=r"ids\[0\] and ids\[2\] both write row 2"):
        windrow.arrow.scatter(column, [2, 0, -1], values, duplicates="error")
    with pytest.raises(windrow.ShapeError, match="there are 2 ids, but 3 rows of values"):
        windrow.arrow.scatter(column, [0, 1], values)
    with pytest.raises(windrow.DTypeError, match="values has the Arrow format 'i', column has 'l'"):
        windrow.arrow.scatter(column, [0], pa.array([1], pa.int32()))
    assert windrow.arrow.scatter(pa.array(["a", "c"]), [0], pa.array(["b"])).to_pylist() == ["b", "c"]
