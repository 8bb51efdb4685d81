"""The functions of a model whose opset is raised: they import operators of their own, and have to stay compatible with the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow._fixes.results import FixVerification
from windrow._fixes.opset_graphs import (
    NotRaised, check_bodies, converted, every_node, has_other_version, inner_nodes, nodes_at, nodes_of, opset_of, restore_bodies,
)  # fmt: skip
from windrow._fixes.opset_runs import typed_values, verify_others
from windrow._models.reports import Value
from windrow.runners._onnx_graphs import declared_input, function_model, functions_of, has_given_attributes

if TYPE_CHECKING:
    from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, ValueInfoProto


@dataclass(frozen=True)
class _Raised:
    """A function before and after.

    holders: its nodes that are or hold those that need the newer opset. is_converted: whether onnx's converter made `after`.
    """

    before: FunctionProto
    after: FunctionProto
    holders: list[NodeProto]
    is_converted: bool


class Functions:
    """The functions of a model with the nodes of these paths, and all others if the model's opset is raised, in the newer opset.

    ONNX allows different opsets in a model and a function only where they agree on the function's operators, and hosts
    replace calls by the function's nodes in the model's opset. paths: those of nodes in functions. changed: the domains and
    names of the functions with these nodes, and of those that call them.
    """

    def __init__(self, model: ModelProto, paths: set[str], opset: int, is_raised: bool) -> None:
        self.paths = {path for path in paths if path.startswith("function ")}
        self._model, self._opset = model, opset
        self._known = functions_of(model)
        if (self.paths or is_raised) and len(self._known) < len(model.functions):
            raise NotRaised("functions share a name")
        self._asked = {place: self._paths_in(place) for place in self._known}
        self._raised = {
            place: self._raise(place, function)
            for place, function in self._known.items()
            if (is_raised or self._asked[place]) and (opset_of(function) or opset) < opset
        }
        self.changed = self._with_callers({_kind(self._known[place]) for place, inner in self._asked.items() if inner})

    def _paths_in(self, place: str) -> set[str]:
        return {path for path in self.paths if path.startswith(f"{place}/")}

    def _raise(self, place: str, function: FunctionProto) -> _Raised:
        import onnx

        declared, paths = opset_of(function) or 0, self._asked[place]
        holders = nodes_at(function, place, paths)
        check_bodies(list(nodes_of(function, place)), paths, declared, self._opset)
        own = {path: node for path, node in holders if path in paths}
        stale = [node for node in function.node if node not in own.values() and has_other_version(node, declared, self._opset)]
        after = onnx.FunctionProto()
        after.CopyFrom(function)
        if stale:
            if any(map(has_given_attributes, function.node)):
                why = "and onnx's converter takes no attributes that calls give"
                raise NotRaised(f"{stale[0].op_type} in {place} has another version in opset {self._opset}, {why}")
            self._convert(after)
        for opset in after.opset_import:
            if opset.domain in ("", "ai.onnx"):
                opset.version = self._opset
        return _Raised(function, after, [node for _, node in holders], bool(stale))

    def _convert(self, function: FunctionProto) -> None:
        """Gives the function the nodes that onnx's converter makes of them."""
        import onnx

        inputs = [onnx.ValueInfoProto(name=name) for name in function.input]
        made = converted(function_model(self._model, function, inputs), self._opset)
        for node in function.node:
            restore_bodies(node, made)
        constants = [onnx.helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in made.graph.initializer]
        del function.node[:]
        function.node.extend([*constants, *made.graph.node])

    def _with_callers(self, kinds: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """These functions and those that call them, also through others."""
        while True:
            more = {_kind(each) for each in self._known.values() if any(_calls(node, kinds) for node in each.node)}
            if more <= kinds:
                return kinds
            kinds = kinds | more

    def calls_in(self, graph: GraphProto | FunctionProto, place: str) -> list[tuple[str, NodeProto]]:
        """The nodes that are or hold calls of functions with the changed nodes, also through others, with their paths."""
        return [(path, node) for path, node in nodes_of(graph, place) if _calls(node, self.changed)]

    def put_into(self, model: ModelProto) -> None:
        """Gives the model the functions in the newer opset."""
        del model.functions[:]
        model.functions.extend(
            self._raised[place].after if place in self._raised else function for place, function in self._known.items()
        )

    def verify(
        self, after: ModelProto, values: Mapping[str, Mapping[str, Value]], hosts: Sequence[str] | None
    ) -> list[FixVerification]:
        """Runs of the other nodes of the functions as models. values: what is known of the values of each graph."""
        found = []
        # A function whose nodes all mean the same in both opsets needs no runs.
        to_run = {place: each for place, each in self._raised.items() if each.holders or each.is_converted}
        passed = _passed_inputs(after) if to_run else {}
        for place, raised in to_run.items():
            inputs = passed.get(place, [declared_input(name, None) for name in raised.before.input])
            for value in inputs:
                known = values.get(place, {}).get(value.name)
                if known is not None and known.dtype is not None:
                    value.CopyFrom(declared_input(value.name, known))
            old = function_model(self._model, raised.before, inputs)
            new = function_model(after, raised.after, inputs)
            calls = [node for _, node in self.calls_in(raised.before, place)]
            found += verify_others(old, new, [*raised.holders, *calls], self.changed, hosts, place)
        return found

    def what(self, path: str, of_model: str) -> str:
        """What was changed for the node with this path. of_model: what was changed in the model."""
        place = next(place for place, paths in self._asked.items() if path in paths)
        return f"the opset of {place} is {self._opset}, was {opset_of(self._known[place])}{of_model}"


def _passed_inputs(model: ModelProto) -> dict[str, list[ValueInfoProto]]:
    """The inputs of each function, by its path, with the types that onnx infers at its first call."""
    import onnx

    known = {_kind(function): (place, function) for place, function in functions_of(model).items()}
    passed: dict[str, list[ValueInfoProto]] = {}
    graphs = [model]
    while graphs:
        made = graphs.pop(0)
        types = typed_values(made)
        for node in every_node(made.graph):
            place, function = known.get((node.domain, node.op_type), ("", None))
            if function is None or place in passed:
                continue
            given = dict(zip(function.input, node.input))
            passed[place] = [onnx.ValueInfoProto(name=name) for name in function.input]
            for value in passed[place]:
                if given.get(value.name) in types:
                    value.type.CopyFrom(types[given[value.name]].type)
            graphs.append(function_model(model, function, passed[place]))
    return passed


def _kind(function: FunctionProto) -> tuple[str, str]:
    return function.domain, function.name


def _calls(node: NodeProto, kinds: set[tuple[str, str]]) -> bool:
    """Whether a node is a call of one of the functions, or holds one in its bodies."""
    return any((each.domain, each.op_type) in kinds for each in (node, *(inner for _, inner in inner_nodes(node, ""))))
