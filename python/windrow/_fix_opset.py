"""The change of windrow.fix() that raises a model's opset, for nodes that a newer opset allows."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windrow import _core
from windrow._check import CheckReport, PortabilityFinding, check
from windrow._check_fixes import FixResult, FixVerification, ModelFix
from windrow._check_rules import operator_rules
from windrow._errors import Error
from windrow._fix_inputs import Inputs, Sample
from windrow._fix_runs import HOSTS, Tally, run_in
from windrow._lowest_opset import NodeOpset, lowest_opset
from windrow._models import Model, load
from windrow.runners._hosts import runners
from windrow.runners._requests import ModelFile

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto

_SAMPLES = 6
# The opset whose Scan no longer goes through a batch, too. The newer versions of If, Loop and Scan only take more types.
_SCAN_WITHOUT_BATCHES = 9


class _NotRaised(Exception):
    """Why the opset stays as it is."""


def raise_opset(
    model: Model, report: CheckReport, result: FixResult, hosts: Sequence[str] | None, ask_onnx: bool
) -> FixResult:
    """The result with the model at the lowest opset that allows the nodes of its findings, or with the reason why not.

    The nodes that the newer opset does not concern must give the same bits in hosts before and after.
    """
    if model.dialect != "onnx":
        return result
    labels = {rule.label for rule in operator_rules()}
    needs = lowest_opset(model, ask_onnx=ask_onnx)
    nodes = {node.node: node for node in needs.nodes if _needs_newer(node)}
    findings = [found for found in report.findings if found.rule in labels and found.node in nodes]
    if not findings:
        return result
    asked = [nodes[found.node] for found in findings]
    try:
        return _raised(result, findings, asked, hosts, ask_onnx)
    except _NotRaised as reason:
        return _with(result, findings, [], f"the opset is not raised: {reason}")


def _needs_newer(node: NodeOpset) -> bool:
    return node.domain == "" and node.declared is not None and node.lowest is not None and node.declared < node.lowest


def _raised(
    result: FixResult, findings: list[PortabilityFinding], asked: list[NodeOpset], hosts: Sequence[str] | None, ask_onnx: bool
) -> FixResult:
    try:
        import onnx
    except ImportError:
        raise _NotRaised("the package onnx is not installed") from None
    opset = max(node.lowest for node in asked if node.lowest is not None)
    before = _proto_of(result.model)
    paths = {node.node for node in asked}
    changed = _nodes_at(before, paths)
    _check_bodies(changed, paths, asked[0].declared or 0, opset)
    try:
        after = onnx.version_converter.convert_version(before, opset)
    except Exception as error:  # noqa: BLE001  the converter's errors have no common type
        raise _NotRaised(f"onnx's converter fails: {str(error).splitlines()[0]}") from None
    for _, node in changed:
        _restore_bodies(node, after)
    raised = load(after)
    left = [node for node in lowest_opset(raised, ask_onnx=ask_onnx).nodes if _needs_newer(node)]
    if left:
        raise _NotRaised(f"after it, {left[0].node} needs opset {left[0].lowest}")
    _require_no_findings(result.model, raised, findings, ask_onnx)
    verifications = _verify_others(before, after, [node for _, node in changed], hosts)
    what = f"the model's opset is {opset}, was {asked[0].declared}"
    return dataclasses.replace(
        _with(result, findings, [ModelFix(found.rule, found.node, what, True) for found in findings], ""),
        model=raised,
        verifications=tuple(verifications),
    )


def _require_no_findings(before: Model, after: Model, findings: list[PortabilityFinding], ask_onnx: bool) -> None:
    """Checks both models for the findings' runtimes. Raises _NotRaised for a finding that is left, or that is new.

    A node that the older opset does not allow was not judged further, so that what can happen there is not new.
    """
    runtimes = sorted({runtime for found in findings for runtime in found.runtimes})
    known = {(found.rule, found.node) for found in check(before, runtimes=runtimes, ask_onnx=ask_onnx).findings}
    changed = {found.node for found in findings}
    for found in check(after, runtimes=runtimes, ask_onnx=ask_onnx).findings:
        if (found.rule, found.node) in {(each.rule, each.node) for each in findings}:
            raise _NotRaised(f"it would not help: after it, {found.rule} on {found.node}: {found.what}")
        is_new = (found.rule, found.node) not in known
        if is_new and (found.node not in changed or found.verdict == "happens"):
            raise _NotRaised(f"it would bring a new finding, {found.rule} on {found.node}: {found.what}")


def _with(result: FixResult, findings: list[PortabilityFinding], applied: list[ModelFix], why_not: str) -> FixResult:
    """The result with these changes, or with the reason why the findings are left."""
    done = {(found.rule, found.node) for found in findings}
    left = [change for change in result.left if (change.rule, change.node) not in done]
    if why_not:
        left += [ModelFix(found.rule, found.node, why_not, True) for found in findings]
    return dataclasses.replace(result, applied=(*result.applied, *applied), left=tuple(left))


def _proto_of(model: Model) -> ModelProto:
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        model.save(path)
        return onnx.load(path)


def _nodes_at(proto: ModelProto, paths: set[str]) -> list[tuple[str, NodeProto]]:
    """The nodes of the main graph, with their paths, that are or hold the nodes of these paths; their names have to be their own."""
    holders = []
    missing = set(paths)
    for path, node in _nodes_of(proto.graph, "main"):
        found = {path, *(inner for inner, _ in _inner_nodes(node, path))} & missing
        if path and found:
            holders.append((path, node))
            missing -= found
    if missing:
        raise _NotRaised(f"{min(missing)} is in a function, or shares its name")
    return holders


def _nodes_of(graph: GraphProto, path: str) -> Iterable[tuple[str, NodeProto]]:
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


def _inner_nodes(node: NodeProto, path: str) -> Iterable[tuple[str, NodeProto]]:
    """The nodes in the bodies of a node, and in theirs."""
    for end, graph in _bodies_of(node):
        for inner_path, inner in _nodes_of(graph, f"{path}.{end}"):
            yield inner_path, inner
            yield from _inner_nodes(inner, inner_path)


def _check_bodies(changed: list[tuple[str, NodeProto]], paths: set[str], declared: int, opset: int) -> None:
    """Raises _NotRaised where a body means something else in the newer opset, or a node in it that does not have one of the paths."""
    for path, node in changed:
        for inner_path, inner in _inner_nodes(node, path):
            if inner_path not in paths:
                _check_same_version(inner, declared, opset)
        if node.op_type == "Scan" and declared < _SCAN_WITHOUT_BATCHES <= opset:
            raise _NotRaised(f"{path} means something else from opset {_SCAN_WITHOUT_BATCHES} on")


def _check_same_version(node: NodeProto, declared: int, opset: int) -> None:
    """Raises _NotRaised where the two opsets have different versions of the node's operator."""
    import onnx

    if node.domain not in ("", "ai.onnx"):
        return
    try:
        versions = {onnx.defs.get_schema(node.op_type, number, "").since_version for number in (declared, opset)}
    except onnx.defs.SchemaError:
        return
    if len(versions) > 1:
        raise _NotRaised(f"{node.op_type} in the same body has another version in opset {opset}")


def _restore_bodies(node: NodeProto, after: ModelProto) -> None:
    """Gives the node of the converted model that has the same outputs the bodies of `node`, which the converter may have changed."""
    bodies = {attribute.name: attribute for attribute in node.attribute if attribute.HasField("g") or attribute.graphs}
    for other in after.graph.node:
        if list(other.output) == list(node.output):
            for attribute in other.attribute:
                if attribute.name in bodies:
                    attribute.CopyFrom(bodies[attribute.name])


def _verify_others(
    before: ModelProto, after: ModelProto, changed: list[NodeProto], hosts: Sequence[str] | None
) -> list[FixVerification]:
    """Runs of all other nodes in hosts; none if there are no other nodes. Raises _NotRaised if they prove nothing."""
    names = {name for node in changed for name in node.output}
    others = [node for node in before.graph.node if not names & set(node.output)]
    if not others:
        return []
    typed = _typed(after)
    cuts = [_without(proto, names, typed) for proto in (before, after)]
    loaded = load(cuts[0])
    contracts = dataclasses.asdict(check(loaded))
    samples = [Sample(_core.sample_inputs(loaded._core, contracts, seed, False), "drawn") for seed in range(_SAMPLES)]
    found = list(_runs(cuts, samples, hosts))
    failure = next((f"{row.host}: {row.failure}" for row in found if row.failure), "")
    if failure:
        raise _NotRaised(f"other nodes change: {failure}")
    if not any(row.equal for row in found):
        raise _NotRaised("no installed host runs the other nodes")
    return [row for row in found if row.equal]


def _runs(cuts: list[ModelProto], samples: list[Sample], hosts: Sequence[str] | None) -> Iterable[FixVerification]:
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, proto in zip(("before", "after"), cuts):
            onnx.save(proto, Path(folder, f"{name}.onnx"))
            files.append(ModelFile.of(Path(folder, f"{name}.onnx")))
        for host in runners():
            if host.name not in (HOSTS if hosts is None else hosts) or host.fault():
                continue
            runs = [run_in(host, file, [sample.inputs for sample in samples], False) for file in files]
            if any(refusal for _, refusal in runs):
                continue
            tally = Tally(f"{host.name} (the other nodes)", samples)
            for number, (old, new) in enumerate(zip(runs[0][0], runs[1][0])):
                tally.add_equal(number, old, new)
            yield tally.verification()


def _typed(proto: ModelProto) -> dict[str, ValueInfoProto]:
    """The values of the main graph whose types onnx infers."""
    import onnx

    try:
        graph = onnx.shape_inference.infer_shapes(proto).graph
    except Exception as error:  # noqa: BLE001  as above
        raise _NotRaised(f"onnx infers no types: {str(error).splitlines()[0]}") from None
    return {value.name: value for value in (*graph.value_info, *graph.output) if value.type.tensor_type.elem_type}


def _without(proto: ModelProto, names: set[str], typed: dict[str, ValueInfoProto]) -> ModelProto:
    """The model without the nodes that compute these values, which become inputs; what the nodes read are outputs."""
    import onnx

    cut = onnx.ModelProto()
    cut.CopyFrom(proto)
    graph = cut.graph
    removed = [node for node in graph.node if names & set(node.output)]
    kept = [node for node in graph.node if not names & set(node.output)]
    computed = {name for node in kept for name in node.output if name}
    missing = sorted((names - set(typed)) | (names - {name for node in removed for name in node.output}))
    if missing:
        raise _NotRaised(f"the type of {missing[0]} is not known after it")
    outputs = [value for value in graph.output if value.name in computed]
    shown = {value.name for value in outputs}
    for name in dict.fromkeys(name for node in removed for name in node.input):
        if name in computed and name not in shown and name in typed:
            outputs.append(typed[name])
    del graph.node[:], graph.output[:]
    graph.node.extend(kept)
    graph.input.extend(typed[name] for name in sorted(names))
    graph.output.extend(outputs)
    if not outputs:
        raise _NotRaised("no output shows what the other nodes compute")
    return cut
