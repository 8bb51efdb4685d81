"""Tables over ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._base.spec import Spec
from windrow._base.typing import ArrayInput, GatherPolicy, NegativeMeaning, ScatterPolicy
from windrow.distributed._exchange import Exchange
from windrow.distributed._map import ShardMap
from windrow.distributed._turns import Batches, Turns, settled
from windrow.tables import Opening, TableSource, shard_source

if TYPE_CHECKING:
    from concurrent.futures import Future

_By: TypeAlias = Literal["contiguous", "hash"]
_Reduction: TypeAlias = Literal["sum", "add", "prod", "min", "max", "mean"]
_NO_IDS = np.empty(0, np.int64)


class ShardedTable:
    """A table whose rows are distributed over the ranks of an exchange, the shard of each in memory; open(): on disk.

    exchange: an MpiExchange, a TorchExchange or another Exchange.
    shard: this rank's rows, (rows of the rank, *shape of a row); of one type and one shape of a row on all ranks.
    by: "contiguous": rank 0 has the first rows, rank 1 the next ones, and so on, as many as each gives. "hash":
        neighbouring rows are on different ranks; rank r gives the rows ShardMap.hashed(rows, ranks).rows_at(r).
    copy: False: calls that write do so in the memory of `shard`, a row-major NumPy array that may be written.
    remote_cache: the most bytes of memory in which this rank keeps rows of other ranks, at least 65,536, so that ids
        that repeat do not ask for them again. A call that writes forgets them, on all ranks; rows that the program
        changes itself, with copy=False, are not seen by ranks that keep them. Ranks may differ in it. None: no row is
        kept.

    All ranks make it, and call its functions that are collective, in the same order with the same
    options, each with its own ids, of which there may be none. A call raises the same error on every rank, that of the
    lowest rank which has one, with "rank 2: " before its message: windrow.IndexOutOfRange, with the position in that
    rank's ids, windrow.ShapeError, windrow.DTypeError, windrow.ArgumentError, windrow.Unsupported (strings; rows that
    end within a byte), windrow.OutOfMemory. No shard has changed then. Where the exchange itself fails, each rank
    raises what happened there, and windrow.FileError in every further call of this table. Used by one thread at a time.
    """

    def __init__(
        self,
        exchange: Exchange,
        shard: ArrayInput,
        *,
        by: _By = "contiguous",
        copy: bool = True,
        remote_cache: int | None = None,
    ) -> None:
        self._adopt(exchange, _core.ShardedTable(_checked(exchange), shard, by, copy, remote_cache))

    def _adopt(self, exchange: Exchange, table: _core.ShardedTable) -> None:
        self._exchange = exchange
        self._own = table
        self._spec = Spec(table.dtype, table.shape)

    @classmethod
    def open(
        cls,
        exchange: Exchange,
        source: TableSource,
        *,
        by: _By = "contiguous",
        rows: tuple[int, int] | None = None,
        accept_torn: bool = False,
        remote_cache: int | None = None,
        **options: Unpack[Opening],
    ) -> ShardedTable:
        """A table whose shards stay on disk; rows are read when they are taken.

        source: this rank's rows: a path, a windrow.TablePart or a list of these, as for windrow.open_table(). rows: of a
            source that is read only, the first row and the number of rows that are this rank's; None: all.
        options: reads, direct, depth, cache, writable and durability of that function. cache is of this rank's rows.
        remote_cache: as for the class.
        accept_torn: takes shards whose call numbers differ as they are, if all ranks say so.

        With writable=True, calls that write are made as a whole or not at all on each rank, whenever its process ends.
        Their numbers are kept beside the files, in `<first file>.windrow-calls`; if those of the ranks differ when the
        table is opened, a call was made by some ranks only, which is a windrow.FileError that names them. Collective;
        errors as for the class and for windrow.open_table(), the same on all ranks.
        """
        made = cls.__new__(cls)
        describe = partial(shard_source, source, rows, options)
        made._adopt(exchange, _core.ShardedTable.open(_checked(exchange), describe, by, accept_torn, remote_cache))
        return made

    @property
    def exchange(self) -> Exchange:
        """What it was made with, when takes that are under way have ended."""
        return settled(self._exchange)

    @property
    def _table(self) -> _core.ShardedTable:
        """For a call of the caller's thread, which waits for those that are under way."""
        settled(self._exchange)
        return self._own

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole table."""
        return self._spec.shape

    @property
    def dtype(self) -> str:
        """The element type, by name."""
        return self._spec.dtype

    @property
    def map(self) -> ShardMap:
        """Which rank has which rows."""
        return ShardMap(self._own.map)

    @property
    def shard(self) -> npt.NDArray[Any]:
        """This rank's rows as they are now: a read-only array on their memory, which later calls change.

        Raises windrow.Unsupported if they are on disk.
        """
        return self._own.shard()

    @property
    def call_numbers(self) -> list[int | None]:
        """Of each rank the number of the last call that wrote to its shard, 0: none; None: in memory, or no bytes."""
        return self._table.call_numbers

    def __len__(self) -> int:
        return self.shape[0]

    def take(
        self,
        ids: ArrayInput,
        *,
        out_of_range: GatherPolicy | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[Any]:
        """The rows of this rank's ids, wherever they are: what windrow.take(table, ids, 0) gives of the whole table.

        ids: integers of any shape. Options as for windrow.array.take(). Returns a new array of shape
        ids.shape + shape[1:]. A row travels once to each rank that asks for it. Collective; errors as for the class.
        """
        return self._table.take(ids, _options(out_of_range, negative, padding_index), threads)

    def take_async(self, ids: ArrayInput, **options: Any) -> Future[npt.NDArray[Any]]:
        """take() that goes on while the caller computes: result() of what it returns waits for the rows.

        It has its place in the order of calls when it is begun: later calls of any table of the exchange wait for it,
        and the rows are those before a later call that writes. `ids` must not change meanwhile. Where the exchange
        knows no other threads (Exchange.use_threads()), the rows are there when it returns. Options as for take().
        Collective; result() raises what take() raises.
        """
        options, threads = _taking(**options)
        return Turns.of(self._exchange).begin(lambda: self._own.take(ids, options, threads))

    def batches(self, ids: Iterable[ArrayInput], *, ahead: int = 2, **options: Any) -> Iterator[npt.NDArray[Any]]:
        """take() of each element of `ids` in turn; the next `ahead` of them are under way meanwhile.

        Every rank gets as many results as the one with the most ids: a rank whose `ids` have ended gets rows of no
        ids, of shape (0, *shape[1:]). So loops that make other collective calls make them on all ranks. Such a call
        waits for the takes that are under way, which have the rows before it. What the iterator of a rank raises is
        raised there, and as windrow.ArgumentError on the others. Closing the iterator, or an error, waits for the takes
        that are under way and drops them; all ranks leave a loop after the same element, with the same `ahead`.
        Options as for take(). Collective; errors as for take_async().
        """
        if ahead < 1:
            raise ArgumentError(f"ahead is {ahead}, must be at least 1")
        options, threads = _taking(**options)
        own = self._own

        def take(given: ArrayInput = _NO_IDS) -> npt.NDArray[Any]:
            return own.take(given, options, threads)

        loop = Batches(take, own.any, own.fail)
        return loop.run(Turns.of(self._exchange), iter(ids), ahead)

    def plan_take(
        self,
        ids: ArrayInput,
        *,
        out_of_range: GatherPolicy | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
    ) -> _core.TakeRoute:
        """Checks ids and exchanges them, once for any number of calls of take_by().

        Arguments as for take(). Collective; errors as for the class.
        """
        return self._table.plan_take(ids, _options(out_of_range, negative, padding_index))

    def take_by(self, route: _core.TakeRoute, *, threads: int | None = None) -> npt.NDArray[Any]:
        """The rows as they are now of the ids of a route: what take() gives, in two exchanges instead of four or five.

        route: what one call of plan_take() of this table has returned on each rank. Collective; errors as for the class.
        """
        return self._table.take_by(route, threads)

    def embedding_bag(
        self,
        ids: ArrayInput,
        *,
        offsets: ArrayInput | None = None,
        weights: ArrayInput | None = None,
        mode: str = "sum",
        include_last_offset: bool = False,
        accumulate: str | None = None,
        out_of_range: Literal["error", "skip", "clamp", "modulo"] | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[Any]:
        """Rows pooled by this rank's bags of ids: what windrow.embedding_bag() gives of the whole table, bit for bit.

        Arguments as for that function. Returns a new array. A row travels once to each rank that asks for it, and is
        pooled there. Collective; errors as for the class.
        """
        options = _options(out_of_range, negative, padding_index)
        return self._table.embedding_bag(
            ids, offsets, weights, mode, include_last_offset, accumulate or "", options, threads
        )

    def index_add(
        self,
        ids: ArrayInput,
        updates: ArrayInput,
        *,
        out_of_range: ScatterPolicy | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
        threads: int | None = None,
    ) -> None:
        """updates[i] is added to row ids[i], those of rank 0 first, then those of rank 1, and so on, in their order.

        The same bits as windrow.array.index_add() of all of them in one process, for any number of ranks and threads.
        ids: integers of shape (n,). updates: (n, *shape[1:]), of the table's type. Options as for that function.
        Collective; errors as for the class.
        """
        self._table.index_add(ids, updates, _options(out_of_range, negative, padding_index), threads)

    def index_reduce(
        self,
        ids: ArrayInput,
        updates: ArrayInput,
        *,
        reduction: _Reduction = "sum",
        use_init_val: bool = True,
        out_of_range: ScatterPolicy | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Row ids[i] is combined with updates[i], in the order of index_add().

        reduction, use_init_val: as for windrow.array.index_reduce(), whose bits these are. The rest as for
        index_add(). Collective; errors as for the class.
        """
        options = _options(out_of_range, negative, padding_index)
        self._table.index_reduce(ids, updates, reduction, use_init_val, options, threads)

    def assign(
        self,
        ids: ArrayInput,
        rows: ArrayInput,
        *,
        out_of_range: ScatterPolicy | None = None,
        negative: NegativeMeaning | None = None,
        padding_index: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Row ids[i] becomes rows[i]; of equal ids the last one of the highest rank wins.

        Arguments as for index_add(). Collective; errors as for the class.
        """
        self._table.assign(ids, rows, _options(out_of_range, negative, padding_index), threads)

    def statistics(self) -> dict[str, int]:
        """What this rank has exchanged with others since the table was made.

        calls; sent_id_bytes, received_id_bytes: numbers of rows; sent_row_bytes, received_row_bytes: rows and
        updates; rounds: exchanges, each with at most one message to every other rank, two of which may be made at once; messages: those sent;
        remote_rows: the sum over look-ups, but for those along routes, of the different rows of other ranks that each
        had; cached_rows: how many of these `remote_cache` kept.
        """
        return self._table.statistics()

    def __repr__(self) -> str:
        rows = self._own.map.rows_of(self._exchange.rank)
        return (
            f"<windrow.distributed.ShardedTable {self.dtype} {list(self.shape)}: {rows} rows on rank "
            f"{self._exchange.rank} of {self._exchange.ranks}>"
        )


def _checked(exchange: Exchange) -> Exchange:
    if not isinstance(exchange, Exchange):
        raise ArgumentError(f"exchange is a {type(exchange).__name__}, must be a windrow.distributed.Exchange")
    return settled(exchange)


def _options(out_of_range: str | None, negative: str | None, padding_index: int | None) -> dict[str, Any]:
    return {"out_of_range": out_of_range, "negative": negative, "padding_index": padding_index}


def _taking(
    *,
    out_of_range: GatherPolicy | None = None,
    negative: NegativeMeaning | None = None,
    padding_index: int | None = None,
    threads: int | None = None,
) -> tuple[dict[str, Any], int | None]:
    """The options of take(). Raises TypeError for another one."""
    return _options(out_of_range, negative, padding_index), threads
