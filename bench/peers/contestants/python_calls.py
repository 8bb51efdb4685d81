"""A call of take in every way that Python has, with NumPy and with this library."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import windrow

from peers.cases import Case, new_output
from peers.contestants import Inputs, NotOffered, Spelling


def versions() -> dict[str, str]:
    return {"numpy": np.__version__, "windrow": windrow.__version__}


def spellings(case: Case, inputs: Inputs, threads: int, call: str) -> Iterator[Spelling]:
    """call: one of peers.contestants.CALLS."""
    del threads
    if case.operator not in ("Gather", "Take"):
        raise NotOffered("not a take")
    (data, rows), axis, out = inputs.values(), case.axis, new_output(case)
    plan = windrow.compile("array", "Take", data, rows, axis=axis)
    calls = {
        "ndarray.take(mode='clip', out=)": lambda: data.take(rows, axis=axis, out=out, mode="clip"),
        "windrow.take(out=)": lambda: windrow.take(data, rows, axis=axis, out=out),
        "windrow.take(mode='clip', out=)": lambda: windrow.take(data, rows, axis=axis, out=out, mode="clip"),
        "plan(out=)": lambda: plan(data, rows, out=out),
        "windrow.onnx.gather(out=)": lambda: windrow.onnx.gather(data, rows, axis=axis, out=out),
        "ndarray.take()": lambda: data.take(rows, axis=axis),
        "windrow.take()": lambda: windrow.take(data, rows, axis=axis),
    }
    yield Spelling(call, calls[call], out if "out=" in call else None)
