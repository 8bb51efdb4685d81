"""The contestants: a module each, which says a case in every way that may be its best.

A module has spellings(case, inputs, threads, **options), which yields Spelling objects whose inputs and
outputs are bound already, and versions(), what it runs by name and version. It raises NotOffered
for a case that the library has no operator for.

The mode of a case says where results go: "given": to an output that is there already; "fresh": every call
returns a new one; "any": as the library likes it best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from peers.cases import Case, new_output

Inputs = dict[str, np.ndarray]


@dataclass(frozen=True)
class Entrant:
    """A contestant: its title, its module and the options of that module's spellings()."""

    title: str
    module: str
    options: dict[str, object] = field(default_factory=dict)


COPY, READS, RANDOM_READS, ACCESSES = "copy", "plain_reads", "random_reads", "row_accesses"
OURS, AGAIN, CPP, HOST_CPP = "windrow", "windrow_again", "windrow_cpp", "onnxruntime_cpp"
LIMITS = (COPY, READS, RANDOM_READS, ACCESSES)  # What the machine takes for a part of a case.
PEERS = ("numpy", "torch", "onnxruntime", "openvino", "jax")
LEVERS = ("stream=off", "prefetch=0", "straight=off", "tile=0", "flat-runs=off")
# Beside which a choice is measured: every lever of CallOptions::kernels that picks another way to make the same result.
FORCED = (*LEVERS, "stream=on", "prefetch=16", "tile=16", "pack=on", "pack=off", "constant-rows=off", "fused-copy=off",
          "gathers=off", "buckets=on", "buckets=off", "sorted=off", "flat-runs=on", "grids=off", "dense-copies=on",
          "dense-copies=off")


def forced_contestant(lever: str) -> str:
    return f"windrow_{lever}"


# A small call in every way that Python has.
CALLS = ("ndarray.take(mode='clip', out=)", "windrow.take(out=)", "windrow.take(mode='clip', out=)", "plan(out=)",
         "windrow.onnx.gather(out=)", "ndarray.take()", "windrow.take()")

# In the order of the columns. Windrow is there twice, to show how far two equal contestants are apart.
CONTESTANTS = {
    COPY: Entrant("copy", "copy_bytes"),
    READS: Entrant("reads", "plain_reads"),
    RANDOM_READS: Entrant("random reads", "random_reads"),
    ACCESSES: Entrant("random accesses", "row_accesses"),
    OURS: Entrant("Windrow", "windrow_plan"),
    AGAIN: Entrant("Windrow again", "windrow_plan"),
    CPP: Entrant("Windrow in C++", "windrow_cpp"),
    HOST_CPP: Entrant("ONNX Runtime in C++", "onnx_runtime_cpp"),
    "numpy": Entrant("NumPy", "numpy_arrays"),
    "torch": Entrant("PyTorch", "torch_tensors"),
    "onnxruntime": Entrant("ONNX Runtime", "onnx_runtime"),
    "openvino": Entrant("OpenVINO", "openvino_nodes"),
    "jax": Entrant("JAX", "jax_functions"),
    "onnxruntime_windrow": Entrant("ONNX Runtime with Windrow", "onnx_runtime", {"plugin": True}),
    "openvino_windrow": Entrant("OpenVINO with Windrow", "openvino_nodes", {"plugin": True}),
    "jax_numpy": Entrant("jax.numpy", "jax_calls"),
    "jax_windrow": Entrant("windrow.jax", "jax_calls", {"ours": True}),
    "torch_calls": Entrant("torch", "torch_calls"),
    "torch_windrow": Entrant("windrow.torch", "torch_calls", {"ours": True}),
    "torch_inference": Entrant("torch in inference_mode", "torch_calls", {"inference": True}),
    "torch_windrow_inference": Entrant("windrow.torch in inference_mode", "torch_calls",
                                       {"ours": True, "inference": True}),
    **{forced_contestant(lever): Entrant(f"Windrow with {lever}", "windrow_plan", {"kernels": f",{lever}"})
       for lever in FORCED},
    **{call: Entrant(call, "python_calls", {"call": call}) for call in CALLS},
}
TITLES = {name: entrant.title for name, entrant in CONTESTANTS.items()}


def is_ours(contestant: str) -> bool:
    """Whether what it runs is this library's."""
    return contestant not in LIMITS and (contestant.startswith(("windrow", "plan")) or "_windrow" in contestant)


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


def output_of(case: Case, inputs: Inputs) -> tuple[np.ndarray, Callable[[], object] | None]:
    """Unless the mode is "fresh": the output, and what makes it ready for a call that is checked."""
    if not case.in_place:
        return new_output(case), None
    data, untouched = inputs["data"], inputs["data"].copy()
    return data, lambda: np.copyto(data, untouched)


def as_signed(inputs: Inputs) -> Inputs:
    """For libraries without unsigned indices: the same bytes as int32; no index is that large."""
    indices = inputs["indices"]
    return inputs | {"indices": indices.view(np.int32)} if indices.dtype == np.uint32 else inputs


def after(first: Callable[[], object] | None, then: Callable[[], object]) -> Callable[[], object]:
    """Both, and the result of the second, which is all there is if the first is None."""
    if first is None:
        return then

    def run() -> object:
        first()
        return then()

    return run


def contiguous(case: Case, inputs: Inputs,
               dtypes: dict[str, str]) -> tuple[Inputs, Callable[[], object] | None]:
    """For libraries that take contiguous arrays of certain types alone: memory for those that are not
    so, by name the type that they have there, and what fills it before every call; None: nothing."""
    taken, stale = dict(inputs), []
    for name, array in inputs.items():
        dtype = np.dtype(dtypes.get(name, array.dtype))
        if array.dtype != dtype or not array.flags.c_contiguous:
            taken[name] = array.astype(dtype, order="C")
            stale.append((taken[name], array))
    if case.in_place and taken["data"] is not inputs["data"]:
        raise NotOffered("it writes to contiguous memory alone")

    def fill() -> None:
        for target, source in stale:
            np.copyto(target, source)

    return taken, fill if stale else None
