"""Compares what a host gives at each node with Windrow's result, and finds the rule that explains a difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from windrow._base.errors import OutOfMemory
from windrow._base.text import counted, printable
from windrow._check.across import AcrossHosts
from windrow._check.bodies import InsideNodes, observation_of
from windrow._check.findings import Findings
from windrow._check.hosts import words_of
from windrow._check.nodes import OwnNode
from windrow._check.observe import HostRuns, Observer, find_ending
from windrow._check.repeats import Repetitions, observed_in
from windrow._check.report import FindingEffect, Observed, ObservedDifference, PortabilityFinding
from windrow._check.rules import rules_by_label
from windrow.runners import Difference, Failure, Observation
from windrow.runners._compare import array_text, find_difference

# The rules for differences and failures that no other rule explains.
UNEXPLAINED, HOST_FAILURE = "unexplained", "host-failure"
# Failures that are not caused by the model.
_NO_ANSWER = ("not installed", "can't be asked")
# Observed values decide whether a rule's condition holds, except for rules with these provocations.
_UNDECIDED = frozenset({"", "any", "race", "negative-sums", "fine-sums"})
# Severities of effects that explain a different result, and those that explain a missing one.
_OTHER_RESULT, _NO_RESULT = ("silent", "undefined"), ("fails", "undefined")


@dataclasses.dataclass(frozen=True)
class ComparisonOptions:
    """What a comparison was asked for.

    runs: how often every node is repeated; None: 20 times those whose rule concerns races. strict: whether indices that
    were in range excuse no finding.
    """

    runs: int | None = None
    strict: bool = False


class HostComparison:
    """The runs of a model in one host, as findings."""

    def __init__(
        self,
        setting: HostRuns,
        judge: Callable[[Observed], tuple[PortabilityFinding, ...]],
        findings: Findings,
        options: ComparisonOptions,
        across: AcrossHosts,
    ) -> None:
        self._setting, self._host = setting, setting.host
        self._judge, self._findings, self._across = judge, findings, across
        self._options, self._repetitions = options, Repetitions(setting, options.runs, findings.notes)
        self._rules = rules_by_label()
        # Where in a run the values of nodes in bodies are from, by path: "in iteration 2".
        self._places: Mapping[str, str] = {}

    def compare(self, nodes: Sequence[OwnNode], inside: InsideNodes) -> None:
        """Runs the model, observes these nodes and adds the observations to the findings.

        The nodes in bodies and functions run alone, on the values that enter them.
        """
        if not self._host.is_target:
            self._note(f"{self._host.name} runs the model only to give its nodes' values: it is not a target")
        observer = Observer(self._setting)
        for batch in observer.batches(nodes):
            if self._host.is_target:
                self._across.take_nodes(self._setting, batch)
            self._compare_batch(batch)
            self._excuse([node.path for node, values in batch.items() if values.outputs])
        if self._host.is_target:
            self._across.take_outputs(self._setting, observer.outputs)
        self._findings.notes += observer.notes
        failed = self._compare_inside(inside)
        self._repetitions.tell()
        if observer.failure is not None:
            self._explain_failure(observer.failure, nodes, inside, failed)

    def _excuse(self, paths: Sequence[str]) -> None:
        """Says of findings on the indices of these nodes, all of which were observed, that they were in range."""
        if self._options.strict:
            return
        rules = {label for label, rule in self._rules.items() if rule.provocation.startswith("index-")}
        self._findings.excuse(paths, rules)

    def _note(self, text: str) -> None:
        self._findings.notes.append(text)

    def _compare_inside(self, inside: InsideNodes) -> list[str]:
        """Judges and compares the executions of nodes in bodies and functions. Returns the paths of those that fail."""
        failed: list[str] = []
        if inside.known and self._host.is_target:
            self._note(
                f"nodes in bodies and functions ran alone in {self._host.name}, on the values that entered them in onnx's evaluator"
            )
        for entered in inside.rounds():
            calls = [each.node.call(each.inputs, self._setting.threads) for each in entered]
            results = self._host.runner.run_batch(calls, pool=self._setting.pool) if self._host.is_target else []
            self._places = {each.node.path: each.place for each in entered}
            known = self._compare_batch(
                {
                    each.node: observation_of(each, result.outputs if result else None)
                    for each, result in zip_longest(entered, results)
                }
            )
            for each, result in zip(entered, results):
                if result.failure is None or each.node.path in failed:
                    continue
                if result.failure.kind in _NO_ANSWER or each.node.has_coded_types():
                    self._note(f"{each.node.path} alone does not run in {self._host.name}: {words_of(result.failure)}")
                    continue
                failed.append(each.node.path)
                self._explain_ending(each.node, each.inputs, result.failure, result.failure, known)
        self._places = {}
        if not inside.notes:
            self._excuse([each.node.path for each in inside.known if each.node.path not in failed])
        return failed

    def _compare_batch(self, batch: Mapping[OwnNode, Observation]) -> dict[str, list[PortabilityFinding]]:
        """Judges and compares the nodes. Returns the findings on this runtime, by node."""
        readable = {node: values for node, values in batch.items() if not node.has_coded_types()}
        seen = at_places(
            self._judge({node.path: (list(values.inputs), list(values.outputs)) for node, values in readable.items()}),
            self._places,
        )
        self._findings.take(finding for finding in seen if finding.verdict == "happens")
        known: dict[str, list[PortabilityFinding]] = {}
        for finding in seen:
            if self._host.runtime in finding.runtimes and finding.verdict != "cannot":
                known.setdefault(finding.node, []).append(finding)
        if self._host.is_target:
            for node, values in batch.items():
                reason = self._compare_node(node, values, known.get(node.path, []))
                if reason:
                    self._note(f"{node.path} was not compared with {self._host.name}: {reason}")
        return known

    def _compare_node(
        self, node: OwnNode, values: Observation, known: Sequence[PortabilityFinding]
    ) -> str:
        """Adds the node's observations to the findings. Returns why it was not compared; empty if it was."""
        if not values.outputs:  # the run ended there
            return ""
        if node.has_coded_types():
            return "its values are codes of a type that NumPy lacks"
        if any(name and value is None for name, value in zip(node.node.inputs, values.inputs)):
            return "not all of its inputs were observed"
        if not isinstance(values.outputs[0], np.ndarray):
            return "its output was not observed"
        expected = node.compute(values.inputs, self._setting.threads)
        if isinstance(expected, OutOfMemory):
            return str(expected)
        explaining = self._explaining(known, _OTHER_RESULT)
        racing = [finding for finding in explaining if self._is_of_order(finding)]
        difference = find_node_difference(values.outputs[0], expected)
        repeated = None
        if isinstance(expected, np.ndarray) and not self._setting.windrow_inside:
            repeated = self._repetitions.run(node, values.inputs, expected, difference, is_racing=bool(racing))
        single = None if difference is None else observed_in(self._host.name, 1, 1, difference)
        for finding in explaining:
            observed = (repeated or single) if finding in racing else (single or repeated)
            if observed is not None:
                self._findings.observe(finding, observed)
        if (single or repeated) and not explaining:
            self._findings.add(self._unexplained(node, difference, repeated or single))
        return ""

    def _explaining(
        self, known: Sequence[PortabilityFinding], severities: Sequence[str]
    ) -> list[PortabilityFinding]:
        """The findings that explain an observation: those with the verdict "happens", otherwise those with "can".

        If any of these has an effect on this runtime with one of the severities, only those.
        """
        known = [finding for finding in known if self._effect(finding).severity != "slow"]
        happening = [finding for finding in known if finding.verdict == "happens"]
        undecided = [finding for finding in known if self._rules[finding.rule].provocation in _UNDECIDED]
        candidates = happening or undecided
        return [finding for finding in candidates if self._effect(finding).severity in severities] or candidates

    def _effect(self, finding: PortabilityFinding) -> FindingEffect:
        return next(effect for effect in finding.effects if effect.runtime == self._host.runtime)

    def _is_of_order(self, finding: PortabilityFinding) -> bool:
        """Whether the finding's rule concerns an order that changes between runs."""
        provocation = self._rules[finding.rule].provocation
        is_undefined = self._effect(finding).severity == "undefined"
        return finding.verdict == "happens" and (
            provocation == "race" or (provocation == "duplicates" and is_undefined)
        )

    def _explain_failure(
        self, failure: Failure, nodes: Sequence[OwnNode], inside: InsideNodes, failed: Sequence[str]
    ) -> None:
        """Adds the finding of a model that does not run, on the gather or scatter node that ends the run if there is one.

        failed: the nodes in bodies and functions that fail alone on the values that enter them.
        """
        name = self._host.name
        if failure.kind in _NO_ANSWER or not self._host.is_target:
            self._note(f"{name} does not run the model: {words_of(failure)}")
            return
        ending = find_ending(self._setting, nodes)
        known = self._compare_batch(ending.before) if ending.before else {}
        node = ending.node
        if node is None and failed:
            self._note(f"{name} does not run the model: {words_of(failure)}")
        elif node is None:
            cause = cause_text(ending.all_ran, bool(nodes), inside.exist)
            what = f"{name} does not run the model{cause}: {words_of(failure)}"
            self._findings.add(self._finding(HOST_FAILURE, None, "fails", what, None))
        else:
            inputs = ending.before[node].inputs
            self._explain_ending(node, inputs, self._run_alone(node, inputs), failure, known)

    def _explain_ending(
        self,
        node: OwnNode,
        inputs: Sequence[Any],
        alone: Failure | None,
        failure: Failure,
        known: Mapping[str, list[PortabilityFinding]],
    ) -> None:
        """Adds to the findings that a run ends at this node. alone: how the node alone fails, or None."""
        name = self._host.name
        expected = node.compute(inputs, self._setting.threads)
        told = words_of(alone or failure)
        place = self._place_of(node)
        self._note(f"{name} ends the run at {node.path}{place}: {told}")
        observed = None
        if isinstance(expected, np.ndarray):
            observed = observed_in(self._host.name, 1, 1, Difference(None, told, array_text(expected)))
        explaining = self._explaining(known.get(node.path, []), _NO_RESULT)
        for finding in explaining:
            if observed is not None:
                self._findings.observe(finding, observed)
        if not explaining:
            how = "the node alone runs" if alone is None else "so it does with the node alone"
            what = f"{name} ends the run at this node{place}: {told}; {how}; Windrow gives {_text_of(expected)}"
            self._findings.add(self._finding(HOST_FAILURE, node, "fails", what, observed))

    def _place_of(self, node: OwnNode) -> str:
        place = self._places.get(node.path, "")
        return f" {place}" if place else ""

    def _run_alone(self, node: OwnNode, inputs: Sequence[Any]) -> Failure | None:
        """How the node alone fails; None if it does not fail or the host cannot run it alone."""
        if self._setting.windrow_inside:
            return None
        call = node.call(inputs, self._setting.threads)
        return self._host.runner.run_batch([call], pool=self._setting.pool)[0].failure

    def _unexplained(
        self, node: OwnNode, difference: Difference | None, observed: ObservedDifference | None
    ) -> PortabilityFinding:
        """difference: in the run of the model; None if only repetitions differ."""
        name, place = self._host.name, self._place_of(node)
        what = f"{name} gives another result than Windrow{place}, which no rule explains"
        if difference is not None:
            what += f": {difference}"
        elif observed is not None:
            what += f", in {observed.differing} of {counted(observed.runs, 'run')} of the node alone"
        return self._finding(UNEXPLAINED, node, "silent", what, observed)

    def _finding(
        self,
        rule: str,
        node: OwnNode | None,
        severity: str,
        what: str,
        observed: ObservedDifference | None,
    ) -> PortabilityFinding:
        """A finding on this runtime that rests on observed values."""
        effect = {UNEXPLAINED: "gives another result", HOST_FAILURE: "ends the run"}[rule]
        place = "the model" if node is None else f"node '{printable(node.node.name)}' ({node.operator})"
        return PortabilityFinding(
            rule=rule,
            node="" if node is None else node.path,
            operator="" if node is None else node.operator,
            runtimes=(self._host.runtime,),
            severity=severity,
            verdict="happens",
            premises=(),
            evidence="inputs",
            input="",
            position=(),
            value="",
            what=what,
            effects=(FindingEffect(self._host.runtime, severity, effect),),
            observed=observed,
            tried=(),
            observed_in_range=False,
            message=f"{place}: {what}",
            fix=self._rules[rule].fix,
        )


def at_places(findings: Iterable[PortabilityFinding], places: Mapping[str, str]) -> list[PortabilityFinding]:
    """The findings; those on observed values say where in a run these are from. places: by the node's path."""

    def placed(finding: PortabilityFinding) -> PortabilityFinding:
        place = places.get(finding.node, "")
        if not place or finding.evidence != "inputs":
            return finding
        what = f"{place}, {finding.what}"
        message = finding.message.replace(finding.what, what, 1)
        return dataclasses.replace(finding, what=what, message=message)

    return list(map(placed, findings))


def cause_text(all_ran: bool, in_main_graph: bool, inside: bool) -> str:
    """What the parts of a model that ran prove of the cause of its failure.

    all_ran: whether every gather and scatter node of the main graph gave its output. in_main_graph, inside: whether there
    are such nodes, and whether there are others in bodies or functions.
    """
    if not all_ran or (inside and not in_main_graph):
        return ""
    return f", and no gather or scatter node{' of the main graph' if inside else ''} is the cause"


def find_node_difference(got: np.ndarray[Any, Any], expected: Any) -> Difference | None:
    """How a host's result differs from Windrow's, which is an array or the error that it gives instead."""
    if isinstance(expected, np.ndarray):
        return find_difference(got, expected)
    return Difference(None, array_text(got), _text_of(expected))


def _text_of(expected: Any) -> str:
    return array_text(expected) if isinstance(expected, np.ndarray) else f"an error: {expected}"

