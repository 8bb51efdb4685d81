"""OpenVINO's CPU plugin: a model of one operator for every record, as IR or ONNX."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..array_functions import numpy_literal
from ..element_bytes import PACKED_BITS, element_bytes
from ..model_text import parsed_model
from ..onnx_model import model_bytes
from ..openvino_model import ELEMENT_TYPES, axis_inputs, model_files, opset_of, stand_in
from ..record import Dialect, Record
from ..runtime import Call, Runtime, Unsupported
from ..tensor import CARRIERS, Tensor

_NO_CODE = re.compile(
    "Evaluation failed on|Not Implemented|is not supported yet|unsupported '.*' input precision|"
    "has unsupported precision|does not support string|No conversion rule found|from unsupported opset|has no evaluate function|"
    # Its frontend has GatherBlockQuantized of constants alone.
    r"as_type<v0::Constant>\(data\.get_node\(\)\)"
)
_NAMES = {name: dtype for dtype, name in ELEMENT_TYPES.items()}
# The types that the plugin does not convert; it computes others as float32 or int32.
_NATIVE = frozenset({"float32", "int32", "int8", "uint8"})


class OpenVino(Runtime):
    """OpenVINO with sums in float32, so that the plugin does not choose bfloat16. Axes are constants of the model."""

    name = "openvino"
    package = "openvino"
    module = "openvino"
    dialects: ClassVar[tuple[Dialect, ...]] = ("openvino", "onnx")
    reads_in_place = True
    # The settings of the CPU device, and the expression by which a reproduction runs `model` on `inputs`.
    run_text: ClassVar[str] = 'print(ov.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(inputs)[0])'

    def why_not(self, record: Record) -> str:
        for tensor in record.inputs:
            if tensor is not None and tensor.dtype not in ELEMENT_TYPES:
                return f"OpenVINO has no element type {tensor.dtype}"
        return super().why_not(record)

    def is_in_place(self, record: Record) -> bool:
        return all(tensor is None or tensor.dtype in _NATIVE for tensor in record.inputs)

    def preload(self) -> tuple[str, ...]:
        # Importing openvino sends usage data from a thread of its own, unless this package is missing.
        sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
        return (self.module,)

    def prepare(self, record: Record, threads: int = 1) -> Call:
        model = self.read(record)
        constants = _constants(record)
        run = self.compiled(model, threads)

        def call(inputs: Sequence[Tensor | None]) -> Tensor:
            given = [t for at, t in enumerate(inputs) if t is not None and at not in constants]
            return _from_host(run([_to_host(tensor) for tensor in given]))

        return call

    def read(self, record: Record) -> Any:
        """The record's model in OpenVINO."""
        import openvino

        if record.dialect == "onnx":
            return openvino.Core().read_model(model_bytes(record))
        return openvino.Core().read_model(*model_files(record, _constants(record)))

    def compiled(self, model: Any, threads: int) -> Any:
        """A function from the tensors of the model's parameters to that of its result."""
        import openvino

        settings = {
            "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": threads,
        }
        request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()

        def run(tensors: list[Any]) -> Any:
            for number, tensor in enumerate(tensors):
                request.set_input_tensor(number, tensor)
            # With one thread infer() loses exceptions.
            request.start_async()
            request.wait()
            return request.get_output_tensor(0)

        return run

    def is_unsupported(self, error: BaseException) -> bool:
        return super().is_unsupported(error) or _NO_CODE.search(str(error)) is not None

    def reproduction(self, record: Record) -> str:
        kept = {tensor.dtype for tensor in record.inputs if tensor is not None}
        if self.why_not(record) or kept & CARRIERS.keys() or "string" in kept:
            return ""
        lines = parsed_model(record) if record.dialect == "onnx" else _built_model(record)
        if record.dialect == "onnx":
            lines = [*lines, "model = ov.Core().read_model(model.SerializeToString()); inputs = list(inputs.values())"]
        extra = ", onnx" if record.dialect == "onnx" else ""
        return "\n".join([f"import numpy as np, openvino as ov{extra}", *lines, self.run_text])


def _constants(record: Record) -> tuple[int, ...]:
    return axis_inputs(record) if record.dialect == "openvino" else ()


def _built_model(record: Record) -> list[str]:
    """Lines that make `model` and `inputs` with OpenVINO's node factory."""
    constants = _constants(record)
    nodes, parameters, arrays = [], [], []
    for number, given in enumerate(record.inputs):
        tensor = stand_in(record, number) if given is None else given
        literal = numpy_literal(tensor)
        if given is None or number in constants:
            empty = f"ov.op.Constant(ov.Tensor(ov.Type(np.dtype({tensor.array.dtype.name!r})), {list(tensor.shape)}))"
            nodes.append(f"ops.constant({literal})" if tensor.array.size else empty)
            continue
        parameters.append(f"ops.parameter({list(tensor.shape)}, np.dtype({tensor.array.dtype.name!r}))")
        nodes.append(f"p[{len(parameters) - 1}]")
        arrays.append(literal)
    return [
        "from openvino import opset8 as ops; from openvino.utils.node_factory import NodeFactory",
        f"p = [{', '.join(parameters)}]; inputs = [{', '.join(arrays)}]",
        f"node = NodeFactory({opset_of(record)!r}).create({record.op!r}, [{', '.join(nodes)}], {dict(record.attrs)!r})",
        "model = ov.Model(list(node.outputs()), p)",
    ]


def _to_host(tensor: Tensor) -> Any:
    """A tensor on the array's own memory, or on a copy for packed types, strings and arrays without elements."""
    import openvino

    element_type = getattr(openvino.Type, ELEMENT_TYPES[tensor.dtype])
    array = tensor.array
    if not array.size:
        return openvino.Tensor(element_type, list(array.shape))
    if tensor.dtype == "string":
        return openvino.Tensor(np.array(array.tolist(), dtype=str).reshape(array.shape))
    if tensor.dtype in PACKED_BITS:
        packed = element_bytes(tensor, "big" if tensor.dtype == "uint1" else "little")
        return openvino.Tensor(np.frombuffer(bytearray(packed), np.uint8), list(array.shape), element_type)
    return openvino.Tensor(array.reshape(-1).view(np.uint8), list(array.shape), element_type)


def _from_host(tensor: Any) -> Tensor:
    """A copy of a tensor."""
    shape, host_name = tuple(tensor.shape), tensor.element_type.get_type_name()
    dtype = _NAMES.get(host_name)
    if dtype is None:
        raise Unsupported(f"the result is of OpenVINO's type {host_name}")
    if dtype == "string":
        return Tensor(dtype, np.array(tensor.str_data, dtype=object).reshape(shape))
    stored = np.dtype(CARRIERS.get(dtype, dtype))
    raw = np.ascontiguousarray(tensor.data).reshape(-1).view(np.uint8) if 0 not in shape else np.empty(0, np.uint8)
    bits = PACKED_BITS.get(dtype)
    if bits is None:
        return Tensor(dtype, raw.copy().view(stored).reshape(shape))
    stream = np.unpackbits(raw, bitorder="big" if dtype == "uint1" else "little")
    count = int(np.prod(shape, dtype=np.int64))
    codes = stream[: count * bits].reshape(count, bits) @ (1 << np.arange(bits))
    return Tensor(dtype, codes.astype(stored).reshape(shape))
