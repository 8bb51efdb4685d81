"""The values with which the body of an If, a Loop or a Scan runs, iteration by iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from windrow.runners._onnx_graphs import attributes_of, bodies_of

# The number of iterations of a body in which a difference is searched.
MOST_ITERATIONS = 64


class BodyRun(Protocol):
    """The runs of one body. attribute: that holds it. repeats: whether it may run more than once."""

    attribute: str
    repeats: bool

    def inputs(self, iteration: int) -> dict[str, Any] | None:
        """The body's own inputs by name; None behind the last iteration. Callers ask for iterations in order."""

    def take(self, outputs: Sequence[Any]) -> None:
        """Takes the outputs of the iteration that was asked for last."""


def run_of_body(node: Any, opset: int, arrays: Mapping[str, Any]) -> BodyRun | None:
    """How a node runs its body on these values of what it reads; None if it has none that is known to run."""
    if node.domain not in ("", "ai.onnx") or not all(name in arrays for name in node.input if name):
        return None
    if node.op_type == "If":
        return _Branch(node, arrays)
    if node.op_type == "Loop":
        return _Loop(node, arrays)
    if node.op_type == "Scan" and opset >= 9:
        return _Scan(node, arrays)
    return None


class _Branch:
    repeats = False

    def __init__(self, node: Any, arrays: Mapping[str, Any]) -> None:
        self.attribute = "then_branch" if bool(np.asarray(arrays[node.input[0]]).all()) else "else_branch"

    def inputs(self, iteration: int) -> dict[str, Any] | None:
        return None if iteration else {}

    def take(self, outputs: Sequence[Any]) -> None:
        pass


class _Loop:
    attribute, repeats = "body", True

    def __init__(self, node: Any, arrays: Mapping[str, Any]) -> None:
        most, condition = [arrays[name] if name else None for name in node.input[:2]]
        self._most = None if most is None else int(np.asarray(most).reshape(-1)[0])
        self._goes_on = condition is None or bool(np.asarray(condition).all())
        self._names = [value.name for value in bodies_of(node)["body"].input]
        self._states = [arrays[name] for name in node.input[2:]]

    def inputs(self, iteration: int) -> dict[str, Any] | None:
        if not self._goes_on or (self._most is not None and iteration >= self._most):
            return None
        return dict(zip(self._names, [np.array(iteration), np.array(True), *self._states]))

    def take(self, outputs: Sequence[Any]) -> None:
        self._goes_on = bool(np.asarray(outputs[0]).all())
        self._states = list(outputs[1 : 1 + len(self._states)])


class _Scan:
    """From opset 9 on."""

    attribute, repeats = "body", True

    def __init__(self, node: Any, arrays: Mapping[str, Any]) -> None:
        attributes = attributes_of(node)
        count = attributes["num_scan_inputs"]
        given = [np.asarray(arrays[name]) for name in node.input]
        self._names = [value.name for value in bodies_of(node)["body"].input]
        self._states: list[Any] = given[: len(given) - count]
        self._scanned = given[len(given) - count :]
        self._axes = attributes.get("scan_input_axes", [0] * count)
        self._is_reverse = attributes.get("scan_input_directions", [0] * count)

    def inputs(self, iteration: int) -> dict[str, Any] | None:
        slices = []
        for array, axis, is_reverse in zip(self._scanned, self._axes, self._is_reverse):
            extent = array.shape[axis]
            if iteration >= extent:
                return None
            slices.append(array.take(extent - 1 - iteration if is_reverse else iteration, axis))
        return dict(zip(self._names, [*self._states, *slices]))

    def take(self, outputs: Sequence[Any]) -> None:
        self._states = list(outputs[: len(self._states)])
