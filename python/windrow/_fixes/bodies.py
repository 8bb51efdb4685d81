"""Inputs of a model with which a node in a body meets the condition of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow._check.bodies import Entered, InsideNodes
from windrow._check.inputs import model_file
from windrow._check.provoke import GivenInput, NodeForm, NoInputs, provoke
from windrow._models.model import Model
from windrow._models.reports import NodeReport
from windrow.runners import ModelFile
from windrow.runners._onnx_graphs import attributes_of, bodies_of, open_graph, paths_in

Inputs = Mapping[str, Any]
# The number of drawn inputs with which a node is tried to be reached, besides the same with other booleans.
_MOST_DRAWN = 3


@dataclass(frozen=True)
class _Source:
    """An input of the model that arrives at a node in a body; axis: of which an iteration takes one slice, or None."""

    name: str
    axis: int | None


@dataclass(frozen=True)
class _Level:
    """A graph around a node, by the node that holds it and the attribute; the main graph has neither."""

    graph: Any
    holder: Any = None
    attribute: str = ""


def provoke_in_body(
    model: Model, report: NodeReport, provocation: str, drawn: Sequence[Inputs], roles: Sequence[str]
) -> Inputs:
    """Drawn inputs, changed so that a node in a body gets a provocation in a run, as onnx's evaluator shows.

    roles: those of the node's inputs of which the model's inputs must give one. Raises NoInputs.
    """
    if model.dialect != "onnx":
        raise NoInputs("it is in a body of OpenVINO IR, whose values no evaluator shows")
    file = model_file(model)
    levels, node = _find(open_graph(file).model.graph, report.path)
    sources = [_source_of(name, levels) for name in node.input]
    entered, inputs = _reach(file, report, drawn)
    form = _form_of(entered, sources)
    wanted = [place for place, role in enumerate(form.roles) if role in roles]
    if not any(sources[place] for place in wanted):
        raise NoInputs(f"its {roles[0]} are computed inside the model")
    made = provoke(form, provocation)
    changed = dict(inputs)
    for source, array in zip(sources, made):
        if source is not None and array is not None:
            changed[source.name] = _placed(source, array, np.asarray(inputs[source.name]))
    _require_arrival(file, report, changed, {place: made[place] for place in wanted if sources[place]})
    return changed


def _find(main: Any, path: str) -> tuple[list[_Level], Any]:
    """The graphs around a node of the main graph or a body in it, the innermost last, and the node."""
    levels, place = [_Level(main)], "main"
    while True:
        for here, node in paths_in(levels[-1].graph.node, place):
            if here == path:
                return levels, node
            inner = [(name, body) for name, body in bodies_of(node).items() if path.startswith(f"{here}.{name}/")]
            if inner:
                levels.append(_Level(inner[0][1], node, inner[0][0]))
                place = f"{here}.{inner[0][0]}"
                break
        else:
            raise NoInputs("it is in a function")


def _source_of(name: str, levels: Sequence[_Level]) -> _Source | None:
    """The input of the model that arrives as this value; None if there is none."""
    axis = None
    for level in reversed(levels):
        if any(name in node.output for node in level.graph.node) or _is_constant(level.graph, name):
            return None
        names = [value.name for value in level.graph.input]
        if name not in names:
            continue
        if level.holder is None:
            return _Source(name, axis)
        outer = _passed(level.holder, names.index(name))
        if outer is None or (axis is not None and outer.axis is not None):
            return None
        name, axis = outer.name, axis if outer.axis is None else outer.axis
    return None


def _is_constant(graph: Any, name: str) -> bool:
    return any(tensor.name == name for tensor in graph.initializer)


def _passed(node: Any, place: int) -> _Source | None:
    """What a Loop or a Scan passes to an input of its body at first."""
    if node.op_type == "Loop":
        return _Source(node.input[place], None) if place >= 2 else None
    if node.op_type == "Scan":
        attributes = attributes_of(node)
        count = attributes["num_scan_inputs"]
        scanned = place - (len(node.input) - count)
        axes = attributes.get("scan_input_axes", [0] * count)
        return _Source(node.input[place], None if scanned < 0 else axes[scanned])
    return None


def _reach(file: ModelFile, report: NodeReport, drawn: Sequence[Inputs]) -> tuple[Entered, Inputs]:
    """The first execution of the node in a run with drawn inputs that reaches it, and these inputs."""
    why = "the run does not reach it"
    for inputs in _candidates(drawn):
        inside = InsideNodes(file, [report], inputs)
        if inside.known:
            return inside.known[0], inputs
        why = inside.notes[0] if inside.notes else why
    raise NoInputs(why)


def _candidates(drawn: Sequence[Inputs]) -> Iterator[Inputs]:
    """Drawn inputs as they are, and with booleans, which may choose a branch, all true and all false."""
    yield from drawn[:_MOST_DRAWN]
    for value in (True, False):
        flags = {name: np.full_like(array, value) for name, array in drawn[0].items() if np.asarray(array).dtype == bool}
        if flags:
            yield {**drawn[0], **flags}


def _form_of(entered: Entered, sources: Sequence[_Source | None]) -> NodeForm:
    """The node with the types and extents of its values in a run; what the model's inputs do not give is constant."""
    arrays = [None if array is None else np.asarray(array) for array in entered.inputs]
    given = tuple(
        None if array is None else GivenInput(array.dtype.name, tuple(array.shape), None if source else array)
        for array, source in zip(arrays, sources)
    )
    return NodeForm(entered.node.dialect, entered.node.node.op_type, entered.node.node.attributes, given)


def _placed(source: _Source, array: Any, old: Any) -> Any:
    """The model's input with the array in it: in every slice, if a slice is what the node gets."""
    wanted = old.shape if source.axis is None else tuple(np.delete(old.shape, source.axis))
    if tuple(array.shape) != wanted:
        raise NoInputs(f"they would need the shape {list(array.shape)} for {source.name}")
    if source.axis is None:
        return array
    return np.repeat(np.expand_dims(array, source.axis), old.shape[source.axis], source.axis)


def _require_arrival(file: ModelFile, report: NodeReport, inputs: Inputs, wanted: Mapping[int, Any]) -> None:
    """Raises NoInputs unless the node gets these values in a run."""
    for entered in InsideNodes(file, [report], inputs).known:
        if all(np.array_equal(entered.inputs[place], array) for place, array in wanted.items()):
            return
    raise NoInputs("the values that were made do not arrive at the node")
