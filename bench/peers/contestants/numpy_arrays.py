"""NumPy: take with out=, fancy indices, linear indices for tuples, ufunc.at. It has one thread."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator

import numpy as np

from peers.cases import ELEMENTWISE, Case
from peers.check import where
from peers.contestants import Inputs, Spelling, output_of


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


def _gathers(case: Case, inputs: Inputs, out: np.ndarray | None) -> Iterator[Spelling]:
    """out: None where every call is to return a new array. Some functions always do."""
    data, indices, axis = inputs["data"], inputs["indices"], case.axis
    given = "" if out is None else ", out="
    if case.operator in ("Gather", "Take") or indices.ndim == data.ndim == 1:
        yield Spelling(f"data.take(mode='clip'{given})",
                       lambda: data.take(indices, axis=axis, out=out, mode="clip"), out)
        yield Spelling("data.take()", lambda: data.take(indices, axis=axis))
        if out is None:
            yield Spelling("data[indices]", lambda: data[where(case, indices)])
        else:
            yield Spelling("data.take(out=)", lambda: data.take(indices, axis=axis, out=out), out)
        return
    if case.operator == "GatherElements":
        yield Spelling("take_along_axis", lambda: np.take_along_axis(data, indices, axis))
    else:
        yield Spelling("data[tuple]", lambda: data[where(case, indices)])
    if data.flags.c_contiguous:
        depth = len(case.row_grid)
        rows = data.reshape(math.prod(data.shape[:depth]), *data.shape[depth:])
        yield Spelling(
            "take at linear indices",
            lambda: rows.take(linear_indices(case, indices), axis=0, out=out, mode="clip"), out)


Write = Callable[[np.ndarray], object]


def _writes(case: Case, inputs: Inputs) -> Iterator[tuple[str, Write]]:
    """What is done to an array that holds a scatter's data to make it the result. It is contiguous, unless it is the
    data of a case in place."""
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
    if adds and len(case.data) == 1 and case.operator != "ScatterND":
        def count(out: np.ndarray) -> None:
            np.add(out, np.bincount(indices, updates, out.size), out=out, casting="unsafe")

        yield "bincount", count
    if case.in_place and case.lies_elsewhere("data"):
        return  # A flat array would be a copy.
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


def _scatters(case: Case, inputs: Inputs, out: np.ndarray | None,
              reset: Callable[[], object] | None) -> Iterator[Spelling]:
    data = inputs["data"]

    def into_out(write: Write) -> None:
        np.copyto(out, data)
        write(out)

    def into_copy(write: Write) -> np.ndarray:
        copy = data.copy()
        write(copy)
        return copy

    for label, write in _writes(case, inputs):
        if out is None:
            yield Spelling(f"copy(), {label}", functools.partial(into_copy, write))
        elif case.in_place:
            yield Spelling(label, functools.partial(write, out), out, reset=reset)
        else:
            yield Spelling(f"copyto, {label}", functools.partial(into_out, write), out)


def _copied(spelling: Spelling, out: np.ndarray) -> Spelling:
    """Where no function writes to an output: its new array is copied there."""
    return Spelling(f"copyto of {spelling.label}", lambda: np.copyto(out, spelling.run()), out)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    del threads
    out, reset = (None, None) if case.mode == "fresh" else output_of(case, inputs)
    if case.is_scatter:
        yield from _scatters(case, inputs, out, reset)
        return
    for spelling in _gathers(case, inputs, out):
        yield _copied(spelling, out) if case.mode == "given" and spelling.out is None else spelling
