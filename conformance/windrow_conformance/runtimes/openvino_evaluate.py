"""The reference code of OpenVINO's operators, which Model.evaluate() calls; it does not convert element types."""

from __future__ import annotations

from typing import Any

from ..record import Record
from ..runtime import Unsupported
from .openvino import OpenVino


class OpenVinoEvaluate(OpenVino):
    """OpenVINO without a device: the model is evaluated node by node, on one thread."""

    name = "openvino-evaluate"
    dialects = ("openvino",)
    has_threads = False
    run_text = (
        "outputs = [ov.Tensor(model.output(0).get_element_type(), [0])]"
        "; model.evaluate(outputs, [ov.Tensor(array) for array in inputs]); print(outputs[0].data)"
    )

    def is_in_place(self, record: Record) -> bool:
        return self.reads_in_place

    def compiled(self, model: Any, threads: int) -> Any:
        import openvino

        port = model.outputs[0]
        if port.get_element_type().is_dynamic():
            raise Unsupported("the type of the result is known at run time only")

        def run(tensors: list[Any]) -> Any:
            outputs = [openvino.Tensor(port.get_element_type(), openvino.Shape([0]))]
            if not model.evaluate(outputs, tensors):
                raise Unsupported("OpenVINO has no evaluate function for this model")
            return outputs[0]

        return run
