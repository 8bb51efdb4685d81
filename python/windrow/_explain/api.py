"""windrow.explain(): what one call does, element by element."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._explain.nodes import node_call
from windrow._explain.report import Explanation
from windrow._models.model import Model, load
from windrow._ops.call import _find
from windrow._ops.table import FUNCTIONS

# Another operator: "openvino.Gather", or a name with attributes of its own.
Others = str | Sequence[str] | Mapping[str, Mapping[str, Any]]


def _operator_id(text: str) -> tuple[str, str, int | None]:
    """ "onnx.Gather", or "onnx.Gather-13" as messages write it. Raises windrow.Unsupported, windrow.ArgumentError."""
    dialect, dot, name = text.partition(".")
    if not dot:
        raise ArgumentError(f"{text!r} is not an operator: write the dialect before it, 'onnx.{text}'")
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
    negative: str | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    **attributes: Any,
) -> Explanation:
    """Shows where every element of one call's result comes from, or which update writes which cell, and why.

    operator: "onnx.GatherND", "onnx.GatherND-12", a function such as windrow.onnx.gather_nd; or a
        model (windrow.load()) or its path.
    inputs: for an operator as for windrow.call(), or windrow.Spec, which gives only type and shape.
        For a model one dict by name. Values that the node reads are used directly; a value that is
        missing is a constant of at most 64 MiB, or known only by type and shape. If the dict has the
        model's own inputs, the part of the model before the node runs in an installed host
        (windrow.runners), which gives the values that the node reads.
    node: a node of a model, by its name or by the name of an output; None: the only gather or scatter.
    as_: other operators, with whose results for the same inputs this one's is compared: a name, a
        list of them, or a dict from name to attributes: {"tensorrt.Gather": {"mode": "ND"}}.
    elements: positions in the output that are explained; empty: the first ones. most: how many of them.
    version, out_of_range, negative, padding_index, strict, duplicates, attributes: as for windrow.call(); for a
        node, version and attributes are those in the model.

    A call that would fail because of an index or a duplicate is explained, too. Otherwise raises the
    errors of windrow.call(); Unsupported if no host can run the model; ArgumentError for an element
    outside the output, and for an input or attribute that an operator of `as_` does not have.
    """
    if isinstance(operator, os.PathLike) or (isinstance(operator, str) and _names_model(operator)):
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
    options = {
        "out_of_range": out_of_range,
        "negative": negative,
        "padding_index": padding_index,
        "strict": strict,
        "duplicates": duplicates,
    }
    positions = [tuple(element) for element in elements]
    return _core.explain(operator_id, arrays, attributes, options, positions, most, _other_ids(as_))


def _names_model(text: str) -> bool:
    """Whether a text is the path of a model: by its ending, or because such a file exists and no dialect has the name."""
    if text.endswith((".onnx", ".xml")):
        return True
    return text.partition(".")[0] not in {dialect for dialect, _ in FUNCTIONS} and os.path.exists(text)


def _called_id(operator: Any, version: int | None) -> tuple[str, str, int | None]:
    """The operator that a name or a function stands for."""
    if isinstance(operator, str):
        dialect, name, own = _operator_id(operator)
        return dialect, name, own if version is None else version
    for (dialect, name), function in FUNCTIONS.items():
        if function is operator:
            return dialect, name, version
    raise ArgumentError(f"{operator!r} is neither an operator nor a model: give a name such as 'onnx.GatherND'")
