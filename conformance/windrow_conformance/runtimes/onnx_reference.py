"""ONNX's own evaluator, onnx.reference, behind ONNX's own checker."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ml_types import from_ml, to_ml
from ..model_text import parsed_model
from ..onnx_model import model_bytes
from ..record import Record
from ..runtime import Call, Runtime
from ..tensor import Tensor

_NO_CODE = re.compile("NotImplementedError|RuntimeContextError|No implementation|No registered implementation|No schema registered|deprecated")


class OnnxReference(Runtime):
    """A model is refused if onnx.checker or its shape inference refuses it, or if the evaluator raises an error.

    The evaluator alone checks nothing that it does not need; within the package, the checker decides whether a model is
    valid.
    """

    name = "onnx"
    package = "onnx"
    module = "onnx"
    dialects = ("onnx",)
    # Its operators call NumPy on the given arrays; int4 is copied first.
    reads_in_place = True
    has_threads = False

    def why_not(self, record: Record) -> str:
        missing = {"uint1", "nf4"}.intersection(tensor.dtype for tensor in record.inputs if tensor is not None)
        if missing:
            return f"ONNX has no element type {', '.join(sorted(missing))}"
        return super().why_not(record)

    def preload(self) -> tuple[str, ...]:
        return ("onnx.reference", "onnx.reference.ops")

    def prepare(self, record: Record, threads: int = 1) -> Call:
        import onnx
        import onnx.reference

        model = onnx.load_model_from_string(model_bytes(record))
        onnx.checker.check_model(model, full_check=True)
        evaluator = onnx.reference.ReferenceEvaluator(model)

        def call(inputs: Sequence[Tensor | None]) -> Tensor:
            feeds = {f"input_{at}": to_ml(tensor) for at, tensor in enumerate(inputs) if tensor is not None}
            return from_ml(list(evaluator.run(None, feeds))[0])

        return call

    def is_unsupported(self, error: BaseException) -> bool:
        if super().is_unsupported(error):
            return True
        return _NO_CODE.search(f"{type(error).__name__}: {error}") is not None

    def reproduction(self, record: Record) -> str:
        if self.why_not(record):
            return ""
        return "\n".join(
            [
                "import numpy as np, ml_dtypes, onnx; from onnx.reference import ReferenceEvaluator",
                *parsed_model(record),
                "onnx.checker.check_model(model, full_check=True)",
                "print(ReferenceEvaluator(model).run(None, inputs)[0])",
            ]
        )
