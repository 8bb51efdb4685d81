"""A record as the few lines of Python that make its ONNX model with onnx.parser, and its inputs, for reproductions."""

from __future__ import annotations

import json
from collections.abc import Iterable

from .array_functions import numpy_literal
from .onnx_model import domain_of, ir_version, opsets_of, result_type
from .record import Record
from .tensor import CARRIERS, Tensor

# The parser's names of types that are not the corpus's.
_NAMES = {"float32": "float", "float64": "double", "float4_e2m1fn": "float4e2m1", "float8_e8m0fnu": "float8e8m0"}


def parsed_model(record: Record) -> list[str]:
    """Lines that make `model` and `inputs`; onnx, ml_dtypes and NumPy as np are imported before them."""
    names = ["" if tensor is None else f"input_{at}" for at, tensor in enumerate(record.inputs)]
    named = {name: tensor for name, tensor in zip(names, record.inputs, strict=True) if tensor is not None}
    parameters = ", ".join(f"{_type(t.dtype, map(str, t.shape))} {name}" for name, t in named.items())
    opsets = ", ".join(f"{json.dumps(name)}: {version}" for name, version in opsets_of(record).items())
    domain = domain_of(record)
    attributes = ", ".join(f"{name} = {json.dumps(value)}" for name, value in record.attrs.items())
    node = f"output_0 = {domain}{'.' if domain else ''}{record.op}{f'<{attributes}>' if attributes else ''}({', '.join(names)})"
    dtype, rank = result_type(record)
    header = f"<ir_version: {ir_version(record)}, opset_import: [{opsets}]>"
    result = _type(dtype, "?" * rank)
    text = f"{header} record ({parameters}) => ({result} output_0) {{ {node} }}"
    feeds = ", ".join(f"{name!r}: {_array(tensor)}" for name, tensor in named.items())
    return [f"model = onnx.parser.parse_model({text!r})", f"inputs = {{{feeds}}}"]


def _type(dtype: str, extents: Iterable[str]) -> str:
    name, shape = _NAMES.get(dtype, dtype.replace("_", "")), ",".join(extents)
    return f"{name}[{shape}]" if shape else name


def _array(tensor: Tensor) -> str:
    text = numpy_literal(tensor)
    return f"{text}.view(ml_dtypes.{tensor.dtype})" if tensor.dtype in CARRIERS else text
