"""Windrow's operators inside OpenVINO's CPU plugin, by the extension."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np

from ..onnx_model import model_bytes
from ..openvino_model import axis_inputs
from ..own_windrow import DISTRIBUTION
from ..record import Record
from ..runtime import Unsupported
from ..tensor import Tensor
from .openvino import OpenVino
from ..windrow_plugins import fault_of, host_versions

# The CPU device converts every other type before an operator of an extension sees it, and 64-bit indices to 32 bits.
_UNCHANGED = frozenset(
    "float32 bfloat16 int32 int8 uint8 float8_e4m3fn float8_e5m2 float8_e8m0fnu float4_e2m1fn nf4 uint2".split()
)
# Readers drop unknown attributes and accept a reduction in upper or lower case; the device converts indices.
_BEFORE_THE_EXTENSION = re.compile(r".*-(A2|A3|T2|T4)$")
_INT32 = np.iinfo(np.int32)


@functools.cache
def _element_inputs(dialect: str, op: str) -> frozenset[int]:
    """The positions of an operator's inputs whose elements go into the result; the others are indices, an axis, a depth."""
    import windrow

    [operator] = [one for one in windrow.ops(dialect) if one.name == op]
    return frozenset(number for number, given in enumerate(operator.rows[-1]["inputs"]) if given["type_group"] == "T")


def _has_subnormal(tensor: Tensor) -> bool:
    if tensor.dtype != "float32":
        return False
    return bool(((tensor.array != 0) & (np.abs(tensor.array) < np.finfo(np.float32).smallest_normal)).any())


class WindrowInOpenVino(OpenVino):
    """OpenVINO with the extension, for types that reach it unconverted and indices that keep their values."""

    name = "windrow-in-openvino"
    package = DISTRIBUTION
    module = "windrow"

    def versions(self) -> dict[str, str]:
        return host_versions("openvino")

    def fault(self) -> str:
        return fault_of(self, "openvino_plugin")

    def preload(self) -> tuple[str, ...]:
        super().preload()
        return ("windrow.openvino_plugin",)

    def why_not(self, record: Record) -> str:
        if _BEFORE_THE_EXTENSION.match(record.rule):
            return "OpenVINO's readers change such attributes and types before an extension's operator is asked"
        elements = _element_inputs(record.dialect, record.op)
        for number, tensor in enumerate(record.inputs):
            if tensor is None:
                continue
            is_integer = number not in elements and tensor.array.dtype.kind in "iu"
            if not is_integer and tensor.dtype not in _UNCHANGED:
                return f"OpenVINO's CPU device converts {tensor.dtype} before an extension's operator sees it"
            if is_integer and tensor.array.size and not _INT32.min <= tensor.array.min() <= tensor.array.max() <= _INT32.max:
                return "OpenVINO's CPU device cuts integers to 32 bits before an extension's operator sees them"
        for number in axis_inputs(record) if record.dialect == "openvino" else ():
            constant = record.inputs[number]
            if constant is not None and not constant.array.size:
                return "OpenVINO reads the axis of its own node first"
            if constant is not None and _has_subnormal(constant):
                return "OpenVINO makes zeros of a constant's subnormal numbers before an extension's operator sees them"
        return super().why_not(record)

    def is_unsupported(self, error: BaseException) -> bool:
        # The host first makes its own node from an IR, which refuses some calls; then the extension replaces it.
        return super().is_unsupported(error) or "While validating node 'opset" in str(error)

    def read(self, record: Record) -> Any:
        import openvino
        from windrow import openvino_plugin

        if record.dialect == "onnx":
            core = openvino.Core()
            core.add_extension(openvino_plugin.extension())
            model = core.read_model(model_bytes(record))
        else:
            model = super().read(record)
            openvino_plugin.replace(model)
        kinds = {node.get_type_name() for node in model.get_ops()}
        ours = [kind for kind in kinds if kind.startswith(f"{record.dialect}.")]
        if not ours:
            raise Unsupported(f"{record.op} stays with OpenVINO")
        if ours != [f"{record.dialect}.{record.op}-{record.version}"]:
            raise Unsupported(f"the extension takes {record.op}-{record.version} for {ours[0]}")
        return model
