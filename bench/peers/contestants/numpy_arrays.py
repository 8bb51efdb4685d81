"""NumPy: take with out=, fancy indices, linear indices for tuples, ufunc.at. It has one thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from peers.cases import ELEMENTWISE, TUPLES, Case, new_output
from peers.check import where
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {"numpy": np.__version__}


def linear_indices(case: Case, indices: np.ndarray) -> np.ndarray:
    """Of index tuples and batch positions: the row of data with these axes merged."""
    depth = case.batch_dims + (indices.shape[-1] if case.operator in TUPLES else case.axis + 1)
    parts = where(case, indices)[:depth]
    linear = parts[0]
    for part, extent in zip(parts[1:], case.data[1:depth]):
        linear = linear * extent + part
    return linear


def _gathers(case: Case, inputs: Inputs, out: np.ndarray) -> Iterator[Spelling]:
    data, indices, axis = inputs["data"], inputs["indices"], case.axis
    if case.operator in ("Gather", "Take") or indices.ndim == data.ndim == 1:
        yield Spelling("data.take(mode='clip', out=)",
                       lambda: data.take(indices, axis=axis, out=out, mode="clip"), out)
        yield Spelling("data.take(out=)", lambda: data.take(indices, axis=axis, out=out), out)
        yield Spelling("data.take()", lambda: data.take(indices, axis=axis))
    elif case.operator == "GatherElements":
        yield Spelling("take_along_axis", lambda: np.take_along_axis(data, indices, axis))
        flat = data.reshape(-1)

        def take_linear() -> np.ndarray:
            grid = where(case, indices)
            row, column = grid[0], grid[1]
            return flat.take(row * data.shape[1] + column, out=out, mode="clip")

        if data.ndim == 2:
            yield Spelling("take at linear indices", take_linear, out)
    else:
        yield Spelling("data[tuple]", lambda: data[where(case, indices)])
        depth = case.batch_dims + indices.shape[-1]
        rows = data.reshape(math.prod(data.shape[:depth]), *data.shape[depth:])
        yield Spelling(
            "take at linear indices",
            lambda: rows.take(linear_indices(case, indices), axis=0, out=out, mode="clip"), out)


def _scatters(case: Case, inputs: Inputs, out: np.ndarray) -> Iterator[Spelling]:
    data, indices, updates = inputs["data"], inputs["indices"], inputs["updates"]

    def after_copy(write: Callable[[], object]) -> Callable[[], object]:
        def run() -> None:
            np.copyto(out, data)
            write()

        return run

    adds = case.reduction == "add"
    if adds:
        yield Spelling("copyto, add.at",
                       after_copy(lambda: np.add.at(out, where(case, indices), updates)), out)
    else:
        yield Spelling("copyto, out[tuple] =",
                       after_copy(lambda: out.__setitem__(where(case, indices), updates)), out)
    if case.draw == "sorted":
        def add_segments() -> None:
            starts = np.flatnonzero(np.append(True, indices[1:] != indices[:-1]))
            out[indices[starts]] += np.add.reduceat(updates, starts, axis=0)

        yield Spelling("copyto, add.reduceat", after_copy(add_segments), out)
    if case.operator in ELEMENTWISE and data.ndim == 2:
        flat = out.reshape(-1)

        def write_linear() -> None:
            row, column = where(case, indices)
            linear = (row * data.shape[1] + column).reshape(-1)
            if adds:
                np.add.at(flat, linear, updates.reshape(-1))
            else:
                flat[linear] = updates.reshape(-1)

        yield Spelling("copyto, linear indices", after_copy(write_linear), out)
    if case.operator == "ScatterND" and not adds and indices.shape[-1] > 1:
        rows = out.reshape(-1, *data.shape[indices.shape[-1] :])
        yield Spelling(
            "copyto, linear indices",
            after_copy(lambda: rows.__setitem__(linear_indices(case, indices), updates)), out)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    del threads
    return (_scatters if case.is_scatter else _gathers)(case, inputs, new_output(case))
