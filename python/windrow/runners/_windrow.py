"""This package as a host."""

from __future__ import annotations

import warnings
from typing import Any

from windrow import _core
from windrow._base.errors import OperatorWarning
from windrow._models.model import Model, load
from windrow._ops.call import call as call_operator
from windrow.processes import CannotAsk
from windrow.runners._requests import ModelFile, ModelRun, NodeCall
from windrow.runners._runner import Runner


class Windrow(Runner):
    """Models whose operators Windrow can all run, and single gather and scatter operators of both dialects."""

    name = "windrow"
    package = "windrow"
    formats = ("onnx", "openvino")

    def versions(self) -> dict[str, str]:
        return {self.package: _core.__version__}

    def execute(self, run: ModelRun) -> dict[str, Any]:
        model = _load(run.model)
        if model.unsupported():
            raise CannotAsk(f"operators that windrow does not run: {'; '.join(model.unsupported())}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatorWarning)
            return model.run(run.inputs, threads=run.threads, host=False)

    def execute_node(self, call: NodeCall) -> dict[str, Any]:
        if call.outputs != 1:
            raise CannotAsk("every operator of windrow has one output")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatorWarning)
            output = call_operator(
                call.dialect,
                call.op_type,
                *call.inputs,
                version=call.version,
                threads=call.threads,
                **call.attributes,
            )
        return {"output_0": output}


def _load(model: ModelFile) -> Model:
    if model.path is not None:
        return load(model.path)
    if model.format != "onnx":
        raise CannotAsk("windrow reads OpenVINO IR only from files")
    return load(model.read(), folder=model.folder)
