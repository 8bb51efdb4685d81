"""Compares a model's outputs, and the inputs of its gather and scatter nodes, across hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from windrow._base.text import counted, printable
from windrow._check.findings import Findings
from windrow._check.nodes import OwnNode, OwnNodes
from windrow._check.observe import MOST_BYTES, HostRuns, listed_paths
from windrow._check.report import FindingEffect, PortabilityFinding
from windrow._check.rules import rules_by_label
from windrow._check.search import FirstDifferent, Search
from windrow._models.model import Model
from windrow.runners import ModelFile, NodeCall, Observation, runner
from windrow.runners._closeness import Distance, find_distance
from windrow.runners._onnx_graphs import Graph, attributes_of, bodies_of, open_graph

# The rule of findings on values that differ between hosts.
OUTPUTS_DIFFER = "outputs-differ"
_MOST_OUTPUTS = 3  # that a finding names
_IR_WITH_BODIES = ("If", "Loop", "TensorIterator")  # operators of OpenVINO IR


@dataclass
class _Other:
    """What a host gives otherwise than the first one. differing: by the values' names, outputs among them."""

    setting: HostRuns
    differing: dict[str, Distance] = field(default_factory=dict)


class AcrossHosts:
    """The values that hosts give for the same inputs.

    The first host whose values arrive is the one with which others are compared;
    its values are kept, up to MOST_BYTES. tolerance: as for find_distance().
    """

    def __init__(self, model: Model, own: OwnNodes, tolerance: float | None) -> None:
        self._model, self._own, self._tolerance = model, own, tolerance
        self._outputs = [value.name for value in model.outputs]
        self._first: HostRuns | None = None
        self._kept: dict[str, Any] = {}
        self._bytes = 0
        self._left: list[str] = []
        self._others: dict[str, _Other] = {}

    def take_nodes(self, setting: HostRuns, batch: Mapping[OwnNode, Observation]) -> None:
        """Takes the values that arrive at nodes of the main graph."""
        for node, values in batch.items():
            for place, (name, value) in enumerate(zip(node.node.inputs, values.inputs)):
                if name and value is not None and place not in node.constants and name not in setting.inputs:
                    self._take(setting, name, value)

    def take_outputs(self, setting: HostRuns, outputs: Mapping[str, Any] | None) -> None:
        """Takes the outputs of the whole model, in its order; None if it does not run."""
        # A host may use another of an output's names.
        for name, value in zip(self._outputs, (outputs or {}).values()):
            self._take(setting, name, value)

    def _take(self, setting: HostRuns, name: str, value: Any) -> None:
        if self._first is None:
            self._first = setting
        if setting is self._first:
            self._keep(name, value)
            return
        other = self._others.setdefault(setting.host.name, _Other(setting))
        if name in self._kept:
            distance = find_distance(self._kept[name], value, self._tolerance)
            if distance is not None:
                other.differing.setdefault(name, distance)

    def _keep(self, name: str, value: Any) -> None:
        size = value.nbytes if isinstance(value, np.ndarray) else 0
        if name in self._kept:
            return
        if self._bytes + size > MOST_BYTES:
            self._left.append(name)
            return
        self._bytes += size
        self._kept[name] = value

    def add_to(self, findings: Findings) -> None:
        """Adds what differs: a finding for each host with other values, a note on differences of rounding."""
        if self._left and self._others:
            findings.notes.append(f"not compared between hosts, for their size: {listed_paths(self._left)}")
        for other in self._others.values():
            far = {name: each for name, each in other.differing.items() if not each.rounding}
            if far:
                self._explain(findings, other.setting, far)
            elif other.differing:
                findings.notes.append(self._rounding_note(other))

    def _rounding_note(self, other: _Other) -> str:
        name, worst = max(other.differing.items(), key=lambda item: item[1].relative or 0.0)
        assert self._first is not None
        return (
            f"{self._first.host.name} and {other.setting.host.name} differ by rounding only, most in '{printable(name)}': "
            f"{worst.size}"
        )

    def _explain(self, findings: Findings, setting: HostRuns, far: Mapping[str, Distance]) -> None:
        assert self._first is not None
        first = self._search(setting, far)
        known = None if first is None else findings.observed_on(first.path)
        text = _Text(self._first, setting, self._own, {name: far[name] for name in self._outputs if name in far})
        if first is not None and known is not None:
            findings.notes.append(f"{text.of(first)}; the finding {known.rule} of this node explains it")
            return
        name, distance = next(iter(far.items()))
        hosts = (self._first.host.runtime, setting.host.runtime)
        judged = "" if first is None else _evaluator_words(first, hosts, self._tolerance)
        findings.add(text.finding(first, name, distance, judged))

    def _search(self, setting: HostRuns, far: Mapping[str, Distance]) -> FirstDifferent | None:
        assert self._first is not None
        graph = open_graph(setting.model) if setting.model.format == "onnx" else _IrGraph(self._model, setting.model)
        made = [name for name in far if name in graph.maker]
        if not made:
            return None
        start = min(made, key=lambda name: graph.maker[name])
        return Search((self._first, setting), self._tolerance).first(graph, setting.inputs, start, far[start])


class _Text:
    """The words of a finding. outputs: those that differ."""

    def __init__(
        self, first: HostRuns, second: HostRuns, own: OwnNodes, outputs: Mapping[str, Distance]
    ) -> None:
        self._hosts, self._own, self._outputs = (first.host, second.host), own, outputs

    def of(self, first: FirstDifferent) -> str:
        """What differs, without the values."""
        whole = "outputs differ" if self._outputs else "the outputs are equal, values in front of them differ"
        name = f" '{printable(first.node.name)}'" if first.node.name else ""
        place = f" {first.place}" if first.place else ""
        return (
            f"{whole}; the first value that differs is '{printable(first.value)}'{self._reader_text(first)}, made by "
            f"{first.node.op_type}{name}{place}"
        )

    def finding(
        self, first: FirstDifferent | None, name: str, distance: Distance, judged: str
    ) -> PortabilityFinding:
        """first: the first value that differs; None: it is not known, and the value `name` differs. judged: the evaluator's."""
        if first is None:
            what, node = f"outputs differ: '{printable(name)}'", None
        else:
            what, node = self.of(first), self._node_of(first)
            name, distance = first.value, first.distance
        what += f": {_count_text(distance)}" if distance.position is not None else ""
        what += "".join(f"; {part}" for part in (*self._further(first), judged) if part)
        effects = tuple(
            FindingEffect(host.runtime, "silent", self._gives(text, name, distance))
            for host, text in zip(self._hosts, (distance.first, distance.second))
        )
        message = f"{what}; " + ", ".join(f"{each.runtime} {each.effect}" for each in effects)
        return PortabilityFinding(
            rule=OUTPUTS_DIFFER,
            node=node[0] if node else "",
            operator=node[1] if node else "",
            runtimes=tuple(host.runtime for host in self._hosts),
            severity="silent",
            verdict="happens",
            premises=(),
            evidence="inputs",
            input="",
            position=distance.position or (),
            value=distance.second,
            what=what,
            effects=effects,
            observed=None,
            tried=(),
            observed_in_range=False,
            message=f"node '{printable(node[0])}' ({node[1]}): {message}" if node else f"the model: {message}",
            fix=rules_by_label()[OUTPUTS_DIFFER].fix,
        )

    def _gives(self, text: str, name: str, distance: Distance) -> str:
        where = f" at {list(distance.position)}" if distance.position else ""
        return f"gives {text}{where} of '{printable(name)}'"

    def _further(self, first: FirstDifferent | None) -> Iterator[str]:
        if first is not None and first.doubt:
            yield first.doubt
        elif first is not None and first.rounding is not None:
            yield f"what that node reads differs by rounding only, {first.rounding.size}"
        elif first is not None:
            yield "all that this node reads is equal"
        for name, distance in list(self._outputs.items())[:_MOST_OUTPUTS]:
            yield _count_text(distance, f" of the output '{printable(name)}'")

    def _readers(self, first: FirstDifferent) -> Iterator[tuple[str, str, str]]:
        """Path, operator and name of the gather and scatter nodes that read the value, and of one that makes it."""
        nodes = [(each.path, each.operator, each.node.name, each.inputs) for each in self._own.nodes]
        nodes += [(each.path, each.operator, each.node, each.inputs) for each in self._own.inside]
        for path, operator, name, inputs in nodes:
            is_near = path.startswith(f"{first.graph.place}/")
            if is_near and any(value.name == first.value for value in inputs):
                yield path, operator, name

    def _reader_text(self, first: FirstDifferent) -> str:
        reader = next(self._readers(first), None)
        return "" if reader is None else f", input of '{printable(reader[2] or reader[0])}'"

    def _node_of(self, first: FirstDifferent) -> tuple[str, str] | None:
        """The gather or scatter node that reads the value or, if none does, that makes it."""
        for path, operator, _ in self._readers(first):
            return path, operator
        made = {each.path: each.operator for each in self._own.nodes}
        made |= {each.path: each.operator for each in self._own.inside}
        return (first.path, made[first.path]) if first.path in made else None


def _count_text(distance: Distance, of: str = "") -> str:
    """ "3 of 4 elements of the output 'y' differ, by at most 7, relative 1"."""
    verb = "differs" if distance.differing == 1 else "differ"
    size = f", by {distance.size}" if distance.size else ""
    return f"{distance.differing} of {counted(distance.elements, 'element')}{of} {verb}{size}"


def _evaluator_words(first: FirstDifferent, hosts: Sequence[str], tolerance: float | None) -> str:
    """Which of the hosts gives what onnx's evaluator gives for the node alone; empty if it does not say."""
    if not first.read or not first.graph.opsets or bodies_of(first.node):
        return ""
    versions = first.graph.opsets
    call = NodeCall(
        first.node.op_type,
        first.read,
        attributes_of(first.node),
        version=versions.get(first.node.domain, 1),
        domain=first.node.domain,
        outputs=len(first.node.output),
    )
    result = runner("onnx_reference").run_node(call)
    if result.outputs is None:
        return ""
    expected = list(result.outputs.values())[list(first.node.output).index(first.value)]
    agreeing = []
    for host, made in zip(hosts, first.made):
        distance = find_distance(expected, made, tolerance)
        if distance is None or distance.rounding:
            agreeing.append(host)
    if not agreeing:
        return "onnx's evaluator gives what neither host gives"
    return f"onnx's evaluator gives what {agreeing[0]} gives" if len(agreeing) == 1 else ""


@dataclass(frozen=True)
class _IrNode:
    """A node with the members that a Graph needs."""

    name: str
    op_type: str
    domain: str
    input: tuple[str, ...]
    output: tuple[str, ...]


class _IrGraph(Graph):
    """The main graph of an OpenVINO IR as makers and readers of values. Hosts find its nodes by their names; bodies are not opened."""

    def __init__(self, model: Model, file: ModelFile) -> None:
        nodes = [_IrNode(each.name, each.op_type, "openvino", each.inputs, each.outputs) for each in model.nodes]
        inputs = [value.name for value in model.inputs]
        super().__init__(file, "main", nodes, [node.input for node in nodes], inputs)

    def not_opened(self, position: int) -> str:
        is_around = self.nodes[position].op_type in _IR_WITH_BODIES
        return "values in its bodies are not compared, since bodies of OpenVINO IR do not run alone" if is_around else ""
