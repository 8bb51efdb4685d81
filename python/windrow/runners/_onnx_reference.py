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
        # The second has the code of all operators, which would otherwise be imported again for each run.
        return ("onnx.reference", "onnx.reference.ops")

    def execute(self, run: ModelRun) -> dict[str, Any]:
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(self._model(run))
        return dict(zip(evaluator.output_names, evaluator.run(None, dict(run.inputs))))

    def execute_exposed(self, run: ModelRun) -> dict[str, Any]:
        if not run.inside:
            return super().execute_exposed(run)
        from windrow.runners._onnx_executions import record

        executions, stopped, missing = record(self._model(run), run.inputs, run.inside)
        not_observed = dict.fromkeys(missing, "onnx's evaluator has no node of this path")
        return {
            "outputs": {},
            "observed": {},
            "not_observed": not_observed,
            "executions": executions,
            "stopped": stopped,
        }

    def _model(self, run: ModelRun) -> Any:
        model = _load(run.model)
        for opset in model.opset_import:
            reason = self.why_not_version("onnx", opset.version if opset.domain == "" else None)
            if reason:
                raise CannotAsk(reason)
        return model


def _load(model: ModelFile) -> Any:
    import onnx

    proto = onnx.load_model_from_string(model.read())
    folder = model.data_folder()
    if folder is not None:
        onnx.load_external_data_for_model(proto, folder)
    return proto
