"""NumPy. It has one thread."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from draws.cases import DrawnCase
from draws.contestants import output_of
from peers.check import where
from peers.contestants import Inputs, Spelling, numpy_arrays
from peers.contestants.numpy_arrays import Write, linear_indices, versions  # noqa: F401


def _writes(case: DrawnCase, inputs: Inputs) -> Iterator[tuple[str, Write]]:
    """Those of the list's cases and, for sums of single elements, counting."""
    for label, write in numpy_arrays.writes(case, inputs):
        # Of other memory a flat array would be a copy.
        if case.layout == "contiguous" or label != "linear indices":
            yield label, write
    indices, updates = inputs["indices"], inputs["updates"]
    if case.reduction == "add" and len(case.data) == 1 and case.operator != "ScatterND":
        def count(out: np.ndarray) -> None:
            sums = np.bincount(indices, updates, out.size)
            np.add(out, sums, out=out, casting="unsafe")

        yield "bincount", count


def _copied(spelling: Spelling, out: np.ndarray) -> Spelling:
    """Where no function writes to an output: its new array is copied there."""
    return Spelling(f"copyto of {spelling.label}", lambda: np.copyto(out, spelling.run()), out)


def _given(case: DrawnCase, inputs: Inputs) -> Iterator[Spelling]:
    out, reset = output_of(case, inputs)
    if not case.is_scatter:
        for spelling in numpy_arrays.gathers(case, inputs, out):
            yield spelling if spelling.out is not None else _copied(spelling, out)
        return
    for label, write in _writes(case, inputs):
        if case.in_place:
            yield Spelling(label, lambda write=write: write(out), out, reset=reset)
        else:
            yield Spelling(f"copyto, {label}", numpy_arrays.after_copy(write, inputs["data"], out),
                           out)


def _fresh_gathers(case: DrawnCase, inputs: Inputs) -> Iterator[Spelling]:
    data, indices, axis = inputs["data"], inputs["indices"], case.axis
    if case.operator in ("Gather", "Take") or indices.ndim == data.ndim == 1:
        yield Spelling("data.take()", lambda: data.take(indices, axis=axis))
        yield Spelling("data.take(mode='clip')",
                       lambda: data.take(indices, axis=axis, mode="clip"))
        yield Spelling("data[indices]", lambda: data[where(case, indices)])
        return
    if case.operator == "GatherElements":
        yield Spelling("take_along_axis", lambda: np.take_along_axis(data, indices, axis))
    else:
        yield Spelling("data[tuple]", lambda: data[where(case, indices)])
    if data.flags.c_contiguous:
        depth = len(case.row_grid)
        rows = data.reshape(math.prod(data.shape[:depth]), *data.shape[depth:])
        yield Spelling("take at linear indices",
                       lambda: rows.take(linear_indices(case, indices), axis=0, mode="clip"))


def _fresh_scatters(case: DrawnCase, inputs: Inputs) -> Iterator[Spelling]:
    def on_copy(write: Write) -> np.ndarray:
        out = inputs["data"].copy()
        write(out)
        return out

    for label, write in _writes(case, inputs):
        yield Spelling(f"copy(), {label}", lambda write=write: on_copy(write))


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    del threads
    if case.mode == "given":
        yield from _given(case, inputs)
    else:
        yield from (_fresh_scatters if case.is_scatter else _fresh_gathers)(case, inputs)
