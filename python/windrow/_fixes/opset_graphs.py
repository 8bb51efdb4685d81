"""The nodes of an ONNX model whose operators a newer opset changes, and onnx's converter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import FunctionProto, GraphProto, ModelProto, NodeProto

# The opset whose Scan no longer goes through a batch, too. The newer versions of If, Loop and Scan only take more types.
_SCAN_WITHOUT_BATCHES = 9


class NotRaised(Exception):
    """Why the opset stays as it is."""


def opset_of(proto: ModelProto | FunctionProto) -> int | None:
    """The opset of ai.onnx that a model or a function imports."""
    return next((opset.version for opset in proto.opset_import if opset.domain in ("", "ai.onnx")), None)


def converted(proto: ModelProto, opset: int) -> ModelProto:
    """The model in another opset, without its functions, as onnx's converter makes it."""
    import onnx

    try:
        return onnx.version_converter.convert_version(proto, opset)
    except Exception as error:  # noqa: BLE001  the converter's errors have no common type
        raise NotRaised(f"onnx's converter fails: {str(error).splitlines()[0]}") from None


def nodes_at(graph: GraphProto | FunctionProto, place: str, paths: set[str]) -> list[tuple[str, NodeProto]]:
    """The nodes of a graph with this path, with their own paths, that are or hold the nodes of these paths; their names have to be their own."""
    holders = []
    missing = set(paths)
    for path, node in nodes_of(graph, place):
        found = {path, *(inner for inner, _ in inner_nodes(node, path))} & missing
        if path and found:
            holders.append((path, node))
            missing -= found
    if missing:
        raise NotRaised(f"{min(missing)} shares its name")
    return holders


def nodes_of(graph: GraphProto | FunctionProto, path: str) -> Iterable[tuple[str, NodeProto]]:
    """The nodes of a graph with this path, with their own paths, which are empty for nodes that share their names."""
    names = [node.name or f"{node.op_type}_{number}" for number, node in enumerate(graph.node)]
    for name, node in zip(names, graph.node):
        yield f"{path}/{name}" if names.count(name) == 1 else "", node


def _bodies_of(node: NodeProto) -> Iterable[tuple[str, GraphProto]]:
    """The bodies of a node, and the ends of their paths."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.name, attribute.g
        for number, graph in enumerate(attribute.graphs):
            yield f"{attribute.name}[{number}]", graph


def inner_nodes(node: NodeProto, path: str) -> Iterable[tuple[str, NodeProto]]:
    """The nodes in the bodies of a node, and in theirs."""
    for end, graph in _bodies_of(node):
        for inner_path, inner in nodes_of(graph, f"{path}.{end}"):
            yield inner_path, inner
            yield from inner_nodes(inner, inner_path)


def every_node(graph: GraphProto | FunctionProto) -> Iterable[NodeProto]:
    """The nodes of a graph and of all bodies in it."""
    for _, node in nodes_of(graph, ""):
        yield node
        yield from (inner for _, inner in inner_nodes(node, ""))


def check_bodies(changed: list[tuple[str, NodeProto]], paths: set[str], declared: int, opset: int) -> None:
    """Raises NotRaised where a body means something else in the newer opset, or a node in it that does not have one of the paths."""
    for path, node in changed:
        for inner_path, inner in inner_nodes(node, path):
            if inner_path not in paths and has_other_version(inner, declared, opset):
                raise NotRaised(f"{inner.op_type} in the same body has another version in opset {opset}")
        if node.op_type == "Scan" and declared < _SCAN_WITHOUT_BATCHES <= opset:
            raise NotRaised(f"{path} means something else from opset {_SCAN_WITHOUT_BATCHES} on")


def has_other_version(node: NodeProto, declared: int, opset: int) -> bool:
    """Whether the two opsets have different versions of the node's operator."""
    import onnx

    if node.domain not in ("", "ai.onnx"):
        return False
    try:
        versions = {onnx.defs.get_schema(node.op_type, number, "").since_version for number in (declared, opset)}
    except onnx.defs.SchemaError:
        return False
    return len(versions) > 1


def restore_bodies(node: NodeProto, after: ModelProto) -> None:
    """Gives the node of the converted model that has the same outputs the bodies of `node`, which the converter may have changed."""
    bodies = {attribute.name: attribute for attribute in node.attribute if attribute.HasField("g") or attribute.graphs}
    for other in after.graph.node:
        if list(other.output) == list(node.output):
            for attribute in other.attribute:
                if attribute.name in bodies:
                    attribute.CopyFrom(bodies[attribute.name])
