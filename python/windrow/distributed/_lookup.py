"""Rows of a table in files, taken by all ranks together, each of which has a part of the table in memory or on disk."""

from __future__ import annotations

import contextlib
import math
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from windrow._base.errors import Error, FileError, IndexOutOfRange
from windrow._base.text import counted, printable
from windrow._ops.rows import take
from windrow.distributed._agreement import together
from windrow.distributed._exchange import Exchange
from windrow.distributed._table import ShardedTable
from windrow.tables import Table, TablePart, open_table


class Request(NamedTuple):
    """tables: the files whose rows make the table, each opened as windrow.TablePart(path, name, dtype, shape) says.

    indices: a file that windrow.open_table() opens, whose one tensor are the ids. out: the .npy file to write.
    on_disk: rows are read when they are taken, instead of all of them before.
    """

    tables: list[str]
    indices: str
    out: str
    name: str = ""
    dtype: str | None = None
    shape: tuple[int, ...] = ()
    on_disk: bool = False

    def parts(self) -> list[TablePart]:
        """The files as parts of a table."""
        return [TablePart(path, self.name, self.dtype, self.shape) for path in self.tables]


class _Part(NamedTuple):
    """What one rank has read.

    shard, ids: its rows, none of them if they stay on disk, and its ids. first: the place of the first of these among
    all. all_rows, all_ids: the numbers of all ranks together. shape: that of the whole result.
    """

    shard: npt.NDArray[Any]
    ids: npt.NDArray[Any]
    first: int
    all_rows: int
    all_ids: int
    shape: tuple[int, ...]


def lookup(exchange: Exchange, request: Request) -> str:
    """Writes the rows of all ids to a file, which appears as a whole or not at all. Returns what was done, as a line.

    Every rank reads the successive rows of the table, and the ids, that are its part by their number. Collective, with
    the same request on all ranks, which must see the same files. Raises the same windrow.Error on all ranks.
    """
    part = together(exchange, lambda: _read(exchange, request))
    _require_same_files(exchange, part)
    with _whole_file(exchange, request.out, part) as written:
        rows = _table_of(exchange, request, part).take(part.ids)
        together(exchange, lambda: _write_rows(written, part.first, rows))
    taken = f"{counted(part.all_ids, 'row')} by {counted(exchange.ranks, 'rank')}"
    return f"wrote {printable(request.out)}: {part.shard.dtype} {list(part.shape)}, {taken}"


def _table_of(exchange: Exchange, request: Request, part: _Part) -> ShardedTable:
    if not request.on_disk:
        return ShardedTable(exchange, part.shard, copy=False)
    begin, end = _span(part.all_rows, exchange)
    return ShardedTable.open(exchange, request.parts(), rows=(begin, end - begin))


def _read(exchange: Exchange, request: Request) -> _Part:
    table = open_table(request.parts())
    all_ids = open_table(request.indices)
    count = math.prod(all_ids.shape)
    begin, end = _span(count, exchange)
    ids = _read_ids(all_ids, begin, end)
    _require_rows(ids, begin, all_ids.shape, len(table), request.indices)
    # One without rows still says which type the result has.
    shard = table.take(np.arange(*((0, 0) if request.on_disk else _span(len(table), exchange))))
    return _Part(shard, ids, begin, len(table), count, (*all_ids.shape, *table.shape[1:]))


def _span(count: int, exchange: Exchange) -> tuple[int, int]:
    """The part of a rank: successive ones, as many as another rank has or one more."""
    return count * exchange.rank // exchange.ranks, count * (exchange.rank + 1) // exchange.ranks


def _read_ids(ids: Table, begin: int, end: int) -> npt.NDArray[Any]:
    """The ids from one to another in row-major order, by the rows of their file that have them."""
    width = math.prod(ids.shape[1:]) or 1
    first = begin // width
    rows: npt.NDArray[Any] = ids.take(np.arange(first, -(-end // width))).reshape(-1)
    return rows[begin - first * width : end - first * width]


def _require_rows(ids: npt.NDArray[Any], begin: int, shape: tuple[int, ...], rows: int, path: str) -> None:
    """Raises for ids that are not rows of the table, with the position in the file instead of the rank's part of it."""
    try:
        # The rules of the operator, on a table of as many rows that have no elements.
        take(np.empty((rows, 0), np.uint8), ids, 0)
    except IndexOutOfRange as error:
        at = [int(place) for place in np.unravel_index(begin + error.position[0], shape)]
        raise Error(
            f"{path!r}: indices{at} is {error.value}, out of range for a table of {counted(rows, 'row')}"
            + (f" (legal: {-rows} to {rows - 1})" if rows else "")
        ) from error


def _require_same_files(exchange: Exchange, part: _Part) -> None:
    own = np.tile(np.array([part.all_rows, part.all_ids], np.int64), (exchange.ranks, 1))
    numbers = exchange.exchange_numbers(own).tolist()
    seen = [f"a table of {counted(rows, 'row')} and {counted(ids, 'id')}" for rows, ids in numbers]
    for rank, what in enumerate(seen):
        if what != seen[0]:
            raise Error(f"rank {rank} sees {what}, rank 0 sees {seen[0]}: all ranks must see the same files")


@contextlib.contextmanager
def _whole_file(exchange: Exchange, out: str, part: _Part) -> Iterator[Path]:
    """A .npy file of the result's type and shape that all ranks write. It becomes `out` if the block ends well."""
    tokens = exchange.exchange_numbers(np.full((exchange.ranks, 1), secrets.randbits(62), np.int64))
    place = Path(f"{out}.{int(tokens[0, 0]):016x}.part")
    try:
        together(exchange, lambda: _on_first(exchange, out, lambda: _begin(place, Path(out), part)))
        yield place
        together(exchange, lambda: _on_first(exchange, out, lambda: os.replace(place, out)))
    finally:
        if exchange.rank == 0:
            with contextlib.suppress(OSError):
                place.unlink()


def _on_first(exchange: Exchange, out: str, work: Callable[[], None]) -> None:
    """Does it on rank 0 alone, since all ranks have one file."""
    if exchange.rank == 0:
        with _naming(out):
            work()


def _begin(place: Path, out: Path, part: _Part) -> None:
    if out.is_dir():
        raise FileError(f"cannot write {str(out)!r}: it is a folder")
    np.lib.format.open_memmap(place, mode="w+", dtype=part.shard.dtype, shape=part.shape)


def _write_rows(place: Path, first: int, rows: npt.NDArray[Any]) -> None:
    """Writes rows, of which the first is that one of the file. Not by the map, by which a full disk ends the process."""
    with _naming(str(place)):
        begin = np.lib.format.open_memmap(place, mode="r").offset
        with open(place, "r+b") as file:
            file.seek(begin + first * (rows.nbytes // max(1, len(rows))))
            file.write(rows.reshape(-1).view(np.uint8).data)


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, Error):
            raise
        raise FileError(f"cannot write {path!r}: {getattr(error, 'strerror', None) or error}") from error
