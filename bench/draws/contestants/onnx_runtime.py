"""ONNX Runtime: a model of one node."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import onnxruntime

from draws.cases import DrawnCase
from draws.contestants import after, as_signed, contiguous, output_of
from peers.cases import TUPLES, new_output
from peers.contestants import Inputs, NotOffered, Spelling
from peers.contestants.onnx_runtime import make_session, node_of, versions  # noqa: F401


def _arrays(case: DrawnCase, inputs: Inputs):
    """The node's operator, its inputs, its attributes, what fills the inputs before a call."""
    types = {"indices": "int64"} if case.operator in (*TUPLES, "IndexAdd") else {}
    arrays, fill = contiguous(as_signed(inputs), types)
    operator, indices, attributes = node_of(case, arrays["indices"])
    return operator, arrays | {"indices": indices}, attributes, fill


def _given(session: onnxruntime.InferenceSession, arrays: Inputs, out: np.ndarray):
    """A run with inputs and output bound where they lie."""
    binding = session.io_binding()
    for name, array in arrays.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    bound = onnxruntime.OrtValue.ortvalue_from_numpy(out)
    if bound.data_ptr() != out.ctypes.data:
        raise NotOffered("this version copies an output that is bound")
    binding.bind_ortvalue_output("out", bound)
    options = onnxruntime.RunOptions()
    return lambda: session.run_with_iobinding(binding, options)


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    operator, arrays, attributes, fill = _arrays(case, inputs)
    if case.in_place and arrays["data"] is not inputs["data"]:
        raise NotOffered("it writes to contiguous memory alone")
    shape = new_output(case)
    session = make_session(operator, arrays, shape, attributes, threads)
    if case.mode == "given":
        out, reset = output_of(case, inputs)
        run = _given(session, arrays, out)
        yield Spelling("IO binding", after(fill, run) if fill else run, out, keep=arrays, reset=reset)
        return
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in arrays.items()}

    def run_values() -> np.ndarray:
        return session.run_with_ort_values(["out"], values)[0].numpy()

    def run_arrays() -> np.ndarray:
        return session.run(["out"], arrays)[0]

    for label, run in (("OrtValues", run_values), ("run", run_arrays)):
        yield Spelling(label, after(fill, run) if fill else run, keep=arrays)
