"""What one call does, element by element: windrow.explain()."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from windrow import _core
from windrow._call import _find
from windrow._errors import ArgumentError
from windrow._explain_nodes import node_call
from windrow._explanation import Explanation, explanation_of
from windrow._models import Model, load
from windrow._operators import FUNCTIONS

# Another operator: "openvino.Gather", or with attributes of its own.
Others = str | Sequence[str] | Mapping[str, Mapping[str, Any]]


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
    return explanation_of(
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
