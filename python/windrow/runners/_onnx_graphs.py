"""The graphs of models as makers and readers of values, and bodies of ONNX nodes as models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from windrow._packages import needed_by
from windrow.runners._onnx_models import onnx_type, path_of, read_by
from windrow.runners._requests import ModelFile

# The domain of operators of which nothing is known.
_UNKNOWN_DOMAIN = "windrow.unknown"


class Graph:
    """The nodes of a graph, in an order in which they can run, and what they read and make.

    Each node has the members name, op_type, domain, input and output. place: the path of the graph in the model that was opened: "main",
    "main/loop.body". paths: those of the nodes. maker: the position of the node that makes a value. reads: the values that
    each node and its bodies take from this graph. inputs: the names of those of the graph. opsets: the versions of operators by domain.
    """

    def __init__(
        self, file: ModelFile, place: str, nodes: Sequence[Any], reads: Sequence[Iterable[str]],
        inputs: Sequence[str], constants: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.file, self.place, self.nodes, self.inputs = file, place, list(nodes), list(inputs)
        self.opsets: dict[str, int] = {}
        self.paths = [path for path, _ in paths_in(self.nodes, place)]
        self.maker = {value: position for position, node in enumerate(self.nodes) for value in node.output if value}
        known = {*self.maker, *constants, *inputs}
        self.reads = [[value for value in dict.fromkeys(each) if value in known] for each in reads]

    def before(self, position: int) -> list[int]:
        """The positions of the nodes from which a node's inputs are computed, in their order."""
        found: set[int] = set()
        left = [position]
        while left:
            makers = {self.maker[value] for value in self.reads[left.pop()] if value in self.maker}
            left.extend(makers - found)
            found |= makers
        return sorted(found)

    def exposed_as(self, position: int) -> str:
        """The name by which hosts find a node."""
        return str(self.nodes[position].name)

    def constant(self, name: str) -> np.ndarray[Any, Any] | None:
        """The value of a constant of the graph; None if it is not known."""
        return None

    def not_opened(self, position: int) -> str:
        """Why values in the bodies of a node are not compared; empty if they are, or if it has none."""
        return ""

    def inner_reads(self, position: int, attribute: str) -> list[str]:
        """The values of this graph that a body of a node reads."""
        raise NotImplementedError

    def body(self, position: int, attribute: str, arrays: Mapping[str, Any]) -> OnnxGraph:
        """A body of a node as a model of its own. arrays: its inputs and what it reads of this graph, by name."""
        raise NotImplementedError


class OnnxGraph(Graph):
    """The main graph of an ONNX model."""

    def __init__(self, model: Any, file: ModelFile, place: str = "main") -> None:
        self.model = model
        self._constants = {tensor.name: tensor for tensor in model.graph.initializer}
        nodes = list(model.graph.node)
        names = [value.name for value in model.graph.input]
        super().__init__(file, place, nodes, [read_by(node) for node in nodes], names, self._constants)
        self.opsets = {opset.domain: opset.version for opset in model.opset_import}

    def exposed_as(self, position: int) -> str:
        """The name of an output, unless it is also the name of another node."""
        node = self.nodes[position]
        output = next(value for value in node.output if value)
        named = next((each for each in self.nodes if each.name == output), node)
        return str(output if named is node else node.name)

    def constant(self, name: str) -> np.ndarray[Any, Any] | None:
        import onnx

        tensor = self._constants.get(name)
        return None if tensor is None else onnx.numpy_helper.to_array(tensor, self.file.data_folder() or "")

    def body(self, position: int, attribute: str, arrays: Mapping[str, Any]) -> OnnxGraph:
        import onnx

        # A host may drop an input that nothing reads, and may need that constants stay constants.
        read = _read_in(bodies_of(self.nodes[position])[attribute])
        given = {name: np.asarray(arrays[name]) for name in arrays if name in read and name not in self._constants}
        infos = [onnx.helper.make_tensor_value_info(name, onnx_type(array), array.shape) for name, array in given.items()]
        return self.body_with(position, attribute, infos)

    def body_with(
        self, position: int, attribute: str, inputs: Iterable[Any], constants: Iterable[Any] = ()
    ) -> OnnxGraph:
        """A body of a node as a model with these inputs, and with the constants of this graph and further ones."""
        import onnx

        body = bodies_of(self.nodes[position])[attribute]
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        model.graph.CopyFrom(body)
        del model.graph.input[:]
        read = _read_in(body)
        model.graph.initializer.extend(tensor for name, tensor in self._constants.items() if name in read)
        model.graph.initializer.extend(constants)
        model.graph.input.extend(inputs)
        return _opened(model, self.file.data_folder(), f"{self.paths[position]}.{attribute}")

    def function_with(self, function: Any, place: str, inputs: Iterable[Any]) -> OnnxGraph:
        """A function as a model with these inputs. Nodes whose attributes its calls give are unknown operators there."""
        import onnx

        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        del model.opset_import[:]
        model.opset_import.extend([*function.opset_import, onnx.helper.make_opsetid(_UNKNOWN_DOMAIN, 1)])
        outputs = [onnx.ValueInfoProto(name=name) for name in function.output]
        model.graph.CopyFrom(onnx.GraphProto(name=function.name, node=function.node, input=inputs, output=outputs))
        _hide_given_attributes(model.graph)
        return _opened(model, self.file.data_folder(), place)

    def inner_reads(self, position: int, attribute: str) -> list[str]:
        read = _read_in(bodies_of(self.nodes[position])[attribute])
        return [value for value in self.reads[position] if value in read]


def open_graph(file: ModelFile) -> OnnxGraph:
    """The main graph of a model. Raises ImportError without onnx."""
    with needed_by("comparing the values of ONNX models", "onnx"):
        import onnx
    return OnnxGraph(onnx.load_model_from_string(file.read()), file)


def _opened(model: Any, folder: str | None, place: str) -> OnnxGraph:
    return OnnxGraph(model, ModelFile("onnx", data=model.SerializeToString(), folder=folder), place)


def _hide_given_attributes(graph: Any) -> None:
    """Makes unknown operators of the nodes, also in bodies, that have attributes of the function around them."""
    for node in graph.node:
        if any(attribute.ref_attr_name for attribute in node.attribute):
            node.domain, node.op_type = _UNKNOWN_DOMAIN, "Unknown"
            del node.attribute[:]
        for body in bodies_of(node).values():
            _hide_given_attributes(body)


def paths_in(nodes: Iterable[Any], place: str) -> Iterator[tuple[str, Any]]:
    """The nodes of a graph, whose path is `place`, with their paths."""
    names: set[str] = set()
    taken: set[str] = set()
    for number, node in enumerate(nodes):
        yield path_of(node, number, place, names, taken), node


def bodies_of(node: Any) -> dict[str, Any]:
    """The graphs in the attributes of a node, by the attributes' names."""
    return {attribute.name: attribute.g for attribute in node.attribute if attribute.HasField("g")}


def attributes_of(node: Any) -> dict[str, Any]:
    """The values of a node's attributes by name, as in NodeCall."""
    import onnx

    values = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}


def _read_in(body: Any) -> set[str]:
    """The values that the nodes of a body read, and its outputs."""
    return {value.name for value in body.output}.union(*(read_by(node) for node in body.node))
