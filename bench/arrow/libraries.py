"""The libraries: how each of them takes rows, and how this one takes them from that library's columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas
import polars
import pyarrow as pa
import windrow.arrow


@dataclass(frozen=True)
class Pair:
    """One call, by this library and by its peer, on the same objects; same(): whether both give the same."""

    peer: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    same: Callable[[], bool]


def _pyarrow(values: Any, ids: pa.Array, threads: int | None) -> Pair:
    def ours() -> Any:
        return windrow.arrow.take(values, ids, threads=threads)

    def theirs() -> Any:
        return values.take(ids)

    return Pair("pyarrow", ours, theirs, lambda: ours().equals(theirs()))


def _polars(values: Any, ids: pa.Array, threads: int | None) -> Pair:
    column = polars.from_arrow(values, rechunk=False)
    rows = polars.from_arrow(ids).cast(polars.UInt32)  # the type in which Polars counts rows

    def ours() -> Any:
        return windrow.arrow.take(column, rows, threads=threads)

    def theirs() -> Any:
        return column[rows] if isinstance(column, polars.DataFrame) else column.gather(rows)

    return Pair("polars", ours, theirs, lambda: ours().equals(theirs()))


def _pandas(values: Any, ids: pa.Array, threads: int | None) -> Pair:
    rows = ids.to_numpy()
    if isinstance(values, pa.Table):
        column = values.to_pandas(types_mapper=pandas.ArrowDtype)
    else:
        chunks = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
        column = pandas.Series(pandas.arrays.ArrowExtensionArray(chunks))

    def ours() -> Any:
        return windrow.arrow.take(column, rows, threads=threads)

    def theirs() -> Any:
        return column.take(rows)

    return Pair("pandas", ours, theirs, lambda: ours().equals(theirs()))


def pairs(values: Any, ids: pa.Array, threads: int | None) -> list[Pair]:
    """One for each peer that has the call: ids of pandas have no nulls. threads: this library's; None: its default."""
    makers = [_pyarrow, _polars] + ([] if ids.null_count else [_pandas])
    return [make(values, ids, threads) for make in makers]


def versions() -> dict[str, str]:
    return {"pyarrow": pa.__version__, "polars": polars.__version__, "pandas": pandas.__version__}
