"""Windrow's functions inside PyTorch, windrow.torch, which have the meaning of torch's functions of the same names."""

from __future__ import annotations

import re
from dataclasses import replace

from ..array_functions import require_no_broadcast, require_no_negative_index
from ..own_windrow import DISTRIBUTION
from ..record import Record
from ..runtime import Unsupported
from ..windrow_plugins import fault_of, host_versions
from .torch import Torch

# Rules that torch's functions of these names do not have.
_TORCH_TAKES = re.compile(r".*-(Gather|GatherElements|GatherND|ScatterND|Take)-C1$|.*-Scatter(Elements)?-C[12]$|.*-(Index|Put)\w+-C1$")
_SCATTER = "wt.scatter(data, {{axis}}, indices, {values})"


class WindrowInTorch(Torch):
    """windrow.torch, which like torch accepts negative indices only in take, gather_nd and scatter_nd."""

    name = "windrow-in-torch"
    has_options = True
    package = DISTRIBUTION
    module = "windrow"
    imports = "import torch, numpy as np, windrow.torch as wt"
    lines = {
        ("onnx", "Gather"): "wt.take(data, indices, dim={axis})",
        ("onnx", "GatherElements"): "wt.gather(data, {axis}, indices)",
        ("onnx", "GatherND"): "wt.gather_nd(data, indices)",
        ("onnx", "Scatter"): _SCATTER.format(values="updates"),
        ("onnx", "ScatterElements", "none"): _SCATTER.format(values="updates"),
        ("onnx", "ScatterElements"): "wt.scatter_reduce(data, {axis}, indices, updates, reduce='{function}')",
        ("onnx", "ScatterND", "none"): "wt.scatter_nd(data, indices, updates)",
        ("onnx", "ScatterND"): "wt.scatter_nd(data, indices, updates, reduce='{function}')",
        ("array", "Take"): "wt.take(data, indices, dim={axis})",
        ("array", "PutAlongAxis"): _SCATTER.format(values="values"),
        ("array", "IndexAdd"): "wt.index_add(data, {axis}, indices, updates)",
        ("array", "IndexReduce", "sum"): "wt.index_add(data, {axis}, indices, updates)",
    }

    def versions(self) -> dict[str, str]:
        return host_versions("torch")

    def fault(self) -> str:
        return fault_of(self, "torch")

    def preload(self) -> tuple[str, ...]:
        return ("windrow.torch",)

    def is_unsupported(self, error: BaseException) -> bool:
        # torch's stable interface has this message for element types without a number in it.
        return super().is_unsupported(error) or "Not yet supported" in str(error)

    def template(self, record: Record) -> str:
        if record.op == "GatherND" and record.attrs.get("batch_dims", 0):
            raise Unsupported("windrow.torch.gather_nd has no batch dimensions")
        if record.op == "PutAlongAxis":
            require_no_broadcast(record, "asked as windrow.torch.scatter")
        if _TORCH_TAKES.match(record.rule):
            raise Unsupported("torch takes rank 0 for rank 1 and updates larger than indices, and so does windrow.torch")
        if record.op == "IndexReduce" and record.attrs.get("use_init_val", True) is not True:
            raise Unsupported("windrow.torch.index_add starts with the initial value")
        found = super(Torch, self).template(replace(record, options={}))
        if record.options:
            return f"{found.removesuffix(')')}{_options(record)})"
        if not found.startswith(("wt.take", "wt.gather_nd", "wt.scatter_nd")):
            require_no_negative_index(record, found.partition("(")[0])
        return found


def _options(record: Record) -> str:
    """The options as further arguments. Raises Unsupported for those that windrow.torch has not."""
    given = dict(record.options)
    if given.keys() - {"out_of_range", "negative", "padding_index"}:
        raise Unsupported(f"windrow.torch has no option {', '.join(record.options)}")
    below = record.dialect == "array" and given.get("out_of_range") == "clamp"
    given.setdefault("negative", "out_of_range" if below else "from_end")
    return "".join(f", {name}={value!r}" for name, value in given.items())
