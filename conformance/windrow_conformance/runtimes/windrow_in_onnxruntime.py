"""Windrow's kernels inside ONNX Runtime, by the execution provider. A session fails if the host keeps any node."""

from __future__ import annotations

from typing import Any

from ..own_windrow import DISTRIBUTION
from ..record import Record
from .onnxruntime import OnnxRuntime
from ..windrow_plugins import fault_of, host_versions

_LEFT_TO_THE_HOST = "disable_cpu_ep_fallback"


class WindrowInOnnxRuntime(OnnxRuntime):
    """ONNX Runtime with the plug-in. Its schemas and type lists may refuse a call before Windrow gets it."""

    name = "windrow-in-onnxruntime"
    package = DISTRIBUTION
    module = "windrow"

    def versions(self) -> dict[str, str]:
        return host_versions("onnxruntime")

    def fault(self) -> str:
        return fault_of(self, "onnxruntime")

    def why_not(self, record: Record) -> str:
        return "OneHot stays with ONNX Runtime" if record.op == "OneHot" else super().why_not(record)

    def preload(self) -> tuple[str, ...]:
        return ("windrow.onnxruntime",)

    def session(self, model: bytes, threads: int) -> Any:
        import onnxruntime
        import windrow.onnxruntime

        options = self.options(threads)
        options.add_session_config_entry(f"session.{_LEFT_TO_THE_HOST}", "1")
        return onnxruntime.InferenceSession(model, windrow.onnxruntime.session_options(options))

    def is_unsupported(self, error: BaseException) -> bool:
        return super().is_unsupported(error) or "fallback to CPU EP" in str(error)

    def reproduction(self, record: Record) -> str:
        text = super().reproduction(record)
        return text.replace("onnxruntime\n", "onnxruntime, windrow.onnxruntime\n", 1).replace(
            'providers=["CPUExecutionProvider"]', "windrow.onnxruntime.session_options()"
        )
