"""The graphs of models as makers and readers of values, and bodies of ONNX nodes as models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from windrow._base.errors import needed_by
from windrow._models.onnx_shapes import type_number
from windrow.runners._onnx_models import onnx_type, path_of, read_by
from windrow.runners._requests import ModelFile

# The domain of operators of which nothing is known.
_UNKNOWN_DOMAIN = "windrow.unknown"
# The types of the values of Constant nodes by the attributes that give them; None: the value is an array.
_CONSTANT_TYPES: Mapping[str, Any] = {
    "value": None, "value_int": np.int64, "value_ints": np.int64, "value_float": np.float32,
    "value_floats": np.float32, "value_string": object, "value_strings": object,
}  # fmt: skip


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

        tensor = self.constant_proto(name)
        return None if tensor is None else onnx.numpy_helper.to_array(tensor, self.file.data_folder() or "")

    def constant_proto(self, name: str) -> Any | None:
        """The initializer of this name; None if there is none."""
        return self._constants.get(name)

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
        """A function as a model: see function_model()."""
        return _opened(function_model(self.model, function, inputs), self.file.data_folder(), place)

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


def constant_value(attributes: Mapping[str, Any]) -> np.ndarray[Any, Any] | None:
    """The value of a Constant node with these attributes, as in NodeCall; None if it is sparse."""
    [(name, value)] = attributes.items()
    return np.array(value, _CONSTANT_TYPES[name]) if name in _CONSTANT_TYPES else None


def constant_tensor(node: Any, name: str) -> Any | None:
    """The value of a Constant node as an initializer of this name; None for other nodes, and if it is sparse."""
    import onnx

    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx"):
        return None
    attributes = attributes_of(node)
    if "value" in attributes:
        attributes["value"] = onnx.numpy_helper.to_array(attributes["value"])
    value = constant_value(attributes)
    return None if value is None else onnx.numpy_helper.from_array(value, name)


def functions_of(model: Any) -> dict[str, Any]:
    """The functions of a model by their paths; overloads, whose paths are the same, are left out."""
    functions = list(model.functions)
    paths = [f"function {each.domain}.{each.name}" if each.domain else f"function {each.name}" for each in functions]
    return {path: each for path, each in zip(paths, functions) if paths.count(path) == 1}


def function_model(model: Any, function: Any, inputs: Iterable[Any]) -> Any:
    """A function of a model as a model with these inputs. Nodes whose attributes calls give are unknown operators there."""
    import onnx

    made = onnx.ModelProto(ir_version=model.ir_version, functions=model.functions, opset_import=function.opset_import)
    made.opset_import.append(onnx.helper.make_opsetid(_UNKNOWN_DOMAIN, 1))
    outputs = [onnx.ValueInfoProto(name=name) for name in function.output]
    made.graph.CopyFrom(onnx.GraphProto(name=function.name, node=function.node, input=inputs, output=outputs))
    _hide_given_attributes(made.graph)
    return made


def has_given_attributes(node: Any) -> bool:
    """Whether calls of the function around a node give attributes of it, or of a node in its bodies."""
    inner = (each for body in bodies_of(node).values() for each in body.node)
    return any(attribute.ref_attr_name for attribute in node.attribute) or any(map(has_given_attributes, inner))


def declared_input(name: str, value: Any) -> Any:
    """An input of a model with as much of its type as is known: a Value or None."""
    import onnx

    number = type_number(value.dtype) if value is not None and value.dtype is not None else 0
    if value is None or not number:
        return onnx.ValueInfoProto(name=name)
    return onnx.helper.make_tensor_value_info(name, number, value.shape)


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
