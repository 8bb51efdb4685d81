"""The contestants of a drawn case: a module each, as in peers.contestants, but for the two modes.

spellings() of a module yields, in the mode "given", spellings that write to an output which is there
already, and in the mode "fresh" spellings that return a new one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from draws.cases import DrawnCase
from peers.cases import new_output
from peers.contestants import COPY, OURS, TITLES, Inputs

AGAIN, CPP, ACCESSES = "windrow_again", "windrow_cpp", "row_accesses"

# Name, module. Windrow is there twice, to show how far two equal contestants are apart.
CONTESTANTS = {
    COPY: "copy_bytes",
    ACCESSES: "row_accesses",
    OURS: "windrow_plan",
    AGAIN: "windrow_plan",
    CPP: "windrow_cpp",
    "numpy": "numpy_arrays",
    "torch": "torch_tensors",
    "onnxruntime": "onnx_runtime",
    "openvino": "openvino_nodes",
    "jax": "jax_functions",
}
LIMITS = (COPY, ACCESSES)
NO_PEERS = (*LIMITS, OURS, AGAIN, CPP)
PEERS = tuple(name for name in CONTESTANTS if name not in NO_PEERS)
NAMES = TITLES | {ACCESSES: "random accesses", AGAIN: "Windrow again", CPP: "Windrow in C++"}


def output_of(case: DrawnCase, inputs: Inputs) -> tuple[np.ndarray, Callable[[], object] | None]:
    """Of the mode "given": the output, and what makes it ready for a call that is checked."""
    if not case.in_place:
        return new_output(case), None
    data, untouched = inputs["data"], inputs["data"].copy()
    return data, lambda: np.copyto(data, untouched)


def as_signed(inputs: Inputs) -> Inputs:
    """For libraries without unsigned indices: the same bytes as int32; no index is that large."""
    indices = inputs["indices"]
    return inputs | {"indices": indices.view(np.int32)} if indices.dtype == np.uint32 else inputs


def after(first: Callable[[], object], then: Callable[[], object]) -> Callable[[], object]:
    """Both, and the result of the second."""
    def run() -> object:
        first()
        return then()

    return run


def contiguous(inputs: Inputs, dtypes: dict[str, str]) -> tuple[Inputs, Callable[[], object] | None]:
    """For libraries that take contiguous arrays of certain types alone: memory for those that are not
    so, by name the type that they have there, and what fills it before every call; None: nothing."""
    taken, stale = dict(inputs), []
    for name, array in inputs.items():
        dtype = np.dtype(dtypes.get(name, array.dtype))
        if array.dtype != dtype or not array.flags.c_contiguous:
            taken[name] = array.astype(dtype, order="C")
            stale.append((taken[name], array))

    def fill() -> None:
        for target, source in stale:
            np.copyto(target, source)

    return taken, fill if stale else None
