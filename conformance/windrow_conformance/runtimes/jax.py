"""JAX on the CPU: the functions that programs use in place of the operators.

They never refuse an index: by contract jnp.take gives NaN (or an extreme integer) for an index outside, and .at[] drops
the update. They are measured with such indices nevertheless, because programs use them for such calls.

| operator | function | why this one |
|---|---|---|
| Gather, Take | jax.numpy.take | "clip", "wrap" and "fill" are the options clamp, modulo and zero |
| GatherElements, TakeAlongAxis | jax.numpy.take_along_axis | it broadcasts off the axis, where ONNX does not |
| GatherND | indexing with one array for each coordinate, under jax.vmap for batch dimensions | |
| Scatter, ScatterElements, PutAlongAxis | jax.numpy.put_along_axis(inplace=False) | it broadcasts, where ONNX does not |
| ScatterElements, ScatterND, IndexAdd, IndexReduce | data.at[..].set, add, multiply, max, min | updates are broadcast |
| SegmentReduce | jax.ops.segment_sum and its like | the same equation, with empty segments |
| OneHot | jax.nn.one_hot | only for the values 0 and 1 |
| TensorScatter, linear | jax.lax.dynamic_update_slice_in_dim under jax.vmap | what JAX's key-value caches use; it clamps |
| ArrayFeatureExtractor; mean, no initial value | none | |
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..array_functions import ArrayLibrary, batch_dims_of, numpy_literal, require_zero_and_one
from ..ml_types import from_ml, to_ml
from ..record import Record
from ..runtime import Unsupported
from ..tensor import CARRIERS, Tensor

_TUPLES = "tuple(jnp.moveaxis(indices, -1, 0))"
_ALONG = "where = list(jnp.indices(indices.shape, sparse=True)); where[{position}] = indices\n"
_ROWS = "data.at[(slice(None),) * {position} + (indices,)].{function}(updates)"
_PUT = "jnp.put_along_axis(data, indices, {values}, axis={{axis}}, inplace=False)"
_MODES = {"clamp": "mode='clip'", "modulo": "mode='wrap'", "zero": "mode='fill', fill_value=0"}
_SEGMENT = "jax.ops.segment_{function}(data, segment_ids, num_segments={num_segments})"


class Jax(ArrayLibrary):
    """JAX with 64-bit types enabled. XLA copies inputs that are not aligned to 64 bytes."""

    name = "jax"
    package = "jax"
    module = "jax"
    has_options = True
    imports = "import jax, numpy as np; from jax import numpy as jnp"
    setup = "jax.config.update('jax_enable_x64', True)"
    functions = {
        "add": "add",
        "sum": "add",
        "mul": "multiply",
        "prod": "multiply",
        "max": "max",
        "min": "min",
        "none": "set",
    }
    missing_types = frozenset({"string", "uint1", "nf4"})
    no_code = re.compile("not implemented|does not accept dtype|not supported|UNIMPLEMENTED")
    lines = {
        ("onnx", "Gather"): "jnp.take(data, indices, axis={axis})",
        ("onnx", "GatherElements"): "jnp.take_along_axis(data, indices, axis={axis})",
        ("onnx", "Scatter"): _PUT.format(values="updates"),
        ("onnx", "ScatterElements", "none"): _PUT.format(values="updates"),
        ("onnx", "ScatterElements"): _ALONG + "data.at[tuple(where)].{function}(updates)",
        ("onnx", "ScatterND"): f"data.at[{_TUPLES}].{{function}}(updates)",
        ("onnx", "OneHot"): "jax.nn.one_hot(indices, int(depth.reshape(())), dtype=values.dtype, axis={axis})",
        ("array", "Take"): "jnp.take(data, indices, axis={axis})",
        ("array", "TakeAlongAxis"): "jnp.take_along_axis(data, indices, axis={axis})",
        ("array", "PutAlongAxis"): _PUT.format(values="values"),
        ("array", "IndexAdd"): _ROWS.replace("{function}", "add"),
        ("array", "IndexReduce"): _ROWS,
        ("array", "SegmentReduce", "sum"): _SEGMENT.replace("{function}", "sum"),
        ("array", "SegmentReduce", "prod"): _SEGMENT.replace("{function}", "prod"),
        ("array", "SegmentReduce", "max"): _SEGMENT.replace("{function}", "max"),
        ("array", "SegmentReduce", "min"): _SEGMENT.replace("{function}", "min"),
    }

    def template(self, record: Record) -> str:
        if record.op == "IndexReduce" and record.attrs.get("use_init_val", True) is not True:
            raise Unsupported("jax folds with the initial value alone")
        mode = _MODES.get(record.options.get("out_of_range", ""))
        if record.op == "Take" and mode and len(record.options) == 1:
            return f"jnp.take(data, indices, axis={{axis}}, {mode})"
        if record.op == "GatherND" and not record.options:
            self.check_indices(record)
            return _gather_nd(batch_dims_of(record))
        if record.op == "TensorScatter" and not record.options:
            return _tensor_scatter(record)
        if record.op == "OneHot":
            require_zero_and_one(record)
        return super().template(record)

    def to_library(self, tensor: Tensor) -> Any:
        import jax.numpy

        return jax.numpy.asarray(to_ml(tensor))

    def from_library(self, result: Any) -> Tensor:
        return from_ml(np.asarray(result))

    def literal(self, tensor: Tensor) -> str:
        if tensor.dtype not in CARRIERS:
            return f"jnp.asarray({numpy_literal(tensor)})"
        if tensor.dtype.endswith("int4"):
            return f"jnp.asarray({to_ml(tensor).astype(np.int8).tolist()!r}, 'int8').astype('{tensor.dtype}')"
        return f"jnp.asarray({numpy_literal(tensor)}.view(jnp.{tensor.dtype}))"


def _gather_nd(batch_dims: int) -> str:
    gather = f"lambda data, indices: data[{_TUPLES}]"
    for _ in range(batch_dims):
        gather = f"jax.vmap({gather})"
    return f"({gather})(data, indices)"


def _tensor_scatter(record: Record) -> str:
    cache, axis = record.inputs[0], record.attrs.get("axis", -2)
    rank = 0 if cache is None else len(cache.shape)
    is_axis = isinstance(axis, int) and -rank < axis < rank and axis != 0
    if record.attrs.get("mode", "linear") != "linear" or not is_axis:
        raise Unsupported("jax writes one slice along an axis other than that of the batch")
    write = f"lambda cache, update, start: jax.lax.dynamic_update_slice_in_dim(cache, update, start, {axis % rank - 1})"
    starts = "write_indices" if len(record.inputs) > 2 and record.inputs[2] is not None else "jnp.zeros(len(cache), int)"
    return f"jax.vmap({write})(cache, update, {starts})"
