"""Runs onnx's own shape inference on a model, in a process of its own."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from windrow.processes import Limits, Pool

_LIMITS = Limits(seconds=60.0)
# onnx keeps an entry for each element of a vector that an operator computes with, whatever its type. Vectors that hold
# shapes are short.
_MOST_ELEMENTS = 1 << 20
# The symbols that onnx invents for unknown extents.
_INVENTED = "unk__"
# Names of onnx's element types that are not NumPy's in lower case.
_TYPES = {
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "FLOAT8E4M3FN": "float8_e4m3fn",
    "FLOAT8E4M3FNUZ": "float8_e4m3fnuz",
    "FLOAT8E5M2": "float8_e5m2",
    "FLOAT8E5M2FNUZ": "float8_e5m2fnuz",
    "FLOAT8E8M0": "float8_e8m0fnu",
    "FLOAT4E2M1": "float4_e2m1fn",
}


def ask(skeleton: bytes) -> tuple[list[Any], str]:
    """Rows (path of the graph, name of the value, dtype or None, dims or None) that onnx infers.

    skeleton: a model without claims, whose nodes are named by their paths. The second member says what failed, and is
    empty if nothing did.
    """
    if importlib.util.find_spec("onnx") is None:
        return [], "types of other operators are unknown: onnx, whose shape inference finds them, is not installed"
    for handler in (infer, infer_shapes_alone):
        with Pool(f"{__name__}:{handler.__name__}", preload=["onnx.shape_inference"], limits=_LIMITS) as pool:
            ending = pool.run([skeleton])[0]
        if ending.failure is None:
            return ending.value, ""
    return [], f"types of other operators are unknown: onnx's shape inference failed: {ending.failure}"


def infer(skeleton: bytes) -> list[Any]:
    """The rows of ask(). Raises onnx's own errors."""
    import onnx

    inputs = onnx.ModelProto.FromString(skeleton).graph.input
    return _infer(skeleton, data_prop=not any(map(_is_long_vector, inputs)))


def infer_shapes_alone(skeleton: bytes) -> list[Any]:
    """As infer(), without the values that shapes are computed from: these may need more memory than there is."""
    return _infer(skeleton, data_prop=False)


def _is_long_vector(value: Any) -> bool:
    dims = value.type.tensor_type.shape.dim
    return len(dims) == 1 and dims[0].dim_value > _MOST_ELEMENTS


def _infer(skeleton: bytes, data_prop: bool) -> list[Any]:
    import onnx.shape_inference

    # Nodes for which onnx finds an error are left out of its answer, and the rest goes on.
    inferred = onnx.shape_inference.infer_shapes(skeleton, check_type=False, strict_mode=False, data_prop=data_prop)
    return list(_rows(inferred.graph, "main"))


def _rows(graph: Any, path: str) -> Iterator[tuple[str, str, str | None, list[int | str | None] | None]]:
    for value in (*graph.value_info, *graph.output):
        if value.type.HasField("tensor_type"):
            yield path, value.name, *_type(value.type.tensor_type)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _rows(attribute.g, f"{node.name}.{attribute.name}")
            for position, body in enumerate(attribute.graphs):
                yield from _rows(body, f"{node.name}.{attribute.name}[{position}]")


def type_name(number: int) -> str | None:
    """windrow's name of the element type that has this number in onnx, or onnx's own in lower case; None for no type."""
    import onnx

    if number not in onnx.TensorProto.DataType.values():
        return f"element type {number}"
    name: str = onnx.TensorProto.DataType.Name(number)
    return None if name == "UNDEFINED" else _TYPES.get(name, name.lower())


def type_number(name: str) -> int:
    """The number in onnx of the element type with this name in windrow; that of no type if onnx does not have it."""
    import onnx

    return next((number for number in onnx.TensorProto.DataType.values() if type_name(number) == name), 0)


def _type(tensor: Any) -> tuple[str | None, list[int | str | None] | None]:
    dtype = type_name(tensor.elem_type)
    if not tensor.HasField("shape"):
        return dtype, None
    return dtype, [_dim(dim) for dim in tensor.shape.dim]


def _dim(dim: Any) -> int | str | None:
    if dim.HasField("dim_value"):
        return int(dim.dim_value) if dim.dim_value >= 0 else None
    return str(dim.dim_param) if dim.dim_param and not dim.dim_param.startswith(_INVENTED) else None
