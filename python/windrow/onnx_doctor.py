"""Rules of portability for the linter onnx-doctor, through its Python API.

    import onnx_doctor, onnx_ir
    from windrow.onnx_doctor import PortabilityProvider
    messages = onnx_doctor.diagnose(onnx_ir.load("model.onnx"), [PortabilityProvider("onnxruntime,tensorrt")])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

try:
    import onnx_ir
    from onnx_doctor import DiagnosticsMessage, DiagnosticsProvider, Rule, RuleRegistry
except ImportError as error:
    raise ImportError("windrow.onnx_doctor needs onnx-doctor: pip install onnx-doctor") from error

from windrow._check.api import check
from windrow._check.report import CheckReport, PortabilityFinding
from windrow._check.rules import PortabilityRule, operator_rules, portability_rules

__all__ = ["PRODUCER", "PortabilityProvider", "register", "rule_code", "rules"]

PRODUCER = "windrow"  #: the producer of each message
_SEVERITIES: dict[str, Literal["error", "warning", "info"]] = {"fails": "error", "silent": "error", "undefined": "warning", "slow": "info"}


def rule_code(label: str) -> str:
    """The code of a rule in onnx-doctor: WINDROW-GATHER-INDEX-RANGE."""
    return f"WINDROW-{label.upper()}"


def _rule(rule: PortabilityRule) -> Rule:
    order = list(_SEVERITIES)
    worst = min((effect.severity for effect in rule.effects), key=order.index, default="fails")
    effects = [
        f"- {effect.runtime}:{effect.device} ({effect.severity}): {effect.effect}" for effect in rule.effects
    ]
    return Rule(
        code=rule_code(rule.label),
        name=f"windrow-{rule.label}",
        message=rule.sentence,
        default_severity=_SEVERITIES[worst],
        category="spec",
        target_type="node",
        explanation="\n".join([rule.sentence, "", *effects]),
        suggestion=rule.fix,
    )


def rules() -> dict[str, Rule]:
    """The rules of windrow.portability_rules() and operator_rules() as onnx-doctor's rules, by their labels."""
    return {rule.label: _rule(rule) for rule in portability_rules() + operator_rules()}


def register(registry: RuleRegistry) -> None:
    """Adds the rules to a registry of onnx-doctor."""
    for rule in rules().values():
        registry.register(rule)


class PortabilityProvider(DiagnosticsProvider):
    """Reports where runtimes differ on a model's gathers and scatters, as windrow.check() does.

    runtimes, assume, select, ignore: as for windrow.check(). A finding is a message about its node, a
    contract one about its input, a note one about the model.
    """

    def __init__(
        self,
        runtimes: str | Sequence[str] | None = None,
        *,
        assume: Mapping[str, tuple[int, int]] | None = None,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
    ) -> None:
        self._options: dict[str, Any] = {
            "runtimes": runtimes, "assume": assume, "select": select, "ignore": ignore
        }
        self._rules = rules()

    def diagnose(self, model: onnx_ir.Model) -> Iterator[DiagnosticsMessage]:
        """The messages on a model, which is not changed. Raises windrow.Error, as windrow.check() does."""
        proto = onnx_ir.to_proto(model)
        nodes = _rename_nodes(model, proto)
        report = check(proto, folder=_folder_of(model), **self._options)
        for finding in report.findings:
            yield self._message_of(finding, nodes, model)
        yield from _remarks_of(report, model)

    def _message_of(
        self, finding: PortabilityFinding, nodes: Mapping[str, onnx_ir.Node], model: onnx_ir.Model
    ) -> DiagnosticsMessage:
        # A path that was cut because it is too long belongs to none of the renamed nodes.
        node = nodes.get(finding.node.rpartition("/")[2])
        does = "".join(f"; {effect.runtime} {effect.effect}" for effect in finding.effects)
        return DiagnosticsMessage(
            target_type="model" if node is None else "node",
            target=model if node is None else node,
            message=f"{finding.operator}: {finding.what}{does}",
            severity=_SEVERITIES[finding.severity],
            producer=PRODUCER,
            error_code=rule_code(finding.rule),
            rule=self._rules.get(finding.rule),
            suggestion=finding.fix,
        )


def _remarks_of(report: CheckReport, model: onnx_ir.Model) -> Iterator[DiagnosticsMessage]:
    inputs = {value.name: value for value in model.graph.inputs}
    for contract in report.contracts:
        value = inputs.get(contract.input)
        yield DiagnosticsMessage(
            target_type="model" if value is None else "value",
            target=model if value is None else value,
            message=contract.sentence,
            severity="info",
            producer=PRODUCER,
            error_code="WINDROW-CONTRACT",
        )
    for note in report.notes:
        yield DiagnosticsMessage("model", model, note, "info", PRODUCER, "WINDROW-NOTE")


def _rename_nodes(model: onnx_ir.Model, proto: Any) -> dict[str, onnx_ir.Node]:
    """Gives every node of the message a unique name, by which the model's node is found."""
    found: dict[str, onnx_ir.Node] = {}

    def visit(nodes: Iterable[onnx_ir.Node], messages: Iterable[Any]) -> None:
        for node, message in zip(nodes, messages, strict=True):
            message.name = f"node {len(found)}"
            found[message.name] = node
            attributes = {attribute.name: attribute for attribute in message.attribute}
            for name, attribute in node.attributes.items():
                if attribute.type == onnx_ir.AttributeType.GRAPH and attribute.value is not None:
                    visit(attribute.value, attributes[name].g.node)
                elif attribute.type == onnx_ir.AttributeType.GRAPHS:
                    for graph, body in zip(attribute.value or (), attributes[name].graphs, strict=True):
                        visit(graph, body.node)

    visit(model.graph, proto.graph.node)
    for function, message in zip(model.functions.values(), proto.functions, strict=True):
        visit(function, message.node)
    return found


def _folder_of(model: onnx_ir.Model) -> Path | None:
    """The folder of the model's external data."""
    for value in model.graph.initializers.values():
        tensor = value.const_value
        if isinstance(tensor, onnx_ir.ExternalTensor):
            return Path(tensor.base_dir or ".")
    return None
