"""Tables on disk: arrays that stay in their files, of which a look-up reads the rows that it takes.

open_table: a table from one file, or from the rows of several. Guide: docs/guide/tables_on_disk.md.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack, final

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._base.spec import Spec
from windrow._ops.call import compile as compile_plan

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Table", "TableCache", "TablePart", "open_table"]


class Reading(TypedDict, total=False):
    """How ids are read: out_of_range is "error", "skip", "clamp" or "modulo"; the rest as for windrow.call()."""

    out_of_range: str | None
    negative: str | None
    padding_index: int | None
    strict: bool


class Writing(Reading, total=False):
    """Besides, what several updates of one row are: duplicates is "allow" or "error"."""

    duplicates: str


def _given(options: Any, known: type) -> dict[str, Any]:
    """The options, if all are known. Raises TypeError, as for an argument that a function does not have."""
    for name in options:
        if name not in known.__annotations__:
            raise TypeError(f"got an unexpected keyword argument '{name}'")
    return dict(options)


class TableCache:
    """Rows that were read, kept in memory for the tables that were opened with it.

    bytes: the most memory that it uses, at least 65,536. Which rows stay: those that are taken again
    (S3-FIFO). Safe for threads. A forked process reads without it; it can open its own table and cache.
    Raises windrow.ArgumentError, windrow.OutOfMemory.
    """

    def __init__(self, bytes: int) -> None:
        self._cache = _core.DiskCache(bytes)
        self._bytes = bytes

    def statistics(self) -> dict[str, int]:
        """hits, misses: rows that were there and were not; rows, bytes: what is there now."""
        return self._cache.statistics()

    def __repr__(self) -> str:
        return f"<windrow.TableCache of {self._bytes} bytes>"


@dataclass(frozen=True)
class TablePart:
    """A tensor in a file: a whole table, or some of its rows.

    path: .npy, .npz (stored), .safetensors, .onnx, .xml (OpenVINO), .arrow or .feather; any other file
    where dtype and shape are given. name: of the tensor in its file; "": the only one. dtype, shape,
    first_byte: for a file that does not say what is in it; its elements stand row-major from that byte on.
    """

    path: str | os.PathLike[str]
    name: str = ""
    dtype: Any = None
    shape: Sequence[int] = ()
    first_byte: int = 0

    def _fields(self) -> tuple[str, str, str, tuple[int, ...], int]:
        spec = None if self.dtype is None else Spec(self.dtype, self.shape)
        dtype = "" if spec is None else spec.dtype
        shape = tuple(self.shape) if spec is None else spec.shape
        return os.fspath(self.path), self.name, dtype, shape, self.first_byte


# What open_table() opens.
TableSource: TypeAlias = str | os.PathLike[str] | TablePart | Sequence[str | os.PathLike[str] | TablePart]


class Opening(TypedDict, total=False):
    """How a table is read and written: the options of open_table()."""

    reads: str
    direct: bool | None
    depth: int
    cache: TableCache | int | None
    writable: bool
    durability: str


@final
class Table:
    """An array in files; made by open_table().

    len(), shape, dtype as for an array. table[ids] and table.take(ids) read rows into a new NumPy array.
    Any number of threads may read one table. A pickle opens the files again, without the cache. assign() and
    add() write rows, if it was opened with writable=True; others can open the files when it is deleted.
    """

    def __init__(self, parts: Sequence[TablePart], options: dict[str, Any], cache: TableCache | None) -> None:
        self._parts = tuple(parts)
        self._options = options
        self._cache = cache
        fields = [part._fields() for part in parts]
        self._table = _core.DiskTable(fields, cache=None if cache is None else cache._cache, **options)
        self._spec = Spec(self._table.dtype, self._table.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents, those of the parts' first axes added up."""
        return self._spec.shape

    @property
    def dtype(self) -> str:
        """The element type, by name."""
        return self._spec.dtype

    @property
    def spec(self) -> Spec:
        """Type and shape, for windrow.compile()."""
        return self._spec

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<windrow.Table {self.describe()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self._parts, self._options, None)

    def describe(self) -> str:
        """One line: type, shape, files, and how they are read."""
        return self._table.describe()

    @property
    def description(self) -> dict[str, Any]:
        """The same as fields: dtype, shape, files, reads, direct, block, depth."""
        return self._table.description()

    def statistics(self) -> dict[str, int]:
        """Sums since it was opened: rows that were asked for and their row_bytes; cached: how many of these the
        cache had; reads of the files and their read_bytes. read_bytes / row_bytes is the amplification."""
        return self._table.statistics()

    def take(
        self,
        ids: Any,
        *,
        axis: int = 0,
        out: Any = None,
        out_of_range: str | None = None,
        negative: str | None = None,
        padding_index: int | None = None,
        strict: bool = False,
    ) -> Any:
        """Rows by number, as windrow.take() gives them for the array in memory, bit for bit.

        Arguments, result and errors are those of windrow.take(); besides it raises windrow.FileError and
        windrow.FormatError if a file cannot be read or was cut meanwhile.
        """
        return self.call(
            "array",
            "Take",
            ids,
            axis=axis,
            out=out,
            out_of_range=out_of_range,
            negative=negative,
            padding_index=padding_index,
            strict=strict,
        )

    def __getitem__(self, ids: Any) -> Any:
        """table[5], table[[3, 1]], table[10:20], table[ids] for integers of any shape: rows, as NumPy gives them."""
        if isinstance(ids, tuple):
            raise ArgumentError("a table takes rows only: table[[1, 2]] is two rows; take(ids, axis=) has other axes")
        if isinstance(ids, slice):
            ids = range(*ids.indices(len(self)))
        if isinstance(ids, range):
            import numpy as np

            ids = np.arange(ids.start, ids.stop, ids.step)
        return self.take(ids)

    def call(self, dialect: str, name: str, *indices: Any, out: Any = None, **options: Any) -> Any:
        """Runs a gather of any dialect whose data is this table: table.call("onnx", "GatherND", indices).

        indices: the operator's inputs behind its data. options: its attributes and what windrow.call() takes.
        Operators that take elements as they are: Gather, GatherElements, GatherND, Take and their like.
        """
        plan = compile_plan(dialect, name, self._spec, *indices, **options)
        return self.run(plan, *indices, out=out)

    def run(self, plan: _core.Plan, *indices: Any, out: Any = None) -> Any:
        """Runs a plan of windrow.compile() for table.spec and inputs like `indices`."""
        return self._table.run(plan, (None, *indices), out)

    def assign(self, ids: Any, rows: Any, **options: Unpack[Writing]) -> None:
        """Row ids[i] becomes rows[i], in the file; of equal ids the last one wins.

        ids: integers of shape (n,). rows: (n, *table.shape[1:]), of the table's type. Options as for
        windrow.array.put_along_axis(): out_of_range is "error", "skip", "clamp" or "modulo".
        The call is made as a whole or not at all, whenever the process is killed or, with durability "power",
        power is lost; all ids are checked first. Raises windrow.IndexOutOfRange, windrow.DuplicateIndex,
        windrow.ShapeError, windrow.DTypeError, windrow.Unsupported (not writable), windrow.FileError.
        """
        self._table.assign(ids, rows, _given(options, Writing))

    def add(self, ids: Any, rows: Any, **options: Unpack[Writing]) -> None:
        """rows[i] is added to row ids[i], in the file, in their order: the same bits as windrow.array.index_add().

        Arguments and errors as for assign().
        """
        self._table.add(ids, rows, _given(options, Writing))

    def embedding_bag(
        self,
        ids: Any,
        *,
        offsets: Any = None,
        weights: Any = None,
        mode: str = "sum",
        include_last_offset: bool = False,
        accumulate: str | None = None,
        out: Any = None,
        **options: Unpack[Reading],
    ) -> Any:
        """Rows pooled by bags of ids, as windrow.embedding_bag() gives them for the array in memory, bit for bit.

        Arguments, result and errors are those of windrow.embedding_bag(), and all ids and offsets are checked before
        a row is read. Bags are read together up to 64 MiB of rows; one that is longer takes the memory of its
        different rows. Raises besides windrow.FileError and windrow.FormatError.
        """
        return self._table.embedding_bag(
            ids, offsets, weights, out, mode, include_last_offset, accumulate or "", _given(options, Reading)
        )

    def take_async(self, ids: Any, **options: Any) -> Future[Any]:
        """take() in a thread of its own, which reads while the caller computes. `ids` must not change meanwhile."""
        from concurrent.futures import ThreadPoolExecutor

        executor = ThreadPoolExecutor(1, thread_name_prefix="windrow-table")
        try:
            return executor.submit(self.take, ids, **options)
        finally:
            executor.shutdown(wait=False)

    def batches(self, ids: Iterable[Any], *, ahead: int = 2, **options: Any) -> Iterator[Any]:
        """take() of each element of `ids` in turn; the next `ahead` of them are read meanwhile.

        Closing the iterator, or an error, waits for the reads that are under way and drops them.
        """
        if ahead < 1:
            raise ArgumentError(f"ahead is {ahead}, must be at least 1")
        return self._batches(iter(ids), ahead, options)

    def _batches(self, ids: Iterator[Any], ahead: int, options: dict[str, Any]) -> Iterator[Any]:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(ahead, thread_name_prefix="windrow-table") as executor:
            waiting: deque[Future[Any]] = deque()
            try:
                for batch in ids:
                    waiting.append(executor.submit(self.take, batch, **options))
                    if len(waiting) > ahead:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


def open_table(
    source: TableSource,
    *,
    name: str = "",
    dtype: Any = None,
    shape: Sequence[int] = (),
    first_byte: int = 0,
    reads: str = "best",
    direct: bool | None = None,
    depth: int = 128,
    cache: TableCache | int | None = None,
    writable: bool = False,
    durability: str = "power",
) -> Table:
    """Opens an array in a file, or the rows of several files as one, without reading it.

    source: a path, a TablePart, or a list of these, whose rows follow each other. name, dtype, shape,
        first_byte: as for TablePart, for a source that is one path.
    reads: "io_uring", "threads" (that wait for a read each), "read_ahead" (through the page cache, which is told of
        the next reads), or "best": the first of these that works here.
    direct: whether reads go past the page cache; None: where the file system can do so, unless reads is
        "read_ahead". False suits a table that fits into memory.
    depth: reads under way at a time, 1 to 1024.
    cache: a TableCache, or the bytes of a new one, for rows that are taken often.
    writable: whether assign() and add() may write rows. Nobody else may have the files open as a table meanwhile.
    durability: what rows survive when such a call has returned: "power" (a loss of power) or "process" (the end of
        the process), which does not wait for the disk.

    Headers are read and checked, rows are not. Raises windrow.FileError, windrow.FormatError,
    windrow.Unsupported (text, compressed data, Fortran order), windrow.ArgumentError, windrow.ShapeError,
    windrow.DTypeError.
    """
    if isinstance(source, (str, os.PathLike)):
        source = TablePart(source, name, dtype, shape, first_byte)
    elif name or dtype is not None or tuple(shape) or first_byte:
        raise ArgumentError("name, dtype, shape and first_byte are given to each TablePart where there are several")
    options = {"reads": reads, "direct": direct, "depth": depth, "writable": writable, "durability": durability}
    return Table(parts_of(source), options, TableCache(cache) if isinstance(cache, int) else cache)


def parts_of(source: TableSource) -> list[TablePart]:
    """The parts that a source of open_table() names."""
    if isinstance(source, (str, os.PathLike, TablePart)):
        source = [source]
    return [part if isinstance(part, TablePart) else TablePart(part) for part in source]


def shard_source(source: TableSource, rows: tuple[int, int] | None, options: Opening) -> tuple[Any, ...]:
    """What _core.ShardedTable.open() asks for: the fields of the parts, all options, the rows."""
    usual = open_table.__kwdefaults__ or {}
    chosen = {name: usual[name] for name in Opening.__annotations__} | _given(options, Opening)
    cache = chosen["cache"]
    if cache is not None:
        chosen["cache"] = (TableCache(cache) if isinstance(cache, int) else cache)._cache
    return [part._fields() for part in parts_of(source)], chosen, rows
