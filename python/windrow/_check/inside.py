"""The gather and scatter nodes of a model, also those in bodies and functions, each in a model whose main graph holds it."""

from __future__ import annotations

import copy
import dataclasses
import os
import tempfile
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from xml.etree import ElementTree

from windrow._base.errors import Error
from windrow._check.inputs import model_file
from windrow._check.nodes import OwnNode, own_nodes
from windrow._models.model import Model, load
from windrow._models.reports import Value
from windrow.runners._onnx_graphs import (
    OnnxGraph, bodies_of, constant_tensor, declared_input, functions_of, open_graph, paths_in,
)  # fmt: skip

_Values = Mapping[str, Value]


class FoundNode(NamedTuple):
    """A node, and the model whose main graph holds it."""

    model: Model
    node: OwnNode


class ModelNodes:
    """The gather and scatter nodes of a model by their paths."""

    def __init__(self, model: Model) -> None:
        self._model = model
        own = own_nodes(model)
        self._found: dict[str, FoundNode | str] = {node.path: FoundNode(model, node) for node in own.nodes}
        self._inside = {report.path: report for report in own.inside}
        self._graphs: dict[str, _Graph] = {}
        self._nodes: dict[str, dict[str, OwnNode]] = {}

    def find(self, path: str) -> FoundNode | str:
        """The node with this path, or why it is not known. Graphs of bodies and functions are opened when they are asked for."""
        if path not in self._found:
            try:
                self._found[path] = self._find_inside(path)
            except (Error, ImportError, OSError) as error:
                self._found[path] = f"its body or function cannot be read: {error}"
        return self._found[path]

    def _find_inside(self, path: str) -> FoundNode | str:
        if "main" not in self._graphs:
            self._graphs["main"] = (_OnnxMain if self._model.dialect == "onnx" else _IrGraph)(self._model)
        graph = self._graphs["main"]
        while place := next((place for place in graph.places() if path.startswith(f"{place}/")), ""):
            if place not in self._graphs:
                self._graphs[place] = graph.open(place)
            graph = self._graphs[place]
        report, node = self._inside.get(path), self._nodes_in(graph).get(path)
        if report is None or node is None or node.operator != report.operator:
            return "it is not found in its body or function"
        inputs = tuple(map(_more_known, report.inputs, node.inputs))
        return FoundNode(graph.model, dataclasses.replace(node, path=path, inputs=inputs))

    def _nodes_in(self, graph: _Graph) -> dict[str, OwnNode]:
        """The nodes of a graph by their paths in the whole model; onnx is asked for types only if one is unknown."""
        if graph.place not in self._nodes:
            reports = [each for path, each in self._inside.items() if path.startswith(f"{graph.place}/")]
            is_unknown = any(value.name and value.dtype is None for each in reports for value in each.inputs)
            nodes = own_nodes(graph.model, ask_onnx=is_unknown).nodes
            self._nodes[graph.place] = {graph.place + node.path.removeprefix("main"): node for node in nodes}
        return self._nodes[graph.place]


def _more_known(first: Value, second: Value) -> Value:
    """What is known of the same value; the first one if both know as much."""
    return max(first, second, key=lambda value: (value.dtype is not None) + (value.shape is not None))


class _Graph(Protocol):
    """A graph of a model as the main graph of one. place: the graph's path in the whole model."""

    place: str
    model: Model

    def places(self) -> Iterable[str]:
        """The paths of the graphs that can be opened from here."""

    def open(self, place: str) -> _Graph:
        """Raises windrow.Error, OSError."""


class _OnnxGraph:
    """known: the values in this graph and around it. inferred: those of all graphs, by the graphs' paths."""

    def __init__(self, graph: OnnxGraph, model: Model, known: _Values, inferred: Mapping[str, _Values]) -> None:
        self.place, self.model = graph.place, model
        self._graph, self._known, self._inferred = graph, known, inferred

    def places(self) -> Iterable[str]:
        return self._bodies

    def open(self, place: str) -> _Graph:
        position, attribute = self._bodies[place]
        known = {**self._known, **self._inferred.get(place, {})}
        around = self._graph.inner_reads(position, attribute)
        own = [value.name for value in bodies_of(self._graph.nodes[position])[attribute].input]
        free = [name for name in around if name not in own and self._graph.constant_proto(name) is None]
        made = {name: constant_tensor(self._graph.nodes[self._graph.maker[name]], name) for name in free if name in self._graph.maker}
        constants = [tensor for tensor in made.values() if tensor is not None]
        variable = [*own, *(name for name in free if made.get(name) is None)]
        inputs = [declared_input(name, known.get(name)) for name in variable]
        return self._opened(self._graph.body_with(position, attribute, inputs, constants), known)

    def _opened(self, graph: OnnxGraph, known: _Values) -> _Graph:
        model = load(graph.file.read(), folder=graph.file.data_folder())
        return _OnnxGraph(graph, model, known, self._inferred)

    @cached_property
    def _bodies(self) -> dict[str, tuple[int, str]]:
        """The position of the node and the attribute of each body."""
        graph = self._graph
        return {f"{path}.{name}": (position, name) for position, (path, node) in enumerate(zip(graph.paths, graph.nodes))
                for name in bodies_of(node)}


class _OnnxMain(_OnnxGraph):
    """The main graph, from which functions can be opened, too."""

    def __init__(self, model: Model) -> None:
        inferred = model.infer().graphs
        super().__init__(open_graph(model_file(model)), model, inferred["main"], inferred)

    def places(self) -> Iterable[str]:
        return (*self._bodies, *self._functions)

    def open(self, place: str) -> _Graph:
        if place not in self._functions:
            return super().open(place)
        function, known = self._functions[place], self._inferred.get(place, {})
        inputs = [declared_input(name, known.get(name)) for name in function.input]
        return self._opened(self._graph.function_with(function, place, inputs), known)

    @cached_property
    def _functions(self) -> dict[str, Any]:
        return functions_of(self._graph.model)


class _IrGraph:
    """body: the element of a body and the file of constants; None: those of the model's file."""

    def __init__(self, model: Model, place: str = "main", body: tuple[ElementTree.Element, Path] | None = None) -> None:
        self.place, self.model = place, model
        if body is None:
            path = Path(model_file(model).path or "")
            body = ElementTree.parse(path).getroot(), path.with_suffix(".bin")
        self._net, self._weights = body

    def places(self) -> Iterable[str]:
        return self._bodies

    def open(self, place: str) -> _Graph:
        body = self._bodies[place]
        net = ElementTree.Element("net", {"name": place, "version": self._net.get("version", "11")})
        net.extend(copy.copy(part) for part in body if part.tag in ("layers", "edges"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "body.xml")
            ElementTree.ElementTree(net).write(path)
            if self._weights.exists():
                os.symlink(self._weights, path.with_suffix(".bin"))
            # The model keeps its constants open.
            return _IrGraph(load(path), place, (net, self._weights))

    @cached_property
    def _bodies(self) -> dict[str, ElementTree.Element]:
        layers = {layer.get("name"): layer for layer in self._net.iterfind("layers/layer")}
        return {
            f"{path}.{part.tag}": part for path, node in paths_in(self.model.nodes, self.place) if node.name in layers
            for part in layers[node.name] if part.find("layers") is not None
        }  # fmt: skip
