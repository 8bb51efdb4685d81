"""This library: a compiled plan, called from Python with out=."""

from __future__ import annotations

from collections.abc import Iterator

import windrow

from peers.cases import TUPLES, Case, new_output
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {"windrow": windrow.__version__}


def compile_plan(case: Case, inputs: Inputs, threads: int) -> windrow.Plan:
    """ONNX's operator, but where its indices are int64 alone OpenVINO's, with ONNX's checks."""
    attributes: dict[str, object] = {"threads": threads}
    dialect, name = "onnx", case.operator
    if case.operator in ("Take", "IndexAdd"):
        dialect = "array"
    elif case.operator in TUPLES and case.index_dtype != "int64":
        dialect = "openvino"
        name = {"GatherND": "GatherND", "ScatterND": "ScatterNDUpdate"}[case.operator]
        attributes["out_of_range"] = "error"
    if case.operator not in TUPLES:
        attributes["axis"] = case.axis
    elif not case.is_scatter:
        attributes["batch_dims"] = case.batch_dims
    if case.is_scatter and dialect != "array":
        adds = "add" if dialect == "onnx" else "sum"
        attributes["reduction"] = adds if case.reduction == "add" else "none"
    return windrow.compile(dialect, name, *inputs.values(), **attributes)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    plan, out = compile_plan(case, inputs, threads), new_output(case)
    arrays = tuple(inputs.values())
    label = f"plan(out=), {plan.kernels}"
    # Without a star call: at 8 rows the unpacking of a tuple shows.
    if case.is_scatter:
        data, indices, updates = arrays
        yield Spelling(label, lambda: plan(data, indices, updates, out=out), out)
    else:
        data, indices = arrays
        yield Spelling(label, lambda: plan(data, indices, out=out), out)
