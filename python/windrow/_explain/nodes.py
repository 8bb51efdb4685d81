"""A node of a model as the call of an operator, with values for its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from windrow._base.errors import ArgumentError, HostError, Unsupported
from windrow._base.spec import Spec
from windrow._models.model import Model, _host_input, host_inputs
from windrow._models.reports import Node, Value
from windrow._ops.table import FUNCTIONS

_MOST_READ = 1 << 26  # largest constant that is read, in bytes


def node_call(
    model: Model, name: str | None, given: Mapping[str, Any]
) -> tuple[tuple[str, str, int | None], list[Any], dict[str, Any]]:
    """Operator, inputs and attributes of a node. given: the inputs as for windrow.explain(), as are the errors."""
    name = _only_node(model) if name is None else name
    alone = model.only_node(name)
    (node,) = alone.nodes
    if (model.dialect, node.op_type) not in FUNCTIONS:
        raise ArgumentError(f"node {name!r} is {node.op_type}, not a gather or scatter")
    others = [each for each in given if each not in node.inputs]
    whole = {value.name for value in (*model.inputs, *model.default_inputs)}
    if others and others[0] not in whole:
        raise ArgumentError(f"node {name!r} has no input {others[0]!r}; it has {', '.join(map(repr, node.inputs))}")
    values = observed_inputs(model, name, given) if others else given
    declared = {value.name: value for value in (*alone.inputs, *alone.default_inputs)}
    inputs = [_input(alone, declared, each, values) for each in node.inputs]
    return (model.dialect, node.op_type, node.version), inputs, dict(node.attributes)


def _only_node(model: Model) -> str:
    names = [each.name or each.outputs[0] for each in model.nodes if (model.dialect, each.op_type) in FUNCTIONS]
    if len(names) == 1:
        return names[0]
    shown = ", ".join(map(repr, names[:20])) or "no gather or scatter"
    raise ArgumentError(f"node says which node of the model is explained; it has {shown}")


def observed_inputs(model: Model, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a node reads in a run of the model on these inputs, by the names of the node's inputs.

    Raises windrow.Unsupported, windrow.HostError.
    """
    from windrow._check.hosts import find_hosts
    from windrow._check.inputs import model_file
    from windrow._check.nodes import OwnNode, _exposed_as, extents_of
    from windrow._check.observe import HostRuns
    from windrow.runners._requests import Format

    (node,) = model.only_node(name).nodes
    dialect = cast(Format, model.dialect)
    hosts, notes = find_hosts((), dialect, None)
    if not hosts:
        raise Unsupported("; ".join(["no host can run this model", *notes]))
    arrays = host_inputs(model, given)
    by_name: dict[str, Node] = {}
    for each in model.nodes:
        by_name.setdefault(each.name, each)
    (same,) = (each for each in model.nodes if each.outputs == node.outputs)
    own = OwnNode("", "", _exposed_as(same, by_name, model.dialect), dialect, same, (), (), ())
    with hosts[0].runner.pool() as pool:
        runs = HostRuns(hosts[0], pool, model_file(model), arrays, extents_of(model, arrays))
        result = runs.run([], [own], cut=True)
        if result.failure is not None:
            raise HostError(f"{hosts[0].name}: {result.failure.message}")
        seen = runs.values(result, [own])
    if own not in seen:
        raise HostError(f"{hosts[0].name} does not show what node {node.name!r} reads")
    return {name: value for name, value in zip(node.inputs, seen[own].inputs) if value is not None}


def _input(alone: Model, declared: Mapping[str, Value], name: str, given: Mapping[str, Any]) -> Any:
    """An array, or only type and shape if it is missing or too large to be read; None for an omitted input."""
    if not name:
        return None
    value = declared.get(name)
    if name in given:
        return _host_input(given[name], name, {name: value.dtype if value else None})
    constant = alone._core.constant_spec(name)
    if constant is not None:
        dtype, shape, size = constant
        return alone._core.constant(name) if size <= _MOST_READ else Spec(dtype, shape)
    extents = () if value is None or value.shape is None else value.shape
    known = [extent for extent in extents if isinstance(extent, int)]
    if value is None or value.dtype is None or value.shape is None or len(known) < len(extents):
        raise ArgumentError(f"type or shape of {name!r} is not known: give an array for it")
    return Spec(value.dtype, known)
