"""The columns and ids that are timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

ROWS, TAKEN, QUICK = 10**7, 10**6, 10_000


@dataclass(frozen=True)
class Case:
    """values(random, rows): a column or a table of pyarrow. ids(random, rows, taken): NumPy's integers.
    nulls: the share of the ids that are null."""

    name: str
    title: str
    values: Callable[[np.random.Generator, int], Any]
    ids: Callable[[np.random.Generator, int, int], np.ndarray[Any, Any]]
    nulls: float = 0.0


def _floats(random: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(random.random(rows))


def _floats_with_nulls(random: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(random.random(rows), mask=random.random(rows) < 0.1)


def _truths(random: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(random.random(rows) < 0.5)


def _columns(random: np.random.Generator, rows: int) -> pa.Table:
    return pa.table({f"c{column}": random.random(rows // 4) for column in range(8)})


def _words(random: np.random.Generator, rows: int) -> pa.Array:
    return pa.array([f"w{row}" for row in range(rows // 10)])


def _chunks(random: np.random.Generator, rows: int) -> pa.ChunkedArray:
    return pa.chunked_array(np.array_split(random.random(rows), 10))


def _random(random: np.random.Generator, rows: int, taken: int) -> np.ndarray[Any, Any]:
    return random.integers(0, rows, taken)


def _sorted(random: np.random.Generator, rows: int, taken: int) -> np.ndarray[Any, Any]:
    return np.sort(_random(random, rows, taken))


def _dense(random: np.random.Generator, rows: int, taken: int) -> np.ndarray[Any, Any]:
    return np.arange(1000, 1000 + taken)


def _uint32(random: np.random.Generator, rows: int, taken: int) -> np.ndarray[Any, Any]:
    return _random(random, rows, taken).astype(np.uint32)


CASES = [
    Case("random", "float64", _floats, _random),
    Case("sorted", "float64, sorted ids", _floats, _sorted),
    Case("dense", "float64, ids that follow one another", _floats, _dense),
    Case("null_values", "float64, a tenth of the values null", _floats_with_nulls, _random),
    Case("null_ids", "float64, a tenth of the ids null", _floats, _random, nulls=0.1),
    Case("nulls", "float64, a tenth of both null", _floats_with_nulls, _random, nulls=0.1),
    Case("uint32", "float64, uint32 ids", _floats, _uint32),
    Case("columns", "8 columns of float64, a quarter of the rows", _columns, _random),
    Case("bool", "booleans", _truths, _random),
    Case("text", "strings of 2 to 7 bytes, a tenth of the rows", _words, _random),
    Case("sorted_text", "the same, sorted ids", _words, _sorted),
    Case("chunks", "float64 in 10 chunks", _chunks, _random),
]


def make_inputs(case: Case, quick: bool) -> tuple[Any, pa.Array]:
    """The values and the ids, each as pyarrow has them; the same in every process."""
    random = np.random.default_rng(CASES.index(case))
    rows, taken = (QUICK, QUICK // 10) if quick else (ROWS, TAKEN)
    values = case.values(random, rows)
    ids = case.ids(random, len(values), taken)
    return values, pa.array(ids, mask=random.random(len(ids)) < case.nulls if case.nulls else None)
