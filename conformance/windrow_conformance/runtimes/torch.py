"""PyTorch on the CPU: the functions that programs use in place of the operators.

torch accepts negative indices only in indexing. For other functions, calls that need them are unsupported, while calls
that must be refused for another reason are measured. torch treats a tensor of rank 0 as one of rank 1, which ONNX does
not; such calls are measured nevertheless, because models are exported from these functions.

| operator | function | why this one |
|---|---|---|
| Gather, Take | indexing with a tensor along the axis | any rank of indices; torch.index_select takes rank 1 alone |
| GatherElements | torch.gather | what is exported as GatherElements |
| TakeAlongAxis | torch.take_along_dim | broadcasts off the axis as NumPy does |
| GatherND | indexing with one tensor for each coordinate, under torch.vmap for batch dimensions | |
| Scatter, ScatterElements | torch.scatter, torch.scatter_reduce | what is exported as ScatterElements |
| ScatterND | torch.index_put, with accumulate for add | there is no function for the other reductions |
| PutAlongAxis | torch.scatter | only where nothing has to be broadcast |
| IndexAdd, IndexReduce | torch.index_add, torch.index_reduce | |
| OneHot | torch.nn.functional.one_hot | only for int64, the values 0 and 1 and the last axis |
| SegmentReduce, TensorScatter, ArrayFeatureExtractor | none | torch.segment_reduce takes lengths, not ids |
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..array_functions import (
    ArrayLibrary,
    batch_dims_of,
    numpy_literal,
    require_no_broadcast,
    require_no_negative_index,
    require_zero_and_one,
)
from ..record import Record
from ..runtime import Unsupported
from ..tensor import CARRIERS, Tensor

_TUPLES = "tuple(indices.unbind(-1))"
_INDEXED = "data[(slice(None),) * {position} + (indices,)]"
_SCATTER = "torch.scatter(data, {{axis}}, indices, {values})"
_PLAIN = {"bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"}


class Torch(ArrayLibrary):
    """Tensors on the CPU that share the inputs' memory."""

    name = "torch"
    package = "torch"
    module = "torch"
    reads_in_place = True
    imports = "import torch, numpy as np"
    functions = {"add": "sum", "mul": "prod", "prod": "prod", "max": "amax", "min": "amin", "mean": "mean"}
    missing_types = frozenset({"string"} | (CARRIERS.keys() - _PLAIN))
    index_types = frozenset({"int32", "int64"})
    no_code = re.compile("not implemented for|not supported|only supported for|Expected self to be floating point|should be Long")
    lines = {
        ("onnx", "Gather"): _INDEXED,
        ("onnx", "GatherElements"): "torch.gather(data, {axis}, indices)",
        ("onnx", "Scatter"): _SCATTER.format(values="updates"),
        ("onnx", "ScatterElements", "none"): _SCATTER.format(values="updates"),
        ("onnx", "ScatterElements"): "torch.scatter_reduce(data, {axis}, indices, updates, reduce='{function}')",
        ("onnx", "ScatterND", "none"): f"torch.index_put(data, {_TUPLES}, updates)",
        ("onnx", "ScatterND", "add"): f"torch.index_put(data, {_TUPLES}, updates, accumulate=True)",
        ("onnx", "OneHot"): "torch.nn.functional.one_hot(indices, int(depth))",
        ("array", "Take"): _INDEXED,
        ("array", "TakeAlongAxis"): "torch.take_along_dim(data, indices, {axis})",
        ("array", "PutAlongAxis"): _SCATTER.format(values="values"),
        ("array", "IndexAdd"): "torch.index_add(data, {axis}, indices, updates)",
        ("array", "IndexReduce", "sum"): "torch.index_add(data, {axis}, indices, updates)",
        ("array", "IndexReduce"): (
            "torch.index_reduce(data, {axis}, indices, updates, reduce='{function}', include_self={use_init_val})"
        ),
    }

    def template(self, record: Record) -> str:
        if record.op == "GatherND" and not record.options:
            self.check_indices(record)
            return _gather_nd(batch_dims_of(record))
        if record.op == "PutAlongAxis":
            require_no_broadcast(record, "torch.scatter")
        if record.op == "IndexReduce" and record.attrs.get("use_init_val", True) is not True:
            if record.attrs.get("reduction", "sum") == "sum":
                raise Unsupported("torch.index_add starts with the initial value")
        if record.op == "OneHot":
            _require_last_axis(record)
            require_zero_and_one(record)
        found = super().template(record)
        if found.startswith(("torch.gather", "torch.scatter", "torch.index_")) and "index_put" not in found:
            require_no_negative_index(record, found.partition("(")[0])
        return found

    def to_library(self, tensor: Tensor) -> Any:
        import torch

        array = tensor.array
        if tensor.dtype not in CARRIERS:
            return torch.from_numpy(array)
        return torch.from_numpy(array).view(getattr(torch, tensor.dtype))

    def from_library(self, result: Any) -> Tensor:
        import torch

        name = str(result.dtype).removeprefix("torch.")
        carrier = CARRIERS.get(name)
        if carrier is not None:
            result = result.contiguous().view(getattr(torch, carrier))
        return Tensor(name, result.numpy())

    def literal(self, tensor: Tensor) -> str:
        text = f"torch.from_numpy({numpy_literal(tensor)}.copy())"
        return f"{text}.view(torch.{tensor.dtype})" if tensor.dtype in CARRIERS else text

    def use_threads(self, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)


def _gather_nd(batch_dims: int) -> str:
    gather = f"lambda data, indices: data[{_TUPLES}]"
    for _ in range(batch_dims):
        gather = f"torch.vmap({gather})"
    return f"({gather})(data, indices)"


def _require_last_axis(record: Record) -> None:
    indices, axis = record.inputs[0], record.attrs.get("axis", -1)
    rank = 0 if indices is None else len(indices.shape)
    values = record.inputs[2]
    if axis not in (-1, rank) or values is None or values.dtype != "int64":
        raise Unsupported("torch.nn.functional.one_hot gives int64 along a last axis")
