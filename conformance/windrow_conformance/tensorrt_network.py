"""A record as a network of TensorRT with one layer, for the package tensorrt or another module with its interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .record import Record
from .runtime import Unsupported
from .tensor import Tensor

# The members of DataType; a release that lacks one has no such type.
TYPES = {
    "float32": "FLOAT",
    "float16": "HALF",
    "bfloat16": "BF16",
    "float8_e4m3fn": "FP8",
    "float4_e2m1fn": "FP4",
    "int8": "INT8",
    "int32": "INT32",
    "int64": "INT64",
    "int4": "INT4",
    "uint8": "UINT8",
    "bool": "BOOL",
}
OUTPUT = "output_0"
_MAX_RANK = 8


@dataclass(frozen=True)
class _Layer:
    """add: the network's function, which takes the inputs and a mode, or the axis for layers without modes.

    kind: the enumeration of the modes. modes: the members; the first one is the default.
    """

    add: str
    inputs: int
    settings: tuple[str, ...] = ()
    kind: str = ""
    modes: tuple[str, ...] = ()


_LAYERS = {
    "Gather": _Layer(
        "add_gather_v2", 2, ("axis", "num_elementwise_dims"), "GatherMode", ("DEFAULT", "ELEMENT", "ND")
    ),
    "Scatter": _Layer("add_scatter", 3, ("axis",), "ScatterMode", ("ELEMENT", "ND")),
    "OneHot": _Layer("add_one_hot", 3, ("axis",)),
    "KVCacheUpdate": _Layer("add_kv_cache_update", 3, (), "KVCacheMode", ("LINEAR",)),
}


def input_name(position: int) -> str:
    return f"input_{position}"


def why_no_network(record: Record) -> str:
    """Why the network interface cannot express a record; empty if it can."""
    layer = _LAYERS[record.op]
    if len(record.inputs) != layer.inputs or None in record.inputs:
        return "a layer has all of its inputs and no others"
    for tensor in filter(None, record.inputs):
        if tensor.dtype not in TYPES:
            return f"TensorRT has no type {tensor.dtype}"
        if len(tensor.shape) > _MAX_RANK:
            return f"TensorRT has at most {_MAX_RANK} axes"
    for name, value in record.attrs.items():
        if name == "mode" and layer.modes:
            if value not in layer.modes:
                return f"TensorRT has no mode {value!r}"
        elif name not in layer.settings:
            return f"the layer has no setting {name}"
        elif type(value) is not int or not -(2**31) <= value < 2**31:
            return f"{name} is a 32-bit integer"
    return ""


def build_network(trt: Any, builder: Any, record: Record) -> Any:
    """The network of a record to which why_no_network() does not object; None if TensorRT refuses it.

    trt: the module. The inputs have the names of input_name(), the output has OUTPUT; the depth of OneHot is a constant.
    Raises Unsupported for what the installed release lacks.
    """
    flags = trt.NetworkDefinitionCreationFlag.__members__
    # Releases 8 and 9 need the first flag. Without the second one, which 8 lacks, int8 needs scales and the indices of
    # Scatter are int32 alone.
    names = [name for name in ("EXPLICIT_BATCH", "STRONGLY_TYPED") if name in flags]
    network = builder.create_network(sum(1 << int(flags[name]) for name in names))
    layer, attrs = _LAYERS[record.op], record.attrs
    add = getattr(network, layer.add, None)
    if add is None:
        raise Unsupported(f"this release of TensorRT has no {layer.add}")
    last = attrs.get("axis", -1)
    if layer.modes:
        last = getattr(getattr(trt, layer.kind), attrs.get("mode", layer.modes[0]))
    inputs = [
        _input(trt, network, tensor, input_name(at), is_constant=record.op == "OneHot" and at == 2)
        for at, tensor in enumerate(record.inputs)
        if tensor is not None
    ]
    added = None if any(tensor is None for tensor in inputs) else add(*inputs, last)
    if added is None:
        return None
    for setting in attrs.keys() & set(layer.settings):
        setattr(added, setting, attrs[setting])
    network.mark_output(added.get_output(0))
    added.get_output(0).name = OUTPUT
    return network


def _input(trt: Any, network: Any, tensor: Tensor, name: str, is_constant: bool) -> Any:
    """None where TensorRT refuses it."""
    dtype = getattr(trt.DataType, TYPES[tensor.dtype], None)
    if dtype is None:
        raise Unsupported(f"this release of TensorRT has no type {tensor.dtype}")
    # Constants take NumPy's types. Depths of others are wrong in any case.
    if is_constant and tensor.dtype in ("int32", "int64"):
        constant = network.add_constant(tensor.shape, tensor.array)
        return None if constant is None else constant.get_output(0)
    return network.add_input(name, dtype, tensor.shape)
