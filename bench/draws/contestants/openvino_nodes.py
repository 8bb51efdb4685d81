"""OpenVINO: a model of one node, compiled for the CPU, over shared tensors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from draws.cases import DrawnCase
from draws.contestants import after, as_signed, contiguous, output_of
from peers.contestants import Inputs, NotOffered, Spelling
from peers.contestants.openvino_nodes import (  # noqa: F401
    make_request, openvino, operand, versions)


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    arrays, fill = contiguous(as_signed(inputs), {})
    if case.in_place and arrays["data"] is not inputs["data"]:
        raise NotOffered("it writes to contiguous memory alone")
    arrays["indices"] = operand(case, arrays["indices"])
    request = make_request(case, arrays, threads)

    def start_and_wait() -> None:
        request.start_async()
        request.wait()

    if case.mode == "given":
        out, reset = output_of(case, inputs)
        request.set_output_tensor(openvino.Tensor(out, shared_memory=True))
        for label, run in (("infer", lambda: request.infer(share_outputs=True)),
                           ("start_async", start_and_wait)):
            yield Spelling(f"{label}, shared tensors", after(fill, run) if fill else run, out,
                           keep=arrays, reset=reset)
        return

    # A request of its own: this one would go on writing to the last of these outputs.
    other = make_request(case, arrays, threads)

    def run_into_new() -> np.ndarray:
        out = np.empty(case.output, case.dtype)
        other.set_output_tensor(openvino.Tensor(out, shared_memory=True))
        other.infer(share_outputs=True)
        return out

    def run_and_copy() -> np.ndarray:
        return request.infer(share_outputs=False)[0]

    for label, run in (("infer", run_and_copy), ("infer, new tensor", run_into_new)):
        yield Spelling(label, after(fill, run) if fill else run, keep=arrays)
