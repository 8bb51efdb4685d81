"""The result that a case must have, by plain NumPy, and how a contestant's differs from it."""

from __future__ import annotations

import math

import numpy as np

from peers.cases import BAGS, BLOCK, ELEMENTWISE, GRADIENT, QUANTIZED, WEIGHTED, Case


def where(case: Case, indices: np.ndarray) -> tuple[np.ndarray | slice, ...]:
    """The index arrays that address data's cells in the order of the direct tensor."""
    if case.operator in ELEMENTWISE:
        grid = list(np.ogrid[tuple(map(slice, indices.shape))])
        grid[case.axis] = indices
        return tuple(grid)
    if case.operator in ("GatherND", "ScatterND"):
        batch = np.ogrid[tuple(map(slice, indices.shape[: case.batch_dims]))]
        ranks = indices.ndim - 1 - case.batch_dims
        heads = tuple(grid.reshape(grid.shape + (1,) * ranks) for grid in batch)
        return heads + tuple(np.moveaxis(indices, -1, 0))
    return (slice(None),) * case.axis + (indices,)


def row_offsets(case: Case, indices: np.ndarray) -> np.ndarray:
    """Which rows of data are addressed, in the order of the direct tensor; row 0 is the first."""
    shape = case.row_grid
    rows = math.prod(shape)
    kind = np.uint32 if rows <= 2**32 else np.uint64
    return np.arange(rows, dtype=kind).reshape(shape)[where(case, indices)]


def expected_result(case: Case, inputs: dict[str, np.ndarray]) -> np.ndarray:
    """Exact, but for the rounding of a mean: the values of every case are small integers."""
    if case.operator == QUANTIZED:
        return _dequantized(case, inputs)
    if case.operator == BAGS:
        rows = inputs["data"][inputs["indices"]]
        rows = rows * inputs["weights"][:, None] if case.how == WEIGHTED else rows
        return rows.reshape(-1, case.bag, *case.data[1:]).sum(axis=1, dtype=case.dtype)
    data, cells = inputs["data"], where(case, inputs["indices"])
    if case.how == GRADIENT:
        return _scattered(np.zeros_like(data), cells, data[cells], "add")
    for _ in range(case.nodes):
        data = _scattered(data, cells, inputs["updates"], case.reduction) if case.is_scatter else data[cells]
    return data


def _dequantized(case: Case, inputs: dict[str, np.ndarray]) -> np.ndarray:
    """(code - 8) * scale, as the operator says for bytes without zero points."""
    codes = inputs["data"][inputs["indices"]]
    values = np.stack([codes & 15, codes >> 4], axis=-1).reshape(case.output).astype(case.dtype) - np.array(8, case.dtype)
    return values * np.repeat(inputs["scales"][inputs["indices"]], BLOCK, axis=-1)


def _scattered(data: np.ndarray, cells: tuple[np.ndarray | slice, ...], updates: np.ndarray,
               reduction: str) -> np.ndarray:
    result = data.copy()
    if reduction == "none":
        result[cells] = updates
    elif reduction == "max":
        np.maximum.at(result, cells, updates)
    else:
        np.add.at(result, cells, updates)
    if reduction == "mean":
        summands = np.ones_like(data)
        np.add.at(summands, cells, np.ones_like(updates))
        result /= summands
    return result


def difference(result: np.ndarray, expected: np.ndarray) -> str:
    """What is wrong with a result; empty if nothing is."""
    if result.shape != expected.shape:
        return f"shape {result.shape} instead of {expected.shape}"
    if result.dtype != expected.dtype:
        return f"type {result.dtype} instead of {expected.dtype}"
    wrong = result != expected
    count = np.count_nonzero(wrong)
    if not count:
        return ""
    at = np.unravel_index(np.argmax(wrong), wrong.shape)
    first = f"first at [{', '.join(map(str, at))}]: {result[at]} instead of {expected[at]}"
    return f"{count} of {wrong.size} elements, {first}"
