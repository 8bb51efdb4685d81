"""NumPy: take with out=, fancy indices, linear indices for tuples, ufunc.at. It has one thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from peers.cases import ELEMENTWISE, Case, new_output
from peers.check import where
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {"numpy": np.__version__}


def linear_indices(case: Case, indices: np.ndarray) -> np.ndarray:
    """Of index tuples and batch positions: the row of data with these axes merged."""
    depth = len(case.row_grid)
    parts = where(case, indices)[:depth]
    linear = parts[0]
    for part, extent in zip(parts[1:], case.data[1:depth]):
        linear = linear * extent + part
    return linear


def gathers(case: Case, inputs: Inputs, out: np.ndarray) -> Iterator[Spelling]:
    data, indices, axis = inputs["data"], inputs["indices"], case.axis
    if case.operator in ("Gather", "Take") or indices.ndim == data.ndim == 1:
        yield Spelling("data.take(mode='clip', out=)",
                       lambda: data.take(indices, axis=axis, out=out, mode="clip"), out)
        yield Spelling("data.take(out=)", lambda: data.take(indices, axis=axis, out=out), out)
        yield Spelling("data.take()", lambda: data.take(indices, axis=axis))
    elif case.operator == "GatherElements":
        yield Spelling("take_along_axis", lambda: np.take_along_axis(data, indices, axis))
        if data.flags.c_contiguous:
            flat = data.reshape(-1)
            yield Spelling("take at linear indices",
                           lambda: flat.take(linear_indices(case, indices), out=out, mode="clip"),
                           out)
    else:
        yield Spelling("data[tuple]", lambda: data[where(case, indices)])
        depth = case.batch_dims + indices.shape[-1]
        rows = data.reshape(math.prod(data.shape[:depth]), *data.shape[depth:])
        yield Spelling(
            "take at linear indices",
            lambda: rows.take(linear_indices(case, indices), axis=0, out=out, mode="clip"), out)


Write = Callable[[np.ndarray], object]


def writes(case: Case, inputs: Inputs) -> Iterator[tuple[str, Write]]:
    """What is done to a contiguous array that holds a scatter's data to make it the result."""
    indices, updates = inputs["indices"], inputs["updates"]
    adds = case.reduction == "add"
    if adds:
        yield "add.at", lambda out: np.add.at(out, where(case, indices), updates)
    else:
        yield "out[tuple] =", lambda out: out.__setitem__(where(case, indices), updates)
    if case.draw == "sorted":
        def add_segments(out: np.ndarray) -> None:
            starts = np.flatnonzero(np.append(True, indices[1:] != indices[:-1]))
            out[indices[starts]] += np.add.reduceat(updates, starts, axis=0)

        yield "add.reduceat", add_segments
    if case.operator in ELEMENTWISE:
        def write_linear(out: np.ndarray) -> None:
            flat, linear = out.reshape(-1), linear_indices(case, indices).reshape(-1)
            if adds:
                np.add.at(flat, linear, updates.reshape(-1))
            else:
                flat[linear] = updates.reshape(-1)

        yield "linear indices", write_linear
    if case.operator == "ScatterND" and not adds and indices.shape[-1] > 1:
        shape = (-1, *case.data[indices.shape[-1] :])
        yield ("linear indices",
               lambda out: out.reshape(shape).__setitem__(linear_indices(case, indices), updates))


def after_copy(write: Write, data: np.ndarray, out: np.ndarray) -> Callable[[], object]:
    def run() -> None:
        np.copyto(out, data)
        write(out)

    return run


def _scatters(case: Case, inputs: Inputs, out: np.ndarray) -> Iterator[Spelling]:
    for label, write in writes(case, inputs):
        yield Spelling(f"copyto, {label}", after_copy(write, inputs["data"], out), out)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    del threads
    return (_scatters if case.is_scatter else gathers)(case, inputs, new_output(case))
