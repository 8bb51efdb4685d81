"""ONNX models made for runs: a single node as a model, and a model with more outputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow._base.errors import needed_by
from windrow.runners._requests import ModelFile, ModelRun, NodeCall

# An opset that has every operator's newest version and that every ONNX Runtime accepts.
_OTHER_DOMAINS_OPSET = 17
_IR_VERSION = 10
# Longest part of a node's name in a path, in bytes, as in NodeReport.
_LONGEST_NAME = 200


def model_of_node(call: NodeCall) -> ModelRun:
    """The run of a model that has only this node."""
    with needed_by("a single ONNX node", "onnx"):
        import onnx
    helper = onnx.helper
    names = ["" if array is None else f"input_{number}" for number, array in enumerate(call.inputs)]
    arrays = {name: np.asarray(array) for name, array in zip(names, call.inputs) if name}
    constants = {names[number] for number in call.constants}
    outputs = [f"output_{number}" for number in range(call.outputs)]
    graph = helper.make_graph(
        [helper.make_node(call.op_type, names, outputs, domain=call.domain, **call.attributes)],
        "node",
        [
            helper.make_tensor_value_info(
                name, onnx_type(array), [None] * array.ndim if call.dynamic else array.shape
            )
            for name, array in arrays.items()
            if name not in constants
        ],
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [onnx.numpy_helper.from_array(arrays[name], name) for name in sorted(constants)],
    )
    opsets = {"": _OTHER_DOMAINS_OPSET, call.domain: call.version}
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in opsets.items()],
        ir_version=_IR_VERSION,
    )
    inputs = {name: array for name, array in arrays.items() if name not in constants}
    return ModelRun(ModelFile("onnx", data=model.SerializeToString()), inputs, threads=call.threads)


def onnx_type(array: np.ndarray[Any, Any]) -> int:
    import onnx

    if array.dtype.kind in "OTU":
        return int(onnx.TensorProto.STRING)
    return int(onnx.helper.np_dtype_to_tensor_dtype(array.dtype))


@dataclass(frozen=True)
class Exposure:
    """How the values at nodes of an ONNX model are observed.

    model: a copy with more outputs, or None. own_outputs: the names of the unmodified model's outputs. values:
    for each requested name, the names of the node's inputs and outputs. initializers: the values of the model that
    no node computes. not_observed: the reason for every other requested name.
    """

    model: ModelFile | None
    own_outputs: frozenset[str]
    values: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    initializers: dict[str, np.ndarray[Any, Any]]
    not_observed: dict[str, str]

    def exposed(self, run: ModelRun) -> ModelRun | None:
        """The run of the copy; None if no node has to run."""
        if self.model is None:
            return None
        return dataclasses.replace(run, model=self.model, expose=(), expose_inputs=(), cut=False)

    def sort_values(self, outputs: dict[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
        """The result of Runner.execute_exposed(), from the outputs of the copy and the inputs of the run."""
        known = {**self.initializers, **inputs, **outputs}
        observed = {
            name: tuple(tuple(known.get(value) for value in side) for side in sides)
            for name, sides in self.values.items()
        }
        own = {name: value for name, value in outputs.items() if name in self.own_outputs}
        return {"outputs": own, "observed": observed, "not_observed": self.not_observed}


def plan_exposure(run: ModelRun) -> Exposure:
    """Finds the nodes and makes their values outputs of a copy. Raises ImportError without onnx."""
    with needed_by("exposing nodes of an ONNX model", "onnx"):
        import onnx
    content = run.model.read()
    proto = onnx.load_model_from_string(content)
    graph = proto.graph
    values: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    not_observed = {}
    for name in run.exposed:
        node = _find(graph.node, name)
        if node is None:
            not_observed[name] = _why_not_found(proto, name)
        else:
            values[name] = (tuple(node.input), () if name in run.expose_inputs else tuple(node.output))
    wanted = {value for sides in values.values() for side in sides for value in side if value}
    tensors = [tensor for tensor in graph.initializer if tensor.name in wanted]
    folder = run.model.data_folder() or ""
    initializers = {tensor.name: onnx.numpy_helper.to_array(tensor, folder) for tensor in tensors}
    own = frozenset(() if run.cut else (output.name for output in graph.output))
    there = own.union(initializers, (given.name for given in graph.input))
    changed = (_cut_copy if run.cut else _longer_copy)(content, proto, sorted(wanted - there))
    copy = None if changed is None else ModelFile("onnx", data=changed, folder=run.model.data_folder())
    return Exposure(copy, own, values, initializers, not_observed)


def _longer_copy(content: bytes, proto: Any, added: list[str]) -> bytes:
    """The model's bytes with more outputs.

    They are appended: protobuf merges a message with the bytes that follow it, so that everything else is unchanged,
    including fields that this version of ONNX does not know.
    """
    import onnx

    outputs = [onnx.ValueInfoProto(name=value) for value in added]
    suffix: bytes = onnx.ModelProto(graph=onnx.GraphProto(output=outputs)).SerializeToString()
    return content + suffix


def _cut_copy(content: bytes, proto: Any, outputs: list[str]) -> bytes | None:
    """Reduces `proto` to the nodes that these values need, with the values as outputs; None if there are no nodes."""
    import onnx

    if not outputs:
        return None
    graph, needed, kept = proto.graph, set(outputs), []
    for node in reversed(graph.node):
        if not needed.isdisjoint(node.output):
            kept.append(node)
            needed.update(read_by(node))
    kept.reverse()
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in kept]
    del graph.node[:], graph.output[:], graph.value_info[:]
    graph.node.extend(kept)
    graph.output.extend(onnx.ValueInfoProto(name=value) for value in outputs)
    left: bytes = proto.SerializeToString()
    return left


def read_by(node: Any) -> Iterator[str]:
    """The values that a node and the graphs in its attributes read."""
    yield from node.input
    for attribute in node.attribute:
        for body in (*((attribute.g,) if attribute.HasField("g") else ()), *attribute.graphs):
            yield from (output.name for output in body.output)
            for inner in body.node:
                yield from read_by(inner)


def _find(nodes: Any, name: str) -> Any:
    """The node of this name, otherwise the node with this output, otherwise None."""
    by_name = next((node for node in nodes if node.name == name), None)
    return by_name or next((node for node in nodes if name in node.output), None)


def _why_not_found(proto: Any, name: str) -> str:
    for owner, body in _bodies(proto.graph):
        if _find(body.node, name) is not None:
            return f"it is in a body of the {owner.op_type} node {owner.name or owner.output[0]!r}"
    for function in proto.functions:
        if _find(function.node, name) is not None:
            return f"it is in the function {function.name!r}"
    return "the model has no node of this name"


def _bodies(graph: Any) -> Iterator[tuple[Any, Any]]:
    """Every body inside the graph, with its node."""
    for node in graph.node:
        for attribute in node.attribute:
            for body in (*((attribute.g,) if attribute.HasField("g") else ()), *attribute.graphs):
                yield node, body
                yield from _bodies(body)


def path_of(node: Any, number: int, place: str, names: set[str], taken: set[str]) -> str:
    """The path of a node, as in NodeReport.

    number: its position in its graph, whose path is `place`. names: of the nodes before it in this graph; taken: all paths
    of the model so far. Both receive the node's.
    """
    name = node.name or f"{node.op_type}_{number}"
    shown = name if len(name.encode()) <= _LONGEST_NAME else _first_bytes(name)
    path = f"{place}/{shown}"
    if name in names or shown != name:
        path += f"#{number}"
    while path in taken:
        path += f"#{number}"
    names.add(name)
    taken.add(path)
    return path


def _first_bytes(name: str) -> str:
    return name.encode()[:_LONGEST_NAME].decode(errors="ignore")
