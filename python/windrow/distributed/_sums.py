"""Sums of updates by rows: each sum on the rank that has its row, where an optimiser needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow.distributed._exchange import Exchange, parts_of
from windrow.distributed._table import ShardedTable

_Numbers: TypeAlias = npt.NDArray[np.int64]


def sum_updates(
    table: ShardedTable, calls: Sequence[tuple[_Numbers, npt.NDArray[Any]]], dtype: npt.DTypeLike
) -> tuple[_Numbers, npt.NDArray[Any]]:
    """The rows of this rank that the ids of any rank name, ascending, and for each the sum of its updates.

    table: says which rank has which rows, and what shape a row has; its rows are not read.
    calls: pairs of ids, int64 of shape (n,) that are rows of the table, from 0 on, and updates, (n, *shape of a row),
        of the type `dtype`, in which they are summed. Every rank gives the same number of pairs, of which any may have no ids.

    A row's updates are added to 0 one by one: those of the first pair of rank 0, then of the first pair of rank 1, and
    so on, then those of the second pairs. So the bits are those of one process for any number of ranks. The memory is
    that of the updates and of the sums. Collective; errors as for ShardedTable.
    """
    exchange = table.exchange
    distinct = np.unique(np.concatenate([np.empty(0, np.int64), *(ids for ids, _ in calls)]))
    owners = table.map.ranks_of(distinct)
    order = np.argsort(owners, kind="stable")
    wanted = np.bincount(owners, minlength=exchange.ranks).tolist()
    asked = _swap(exchange, parts_of(distinct[order], tuple(wanted)))
    rows = np.unique(np.concatenate(asked))
    # Each rank learns at which place of its owner's sums a row stands, then the place among the sums of all ranks.
    places = np.empty_like(distinct)
    places[order] = np.concatenate(_swap(exchange, [np.searchsorted(rows, part) for part in asked]))
    counts = exchange.exchange_numbers(np.full((exchange.ranks, 1), len(rows), np.int64))[:, 0]
    places += (np.cumsum(counts) - counts)[owners]
    memory = np.zeros((len(rows), *table.shape[1:]), dtype)
    sums = ShardedTable(exchange, memory, copy=False)
    for ids, updates in calls:
        sums.index_add(places[np.searchsorted(distinct, ids)], updates)
    return rows, memory


def _swap(exchange: Exchange, parts: list[_Numbers]) -> list[_Numbers]:
    """Sends parts[r] to rank r. Returns what each rank has sent to this one."""
    lengths = [len(part) for part in parts]
    got = exchange.exchange_numbers(np.array(lengths, np.int64).reshape(-1, 1))[:, 0].tolist()
    own = exchange.rank
    others = [part for rank, part in enumerate(parts) if rank != own]
    to = np.ascontiguousarray(np.concatenate([np.empty(0, np.int64), *others]), np.int64).view(np.uint8)
    sends, receives = ([8 * (rank != own) * count for rank, count in enumerate(of)] for of in (lengths, got))
    came = exchange.exchange_bytes(to, tuple(sends), tuple(receives))
    all_parts = [part.view(np.int64) for part in parts_of(came, tuple(receives))]
    all_parts[own] = parts[own].astype(np.int64, copy=False)
    return all_parts
