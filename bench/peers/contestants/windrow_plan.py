"""This library: a compiled plan, called from Python."""

from __future__ import annotations

from collections.abc import Iterator

import windrow

from peers.cases import BAGS, BLOCK, QUANTIZED, TUPLES, Case
from peers.contestants import Inputs, Spelling, output_of


def versions() -> dict[str, str]:
    return {"windrow": windrow.__version__}


INDEX_TYPES_OF_ONNX = {True: ("int64",), False: ("int32", "int64")}  # By whether it takes tuples.
# Operators of the same meaning for other index types.
ELSEWHERE = {
    ("Gather", "none"): ("array", "Take"),
    ("GatherElements", "none"): ("array", "TakeAlongAxis"),
    ("GatherND", "none"): ("openvino", "GatherND"),
    ("ScatterElements", "none"): ("array", "PutAlongAxis"),
    ("ScatterND", "none"): ("openvino", "ScatterNDUpdate"),
    ("ScatterND", "add"): ("openvino", "ScatterNDUpdate"),
}


def operator_of(case: Case) -> tuple[str, str, dict[str, int | str], dict[str, str]]:
    """Dialect, name, attributes, options: ONNX's operator, but where that does not take such indices
    another's, with ONNX's checks."""
    attributes: dict[str, int | str] = {}
    options: dict[str, str] = {}
    dialect, name = "onnx", case.operator
    if name == QUANTIZED:
        return dialect, name, {"bits": 4, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}, options
    if name == BAGS:
        attributes["reduction"] = "sum"
        if case.dtype == "float16":  # As torch sums.
            attributes["accumulate"] = "float32"
        return "array", name, attributes, options
    if case.operator in ("Take", "IndexAdd"):
        dialect = "array"
    elif case.index_dtype not in INDEX_TYPES_OF_ONNX[case.operator in TUPLES]:
        dialect, name = ELSEWHERE[case.operator, case.reduction]
        options["out_of_range"] = "error"
    if case.operator not in TUPLES:
        attributes["axis"] = case.axis
    elif not case.is_scatter:
        attributes["batch_dims"] = case.batch_dims
    if case.is_scatter and dialect != "array":
        adds = "add" if dialect == "onnx" else "sum"
        attributes["reduction"] = adds if case.reduction == "add" else "none"
    return dialect, name, attributes, options


def _compile(case: Case, inputs: Inputs, threads: int, kernels: str) -> windrow.Plan:
    dialect, name, attributes, options = operator_of(case)
    if kernels:
        options["kernels"] = kernels
    return windrow.compile(dialect, name, *inputs.values(), threads=threads, **attributes, **options)


def describe(case: Case, inputs: Inputs, threads: int) -> str:
    return _compile(case, inputs, threads, "").describe()


def spellings(case: Case, inputs: Inputs, threads: int, kernels: str = "") -> Iterator[Spelling]:
    """kernels: a kernel set and levers, as CallOptions::kernels; empty: the library chooses."""
    plan = _compile(case, inputs, threads, kernels)
    operands = tuple(inputs.values())
    if case.mode == "fresh":
        yield Spelling(f"plan(), {plan.kernels}", lambda: plan(*operands))
        return
    out, reset = output_of(case, inputs)
    label = f"plan(out=), {plan.kernels}"
    # Without a star call: in small calls the unpacking of a tuple shows.
    if len(operands) > 3:
        yield Spelling(label, lambda: plan(*operands, out=out), out, reset=reset)
    elif len(operands) == 3:
        data, indices, updates = operands
        yield Spelling(label, lambda: plan(data, indices, updates, out=out), out, reset=reset)
    else:
        data, indices = operands
        yield Spelling(label, lambda: plan(data, indices, out=out), out, reset=reset)
