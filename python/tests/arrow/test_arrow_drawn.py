"""Drawn columns, looked up beside pyarrow, Polars and pandas.

WINDROW_ARROW_SEED is the seed, 1 unless it is set; WINDROW_ARROW_COLUMNS the number of columns.
"""

import os

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from arrow_columns import Draw, equal, from_front

import windrow
import windrow.arrow

SEED = int(os.environ.get("WINDROW_ARROW_SEED", "1"))
COLUMNS = int(os.environ.get("WINDROW_ARROW_COLUMNS", "2000"))
PARTS = 20


def _forms(draw, ids, kind):
    """The ids in one of the forms that take() has."""
    array = pa.array(ids, kind)
    form = draw.random.integers(5)
    if form == 0:
        cut = int(draw.random.integers(len(ids) + 1))
        return pa.chunked_array([array[:cut], array[cut:]], kind)
    if form == 1:
        return pa.concat_arrays([pa.array([0, None], kind), array, pa.array([1], kind)])[2 : 2 + len(ids)]
    if form == 2:
        return pl.from_arrow(array) if ids else array
    if form == 3 and None not in ids:
        return np.array(ids, kind.to_pandas_dtype())
    if form == 4 and ids:
        return ids
    return array


def _without_views(kind):
    """The type, with strings and binary in place of views, for which pyarrow's take has no kernel."""
    if kind in (pa.string_view(), pa.binary_view()):
        return pa.large_string() if kind == pa.string_view() else pa.large_binary()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_without_views(field.type)) for field in kind])
    return kind


def _is_take(result, column, ids):
    """Whether a result is what pyarrow's take gives."""
    numbers = pa.array(from_front(ids, len(column)) if len(column) else ids, pa.int64())
    if pa.types.is_null(column.type):
        return equal(result, pa.nulls(len(ids)))
    plain = _without_views(column.type)
    if plain == column.type:
        return equal(result, column.take(numbers))
    return result.type == column.type and equal(result.cast(plain), column.cast(plain).take(numbers))


def _any_type(kind, matches):
    """Whether a type, or one inside it, matches."""
    inner = [kind.field(at).type for at in range(kind.num_fields)]
    return matches(kind) or any(_any_type(one, matches) for one in inner)


def _is_list_of_binary(kind):
    return pa.types.is_fixed_size_list(kind) and _any_type(kind, pa.types.is_fixed_size_binary)


def _polars_series(column):
    """The column as a Series, or None if Polars does not have its type or cannot export it again."""
    if column.type.num_fields > 0 and _any_type(column.type, pa.types.is_decimal):
        return None  # Polars aborts the process when decimals inside another type are exported, also to pyarrow
    try:
        return pl.Series("a", pl.from_arrow(column))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError, NotImplementedError):
        return None


def _compare_with_polars(column, ids):
    if not all(isinstance(one, int) for one in ids) or not len(column):
        return
    series = _polars_series(column)
    if series is None:
        return
    if _any_type(column.type, _is_list_of_binary):
        # Polars has no fixed-size binary; it makes binary of it.
        with pytest.raises(windrow.Unsupported, match="is text inside fixed-size lists"):
            windrow.arrow.take(series, ids)
        return
    mine = windrow.arrow.take(series, ids)
    assert mine.equals(series.gather(from_front(ids, len(column))), check_dtypes=True, check_names=True)


def _compare_with_pandas(column, ids, result):
    if None in ids or not len(column):
        return
    series = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array(column) if isinstance(column, pa.Array) else column))
    mine = windrow.arrow.take(series, ids)
    assert mine.index.equals(series.index.take(from_front(ids, len(column))))
    assert equal(pa.chunked_array(mine.array.__arrow_array__()), result)


@pytest.mark.parametrize("part", range(PARTS))
def test_columns(part):
    for number in range(part, COLUMNS, PARTS):
        draw = Draw([SEED, number])
        kind = draw.kind()
        column = draw.column(kind, int(draw.random.integers(200)) if not draw.chance(10) else 0)
        ids, id_kind = draw.ids(len(column))
        where = f"seed {SEED}, column {number}: {kind}, {len(ids)} ids of {id_kind}"
        result = windrow.arrow.take(column, _forms(draw, ids, id_kind))
        assert type(result) is type(column) or isinstance(column, pa.Array), where
        result.validate(full=True)
        assert _is_take(result, column, ids), where
        if number % 4 == 0:
            _compare_with_polars(column, ids)
        if number % 4 == 1 and not pa.types.is_null(kind):
            _compare_with_pandas(column, ids, result)


@pytest.mark.parametrize("number", range(200))
def test_tables(number):
    draw = Draw([SEED, 10**6 + number])
    rows = int(draw.random.integers(100))
    table = pa.table({f"c{at}": draw.column(draw.kind(), rows) for at in range(draw.random.integers(1, 6))})
    ids, id_kind = draw.ids(rows)
    result = windrow.arrow.take(table, pa.array(ids, id_kind))
    assert isinstance(result, pa.Table)
    assert result.schema == table.schema
    for name in table.column_names:
        assert _is_take(result[name], table[name], ids), name


@pytest.mark.parametrize("number", range(50))
def test_dictionaries_are_refused_by_name(number):
    draw = Draw([SEED, 2 * 10**6 + number])
    column = draw.array(pa.string(), 30).dictionary_encode()
    table = pa.table({"first": draw.array(draw.kind(), 30), "codes": column})
    with pytest.raises(windrow.Unsupported, match="column 'codes' of values has the type dictionary"):
        windrow.arrow.take(table, [0])
    nested = pa.StructArray.from_arrays([column], names=["inner"])
    with pytest.raises(windrow.Unsupported, match=r"column 'outer\.inner' of values has the type dictionary"):
        windrow.arrow.take(pa.table({"outer": nested}), [0])


@pytest.mark.parametrize("number", range(300))
def test_scatters(number):
    """A scatter beside assignments to a list."""
    draw = Draw([SEED, 3 * 10**6 + number])
    kind = draw.kind(deep=False)
    if draw.chance(3):
        kind = pa.list_(kind, int(draw.random.integers(1, 4)))
    elif draw.chance(3):
        kind = draw.text_kind()
    elif draw.chance(3):
        kind = pa.struct([pa.field("f", kind), pa.field("g", pa.bool_()), pa.field("t", draw.text_kind())])
    column = draw.column(kind, int(draw.random.integers(1, 100)))
    ids, id_kind = draw.ids(len(column))
    values = draw.column(kind, len(ids))
    expected = column.to_pylist()
    for one, value in zip(ids, values.to_pylist(), strict=True):
        if one is not None:
            expected[one] = value
    result = windrow.arrow.scatter(column, pa.array(ids, id_kind), values)
    result.validate(full=True)
    assert result.type == kind
    assert result.to_pylist() == expected
