"""The gather and scatter nodes of a model that hosts can observe, and the results that they must give."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from windrow._base.arrays import numpy_dtype
from windrow._base.errors import Error, OperatorWarning
from windrow._check.provoke import CODED_TYPES
from windrow._models.model import Model
from windrow._models.reports import Node, NodeReport, Value
from windrow._ops.call import call as call_operator
from windrow.runners import NodeCall
from windrow.runners._onnx_graphs import constant_value
from windrow.runners._requests import Format


@dataclass(frozen=True, eq=False)
class OwnNode:
    """A gather or scatter node of a model, compared by identity.

    path: as in NodeReport. operator: such as "onnx.Gather-13". exposed_as: the name by which hosts find it. inputs,
    outputs: what inference knows of its values. constants: the positions of inputs that no run can change. values: those
    of them that Constant nodes give.
    """

    path: str
    operator: str
    exposed_as: str
    dialect: Format
    node: Node
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    constants: tuple[int, ...]
    values: Mapping[int, np.ndarray[Any, Any]] = field(default_factory=dict)

    def call(self, inputs: Sequence[Any], threads: int | None = None) -> NodeCall:
        """The request to run this node alone on these inputs."""
        return NodeCall(
            self.node.op_type,
            tuple(inputs),
            self.node.attributes,
            version=self.node.version or 0,
            domain=self.node.domain,
            dialect=self.dialect,
            constants=self.constants,
            outputs=len(self.outputs),
            threads=threads,
        )

    def compute(self, inputs: Sequence[Any], threads: int | None = None) -> Any:
        """The specified result: an array that Windrow computes, or the windrow.Error that it raises."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatorWarning)
            try:
                return call_operator(
                    self.dialect,
                    self.node.op_type,
                    *inputs,
                    version=self.node.version,
                    threads=threads,
                    **self.node.attributes,
                )
            except Error as error:
                return error

    def has_coded_types(self) -> bool:
        return any(value.dtype in CODED_TYPES for value in (*self.inputs, *self.outputs))


class OwnNodes(NamedTuple):
    """The nodes of the main graph, and what is known of those in bodies and functions; order: each path's position."""

    nodes: list[OwnNode]
    inside: list[NodeReport]
    order: dict[str, int]


def own_nodes(model: Model, *, ask_onnx: bool = True) -> OwnNodes:
    """Every gather and scatter node of a model, in the order of Model.inspect()."""
    by_output = {node.outputs[0]: node for node in model.nodes if node.outputs}
    by_name: dict[str, Node] = {}
    for node in model.nodes:
        by_name.setdefault(node.name, node)
    variable = {value.name for value in (*model.inputs, *model.default_inputs)}
    for node in model.nodes:
        if node.op_type != "Constant":
            variable.update(node.outputs)
    found, inside = [], []
    order: dict[str, int] = {}
    for report in model.inspect(ask_onnx=ask_onnx):
        order[report.path] = len(order)
        owner = by_output.get(report.outputs[0].name) if report.outputs else None
        if owner is None or owner.name != report.node or not _is_in_main_graph(report.path, owner):
            inside.append(report)
            continue
        constants = tuple(place for place, name in enumerate(owner.inputs) if name and name not in variable)
        made = {place: _constant_of(by_output.get(owner.inputs[place])) for place in constants}
        found.append(
            OwnNode(
                report.path,
                report.operator,
                _exposed_as(owner, by_name, model.dialect),
                cast(Format, model.dialect),
                owner,
                report.inputs,
                report.outputs,
                constants,
                {place: value for place, value in made.items() if value is not None},
            )
        )
    return OwnNodes(found, inside, order)


def _constant_of(node: Node | None) -> np.ndarray[Any, Any] | None:
    """The value of a Constant node of ONNX."""
    return constant_value(node.attributes) if node is not None and node.op_type == "Constant" else None


def _is_in_main_graph(path: str, node: Node) -> bool:
    """Whether the path of a node of this name is in the main graph: paths contain the first 200 bytes of a name."""
    return path.startswith(f"main/{node.name[:50]}")


def _exposed_as(node: Node, by_name: Mapping[str, Node], dialect: str) -> str:
    """The name by which a host finds a node: its own in IR; its output's in ONNX, where names may be missing or repeated.

    A host first looks for a node of that name.
    """
    output = node.outputs[0]
    is_its_own = by_name.get(output, node) is node
    return output if dialect == "onnx" and is_its_own else node.name


def known_bytes(value: Value, extents: Mapping[str, int]) -> int:
    """The size of a value in bytes; extents that neither the model nor `extents` gives count as 1."""
    if value.dtype is None or value.shape is None:
        return 0
    dims = [dim if isinstance(dim, int) else extents.get(dim or "", 1) for dim in value.shape]
    size = 1 if value.dtype in (*CODED_TYPES, "string") else numpy_dtype(value.dtype).itemsize
    return math.prod(dims) * size


def extents_of(model: Model, inputs: Mapping[str, Any]) -> dict[str, int]:
    """The named extents of the model, from the inputs of a run."""
    extents: dict[str, int] = {}
    for value in (*model.inputs, *model.default_inputs):
        shape = getattr(inputs.get(value.name), "shape", None)
        if shape is not None and value.shape is not None and len(shape) == len(value.shape):
            extents |= {dim: int(n) for dim, n in zip(value.shape, shape) if isinstance(dim, str)}
    return extents
