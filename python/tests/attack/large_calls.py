"""Calls large enough for several threads. Every attack on threads and processes runs each of them.

A new way to call gets a row here."""

import numpy as np
import windrow

TABLE = np.arange(1 << 20, dtype=np.float32).reshape(1 << 14, 64)
IDS = np.random.default_rng(3).integers(0, len(TABLE), 1 << 13)
ROWS = np.ones((len(IDS), 64), np.float32)
ELEMENTS = np.random.default_rng(4).integers(0, 64, (1 << 13, 64))
PLAN = windrow.compile("onnx", "Gather", TABLE, IDS)

# The calls by name. Each takes the keyword `threads` and returns an array.
CALLS = {
    "take": lambda **how: windrow.take(TABLE, IDS, axis=0, **how),
    "take_along_axis": lambda **how: windrow.take_along_axis(TABLE[: 1 << 13], ELEMENTS, axis=1, **how),
    "index_add": lambda **how: windrow.index_add(TABLE, IDS, ROWS, **how),
    "sums of elements": lambda **how: windrow.index_add(TABLE.ravel(), ELEMENTS.ravel(), ROWS.ravel(), **how),
    "onnx.ScatterND": lambda **how: windrow.onnx.scatter_nd(TABLE, IDS[:, None], ROWS, reduction="max", **how),
    "a plan": lambda **how: PLAN(TABLE, IDS, **how),
}


def expected():
    """The results of all calls on the calling thread."""
    return {name: call(threads=1) for name, call in CALLS.items()}


def are_right(results, threads):
    return all(np.array_equal(call(threads=threads), results[name]) for name, call in CALLS.items())
