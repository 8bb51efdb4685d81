"""What one call does, element by element: windrow.explain() and what it gives."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from windrow import _core
from windrow._call import _find
from windrow._errors import ArgumentError
from windrow._explain_nodes import node_call
from windrow._models import Model, load
from windrow._operators import FUNCTIONS

# Another operator: "openvino.Gather", or with attributes of its own.
Others = str | Sequence[str] | Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ExplainedTensor:
    """An input, or the output. values: the elements' texts in row-major order, of small tensors."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    has_values: bool
    values: tuple[str, ...]


@dataclass(frozen=True)
class TensorAxis:
    """An axis of a tensor, by the tensor's name."""

    tensor: str
    axis: int


@dataclass(frozen=True)
class ExplainedAxis:
    """An axis of a gather's output or of a scatter's updates, which is a counter of the equation.

    origin: "batch", "index", "slice" or "repeat". walks: axes that the counter goes along.
    """

    name: str
    extent: int
    origin: str
    walks: tuple[TensorAxis, ...]
    sentence: str


@dataclass(frozen=True)
class ExplainedOutputAxis:
    """An axis of the output; loops: the numbers of the axes that it is made of; sentence: its extent's origin."""

    extent: int
    loops: tuple[int, ...]
    sentence: str


@dataclass(frozen=True)
class IndexRead:
    """An index that a point reads. stored: in decimal. counted: counted from the end, or the remainder."""

    input: int
    position: tuple[int, ...]
    stored: str
    counted: int
    negative: bool
    legal: bool


@dataclass(frozen=True)
class CounterTerm:
    """A counter times a coefficient, a summand of a coordinate."""

    loop: int
    coefficient: int


@dataclass(frozen=True)
class ExplainedCoordinate:
    """How a coordinate came about: base, counters and indices, then the policy.

    placing: "inside", "clamped", "wrapped", "outside" or "illegal". value: None if there is none.
    """

    extent: int
    base: int
    counters: tuple[CounterTerm, ...]
    indices: tuple[IndexRead, ...]
    sum: int
    placing: str
    value: int | None


@dataclass(frozen=True)
class ExplainedPoint:
    """An element of a gather's output: its position `direct`, and the `cell` of data that it comes from, or None.

    number: in row-major order. value: its text; empty if it is not known.
    """

    number: int
    counters: tuple[int, ...]
    direct: tuple[int, ...]
    coordinates: tuple[ExplainedCoordinate, ...]
    cell: tuple[int, ...] | None
    value: str


@dataclass(frozen=True)
class ExplainedWrite(ExplainedPoint):
    """An update of a scatter: its position `direct`, and the `cell` of the output that it goes to, or None.

    before, after: the cell's value. earlier, later: the numbers of the writes to the same cell before and after.
    """

    before: str
    after: str
    earlier: int | None
    later: int | None


@dataclass(frozen=True)
class ExplainedCell:
    """A cell of a scatter's output: how many updates reach it, and what it holds."""

    cell: tuple[int, ...]
    writes: int
    result: str


@dataclass(frozen=True)
class Parting:
    """An element that is not the same in two calls: both values, and what each call says of it."""

    element: tuple[int, ...]
    first: str
    second: str
    first_reason: str
    second_reason: str


@dataclass(frozen=True)
class Comparison:
    """Where and why the results of two operators part for the same inputs.

    first, second: the operators. shapes: how the outputs' shapes or types differ; first_failure,
    second_failure: why a call fails; each is empty if that is not so. elements: of the output;
    compared: of those; parting: of the compared ones, those that differ; partings: the first ones.
    """

    first: str
    second: str
    shapes: str
    first_failure: str
    second_failure: str
    elements: int
    compared: int
    parting: int
    partings: tuple[Parting, ...]

    @property
    def parts(self) -> bool:
        """Whether anything differs."""
        return bool(self.shapes or self.parting or bool(self.first_failure) != bool(self.second_failure))


@dataclass(frozen=True, repr=False)
class Explanation:
    """One call of one operator; prints itself as lines, in notebooks as a picture to point at.

    equation: in the names of axes. numpy: a line of Python that computes `output` from arrays of the
    inputs' names; empty where NumPy has no line for it. walks: elements of a gather's output; writes,
    cells: of a scatter's; at most as many as were asked for, of `points`. searched: how many were read.
    failure: why the call fails; empty: it does not, as far as was read. comparisons: one per operator
    of `as_`. The other members are those of windrow/explain.h.
    """

    operator: str
    attributes: dict[str, Any]
    scatter: bool
    inputs: tuple[ExplainedTensor, ...]
    output: ExplainedTensor
    indirect_input: int
    updates_input: int
    equation: str
    axes: tuple[ExplainedAxis, ...]
    output_axes: tuple[ExplainedOutputAxis, ...]
    numpy: str
    folds: bool
    refuses_duplicates: bool
    points: int
    searched: int
    illegal: int
    failure: str
    walks: tuple[ExplainedPoint, ...]
    writes: tuple[ExplainedWrite, ...]
    cells: tuple[ExplainedCell, ...]
    comparisons: tuple[Comparison, ...]
    _call: _core.Explanation = field(compare=False)

    def to_svg(self) -> str:
        """A picture of the call."""
        return self._call.svg()

    def to_html(self) -> str:
        """A page for browsers that loads nothing: point at elements, step through writes, read the comparisons."""
        return self._call.html()

    def __str__(self) -> str:
        return self._call.text()

    def __repr__(self) -> str:
        return self._call.text().rstrip("\n")

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that neither its style nor its script meets the notebook's."""
        title = escape(f"{self.operator}: {self.equation}")
        style = "width: 100%; height: 40em; border: 0"
        return f'<p><b>{title}</b></p><iframe title="{title}" style="{style}" srcdoc="{escape(self.to_html())}"></iframe>'


def _tuple(made: Any, rows: list[dict[str, Any]]) -> tuple[Any, ...]:
    return tuple(made(row) for row in rows)


def _numbers(numbers: list[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(numbers)


def _tensor(row: dict[str, Any]) -> ExplainedTensor:
    return ExplainedTensor(**{**row, "shape": tuple(row["shape"]), "values": tuple(row["values"])})


def _axis(row: dict[str, Any]) -> ExplainedAxis:
    return ExplainedAxis(**{**row, "walks": _tuple(lambda walk: TensorAxis(**walk), row["walks"])})


def _coordinate(row: dict[str, Any]) -> ExplainedCoordinate:
    counters = _tuple(lambda counter: CounterTerm(**counter), row["counters"])
    indices = _tuple(lambda read: IndexRead(**{**read, "position": tuple(read["position"])}), row["indices"])
    return ExplainedCoordinate(**{**row, "counters": counters, "indices": indices})


def _point_members(row: dict[str, Any]) -> dict[str, Any]:
    positions = {name: _numbers(row[name]) for name in ("counters", "direct", "cell")}
    return {**row, **positions, "coordinates": _tuple(_coordinate, row["coordinates"])}


def _parting(row: dict[str, Any]) -> Parting:
    return Parting(**{**row, "element": tuple(row["element"])})


def _explanation(call: _core.Explanation) -> Explanation:
    row = json.loads(call.json())
    parts = {
        "inputs": _tuple(_tensor, row["inputs"]),
        "output": _tensor(row["output"]),
        "axes": _tuple(_axis, row["axes"]),
        "output_axes": _tuple(lambda axis: ExplainedOutputAxis(**{**axis, "loops": tuple(axis["loops"])}),
                              row["output_axes"]),
        "walks": _tuple(lambda walk: ExplainedPoint(**_point_members(walk)), row["walks"]),
        "writes": _tuple(lambda write: ExplainedWrite(**_point_members(write)), row["writes"]),
        "cells": _tuple(lambda cell: ExplainedCell(**{**cell, "cell": tuple(cell["cell"])}), row["cells"]),
        "comparisons": _tuple(lambda each: Comparison(**{**each, "partings": _tuple(_parting, each["partings"])}),
                              row.get("comparisons", [])),
    }  # fmt: skip
    return Explanation(**{**row, **parts}, _call=call)


def _operator_id(text: str) -> tuple[str, str, int | None]:
    """ "onnx.Gather", or "onnx.Gather-13" as messages write it. Raises windrow.Unsupported, windrow.ArgumentError."""
    dialect, dot, name = text.partition(".")
    if not dot:
        raise ArgumentError(f"{text!r} is no operator: write the dialect before it, 'onnx.{text}'")
    name, dash, version = name.partition("-")
    _find(dialect, name)
    if dash and not version.isdecimal():
        raise ArgumentError(f"{text!r} has {version!r} for a version, must be a number")
    return dialect, name, int(version) if dash else None


def _other_ids(others: Others) -> list[tuple[str, str, int | None, dict[str, Any]]]:
    if isinstance(others, str):
        others = [others]
    chosen = others if isinstance(others, Mapping) else dict.fromkeys(others, {})
    return [(*_operator_id(name), dict(attributes)) for name, attributes in chosen.items()]


def explain(
    operator: Any,
    *inputs: Any,
    node: str | None = None,
    as_: Others = (),
    elements: Sequence[Sequence[int]] = (),
    most: int = 64,
    version: int | None = None,
    out_of_range: str | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    **attributes: Any,
) -> Explanation:
    """Shows where every element of one call comes from, or who writes where, and why.

    operator: "onnx.GatherND", "onnx.GatherND-12", a function such as windrow.onnx.gather_nd; or a
        model (windrow.load()) or its path.
    inputs: of an operator as for windrow.call(); or windrow.Spec, of which type and shape alone are
        known. Of a model one dict by name. Values that the node reads go to it; what is not given is
        a constant of at most 64 MiB, or known by type and shape. The model's own inputs run the part
        of the model before the node in an installed host (windrow.runners), which tells what the
        node reads.
    node: of a model, by its name or by a value that it gives; None: the only gather or scatter.
    as_: other operators, with whose results for the same inputs this one's is compared: a name, a
        list of them, or a dict from name to attributes: {"tensorrt.Gather": {"mode": "ND"}}.
    elements: positions in the output that are explained; none: the first ones. most: as many.
    version, out_of_range, strict, duplicates, attributes: as for windrow.call(); of a node, version
        and attributes are the model's.

    A call that would fail because of an index or a duplicate is explained, too. Raises windrow.Error:
    as windrow.call() does else; Unsupported without a host that could run the model; ArgumentError for
    an element outside of the output, and for an input or attribute that an operator of `as_` has no
    place for.
    """
    if isinstance(operator, (str, os.PathLike)) and os.fspath(operator).endswith((".onnx", ".xml")):
        operator = load(operator)
    if isinstance(operator, Model):
        if attributes or version is not None or len(inputs) > 1:
            raise ArgumentError("a node has the model's attributes and version, and its inputs are one dict by name")
        given = inputs[0] if inputs else {}
        if not isinstance(given, Mapping):
            raise ArgumentError("the inputs of a node are a dict by name")
        operator_id, arrays, attributes = node_call(operator, node, given)
    else:
        if node is not None:
            raise ArgumentError("node is for models")
        operator_id, arrays = _called_id(operator, version), list(inputs)
    options = {"out_of_range": out_of_range, "strict": strict, "duplicates": duplicates}
    positions = [tuple(element) for element in elements]
    return _explanation(
        _core.explain(operator_id, arrays, attributes, options, positions, most, _other_ids(as_))
    )


def _called_id(operator: Any, version: int | None) -> tuple[str, str, int | None]:
    """The operator that a name or a function stands for."""
    if isinstance(operator, str):
        dialect, name, own = _operator_id(operator)
        return dialect, name, own if version is None else version
    for (dialect, name), function in FUNCTIONS.items():
        if function is operator:
            return dialect, name, version
    raise ArgumentError(f"{operator!r} is no operator and no model: give a name such as 'onnx.GatherND'")
