"""Records as OpenVINO IR, version 11, written without the package openvino."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

import numpy as np

from .element_bytes import element_bytes
from .record import Record
from .runtime import Unsupported
from .tensor import Tensor

__all__ = ["axis_inputs", "model_files", "opset_of"]

# OpenVINO's names of element types by the corpus's names, as attributes have them; ports have them in capitals.
ELEMENT_TYPES = {
    "bool": "boolean",
    "string": "string",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "int4": "i4",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint1": "u1",
    "uint2": "u2",
    "uint4": "u4",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float8_e4m3fn": "f8e4m3",
    "float8_e5m2": "f8e5m2",
    "float8_e8m0fnu": "f8e8m0",
    "float4_e2m1fn": "f4e2m1",
    "nf4": "nf4",
}
_PORT_TYPES = {"boolean": "BOOL", "f16": "FP16", "f32": "FP32", "f64": "FP64"}

# The opset that first has an operator's version, where it is not the one of that number.
_OPSETS = {("ScatterNDUpdate", 3): 4}

# Where operators take their axis; OneHot its depth and its values, SegmentMax the number of segments, SliceScatter its
# slices.
_CONSTANTS = {
    "Gather": (2,),
    "ScatterUpdate": (3,),
    "ScatterElementsUpdate": (3,),
    "OneHot": (1, 2, 3),
    "SegmentMax": (2,),
    "SliceScatter": (2, 3, 4, 5),
    "EmbeddingSegmentsSum": (3,),
}

# Where pooled look-ups have an input that may be absent although others follow: the row of empty bags.
_DEFAULT_INDEX = {"EmbeddingBagOffsetsSum": 3, "EmbeddingBagOffsets": 3, "EmbeddingSegmentsSum": 4}


def axis_inputs(record: Record) -> tuple[int, ...]:
    """The positions of inputs that models usually have as constants: that of the axis, or what other operators have in its place."""
    return tuple(position for position in _CONSTANTS.get(record.op, ()) if position < len(record.inputs))


def opset_of(record: Record) -> str:
    """The name of the operator set that models say to have the operator in its version."""
    return f"opset{_OPSETS.get((record.op, record.version), record.version)}"


def model_files(record: Record, constants: Collection[int] = ()) -> tuple[bytes, bytes]:
    """The .xml and the .bin file of a model of one operator with the result output_0.

    constants: the positions of inputs that are constants; the others are parameters input_0, input_1, .. of fixed shape,
    in that order; numbers count inputs of the record. Raises Unsupported for an element type that OpenVINO lacks and for an
    omitted input for which nothing stands.
    """
    layers: list[_Layer] = []
    weights = b""
    for number, given in enumerate(record.inputs):
        tensor = stand_in(record, number) if given is None else given
        if given is None or number in constants:
            content = _constant_bytes(tensor)
            layers.append(_constant(f"input_{number}", tensor, len(weights), len(content)))
            weights += content + bytes(-len(content) % _ALIGNMENT)
        else:
            layers.append(_parameter(f"input_{number}", tensor))
    return _document(record, layers), weights


def stand_in(record: Record, number: int) -> Tensor:
    """What a model has in place of an input that the record leaves out: -1 as the row of empty bags means zeros.

    In EmbeddingSegmentsSum it has no such meaning, and stands there only if no segment is empty.
    """
    indices = record.inputs[1]
    is_row = number == _DEFAULT_INDEX.get(record.op) and indices is not None and indices.dtype in ("int32", "int64")
    if not is_row or (record.op == "EmbeddingSegmentsSum" and _has_an_empty_segment(record)):
        raise Unsupported("OpenVINO's operators have no inputs that can be left out")
    assert indices is not None
    return Tensor(indices.dtype, np.array(-1, indices.array.dtype))


def _has_an_empty_segment(record: Record) -> bool:
    ids, count = record.inputs[2:4]
    return ids is None or count is None or len(np.unique(ids.array)) != count.array.flat[0]


# Constants begin where an element of any type may.
_ALIGNMENT = 64


@dataclass(frozen=True)
class _Layer:
    """A layer without inputs: its attributes, and those of its data. port: the type and extents of its output."""

    name: str
    kind: str
    data: dict[str, str]
    port: tuple[str, tuple[int, ...]]


def _parameter(name: str, tensor: Tensor) -> _Layer:
    return _Layer(name, "Parameter", _type_and_shape(tensor), (_element_type(tensor), tensor.shape))


def _constant(name: str, tensor: Tensor, offset: int, size: int) -> _Layer:
    place = {"offset": str(offset), "size": str(size)}
    return _Layer(name, "Const", _type_and_shape(tensor) | place, (_element_type(tensor), tensor.shape))


def _type_and_shape(tensor: Tensor) -> dict[str, str]:
    return {"element_type": _element_type(tensor), "shape": ",".join(map(str, tensor.shape))}


def _element_type(tensor: Tensor) -> str:
    name = ELEMENT_TYPES.get(tensor.dtype)
    if name is None:
        raise Unsupported(f"OpenVINO has no element type {tensor.dtype}")
    return name


def _constant_bytes(tensor: Tensor) -> bytes:
    if tensor.dtype == "string":
        return _packed_strings([element.encode() for element in tensor.array.reshape(-1).tolist()])
    # The first bit of a byte of u1 is its highest one, of wider types the lowest.
    return element_bytes(tensor, "big" if tensor.dtype == "uint1" else "little")


def _packed_strings(texts: list[bytes]) -> bytes:
    """Their number, where each begins and the last ends, as 32-bit integers; then the texts."""
    ends = [0]
    for content in texts:
        ends.append(ends[-1] + len(content))
    return struct.pack(f"<{len(ends) + 1}i", len(texts), *ends) + b"".join(texts)


def _document(record: Record, sources: list[_Layer]) -> bytes:
    lines = ['<?xml version="1.0"?>', '<net name="record" version="11">', "\t<layers>"]
    for number, layer in enumerate(sources):
        lines += [
            f"\t\t<layer{_attributes({'id': number, 'name': layer.name, 'type': layer.kind, 'version': 'opset1'})}>",
            f"\t\t\t<data{_attributes(layer.data)}/>",
            "\t\t\t<output>",
            *_port(0, layer.port, layer.name),
            "\t\t\t</output>",
            "\t\t</layer>",
        ]
    lines += _operator(record, sources)
    lines += _result(record, sources)
    lines += ["\t</layers>", "\t<edges>"]
    operator = len(sources)
    for number in range(operator):
        lines.append(_edge(number, 0, operator, number))
    lines += [_edge(operator, operator, operator + 1, 0), "\t</edges>", "</net>", ""]
    return "\n".join(lines).encode()


def _operator(record: Record, sources: list[_Layer]) -> list[str]:
    attributes = {"id": len(sources), "name": "output_0", "type": record.op, "version": opset_of(record)}
    lines = [f"\t\t<layer{_attributes(attributes)}>"]
    if record.attrs:
        lines.append(f"\t\t\t<data{_attributes(record.attrs)}/>")
    if sources:
        lines.append("\t\t\t<input>")
        for number, layer in enumerate(sources):
            lines += _port(number, layer.port)
        lines.append("\t\t\t</input>")
    return [
        *lines,
        "\t\t\t<output>",
        *_port(len(sources), _result_port(record), "output_0"),
        "\t\t\t</output>",
        "\t\t</layer>",
    ]


def _result(record: Record, sources: list[_Layer]) -> list[str]:
    attributes = {"id": len(sources) + 1, "name": "result", "type": "Result", "version": "opset1"}
    return [
        f"\t\t<layer{_attributes(attributes)}>",
        "\t\t\t<input>",
        *_port(0, _result_port(record)),
        "\t\t\t</input>",
        "\t\t</layer>",
    ]


def _result_port(record: Record) -> tuple[str, tuple[int, ...]]:
    """The declaration of the result, which readers infer themselves: the type of data, and no extents."""
    position = 2 if record.op == "OneHot" else 0
    first = record.inputs[position] if position < len(record.inputs) else None
    return (_element_type(first) if first is not None else "dynamic"), ()


def _port(number: int, port: tuple[str, tuple[int, ...]], names: str = "") -> list[str]:
    element_type, extents = port
    attributes: dict[str, object] = {"id": number, "precision": _PORT_TYPES.get(element_type, element_type.upper())}
    if names:
        attributes["names"] = names
    if not extents:
        return [f"\t\t\t\t<port{_attributes(attributes)}/>"]
    dims = [f"\t\t\t\t\t<dim>{extent}</dim>" for extent in extents]
    return [f"\t\t\t\t<port{_attributes(attributes)}>", *dims, "\t\t\t\t</port>"]


def _edge(source: int, source_port: int, target: int, target_port: int) -> str:
    places = {"from-layer": source, "from-port": source_port, "to-layer": target, "to-port": target_port}
    return f"\t\t<edge{_attributes(places)}/>"


def _attributes(values: Mapping[str, object]) -> str:
    return "".join(f" {name}={quoteattr(_attribute_text(value))}" for name, value in values.items())


def _attribute_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
