"""Runs single nodes in installed hosts, on inputs that provoke the rules named by a report."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from windrow._base.errors import Error, OperatorWarning, OutOfMemory
from windrow._base.progress import step
from windrow._base.text import counted
from windrow._check.compare import find_node_difference
from windrow._check.hosts import Host, Target, find_hosts, words_of
from windrow._check.inside import ModelNodes
from windrow._check.nodes import OwnNode, known_bytes
from windrow._check.provoke import GivenInput, NodeForm, NoInputs, provoke
from windrow._check.report import CheckReport, PortabilityFinding, TriedEffect
from windrow._check.rules import RuleEffect, rules_by_label
from windrow._models.model import Model
from windrow._ops.call import call as call_operator
from windrow.runners import Failure, Limits, NodeCall, Pool
from windrow.runners._requests import Format

# Whether a runtime did what a rule's effect says; "not seen" if that depends on chance.
Agreement: TypeAlias = Literal["agrees", "no longer shown", "worse", "not seen"]

_LIMITS = Limits(seconds=60.0)
# The largest number of nodes tried in one host.
_MOST_TRIES = 500
_MOST_CONSTANT_BYTES = 1 << 28
# Provocations by indices.
OF_INDICES = frozenset(
    {"index-above", "index-below", "index-negative", "index-wide", "duplicates", "race"}
)
# Failures in which a process ends without an error of the host's own.
_CRASHES = ("signal", "exit", "timeout", "memory")


@dataclass(frozen=True)
class Outcome:
    """What a host did. kind: "refused", "crashed", "differs" (from Windrow's result) or "same"; text: the details."""

    kind: Literal["refused", "crashed", "differs", "same"]
    text: str


def try_findings(
    model: Model,
    report: CheckReport,
    *,
    targets: Sequence[Target] = (),
    host: str | None = None,
    runs: int = 20,
) -> CheckReport:
    """The report, completed by what installed hosts did with each node alone, on inputs that provoke its findings.

    targets, host: as for find_hosts(). runs: how often a node runs for a rule that concerns races.
    Findings with the verdict "cannot", and rules that no inputs show, are not tried.
    """
    hosts, notes = find_hosts(targets, cast(Format, model.dialect), host)
    nodes = ModelNodes(model)
    findings = list(report.findings)
    for candidate in hosts:
        with candidate.runner.pool() as pool:
            _HostTries(nodes, candidate, pool, runs, notes).add_to(findings)
    return dataclasses.replace(
        report, findings=tuple(findings), notes=(*report.notes, *dict.fromkeys(notes))
    )


class _HostTries:
    """The tries in one host. notes: receives what was not tried."""

    def __init__(
        self, nodes: ModelNodes, host: Host, pool: Pool, runs: int, notes: list[str]
    ) -> None:
        self._nodes, self._host, self._pool = nodes, host, pool
        self._runs, self._notes = runs, notes
        self._rules = rules_by_label()
        self._known: dict[str, TriedEffect | str] = {}

    def add_to(self, findings: list[PortabilityFinding]) -> None:
        left_out = 0
        for place, finding in enumerate(findings):
            provocation = self._rules[finding.rule].provocation
            is_suspected = finding.verdict != "cannot" and self._host.runtime in finding.runtimes
            if not provocation or not is_suspected:
                continue
            if len(self._known) >= _MOST_TRIES:
                left_out += 1
                continue
            step(f"{self._host.name} tries {finding.node}: finding {place + 1} of {len(findings)}")
            tried = self._try(finding, provocation)
            if isinstance(tried, TriedEffect):
                findings[place] = dataclasses.replace(finding, tried=(*finding.tried, tried))
            else:
                self._notes.append(f"{finding.node} was not tried for {finding.rule}: {tried}")
        if left_out:
            self._notes.append(f"{counted(left_out, 'finding')} more than {_MOST_TRIES} {'was' if left_out == 1 else 'were'} not tried in {self._host.name}")

    def _try(self, finding: PortabilityFinding, provocation: str) -> TriedEffect | str:
        """What the host did, or why the node was not tried."""
        found = self._nodes.find(finding.node)
        if isinstance(found, str):
            return found
        effect = next(
            effect
            for effect in self._rules[finding.rule].effects
            if f"{effect.runtime}:{effect.device}" == self._host.runtime
        )
        node = found.node
        form = form_of(found.model, node)
        if isinstance(form, str):
            return form
        if finding.verdict == "can" and provocation in OF_INDICES and _has_constant_indices(form):
            return "its indices are constants that are not known to show the rule"
        # Identical nodes give identical results.
        key = repr((finding.rule, node.operator, form, node.constants))
        if key not in self._known:
            try:
                call = node.call(provoke(form, provocation))
            except NoInputs as error:
                return str(error)
            outcome = try_call(self._host, self._pool, call, provocation, self._runs)
            self._known[key] = (
                outcome
                if isinstance(outcome, str)
                else TriedEffect(self._host.name, outcome.text, agreement(effect, provocation, outcome))
            )
        return self._known[key]


def form_of(model: Model, node: OwnNode) -> NodeForm | str:
    """What is known of the inputs of a node of the model's main graph, or why they cannot be made."""
    if node.has_coded_types():
        return "its values are codes of a type that NumPy lacks"
    if sum(known_bytes(node.inputs[place], {}) for place in node.constants) > _MOST_CONSTANT_BYTES:
        return f"its constants have more than {_MOST_CONSTANT_BYTES} bytes"
    inputs: list[GivenInput | None] = []
    for place, (name, value) in enumerate(zip(node.node.inputs, node.inputs)):
        if not name:
            inputs.append(None)
            continue
        constant = node.values.get(place)
        if constant is None and place in node.constants:
            constant = model._core.constant(name)
        if value.dtype is None:
            return f"the type of its input {name} is unknown"
        if place in node.constants and constant is None:
            return f"its constant {name} is the result of a node"
        inputs.append(GivenInput(value.dtype, value.shape, constant))
    return NodeForm(node.dialect, node.node.op_type, node.node.attributes, tuple(inputs))


def _has_constant_indices(form: NodeForm) -> bool:
    return any(
        role == "indices" and given is not None and given.value is not None
        for role, given in zip(form.roles, form.inputs)
    )


def try_call(host: Host, pool: Pool, call: NodeCall, provocation: str, runs: int) -> Outcome | str:
    """What a host does with one node, or why the node was not tried."""
    expected = _compute(call)
    if isinstance(expected, OutOfMemory):
        return str(expected)
    if provocation == "race" and isinstance(expected, np.ndarray):
        repeats = host.runner.repeat_node(call, expected, runs, limits=_LIMITS, pool=pool)
        if repeats.failure is not None:
            return _failed(repeats.failure)
        if repeats.first is None:
            return Outcome("same", f"as specified in {counted(runs, 'run')}")
        return Outcome("differs", f"differs in {repeats.differing} of {counted(runs, 'run')}: {repeats.first}")
    result = host.runner.run_batch([call], limits=_LIMITS, pool=pool)[0]
    if result.failure is not None:
        return _failed(result.failure)
    assert result.outputs is not None
    [output, *_] = result.outputs.values()
    difference = find_node_difference(output, expected)
    return Outcome("same", "as specified") if difference is None else Outcome("differs", f"differs: {difference}")


def _compute(call: NodeCall) -> Any:
    """Windrow's result, or its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OperatorWarning)
        try:
            return call_operator(
                call.dialect, call.op_type, *call.inputs, version=call.version, **call.attributes
            )
        except Error as error:
            return error


def _failed(failure: Failure) -> Outcome | str:
    words = words_of(failure)
    if failure.kind in ("not installed", "can't be asked"):
        return words
    if failure.kind in _CRASHES:
        return Outcome("crashed", f"crashed: {words}")
    return Outcome("refused", words)


# Words of effects that read or write memory outside the node's tensors, so that the outcome depends on chance.
_UNSAFE = ("outside", "crash", "beside data", "foreign")


def agreement(effect: RuleEffect, provocation: str, outcome: Outcome) -> Agreement:
    """Whether a host did what an effect says.

    An effect that leaves the result open may give Windrow's, and a race may have the right outcome: this is "not seen".
    """
    is_unsafe = any(word in effect.effect for word in _UNSAFE)
    if outcome.kind == "same":
        is_open = is_unsafe or provocation == "race" or effect.severity == "undefined"
        return "not seen" if is_open else "no longer shown"
    if is_unsafe:
        return "agrees"
    if outcome.kind == "differs":
        return "worse" if effect.severity == "fails" else "agrees"
    if effect.severity == "fails":
        return "agrees"
    return "worse" if outcome.kind == "crashed" else "no longer shown"
