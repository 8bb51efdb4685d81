"""Look-ups on Arrow columns, of any library that has Arrow's PyCapsule interface.

take: rows of a column or a table by their numbers. scatter: a column with some rows replaced.

Neither needs pyarrow: columns come in and results go out through Arrow's C data interface. A result is of
the library that the input came from. Rules: docs/guide/arrow.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.errors import ArgumentError, DTypeError, IndexOutOfRange, needed_by

__all__ = ["Columns", "scatter", "take"]


class Columns:
    """A result for inputs of no library that this module knows: a column or a table.

    It has the PyCapsule interface, by which pyarrow.table(), polars.DataFrame(), duckdb and others read it.
    """

    def __init__(self, output: _core.ArrowOutput) -> None:
        self._output = output

    def __len__(self) -> int:
        return len(self._output)

    def __repr__(self) -> str:
        return f"<windrow.arrow.Columns: {'table' if self._output.is_table else 'column'} of {len(self)} rows>"

    def __arrow_c_schema__(self) -> object:
        """A capsule with the ArrowSchema."""
        return self._output.schema()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Capsules with the ArrowSchema and the ArrowArray. Another schema than its own is not made."""
        return self._output.schema(), self._output.array()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule with an ArrowArrayStream of one array. Another schema than its own is not made."""
        return self._output.stream()


def take(
    array_or_table: Any,
    ids: Any,
    *,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    threads: int | None = None,
) -> Any:
    """Rows of a column or of a table: row i of the result is row ids[i], null where the id is null.

    array_or_table: an Array, ChunkedArray, RecordBatch or Table of pyarrow; a Series or DataFrame of Polars, or
        of pandas with Arrow types; anything else with `__arrow_c_array__` or `__arrow_c_stream__`.
    ids: integers of any width, of any of these libraries, NumPy or a list, in which None is a null id.
    out_of_range: "error" (None), "null", "zero" (0, false, an empty string), "clamp" or "modulo".
    negative: an id below 0 counts from the end ("from_end"), is out of range ("out_of_range") or is an
        error ("error"); None: from the end, except that "clamp" makes it 0, as for windrow.take().
    padding_index: an id that equals it gives zero, whatever the other options say.
    threads: as for windrow.call().

    Returns what came in: an Array for an Array, and so on, a ChunkedArray or Table in one chunk. A pandas
    result has the index labels of its rows. For other objects a windrow.arrow.Columns. Raises
    windrow.IndexOutOfRange, windrow.DTypeError, windrow.ArgumentError, windrow.Unsupported (a type without
    rows of fixed width that is no text).
    """
    options = {"negative": negative, "padding_index": padding_index}
    is_null = out_of_range == "null"
    if not is_null:
        options["out_of_range"] = out_of_range
    numbers, validity = _read_ids(ids)

    def rows(values: Any) -> _core.ArrowOutput:
        # Without a local for what was read, so that the traceback of an error does not keep the producer's arrays.
        return _core.arrow_take(
            _core.arrow_read(_exported(values, "values"), "values"), numbers, validity, options, is_null, threads
        )

    def labels(index: Any) -> Any:
        # Such ids are row numbers to pandas as well, which checks them too.
        has_options = out_of_range is not None or negative is not None or padding_index is not None
        if isinstance(numbers, np.ndarray) and validity is None and not has_options:
            return index.take(numbers)
        rows = _core.arrow_row_numbers(len(index), numbers, validity, options, is_null, threads)
        return _labels(index, sys.modules["pyarrow"].array(Columns(rows)).to_numpy())

    with _listing_bad_ids(numbers, validity, options, is_null):
        if _library_of(array_or_table) != "pandas":
            return _like(array_or_table, rows(array_or_table))
        return _take_of_pandas(array_or_table, rows, labels)


def scatter(
    column: Any,
    ids: Any,
    values: Any,
    *,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    duplicates: str | None = None,
    threads: int | None = None,
) -> Any:
    """A copy of a column in which row ids[i] is row i of `values`; of several for one row the last one wins.

    column: of the same libraries and types as for take().
    ids: as for take(); a null id has no effect.
    values: as many rows as there are ids, of the type of `column`; a null makes a null. Not a Series or DataFrame
        of pandas.
    out_of_range: "error" (None), "skip", "clamp" or "modulo". negative: as for take().
    padding_index: an id that equals it has no effect.
    duplicates: "allow" (None), or "error": no row may be written twice.
    threads: as for windrow.call().

    Returns a new column of the library that `column` came from. Raises windrow.IndexOutOfRange,
    windrow.DuplicateIndex, windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError,
    windrow.Unsupported.
    """
    options = {
        "out_of_range": out_of_range,
        "negative": negative,
        "padding_index": padding_index,
        "duplicates": duplicates,
    }
    numbers, validity = _read_ids(ids)
    if _library_of(values) == "pandas" and hasattr(values, "index"):
        raise ArgumentError(
            f"values is a {type(values).__name__} of pandas, whose labels a scatter by row numbers would ignore; "
            "give its rows alone: values.array for a Series, pyarrow.Table.from_pandas(values, preserve_index=False) "
            "for a DataFrame"
        )

    def scattered(old: Any) -> _core.ArrowOutput:
        return _core.arrow_scatter(
            _core.arrow_read(_exported(old, "column"), "column"),
            numbers,
            validity,
            _core.arrow_read(_exported(values, "values"), "values"),
            options,
            threads,
        )

    # What skips ids out of range refuses those that a take with nulls in their place refuses.
    skips = out_of_range == "skip"
    with _listing_bad_ids(numbers, validity, {**options, "out_of_range": None if skips else out_of_range}, skips):
        if _library_of(column) != "pandas":
            return _like(column, scattered(column))
        return _scatter_of_pandas(column, scattered)


@contextmanager
def _listing_bad_ids(numbers: Any, validity: Any, options: dict[str, Any], is_null: bool) -> Iterator[None]:
    """Has an error about ids list them all, by another look at the ids of a take with these options."""
    try:
        yield
    except IndexOutOfRange as error:
        extent = error.extent
        error._keep_ids(
            lambda limit: _core.arrow_row_numbers(extent, numbers, validity, options, is_null, 1, limit)
        )
        raise


def _library_of(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _exported(value: Any, role: str) -> Any:
    """What the PyCapsule interface of an object returns: a pair of capsules, or a stream's."""
    if _library_of(value) == "pandas" and not hasattr(value, "index"):
        value = _arrow_column(value, role)  # the array of a Series
    if hasattr(value, "__arrow_c_array__"):
        return value.__arrow_c_array__()
    if hasattr(value, "__arrow_c_stream__"):
        return value.__arrow_c_stream__()
    raise ArgumentError(
        f"{role} must have __arrow_c_array__ or __arrow_c_stream__, is a {type(value).__name__}"
    )


def _read_ids(ids: Any) -> tuple[Any, Any]:
    """Ids as _core takes them: an ArrowInput and None, or an array and the bitmap of a list with nulls."""
    if hasattr(ids, "__arrow_c_array__") or hasattr(ids, "__arrow_c_stream__"):
        return _core.arrow_read(_exported(ids, "ids"), "ids"), None
    if isinstance(ids, (list, tuple)) and None in ids:
        valid = np.array([i is not None for i in ids], np.bool_)
        numbers = np.asarray([0 if i is None else i for i in ids])
        return numbers, np.packbits(valid, bitorder="little")
    return ids, None


def _like(original: Any, output: _core.ArrowOutput) -> Any:
    """A result as an object of the library that `original` came from."""
    columns = Columns(output)
    library = _library_of(original)
    if library == "pyarrow":
        return _like_pyarrow(original, columns)
    if library == "polars":
        polars = sys.modules["polars"]
        if isinstance(original, polars.Series):
            return polars.Series(original.name, columns)
        if isinstance(original, polars.DataFrame):
            return polars.DataFrame(columns)
    return columns


def _like_pyarrow(original: Any, columns: Columns) -> Any:
    pyarrow = sys.modules["pyarrow"]
    if isinstance(original, pyarrow.Table):
        return pyarrow.table(columns)
    if isinstance(original, pyarrow.RecordBatch):
        return pyarrow.record_batch(columns)
    if isinstance(original, pyarrow.ChunkedArray):
        return pyarrow.chunked_array(columns)
    if isinstance(original, pyarrow.RecordBatchReader):
        return pyarrow.RecordBatchReader.from_stream(columns)
    if isinstance(original, pyarrow.Array):
        return pyarrow.array(columns)
    return columns


def _arrow_column(array: Any, what: str) -> Any:
    """The pyarrow array in an array of pandas, without a copy."""
    if not hasattr(type(array), "__arrow_array__") or not hasattr(array.dtype, "__from_arrow__"):
        raise DTypeError(
            f"{what} has the type {array.dtype} of pandas, which is no Arrow type; "
            "convert_dtypes(dtype_backend='pyarrow') makes one"
        )
    return array.__arrow_array__()


def _take_of_pandas(values: Any, rows: Callable[[Any], _core.ArrowOutput], labels: Callable[[Any], Any]) -> Any:
    """The result of take() for pandas. rows(table) takes from an Arrow table, labels(index) from an index."""
    table = _table_of_pandas(values, "values")
    # First the columns: their errors name them.
    taken = Columns(rows(table)) if table.num_columns else None
    return _like_pandas(values, taken, labels(values.index))


def _scatter_of_pandas(column: Any, scattered: Callable[[Any], _core.ArrowOutput]) -> Any:
    """The result of scatter() for pandas, with the labels of the column. scattered(column) has those of Arrow."""
    table = _table_of_pandas(column, "column")
    if not hasattr(column, "columns"):
        rows = sys.modules["pyarrow"].chunked_array(Columns(scattered(table.column(0))))
        return _like_pandas(column, sys.modules["pyarrow"].table([rows], table.column_names), column.index)
    return _like_pandas(column, Columns(scattered(table)), column.index)


def _table_of_pandas(values: Any, role: str) -> Any:
    """The Arrow table in a Series or DataFrame of pandas, without a copy."""
    pandas = sys.modules["pandas"]
    if not isinstance(values, (pandas.Series, pandas.DataFrame)):
        raise ArgumentError(f"{role} must be a Series or a DataFrame of pandas, is a {type(values).__name__}")
    series = [values] if isinstance(values, pandas.Series) else [column for _, column in values.items()]
    names = [str(one.name) for one in series]
    arrays = [
        _arrow_column(one.array, f"column '{name}' of {role}") for one, name in zip(series, names, strict=True)
    ]
    with needed_by("a result for pandas", "pyarrow"):
        pyarrow = import_module("pyarrow")
    return pyarrow.table(arrays, names)


def _like_pandas(original: Any, table: Any, index: Any) -> Any:
    """A Series or DataFrame like the original one, with the columns of an Arrow table, if there are any."""
    pandas = sys.modules["pandas"]
    if table is None:
        return pandas.DataFrame(index=index, columns=original.columns)
    table = sys.modules["pyarrow"].table(table)
    is_series = isinstance(original, pandas.Series)
    series = [original] if is_series else [column for _, column in original.items()]
    columns = [
        pandas.Series(one.dtype.__from_arrow__(table.column(at)), index, name=one.name, copy=False)
        for at, one in enumerate(series)
    ]
    if is_series:
        return columns[0]
    frame = pandas.concat(columns, axis=1)
    frame.columns = original.columns
    return frame


def _labels(index: Any, rows: Any) -> Any:
    """The labels of rows of an index; missing ones for -1."""
    pandas = sys.modules["pandas"]
    if not (rows < 0).any():
        return index.take(rows)
    if isinstance(index, pandas.MultiIndex):
        return index.take(rows, allow_fill=True, fill_value=np.nan)
    labels = index.to_numpy() if isinstance(index.dtype, np.dtype) else index.array
    return pandas.Index(pandas.api.extensions.take(labels, rows, allow_fill=True), name=index.name)
