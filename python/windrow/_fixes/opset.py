"""The change of windrow.fix() that raises a model's opset, for nodes that a newer opset allows."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from windrow._check.api import check
from windrow._check.report import CheckReport, PortabilityFinding
from windrow._check.rules import operator_rules
from windrow._fixes.lowest_opset import NodeOpset, lowest_opset
from windrow._fixes.opset_functions import Functions
from windrow._fixes.opset_graphs import NotRaised, check_bodies, converted, nodes_at, opset_of, restore_bodies
from windrow._fixes.opset_runs import verify_others
from windrow._fixes.results import FixResult, ModelFix
from windrow._models.model import Model, load

if TYPE_CHECKING:
    from onnx import ModelProto


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
    except NotRaised as reason:
        return _with(result, findings, [], f"the opset is not raised: {reason}")


def _needs_newer(node: NodeOpset) -> bool:
    return node.domain == "" and node.declared is not None and node.lowest is not None and node.declared < node.lowest


def _raised(
    result: FixResult, findings: list[PortabilityFinding], asked: list[NodeOpset], hosts: Sequence[str] | None, ask_onnx: bool
) -> FixResult:
    try:
        import onnx
    except ImportError:
        raise NotRaised("the package onnx is not installed") from None
    before = _proto_of(result.model)
    declared = opset_of(before)
    opset = max(declared or 0, *(node.lowest for node in asked if node.lowest is not None))
    is_raised = declared is not None and declared < opset
    paths = {node.node for node in asked}
    functions = Functions(before, paths, opset, is_raised)
    changed = [*nodes_at(before.graph, "main", paths - functions.paths), *functions.calls_in(before.graph, "main")]
    after = onnx.ModelProto()
    after.CopyFrom(before)
    if declared is not None and is_raised:
        check_bodies(changed, paths, declared, opset)
        after = converted(before, opset)
        for _, node in changed:
            restore_bodies(node, after)
    functions.put_into(after)
    raised = load(after)
    left = [node for node in lowest_opset(raised, ask_onnx=ask_onnx).nodes if _needs_newer(node)]
    if left:
        raise NotRaised(f"after it, {left[0].node} needs opset {left[0].lowest}")
    _require_no_findings(result.model, raised, findings, ask_onnx)
    verifications = functions.verify(after, result.model.infer(ask_onnx=ask_onnx).graphs, hosts)
    if is_raised:
        verifications += verify_others(before, after, [node for _, node in changed], functions.changed, hosts)
    of_model = f"the model's opset is {opset}, was {declared}"
    what = {path: functions.what(path, f"; that of the model is {opset}, was {declared}" if is_raised else "") for path in functions.paths}
    return dataclasses.replace(
        _with(result, findings, [ModelFix(found.rule, found.node, what.get(found.node, of_model), True) for found in findings], ""),
        model=raised,
        verifications=tuple(verifications),
    )


def _require_no_findings(before: Model, after: Model, findings: list[PortabilityFinding], ask_onnx: bool) -> None:
    """Checks both models for the findings' runtimes. Raises NotRaised for a finding that is left, or that is new.

    A node that the older opset does not allow was not judged further, so that what can happen there is not new.
    """
    runtimes = sorted({runtime for found in findings for runtime in found.runtimes})
    known = {(found.rule, found.node) for found in check(before, runtimes=runtimes, ask_onnx=ask_onnx).findings}
    changed = {found.node for found in findings}
    for found in check(after, runtimes=runtimes, ask_onnx=ask_onnx).findings:
        if (found.rule, found.node) in {(each.rule, each.node) for each in findings}:
            raise NotRaised(f"it would not help: after it, {found.rule} on {found.node}: {found.what}")
        is_new = (found.rule, found.node) not in known
        if is_new and (found.node not in changed or found.verdict == "happens"):
            raise NotRaised(f"it would bring a new finding, {found.rule} on {found.node}: {found.what}")


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
