"""NumPy: its functions that have the meaning of operators of ONNX, and the row functions.

| operator | function | why this one |
|---|---|---|
| Gather, Take | numpy.take | takes indices of any rank along an axis; "clip" and "wrap" are the options clamp and modulo |
| GatherElements, TakeAlongAxis | numpy.take_along_axis | the same equation; it broadcasts off the axis, where ONNX does not |
| GatherND | indexing with one array for each coordinate | NumPy has no batch dimensions: those are unsupported |
| Scatter, ScatterElements, PutAlongAxis | numpy.put_along_axis into a copy | the same equation |
| ScatterElements with a reduction | numpy.add.at and its like | the functions that fold repeated indices; += does not |
| ScatterND | assignment by index arrays; numpy.add.at and its like | it broadcasts updates, where ONNX does not |
| IndexAdd, IndexReduce | numpy.add.at and its like, along the axis | no mean, and no fold without the initial value |
| SegmentReduce | none | numpy.add.reduceat has no empty segments |
| OneHot, TensorScatter, ArrayFeatureExtractor | none | |
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..array_functions import ArrayLibrary, numpy_literal
from ..record import Record
from ..runtime import Unsupported
from ..tensor import CARRIERS, Tensor

_FOLDS = {"add": "add", "mul": "multiply", "max": "maximum", "min": "minimum", "sum": "add", "prod": "multiply"}
_PUT = "out = data.copy(); np.put_along_axis(out, indices, {values}, axis={{axis}})\nout"
_MODES = {"clamp": "clip", "modulo": "wrap"}


class NumPy(ArrayLibrary):
    """NumPy with its own types: no bfloat16, 8-bit floats or 4-bit types. Every call runs on one thread."""

    name = "numpy"
    package = "numpy"
    module = "numpy"
    has_options = True
    has_threads = False
    reads_in_place = True
    imports = "import numpy as np"
    functions = {**_FOLDS, "none": "set"}
    missing_types = frozenset(CARRIERS)
    no_code = re.compile("did not contain a loop with signature|UFuncNoLoopError|ufunc '.*' not supported")
    lines = {
        ("onnx", "Gather"): "np.take(data, indices, axis={axis})",
        ("onnx", "GatherElements"): "np.take_along_axis(data, indices, axis={axis})",
        ("onnx", "GatherND"): "data[tuple(np.moveaxis(indices, -1, 0))]",
        ("onnx", "Scatter"): _PUT.format(values="updates"),
        ("onnx", "ScatterElements", "none"): _PUT.format(values="updates"),
        ("onnx", "ScatterElements"): (
            "out = data.copy(); where = list(np.indices(indices.shape, sparse=True)); where[{position}] = indices\n"
            "np.{function}.at(out, tuple(where), updates)\n"
            "out"
        ),
        ("onnx", "ScatterND", "none"): "out = data.copy(); out[tuple(np.moveaxis(indices, -1, 0))] = updates\nout",
        ("onnx", "ScatterND"): (
            "out = data.copy(); np.{function}.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)\nout"
        ),
        ("array", "Take"): "np.take(data, indices, axis={axis})",
        ("array", "TakeAlongAxis"): "np.take_along_axis(data, indices, axis={axis})",
        ("array", "PutAlongAxis"): _PUT.format(values="values"),
        ("array", "IndexAdd"): (
            "out = data.copy(); np.add.at(np.moveaxis(out, {axis}, 0), indices, np.moveaxis(updates, {axis}, 0))\nout"
        ),
        ("array", "IndexReduce"): (
            "out = data.copy()\n"
            "np.{function}.at(np.moveaxis(out, {axis}, 0), indices, np.moveaxis(updates, {axis}, 0))\n"
            "out"
        ),
    }

    def template(self, record: Record) -> str:
        if record.op == "GatherND" and record.attrs.get("batch_dims", 0):
            raise Unsupported("numpy has no batch dimensions")
        if record.op == "IndexReduce" and record.attrs.get("use_init_val", True) is not True:
            raise Unsupported("numpy folds with the initial value alone")
        mode = _MODES.get(record.options.get("out_of_range", ""))
        if record.op == "Take" and mode and len(record.options) == 1:
            return f"np.take(data, indices, axis={{axis}}, mode={mode!r})"
        return super().template(record)

    def to_library(self, tensor: Tensor) -> Any:
        return tensor.array

    def from_library(self, result: Any) -> Tensor:
        # An index of rank 0 gives an element, not an array; an element of a string array is a str.
        if isinstance(result, str):
            return Tensor("string", np.array(result, dtype=object))
        array = np.asarray(result)
        return Tensor("string" if array.dtype.kind == "O" else array.dtype.name, array)

    def literal(self, tensor: Tensor) -> str:
        return numpy_literal(tensor)
