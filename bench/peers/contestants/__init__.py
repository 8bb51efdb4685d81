"""The contestants: a module each, which says a case in every way that may be its best.

A module has spellings(case, inputs, threads), which yields Spelling objects whose inputs and
outputs are bound already, and versions(), what it runs by name and version. It raises NotOffered
for a case that the library has no operator for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Inputs = dict[str, np.ndarray]

# Name, module; the order of the columns. The first three are limits, "windrow" is this library.
CONTESTANTS = {
    "copy": "copy_bytes",
    "plain_reads": "plain_reads",
    "random_reads": "random_reads",
    "windrow": "windrow_plan",
    "numpy": "numpy_arrays",
    "torch": "torch_tensors",
    "onnxruntime": "onnx_runtime",
    "openvino": "openvino_nodes",
    "jax": "jax_functions",
}
TITLES = {
    "copy": "copy",
    "plain_reads": "reads",
    "random_reads": "random reads",
    "windrow": "Windrow",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO",
    "jax": "JAX",
}
COPY, READS, RANDOM_READS, OURS = "copy", "plain_reads", "random_reads", "windrow"
LIMITS = (COPY, READS, RANDOM_READS)  # What the machine takes for a part of a case; no peers.


class NotOffered(Exception):
    """The library has no operator for the case, or none at its types."""


@dataclass(frozen=True)
class Spelling:
    """One way to say a case.

    run: one call, complete when it returns.
    out: the array in which the result lies after a call; None: run returns the result.
    keep: what has to live as long, where a library holds addresses and not arrays.
    reset: makes `out` ready for a call whose result is checked; None: any content of it will do.
    timed: the seconds of the given number of calls, where Python is not to call one by one.
    """

    label: str
    run: Callable[[], object]
    out: np.ndarray | None = None
    keep: object = None
    reset: Callable[[], object] | None = None
    timed: Callable[[int], float] | None = None

    def result(self) -> np.ndarray:
        """That of a new call: nothing of an earlier one can be left in `out`."""
        if self.reset is not None:
            self.reset()
        elif self.out is not None:
            self.out.view(np.uint8).fill(0x5A)
        value = self.run()
        return np.asarray(value) if self.out is None else self.out
