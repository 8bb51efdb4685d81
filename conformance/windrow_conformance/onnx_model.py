"""Records as ONNX models and tensors, written without the package onnx.

The numbers of fields are those of onnx.proto; a message is made of its fields in that file's order.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .element_bytes import element_bytes
from .protobuf_writer import data, integer, packed_integers, text
from .record import Record
from .runtime import Unsupported
from .tensor import Tensor

__all__ = ["domain_of", "ir_version", "model_bytes", "opsets_of", "tensor_bytes"]

# TensorProto.DataType by the corpus's names.
ELEMENT_TYPES = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "string": 8,
    "bool": 9,
    "float16": 10,
    "float64": 11,
    "uint32": 12,
    "uint64": 13,
    "complex64": 14,
    "complex128": 15,
    "bfloat16": 16,
    "float8_e4m3fn": 17,
    "float8_e4m3fnuz": 18,
    "float8_e5m2": 19,
    "float8_e5m2fnuz": 20,
    "uint4": 21,
    "int4": 22,
    "float4_e2m1fn": 23,
    "float8_e8m0fnu": 24,
    "uint2": 25,
}

# The IR version that the release of an opset (and of those after it) had, and the one that brought a type.
_OLDEST_IR = 4  # from here on initializers need not be inputs
_IR_OF_OPSETS = ((10, 5), (11, 6), (12, 7), (15, 8), (19, 9), (21, 10), (23, 11), (24, 12), (25, 13), (28, 14))
_IR_OF_TYPES = {
    **dict.fromkeys(("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"), 9),
    **dict.fromkeys(("int4", "uint4"), 10),
    "float4_e2m1fn": 11,
    "float8_e8m0fnu": 12,
    "uint2": 13,
}

# The domain of operators that are not ONNX's own, and the opset of ai.onnx beside it: of ai.onnx.ml the one in the release
# that the oldest IR version is of; of ONNX Runtime the one that brought 4-bit types.
_DOMAINS = {"ArrayFeatureExtractor": ("ai.onnx.ml", 9), "GatherBlockQuantized": ("com.microsoft", 21)}

# The input that has the result's type, where it is not the first.
_TYPED_BY = {"OneHot": 2, "GatherBlockQuantized": 2}


def model_bytes(record: Record, constants: Collection[int] = ()) -> bytes:
    """A ModelProto of one node with the inputs input_0, input_1, .. and the output output_0.

    constants: the positions of inputs that are initializers. An omitted input has an empty name. The inputs' shapes are
    declared; for the output only type and rank are, so that the runtime infers the extents itself.
    Raises Unsupported for a type that ONNX lacks and an attribute of a kind that records do not have.
    """
    content = integer(1, ir_version(record)) + text(2, "windrow-conformance")
    content += data(7, _graph(record, domain_of(record), constants))
    for name, version in opsets_of(record).items():
        content += data(8, text(1, name) + integer(2, version))
    return content


def tensor_bytes(tensor: Tensor, name: str) -> bytes:
    """A TensorProto. Raises Unsupported for a type that ONNX lacks."""
    content = packed_integers(1, tensor.shape) + integer(2, _element_type(tensor.dtype))
    if tensor.dtype == "string":
        content += b"".join(text(6, element) for element in tensor.array.reshape(-1).tolist())
        return content + text(8, name)
    return content + text(8, name) + data(9, element_bytes(tensor))


def _element_type(dtype: str) -> int:
    number = ELEMENT_TYPES.get(dtype)
    if number is None:
        raise Unsupported(f"ONNX has no element type {dtype}")
    return number


def domain_of(record: Record) -> str:
    """The operator's domain; empty for ONNX's own."""
    return _DOMAINS.get(record.op, ("", 0))[0]


def opsets_of(record: Record) -> dict[str, int]:
    """The operator sets that the model names, by domain."""
    domain, beside = _DOMAINS.get(record.op, ("", record.version))
    return {"": beside, domain: record.version} if domain else {"": record.version}


def ir_version(record: Record) -> int:
    """The IR version of the model: the oldest that has the operator set and the types."""
    opset = opsets_of(record)[""]
    of_opset = [version for first, version in _IR_OF_OPSETS if first <= opset]
    of_types = [_IR_OF_TYPES.get(tensor.dtype, 0) for tensor in record.inputs if tensor is not None]
    return max([_OLDEST_IR, *of_opset, *of_types])


def _graph(record: Record, domain: str, constants: Collection[int]) -> bytes:
    names = ["" if tensor is None else f"input_{number}" for number, tensor in enumerate(record.inputs)]
    content = data(1, _node(record, names, domain)) + text(2, "record")
    inputs = b""
    for number, (name, tensor) in enumerate(zip(names, record.inputs, strict=True)):
        if tensor is None:
            continue
        if number in constants:
            content += data(5, tensor_bytes(tensor, name))
        else:
            inputs += data(11, _value_info(name, tensor.dtype, tensor.shape))
    dtype, rank = result_type(record)
    return content + inputs + data(12, _value_info("output_0", dtype, [None] * rank))


def _node(record: Record, names: list[str], domain: str) -> bytes:
    content = b"".join(text(1, name) for name in names) + text(2, "output_0") + text(4, record.op)
    content += b"".join(data(5, _attribute(name, value)) for name, value in record.attrs.items())
    return content + text(7, domain) if domain else content


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, int):
        return text(1, name) + integer(3, value) + integer(20, 2)
    if isinstance(value, str):
        return text(1, name) + text(4, value) + integer(20, 3)
    raise Unsupported(f"attribute {name} is a {type(value).__name__}, must be an integer or a text")


def _value_info(name: str, dtype: str, extents: Collection[int | None]) -> bytes:
    """A ValueInfoProto of a tensor; an extent of None is not declared."""
    shape = b"".join(data(1, b"" if extent is None else integer(1, extent)) for extent in extents)
    tensor_type = integer(1, _element_type(dtype)) + data(2, shape)
    return text(1, name) + data(2, data(1, tensor_type))


def result_type(record: Record) -> tuple[str, int]:
    """The type and the rank of the operator's result, by the inputs.

    A call that must be refused has them too, as far as its inputs determine them, so that its model is refused for the
    rule that it breaks and not for an output without a type.
    """
    present = [tensor for tensor in record.inputs if tensor is not None]
    if not present:
        return "float32", 0
    typed_by = _TYPED_BY.get(record.op, 0)
    typed = record.inputs[typed_by] if typed_by < len(record.inputs) else None
    return (typed or present[0]).dtype, max(0, _rank(record, [len(tensor.shape) for tensor in present]))


def _rank(record: Record, ranks: list[int]) -> int:
    data_rank, index_rank = ranks[0], ranks[min(1, len(ranks) - 1)]
    if record.op in ("Gather", "GatherBlockQuantized"):
        return data_rank + index_rank - 1
    if record.op == "GatherElements":
        return index_rank
    if record.op == "OneHot":
        return data_rank + 1
    if record.op == "GatherND" and len(record.inputs) > 1 and record.inputs[1] is not None:
        tuple_size = record.inputs[1].shape[-1] if index_rank > 0 else 0
        batch_dims = record.attrs.get("batch_dims", 0)
        return data_rank + index_rank - 1 - tuple_size - (batch_dims if isinstance(batch_dims, int) else 0)
    if record.op == "ArrayFeatureExtractor":
        return max(2, data_rank)
    return data_rank
