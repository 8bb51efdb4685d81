"""Windrow's functions inside JAX, windrow.jax.

The functions have NumPy's and ONNX's meanings. take_along_axis broadcasts as NumPy's does, so GatherElements is
measured only where nothing is broadcast.
"""

from __future__ import annotations

import re

from ..array_functions import require_no_broadcast
from ..own_windrow import DISTRIBUTION
from ..record import Record
from ..runtime import Unsupported
from ..windrow_plugins import fault_of, host_versions
from .jax import Jax

_NAMES = {"add": "sum", "mul": "prod"}


_NO_TYPE = re.compile(r"which no operator takes here|-T1\]: data has type")


class WindrowInJax(Jax):
    """windrow.jax on the CPU, on arrays that XLA has copied."""

    name = "windrow-in-jax"
    package = DISTRIBUTION
    module = "windrow"
    imports = "import jax, numpy as np, windrow.jax as wj; from jax import numpy as jnp"
    functions = {**_NAMES, **{name: name for name in ("none", "sum", "sub", "prod", "min", "max", "mean")}}
    lines = {
        ("onnx", "Gather"): "wj.take(data, indices, axis={axis})",
        ("onnx", "GatherElements"): "wj.take_along_axis(data, indices, axis={axis})",
        ("onnx", "GatherND"): "wj.gather_nd(data, indices, batch_dims={batch_dims})",
        ("onnx", "Scatter"): "wj.scatter(data, indices, updates, axis={axis})",
        ("onnx", "ScatterElements"): "wj.scatter(data, indices, updates, axis={axis}, reduction='{function}')",
        ("onnx", "ScatterND"): "wj.scatter_nd(data, indices, updates, reduction='{function}')",
        ("array", "Take"): "wj.take(data, indices, axis={axis})",
        ("array", "TakeAlongAxis"): "wj.take_along_axis(data, indices, axis={axis})",
        ("array", "PutAlongAxis"): "wj.put_along_axis(data, indices, values, axis={axis}, inplace=False)",
        ("array", "IndexAdd"): "wj.index_add(data, indices, updates, axis={axis})",
        ("array", "IndexReduce"): (
            "wj.index_reduce(data, indices, updates, axis={axis}, reduction='{function}', use_init_val={use_init_val})"
        ),
    }

    def versions(self) -> dict[str, str]:
        return host_versions("jax")

    def fault(self) -> str:
        return fault_of(self, "jax")

    def preload(self) -> tuple[str, ...]:
        return ("windrow.jax",)

    def is_unsupported(self, error: BaseException) -> bool:
        return super().is_unsupported(error) or _NO_TYPE.search(str(error)) is not None

    def template(self, record: Record) -> str:
        found = self.lines.get((record.dialect, record.op))
        if found is None:
            raise Unsupported(f"windrow.jax has no function that means {record.op}")
        if record.op == "GatherElements":
            require_no_broadcast(record, "asked as wj.take_along_axis")
        if record.op == "GatherND":
            self.check_indices(record)
        if record.op == "ScatterND" and record.rule.endswith("-C3") and _is_one_tuple(record):
            raise Unsupported("wj.scatter_nd takes one element of any shape for one tuple, as OpenVINO's ScatterNDUpdate")
        if record.must_fail and record.attrs.get("reduction") == "mean" and record.rule.endswith("-V12"):
            raise Unsupported("windrow.jax has means of complex numbers")
        if record.op == "PutAlongAxis":
            _require_data_is_not_broadcast(record)
        if record.error_kind == "index" and any(tensor is not None and not tensor.array.size for tensor in record.inputs):
            raise Unsupported("XLA leaves out a call whose result has no elements, and with it the look at its indices")
        return f"{found.removesuffix(')')}{_options(record)})"


def _options(record: Record) -> str:
    """The options as further arguments. Raises Unsupported for those that windrow.jax has not, or with another meaning."""
    given, text = dict(record.options), ""
    policy, negative = given.get("out_of_range"), given.pop("negative", None)
    clamps_from_end = negative == "from_end" or (negative is None and record.dialect != "array")
    if given.keys() - {"out_of_range", "padding_index"} or negative == "error" or (policy == "clamp" and clamps_from_end):
        raise Unsupported(f"windrow.jax has no option {', '.join(record.options)}")
    if negative is not None:
        given["wrap_negative_indices"] = negative == "from_end"
    for name, value in given.items():
        text += f", {name}={value!r}"
    return text


def _is_one_tuple(record: Record) -> bool:
    indices, updates = record.inputs[1], record.inputs[2]
    return indices is not None and updates is not None and len(indices.shape) == 1 and updates.array.size == 1


def _require_data_is_not_broadcast(record: Record) -> None:
    data, indices = record.inputs[0], record.inputs[1]
    if data is None or indices is None or record.must_fail:
        return
    if any(own == 1 < mine for own, mine in zip(data.shape, indices.shape)):
        raise Unsupported("jax.numpy.put_along_axis broadcasts indices to data and never data to indices")
