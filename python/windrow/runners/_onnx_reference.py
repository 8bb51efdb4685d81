"""ONNX's own evaluator, onnx.reference."""

from __future__ import annotations

import re
from typing import Any

from windrow.processes import CannotAsk
from windrow.runners._requests import Format, ModelFile, ModelRun
from windrow.runners._runner import Runner


class OnnxReference(Runner):
    """The operator sets that the installed onnx defines."""

    name = "onnx_reference"
    package = "onnx"
    no_code = re.compile("NotImplementedError|RuntimeContextError|No implementation")

    def why_not_version(self, format: Format, version: int | None) -> str:
        if version is None or self.fault():
            return ""
        import onnx

        newest = onnx.defs.onnx_opset_version()
        return f"the installed onnx defines operator sets up to {newest}" if version > newest else ""

    def preload(self) -> tuple[str, ...]:
        return ("onnx.reference",)

    def execute(self, run: ModelRun) -> dict[str, Any]:
        from onnx.reference import ReferenceEvaluator

        model = _load(run.model)
        for opset in model.opset_import:
            reason = self.why_not_version("onnx", opset.version if opset.domain == "" else None)
            if reason:
                raise CannotAsk(reason)
        evaluator = ReferenceEvaluator(model)
        return dict(zip(evaluator.output_names, evaluator.run(None, dict(run.inputs))))


def _load(model: ModelFile) -> Any:
    import onnx

    proto = onnx.load_model_from_string(model.read())
    folder = model.data_folder()
    if folder is not None:
        onnx.load_external_data_for_model(proto, folder)
    return proto
