"""The kinds of runs: which cases they have, who takes part, and with whom the others are compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from peers.cases import BAGS, DONATED, EMBEDDING, GRADIENT, MILLION, QUANTIZED, WEIGHTED, Case, all_cases
from peers.contestants import CALLS, COPY, LEVERS, OURS, PEERS, RANDOM_READS, READS, forced_contestant


@dataclass(frozen=True)
class Kind:
    """contestants: all that take part; the first is the one that the others are compared with."""

    title: str
    cases: Callable[[], list[Case]]
    contestants: tuple[str, ...]


def _call_cases() -> list[Case]:
    return [case for case in all_cases() if case.name == "gather_small"]


def _onnxruntime_cases() -> list[Case]:
    return [
        Case("tiny_gather", "Gather [8,4]", "Gather", (8, 4), (8,)),
        Case("tiny_gather_node", "Gather [8,4], a node of 200", "Gather", (8, 4), (8,), nodes=200),
        Case("tiny_scatter_nd", "ScatterND [8,4]", "ScatterND", (8, 4), (3, 1), draw="distinct"),
        Case("tiny_scatter_nd_node", "ScatterND [8,4], a node of 200", "ScatterND", (8, 4), (3, 1),
             draw="distinct", nodes=200),
        Case("issue_28584", "ScatterElements add, ONNX Runtime's issue 28584", "ScatterElements",
             (556_416, 80), (481_385, 80), reduction="add", draw="row-constant"),
        Case("graph_sums", "ScatterND add, 100,000 updates of 1000 rows of 64", "ScatterND",
             (1000, 64), (100_000, 1), reduction="add"),
        Case("large_gather", "Gather, 200,000 rows of 64 from 1,000,000", "Gather", (MILLION, 64), (200_000,)),
    ]


def _openvino_cases() -> list[Case]:
    listed = [
        Case("tiny_gather", "Gather [8,4], 3 indices", "Gather", (8, 4), (3,)),
        Case("tiny_gather_node", "Gather [8,4], a node of 200", "Gather", (8, 4), (8,), nodes=200),
        Case("gather_rows", "Gather, 131,072 rows of 64 from 500,000", "Gather", (500_000, 64), (131_072,)),
        Case("gather_elements", "GatherElements, 200,000 x 64", "GatherElements", (200_000, 64), (200_000, 64),
             draw="row-constant"),
        Case("scatter_elements_sum", "ScatterElementsUpdate sum, 200,000 x 64 into 100,000 x 64",
             "ScatterElements", (100_000, 64), (200_000, 64), reduction="add", draw="row-constant"),
        Case("scatter_nd_sum", "ScatterNDUpdate sum, 200,000 rows of 64 into 100,000", "ScatterND",
             (100_000, 64), (200_000, 1), reduction="add"),
    ]
    return [dataclasses.replace(case, index_dtype="int32") for case in listed]


def _jax_cases() -> list[Case]:
    sums = Case("index_add", "index_add, 500,000 rows of 64 floats to 10,000", "IndexAdd",
                (10_000, 64), (500_000,), reduction="add")
    return [
        Case("tiny_take", "take, 3 rows of 8x4", "Take", (8, 4), (3,)),
        Case("tiny_index_add", "index_add, 3 rows of 8x4", "IndexAdd", (8, 4), (3,), reduction="add"),
        Case("take", "take, 131,072 rows of 128 floats from a million", "Take", (MILLION, 128), (131_072,)),
        sums,
        dataclasses.replace(sums, name="index_add_donated", title="the same, data donated", how=DONATED),
        Case("scatter_sum", 'scatter with "sum", 500,000 x 64 elements to 10,000 x 64', "ScatterElements",
             (10_000, 64), (500_000, 64), reduction="add", draw="row-constant"),
        Case("take_gradient", "gradient of take, 131,072 rows of 128 floats from 100,000", "Take",
             (100_000, 128), (131_072,), how=GRADIENT),
    ]


def _torch_cases(small: bool) -> list[Case]:
    data, rows, prefix = ((8, 4), 3, "tiny_") if small else ((100_000, 64), 500_000, "")
    take = Case(f"{prefix}index_select", f"index_select, {rows:,} rows of {data[1]} out of {data[0]:,}", "Take",
                data, (rows,))
    add = dataclasses.replace(take, name=f"{prefix}index_add", title="index_add, as many rows", operator="IndexAdd",
                              reduction="add")
    reduce = dataclasses.replace(add, name=f"{prefix}scatter_reduce_amax", operator="ScatterElements",
                                 title="scatter_reduce amax, one index for each row", indices=(rows, data[1]),
                                 reduction="max", draw="row-constant")

    def like(case: Case, name: str, title: str, **fields: Any) -> Case:
        return dataclasses.replace(case, name=prefix + name, title=title, **fields)

    listed = [take, like(take, "embedding", "embedding", how=EMBEDDING), add,
              like(add, "index_add_", "index_add_", in_place=True), reduce]
    if small:
        return [*listed, like(reduce, "gather", "gather", operator="GatherElements", reduction="none")]
    sums = "scatter_reduce sum, an index for each of 16 elements"
    return listed + [
        like(take, "embedding_gradient", "embedding and its gradient", how=GRADIENT),
        like(take, "gather_last_axis", "gather along the last axis, 32 of 64", operator="GatherElements",
             indices=(100_000, 32), axis=1),
        like(add, "index_add_float16", "index_add float16", dtype="float16"),
        like(reduce, "scatter_reduce_sum", "scatter_reduce sum, one index for each row", reduction="add"),
        like(reduce, "scatter_reduce_mean", "scatter_reduce mean, one index for each row", reduction="mean"),
        like(reduce, "scatter_reduce__amax", "scatter_reduce_ amax, one index for each row", in_place=True),
        like(reduce, "scatter_reduce_sum_elements", sums, data=(100_000, 16), indices=(500_000, 16),
             reduction="add", draw="any"),
    ]


def _quantized_cases() -> list[Case]:
    """The embedding of a language model."""
    return [
        Case(f"quantized_{ids}{suffix}", f"GatherBlockQuantized {ids:,} rows of 896 of 4 bits from 151,936, to {dtype}",
             QUANTIZED, (151_936, 896), (ids,), dtype=dtype)
        for dtype, suffix in (("float32", ""), ("float16", "_float16")) for ids in (1, 16, 64, 256, 1024, 4096)
    ]


def _bag_cases() -> list[Case]:
    bag = 20
    return [
        Case(f"bags_of_{rows // 1000}K{label}",
             f"EmbeddingBag, 4096 bags of {bag} rows of 64 from {rows:,}{label.replace('_', ', ')}", BAGS,
             (rows, 64), (4096 * bag,), bag=bag, **change)
        for rows in (4 * MILLION, 100_000)
        for label, change in (("", {}), ("_weighted", {"how": WEIGHTED}), ("_float16", {"dtype": "float16"}))
    ]


KINDS = {
    "peers": Kind("every case beside other libraries", all_cases, (COPY, READS, RANDOM_READS, OURS, *PEERS)),
    "calls": Kind("what a small call costs from Python", _call_cases, CALLS),
    "levers": Kind("every case with all levers and without each", all_cases,
                   (OURS, *(forced_contestant(lever) for lever in LEVERS), COPY)),
    "quantized": Kind("look-ups in a quantised table beside ONNX Runtime", _quantized_cases,
                      ("onnxruntime", OURS, "onnxruntime_windrow")),
    "bags": Kind("sums of rows in bags beside torch, whose interpreter runs the bench", _bag_cases,
                 ("torch_inference", "torch_calls", OURS)),
    "onnxruntime": Kind("ONNX Runtime without and with the plug-in", _onnxruntime_cases,
                        ("onnxruntime", "onnxruntime_windrow")),
    "openvino": Kind("OpenVINO without and with the plug-in", _openvino_cases, ("openvino", "openvino_windrow")),
    "jax": Kind("jax.numpy and windrow.jax, compiled by JAX", _jax_cases, ("jax_numpy", "jax_windrow")),
    "torch": Kind("torch and windrow.torch", lambda: _torch_cases(small=True) + _torch_cases(small=False),
                  ("torch_calls", "torch_windrow", "torch_inference", "torch_windrow_inference")),
}
