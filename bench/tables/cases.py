"""The tables, the ids that are looked up in them, and the goals."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Ids = np.ndarray[Any, Any]

# Rows are float32. A process may use a third of a table's bytes, and at least this number.
LEAST_LIMIT = 640 << 20
QUICK_BYTES, QUICK_BATCH = 8 << 20, 512
HOT_BYTES = 128 << 20  # of a table, those that are looked up in memory
CACHED_PART = 10  # a cache has room for one row in 10


@dataclass(frozen=True)
class Goal:
    """The least of the peer's time divided by the time of `ours`."""

    ours: str
    peer: str
    least: float


@dataclass(frozen=True)
class Case:
    """batches look-ups of `batch` ids each are a measurement. contestants: names in contestants.py, in the order of the
    report; once: of these, the ones that are measured in the first round alone."""

    name: str
    title: str
    row_bytes: int
    draw: Callable[[np.random.Generator, Sizes, int], Ids]
    batch: int
    batches: int
    contestants: tuple[str, ...]
    goals: tuple[Goal, ...]
    once: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sizes:
    """Of a run of a case. rows: of the table; hot: the rows that are looked up where everything is in memory."""

    rows: int
    hot: int
    batch: int

    def limit(self, row_bytes: int) -> int:
        return max(self.rows * row_bytes // 3, LEAST_LIMIT)


def _uniform(random: np.random.Generator, sizes: Sizes, count: int) -> Ids:
    return random.integers(0, sizes.rows, count)


def _hot(random: np.random.Generator, sizes: Sizes, count: int) -> Ids:
    return random.integers(0, sizes.hot, count)


@functools.cache
def _zipf_ranks(rows: int) -> tuple[Ids, Ids]:
    """The sums of the weights 1 / k up to each rank k, and the row of each rank."""
    return np.cumsum(1 / np.arange(1, rows + 1)), np.random.default_rng(0).permutation(rows)


def _zipf(random: np.random.Generator, sizes: Sizes, count: int) -> Ids:
    """The row of rank k with a probability in proportion to 1 / k; the ranks are scattered over the table."""
    weights, row_of = _zipf_ranks(sizes.rows)
    return row_of[np.searchsorted(weights, random.random(count) * weights[-1])]


PEERS = ("memmap", "madvise", "lmdb", "safetensors", "lance", "zarr")


def _cases(row_bytes: int, batch: int, hot_least: float) -> list[Case]:
    return [
        Case(f"cold_{row_bytes}", f"rows of {row_bytes} bytes, uniform ids, nothing in memory", row_bytes, _uniform,
             batch, 1, ("windrow", "raw", *PEERS), (Goal("windrow", "raw", 0.8),), ("lance", "zarr")),
        Case(f"zipf_{row_bytes}", f"rows of {row_bytes} bytes, Zipf(1.0) ids, a cache of a tenth of the rows",
             row_bytes, _zipf, batch // 16, 64, ("cached", "windrow"), (Goal("cached", "windrow", 3),)),
        Case(f"hot_{row_bytes}", f"rows of {row_bytes} bytes, all in the cache, beside windrow.take in memory",
             row_bytes, _hot, batch, 8, ("full_cache", "memory", "memory_team"),
             (Goal("full_cache", "memory", hot_least),)),
    ]


CASES = [*_cases(512, 16384, 1 / 2.5), *_cases(4096, 16384, 1 / 1.5)]


def find_case(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def sizes_of(case: Case, table_bytes: int, quick: bool) -> Sizes:
    rows = table_bytes // case.row_bytes
    return Sizes(rows, min(rows, HOT_BYTES // case.row_bytes), min(case.batch, QUICK_BATCH) if quick else case.batch)


def draw_batches(case: Case, sizes: Sizes, seed: int) -> list[Ids]:
    """The same in every process."""
    ids = case.draw(np.random.default_rng(seed), sizes, sizes.batch * case.batches)
    return np.split(ids, case.batches)
