"""What a module over a table of ranks saves and loads: one rank's shards, or on disk their call numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from windrow._base.errors import ArgumentError, Unsupported
from windrow.distributed import ShardedTable
from windrow.distributed._agreement import together

# Rows of a call that loads them, which needs the memory of these besides the shard.
_ROWS_AT_ONCE = 1 << 20


def require_like(squares: ShardedTable, table: ShardedTable) -> None:
    """Raises windrow.ArgumentError unless each rank has the same rows of both, and the first has float32 or float64."""
    if squares.dtype not in ("float32", "float64"):
        raise ArgumentError(f"squares has the type {squares.dtype}, must have float32 or float64")
    if squares.shape != table.shape or _layout(squares) != _layout(table):
        raise ArgumentError(
            f"squares has the shape {squares.shape} and the rows {_layout(squares)}, must have those of the table: "
            f"{table.shape} and {_layout(table)}"
        )


def zeros_like(table: ShardedTable) -> ShardedTable:
    """A table in memory with the distribution of another one, of its type but float32 at least. Collective."""
    count = table.map.rows_of(table.exchange.rank)
    dtype = np.result_type(table.dtype, np.float32)
    return ShardedTable(table.exchange, np.zeros((count, *table.shape[1:]), dtype), by=_by(table), copy=False)


def saved(table: ShardedTable, squares: ShardedTable | None) -> dict[str, Any]:
    """The state of this rank."""
    return {
        "rank": table.exchange.rank,
        "layout": _layout(table),
        "table": _shard_state(table),
        "squares": None if squares is None else _shard_state(squares),
    }


def loaded(table: ShardedTable, squares: ShardedTable | None, state: dict[str, Any]) -> ShardedTable | None:
    """Gives the tables the rows of what this rank has saved; returns `squares`, which is made if it is saved and None.

    Collective. Raises windrow.Error, the same on all ranks, if the state does not fit; no row has changed then.
    """
    exchange = table.exchange
    together(exchange, lambda: _require_layout(table, state))
    has_squares = int(state["squares"] is not None)
    if (exchange.exchange_numbers(np.full((exchange.ranks, 1), has_squares, np.int64)) != has_squares).any():
        raise ArgumentError("some ranks load sums of squares and others none: these states were not saved together")
    if has_squares and squares is None:
        squares = zeros_like(table)
    pairs = [(table, state["table"])]
    if squares is not None:
        pairs.append((squares, state["squares"] or _zeros(squares)))
    together(exchange, lambda: _require_shards(pairs))
    for pair in pairs:
        _load(*pair)
    return squares


def _by(table: ShardedTable) -> Any:
    return table.map.by


def _layout(table: ShardedTable) -> str:
    """Which rank has which rows, in words."""
    own = table.map
    return f"{own.by}: {', '.join(str(own.rows_of(rank)) for rank in range(own.ranks))}"


def _shard_state(table: ShardedTable) -> dict[str, Any]:
    """rows: None if they are on disk. call: the number of the last call that wrote there; None in memory."""
    own = _shard_in_memory(table)
    rows = None if own is None else torch.from_numpy(own.copy())
    return {"rows": rows, "call": table.call_numbers[table.exchange.rank]}


def _shard_in_memory(table: ShardedTable) -> npt.NDArray[Any] | None:
    try:
        return table.shard
    except Unsupported:
        return None


def _zeros(table: ShardedTable) -> dict[str, Any]:
    """The state of sums of squares before the first step."""
    own = _shard_in_memory(table)
    return {"rows": None if own is None else torch.from_numpy(np.zeros_like(own)), "call": 0}


def _require_layout(table: ShardedTable, state: dict[str, Any]) -> None:
    own = (table.exchange.rank, _layout(table))
    if (state["rank"], state["layout"]) != own:
        raise ArgumentError(
            f"the state is of rank {state['rank']} ({state['layout']}), this is rank {own[0]} ({own[1]})"
        )


def _require_shards(pairs: list[tuple[ShardedTable, dict[str, Any]]]) -> None:
    for table, state in pairs:
        _require_shard(table, state)


def _require_shard(table: ShardedTable, state: dict[str, Any]) -> None:
    """Raises windrow.ArgumentError unless the state fits to the shard: its rows, or the number of its last call."""
    own = _shard_in_memory(table)
    rows, number = state["rows"], table.call_numbers[table.exchange.rank]
    if (own is None) != (rows is None):
        raise ArgumentError("one of the state and the shard is on disk, the other in memory")
    if own is None or rows is None:
        if state["call"] != number:
            raise ArgumentError(
                f"the state was saved after call {state['call']}, the shard on disk is at call {number}: put back the "
                "copy of the files that belongs to the state"
            )
    elif (tuple(rows.shape), rows.numpy().dtype) != (own.shape, own.dtype):
        raise ArgumentError(
            f"the state has rows {rows.dtype} {list(rows.shape)}, the shard {own.dtype} {list(own.shape)}"
        )


def _load(table: ShardedTable, state: dict[str, Any]) -> None:
    """Assigns the rows of shards in memory. Collective."""
    if None not in table.call_numbers:
        return  # All shards are on disk, where a call without rows would have a number, too.
    exchange, rows = table.exchange, state["rows"]
    ids = np.empty(0, np.int64) if rows is None else table.map.rows_at(exchange.rank)
    values = np.empty((0, *table.shape[1:]), table.dtype) if rows is None else rows.numpy()
    most = max(table.map.rows_of(rank) for rank in range(exchange.ranks))
    for begin in range(0, most, _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        table.assign(ids[part], values[part])
