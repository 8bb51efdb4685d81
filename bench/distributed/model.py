"""Formulas for the messages, bytes, memory and time of one collective take, without any id drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from distributed.drawn_ids import Floats, Integers
from distributed.setting import ANNOUNCED_BYTES, Network, Setting

# The names of a take's rounds, each an exchange, in their order.
ROUNDS = ("announce", "agree", "ids", "rows", "end")

# Rows are counted one by one up to this number, and beyond it in runs that grow by this factor: within a run all rows
# are taken to be as frequent as each other.
_SINGLE_ROWS = 4096
_GROWTH = 1.002


@dataclass(frozen=True)
class Traffic:
    """What travels in a take: rows[r, o] are those that rank r asks rank o for, messages[r, o] the chance that it asks
    for any. Both are 0 where r is o. own_rows: by rank, those of its own shard, which do not travel. is_small: whether
    ranks need not agree that they have memory.
    """

    rows: Floats
    messages: Floats
    own_rows: Floats
    is_small: bool

    def row_messages(self) -> float:
        """Messages of all ranks in the rounds of ids and of rows: as many in one as in the other."""
        return 2 * float(self.messages.sum())

    def all_messages(self) -> float:
        """Messages of all ranks in all rounds, where numbers are exchanged directly."""
        ranks = len(self.rows)
        return (2 if self.is_small else 3) * ranks * (ranks - 1) + self.row_messages()


def traffic_of(setting: Setting, rows: Floats, messages: Floats, own_rows: Floats) -> Traffic:
    """rows and messages: both become 0, in place, where r is o."""
    for matrix in (rows, messages):
        np.fill_diagonal(matrix, 0)
    return Traffic(rows, messages, own_rows, bool(rows.max() <= setting.small_rows))


def expected_traffic(setting: Setting) -> Traffic:
    """The expectation of what travels, over all ids that may be drawn."""
    edges, distinct = _by_runs(setting)
    if setting.by == "hash":
        return _spread_traffic(setting, edges, distinct)
    ends, starts = setting.ends, np.concatenate([[0], setting.ends[:-1]])
    limits = np.clip(setting.kept_below[:, np.newaxis], starts, ends)

    def distinct_below(rows: Integers) -> Floats:
        return distinct[np.searchsorted(edges, rows)]

    mass = setting.skew.below(ends) - setting.skew.below(limits)
    with np.errstate(divide="ignore"):
        asks = -np.expm1(setting.ids * np.log1p(-np.minimum(mass, 1)))
    rows = distinct_below(ends) - distinct_below(limits)
    return traffic_of(setting, rows, asks, distinct_below(ends) - distinct_below(starts))


def _by_runs(setting: Setting) -> tuple[Floats, Floats]:
    """Rows that begin a run or end the last one, and how many different rows below each of these a rank is expected to
    have. Each rank's first row and the row below which it keeps others are among them.
    """
    steps = max(math.log(max(setting.rows / _SINGLE_ROWS, 1)) / math.log(_GROWTH), 1)
    grown = np.geomspace(_SINGLE_ROWS, max(setting.rows, _SINGLE_ROWS), int(steps) + 1).round()
    edges = np.unique(np.concatenate([np.arange(_SINGLE_ROWS), grown, setting.ends, setting.kept_below]))
    edges = edges[edges <= setting.rows].astype(np.float64)
    run_rows = np.diff(edges)
    each = np.diff(setting.skew.below(edges)) / run_rows
    with np.errstate(divide="ignore"):
        asked_for = -np.expm1(setting.ids * np.log1p(-np.minimum(each, 1)))
    return edges, np.concatenate([[0], np.cumsum(asked_for * run_rows)])


def _spread_traffic(setting: Setting, edges: Floats, distinct: Floats) -> Traffic:
    """By hash a row is as likely on any rank, so the rows that a rank asks for fall on owners at random."""
    ranks, run_rows = setting.ranks, np.diff(edges)
    limit = setting.kept_below[0]
    asked_for = np.where(edges[:-1] >= limit, np.diff(distinct) / run_rows, 0)
    rows = np.full((ranks, ranks), (distinct[-1] - distinct[np.searchsorted(edges, limit)]) / ranks)
    none = np.exp(np.sum(run_rows * np.log1p(-np.minimum(asked_for, 1 - 1e-15) / ranks)))
    asks = np.full((ranks, ranks), 1 - none)
    return traffic_of(setting, rows, asks, np.full(ranks, distinct[-1] / ranks))


def buffer_bytes(setting: Setting, traffic: Traffic) -> Floats:
    """By rank, the most memory that a take holds at once besides shards, as the code allocates it.

    A place of 8 bytes for each id and its row in the result; an id and a row for each different row that it has, its
    own ones included, and for each that others ask it for. No rows of other ranks are kept.
    """
    each = setting.id_bytes + setting.row_bytes
    asks, asked = traffic.rows.sum(axis=1) + traffic.own_rows, traffic.rows.sum(axis=0)
    return setting.ids * (8 + setting.row_bytes) + (asks + asked) * each


def expected_times(setting: Setting, network: Network, traffic: Traffic) -> dict[str, float]:
    """Seconds of each round, and of the work between them, if each round began on all ranks at once.

    A round takes the latency and then as long as its busiest rank sends or receives. "total" is the sum. An engine that
    makes the end while rows travel is faster by a latency.
    """
    numbers = _numbers_time(setting.ranks, network)
    asked, asks = traffic.rows.sum(axis=0), traffic.rows.sum(axis=1)
    gathered = (asked + traffic.own_rows) * setting.row_bytes / network.memory
    expanded = setting.ids * setting.row_bytes / network.memory
    times = {"announce": numbers, "agree": 0 if traffic.is_small else numbers,
             "ids": _busiest(traffic, setting.id_bytes, network),
             "rows": _busiest(traffic, setting.row_bytes, network),
             "end": numbers,
             "work": setting.ids * network.per_id + float(gathered.max()) + expanded}  # fmt: skip
    return times | {"total": sum(times.values())}


def _busiest(traffic: Traffic, unit: int, network: Network) -> float:
    """A round in which each pair with anything to send has one message. It is as long in either direction."""
    busy = traffic.messages * network.message + traffic.rows * unit / network.bandwidth
    if not busy.any():
        return 0
    # The last message of the busiest sender occupies its receiver, too; the busiest receiver waits for the first one.
    return network.latency + network.message + float(max(busy.sum(axis=0).max(), busy.sum(axis=1).max()))


def _numbers_time(ranks: int, network: Network) -> float:
    """A round of numbers."""
    if ranks == 1:
        return 0
    if network.numbers == "direct":
        return network.latency + ranks * network.message + (ranks - 1) * ANNOUNCED_BYTES / network.bandwidth
    steps = (ranks - 1).bit_length()
    step_bytes = ANNOUNCED_BYTES * -(-ranks // 2)
    return steps * (network.latency + 2 * network.message + step_bytes / network.bandwidth)
