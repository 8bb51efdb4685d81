"""What comes in goes out: objects of pyarrow, Polars, pandas, DuckDB, and of others with the protocol."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import windrow
import windrow.arrow

IDS = [2, 0, None, -1]


def test_pyarrow():
    array = pa.array(["a", "b", None])
    taken = [None, "a", None, None]
    assert windrow.arrow.take(array, IDS).equals(pa.array(taken, pa.string()))
    chunked = windrow.arrow.take(pa.chunked_array([array[:1], array[1:]]), IDS)
    assert isinstance(chunked, pa.ChunkedArray) and chunked.to_pylist() == taken
    table = pa.table({"x": array, "y": [1, 2, 3]}).replace_schema_metadata({"made": "here"})
    for given in (table, table.to_batches()[0]):
        result = windrow.arrow.take(given, IDS)
        assert type(result) is type(given)
        assert result.schema.metadata == {b"made": b"here"}
        assert result.to_pydict() == {"x": taken, "y": [3, 1, None, 3]}
    reader = windrow.arrow.take(table.to_reader(), [1])
    assert isinstance(reader, pa.RecordBatchReader) and reader.read_all().to_pydict() == {"x": ["b"], "y": [2]}


def test_extension_types_stay():
    array = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16, b"1" * 16], pa.binary(16)))
    result = windrow.arrow.take(array, [1, None])
    assert result.type == pa.uuid() and result.storage.to_pylist() == [b"1" * 16, None]


def test_a_field_that_is_not_nullable_becomes_so_with_nulls():
    table = pa.table([pa.array([1, 2])], schema=pa.schema([pa.field("a", pa.int64(), nullable=False)]))
    assert not windrow.arrow.take(table, [1]).schema.field("a").nullable
    assert windrow.arrow.take(table, [None]).schema.field("a").nullable


def test_a_struct_is_null_where_the_id_is():
    array = pa.array([{"a": 1}, {"a": 2}])
    assert windrow.arrow.take(array, [1, None]).to_pylist() == [{"a": 2}, None]


def test_polars():
    series = pl.Series("s", ["short", "a text that is longer than twelve", None])
    assert windrow.arrow.take(series, IDS).equals(series.gather([2, 0, None, 2]), check_names=True)
    frame = pl.DataFrame({"s": series, "d": pl.Series([1, 2, 3], dtype=pl.Decimal(9, 2)), "b": [True, None, False]})
    assert windrow.arrow.take(frame, pl.Series([2, 0], dtype=pl.UInt32)).equals(frame[[2, 0]])
    with pytest.raises(windrow.Unsupported, match="column 'c' of values has the type dictionary"):
        windrow.arrow.take(pl.DataFrame({"c": pl.Series(["x"], dtype=pl.Categorical)}), [0])


def test_pandas():
    frame = pd.DataFrame({"n": [1, 2, 3], "t": ["a", None, "c"]}, index=["x", "y", "z"])
    frame = frame.convert_dtypes(dtype_backend="pyarrow")
    pd.testing.assert_frame_equal(windrow.arrow.take(frame, [2, 0, 2]), frame.take([2, 0, 2]))
    pd.testing.assert_series_equal(windrow.arrow.take(frame["t"], [1, -1]), frame["t"].take([1, -1]))
    missing = windrow.arrow.take(frame["n"], [0, None])
    assert missing.index[0] == "x" and pd.isna(missing.index[1]) and missing.isna().tolist() == [False, True]
    padded = windrow.arrow.take(frame["n"], [2, 7], padding_index=7)
    assert padded.index[0] == "z" and pd.isna(padded.index[1]) and padded.tolist() == [3, 0]
    with pytest.raises(windrow.IndexOutOfRange, match=r"ids\[0\] is 3, out of range for values \(columns 'n', 't'\)"):
        windrow.arrow.take(frame, [3])
    assert windrow.arrow.take(frame[[]], [-1]).index.tolist() == ["z"]
    numbered = frame.reset_index(drop=True)
    pd.testing.assert_frame_equal(windrow.arrow.take(numbered, [2, 0]), numbered.take([2, 0]))


def test_scatter_into_pandas():
    frame = pd.DataFrame({"n": [1, 2, 3], "t": ["a", None, "c"]}, index=["x", "y", "z"])
    frame = frame.convert_dtypes(dtype_backend="pyarrow")
    numbers = windrow.arrow.scatter(frame["n"], [2, 0], pa.array([30, None]))
    expected = pd.Series([None, 2, 30], frame.index, frame["n"].dtype, "n")
    pd.testing.assert_series_equal(numbers, expected)
    assert frame["n"].tolist() == [1, 2, 3]
    text = windrow.arrow.scatter(frame["t"], [1], frame["t"].array[:1])
    pd.testing.assert_series_equal(text, pd.Series(["a", "a", "c"], frame.index, frame["t"].dtype, "t"))
    both = pa.Table.from_pandas(frame[:1], preserve_index=False)
    pd.testing.assert_frame_equal(windrow.arrow.scatter(frame, [2], both), frame.take([0, 1, 0]).set_axis(frame.index))
    with pytest.raises(windrow.ArgumentError, match=r"values is a Series of pandas, whose labels .*: values\.array for"):
        windrow.arrow.scatter(frame["n"], [0], frame["n"][:1])
    with pytest.raises(windrow.DTypeError, match="column 'n' of column has the type int64 of pandas"):
        windrow.arrow.scatter(pd.Series([1], name="n"), [0], pa.array([2]))


def test_scatter_into_polars_text():
    series = pl.Series("s", ["short", "a text that is longer than twelve", None])
    values = pl.Series(["another one of more than twelve", None])
    result = windrow.arrow.scatter(series, [2, 0], values)
    assert result.name == "s" and result.to_list() == [None, series[1], values[0]]
    frame = pl.DataFrame({"s": series, "n": [1, 2, 3]})
    result = windrow.arrow.scatter(frame, [1], pl.DataFrame({"s": ["new"], "n": [9]}))
    assert result.rows() == [("short", 1), ("new", 9), (None, 3)]
    with pytest.raises(windrow.Unsupported, match="column 'c' of column has the type dictionary"):
        windrow.arrow.scatter(pl.DataFrame({"c": pl.Series(["x"], dtype=pl.Categorical)}), [], pl.DataFrame({"c": []}))


def test_columns_of_pandas_without_arrow_types():
    frame = pd.DataFrame({"n": np.arange(3)})
    with pytest.raises(windrow.DTypeError, match="column 'n' of values has the type int64 of pandas"):
        windrow.arrow.take(frame, [0])


def test_duckdb():
    relation = duckdb.sql("select range as n, 'row ' || range as t from range(5000)")
    result = windrow.arrow.take(relation, [4999, 3])
    assert isinstance(result, windrow.arrow.Columns) and len(result) == 2
    assert pa.table(result).to_pydict() == {"n": [4999, 3], "t": ["row 4999", "row 3"]}


class Exporter:
    """Another library's column, which has no more than the protocol."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


def test_other_objects():
    result = windrow.arrow.take(Exporter(pa.array([1, 2, 3])), Exporter(pa.array([2, 0], pa.uint8())))
    assert repr(result) == "<windrow.arrow.Columns: column of 2 rows>"
    assert pa.array(result).to_pylist() == [3, 1]
    assert pl.Series(result).to_list() == [3, 1]
    again = windrow.arrow.take(result, [1])
    assert pa.array(again).to_pylist() == [1]
    assert pa.field(result).type == pa.int64()


@pytest.mark.parametrize(
    ("ids", "error"),
    [
        (pa.array([1.0]), windrow.DTypeError),
        (pa.array(["1"]), windrow.DTypeError),
        (pa.array([True]), windrow.DTypeError),
        (np.array([1.0]), windrow.DTypeError),
        (np.array([[0]]), windrow.ShapeError),
        (pa.table({"i": [0]}), windrow.DTypeError),
    ],
)
def test_ids_of_other_types(ids, error):
    with pytest.raises(error, match="ids"):
        windrow.arrow.take(pa.array([1, 2]), ids)


def test_values_of_other_types():
    with pytest.raises(windrow.ArgumentError, match="values must have __arrow_c_array__ or __arrow_c_stream__, is a list"):
        windrow.arrow.take([1, 2], [0])
