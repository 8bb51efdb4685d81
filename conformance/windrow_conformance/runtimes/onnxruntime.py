"""ONNX Runtime's CPU provider: a session of one node for every record."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..element_bytes import PACKED_BITS, element_bytes, unpacked
from ..model_text import parsed_model
from ..onnx_model import ELEMENT_TYPES, model_bytes
from ..record import Record
from ..runtime import Call, Runtime, Unsupported
from ..tensor import CARRIERS, Tensor

# Types for which ONNX Runtime has no tensors, or which cannot be made from Python.
_WITHOUT = {"complex64", "complex128", "float8_e8m0fnu", "nf4", "uint2", "uint1"}
# TensorProto.DataType of the types that ONNX Runtime has and NumPy lacks.
_CODES = {name: ELEMENT_TYPES[name] for name in CARRIERS if name not in _WITHOUT}
_NAMES = {code: name for name, code in _CODES.items()}
_NO_CODE = re.compile(
    "NOT_IMPLEMENTED|Could not find an implementation|is till opset|not supported|"
    "deprecated|not currently registered|Unsupported model IR version|under development|"
    "Type Error: Type '[^']*' of input parameter"
)
_ONLY_FATAL = 4


class OnnxRuntime(Runtime):
    """ONNX Runtime with OrtValues that use the arrays' own memory as inputs."""

    name = "onnxruntime"
    package = "onnxruntime"
    module = "onnxruntime"
    dialects = ("onnx",)
    reads_in_place = True

    def why_not(self, record: Record) -> str:
        missing = _WITHOUT.intersection(tensor.dtype for tensor in record.inputs if tensor is not None)
        if missing:
            return f"onnxruntime has no tensors of {', '.join(sorted(missing))}"
        return super().why_not(record)

    def prepare(self, record: Record, threads: int = 1) -> Call:
        session = self.session(model_bytes(record), threads)
        if any(tensor is not None and tensor.dtype == "string" for tensor in record.inputs):
            return lambda inputs: _of_array(session.run(None, _arrays(inputs))[0])
        return lambda inputs: _of_value(session.run_with_ort_values(["output_0"], _values(inputs))[0])

    def session(self, model: bytes, threads: int) -> Any:
        """A session of the model on the CPU."""
        import onnxruntime

        return onnxruntime.InferenceSession(model, self.options(threads), providers=["CPUExecutionProvider"])

    def options(self, threads: int) -> Any:
        """Options of a session that prints nothing."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = _ONLY_FATAL
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        return options

    def is_unsupported(self, error: BaseException) -> bool:
        return isinstance(error, Unsupported) or bool(_NO_CODE.search(str(error)))

    def reproduction(self, record: Record) -> str:
        if self.why_not(record) or any(t is not None and t.dtype in CARRIERS for t in record.inputs):
            return ""
        return "\n".join(
            [
                "import numpy as np, onnx, onnxruntime",
                *parsed_model(record),
                'session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])',
                "print(session.run(None, inputs)[0])",
            ]
        )


def _named(inputs: Sequence[Tensor | None]) -> dict[str, Tensor]:
    return {f"input_{position}": tensor for position, tensor in enumerate(inputs) if tensor is not None}


def _arrays(inputs: Sequence[Tensor | None]) -> dict[str, Any]:
    """The arrays as inputs of a call without OrtValues, which takes strings but not every other type."""
    special = [name for name, tensor in _named(inputs).items() if tensor.dtype in CARRIERS]
    if special:
        raise Unsupported(f"ONNX Runtime's Python package takes no strings beside {special[0]}")
    return {name: tensor.array for name, tensor in _named(inputs).items()}


def _values(inputs: Sequence[Tensor | None]) -> dict[str, Any]:
    return {name: _to_value(tensor) for name, tensor in _named(inputs).items()}


def _to_value(tensor: Tensor) -> Any:
    from onnxruntime import OrtValue

    if tensor.dtype in PACKED_BITS:
        memory = element_bytes(tensor)
        value = OrtValue.ortvalue_from_shape_and_type(list(tensor.shape), _CODES[tensor.dtype])
        ctypes.memmove(value.data_ptr(), memory, len(memory))
        return value
    if tensor.dtype in _CODES:
        return OrtValue.ortvalue_from_numpy_with_onnx_type(tensor.array, _CODES[tensor.dtype])
    return OrtValue.ortvalue_from_numpy(tensor.array)


def _of_value(value: Any) -> Tensor:
    name = _NAMES.get(value.element_type())
    if name is None:
        return _of_array(value.numpy())
    raw = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes())
    return unpacked(raw, name, tuple(value.shape()))


def _of_array(array: np.ndarray[Any, Any]) -> Tensor:
    return Tensor("string" if array.dtype.kind in "OTU" else array.dtype.name, array)
