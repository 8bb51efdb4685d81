"""The models of ONNX's back-end tests with the inputs of their first data set, for the tests of whole models."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

_FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data"


@dataclass(frozen=True)
class CorpusModel:
    """A file of the package (`path`), or a model that its functions make (`proto`, with its inputs `given`)."""

    name: str
    path: Path | None
    proto: onnx.ModelProto | None
    given: dict

    def content(self):
        return self.proto.SerializeToString() if self.path is None else self.path.read_bytes()

    def inputs(self):
        """Inputs by name: a made model's own, or the single tensors beside a file, or ones if there are none."""
        if self.path is None:
            return self.given
        graph = onnx.load(self.path, load_external_data=False).graph
        folder = self.path.parent / "test_data_set_0"
        if not folder.exists():
            constants = {tensor.name for tensor in graph.initializer}
            return {value.name: _ones(value) for value in graph.input if value.name not in constants}
        files = [folder / f"input_{number}.pb" for number in range(len(graph.input))]
        return {value.name: _array(onnx.load_tensor(file)) for value, file in zip(graph.input, files) if file.exists()}


def _ones(value):
    tensor = value.type.tensor_type
    shape = [max(1, dim.dim_value) for dim in tensor.shape.dim]
    return np.ones(shape, onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))


def _array(value):
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def corpus():
    for path in sorted(_FOLDER.rglob("*.onnx")):
        yield CorpusModel(str(path.relative_to(_FOLDER)), path, None, {})
    with np.errstate(all="ignore"):
        cases = collect_testcases(None)
    for case in cases:
        names = [value.name for value in case.model.graph.input]
        yield CorpusModel(case.name, None, case.model, dict(zip(names, map(_array, case.data_sets[0][0]))))
