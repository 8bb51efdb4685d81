"""The main graph of an OpenVINO IR as makers and readers of values."""

from __future__ import annotations

from dataclasses import dataclass

from windrow._models import Model
from windrow.runners import ModelFile
from windrow.runners._onnx_graphs import Graph

_WITH_BODIES = ("If", "Loop", "TensorIterator")


@dataclass(frozen=True)
class _Node:
    """A node with the members that a Graph needs."""

    name: str
    op_type: str
    domain: str
    input: tuple[str, ...]
    output: tuple[str, ...]


class IrGraph(Graph):
    """Hosts find its nodes by their names; bodies are not opened."""

    def __init__(self, model: Model, file: ModelFile) -> None:
        nodes = [_Node(each.name, each.op_type, "openvino", each.inputs, each.outputs) for each in model.nodes]
        inputs = [value.name for value in model.inputs]
        super().__init__(file, "main", nodes, [node.input for node in nodes], inputs)

    def not_opened(self, position: int) -> str:
        is_around = self.nodes[position].op_type in _WITH_BODIES
        return "values in its bodies are not compared, since bodies of OpenVINO IR do not run alone" if is_around else ""
