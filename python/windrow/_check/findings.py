"""The findings of a report while hosts run; observations are added to them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from windrow import _core
from windrow._base.text import printable
from windrow._check.nodes import OwnNodes
from windrow._check.report import CheckReport, Observed, ObservedDifference, PortabilityFinding
from windrow._models.model import Model

SEVERITIES = ("fails", "silent", "undefined", "slow")  # the worst first
_MOST_FINDINGS = 10000  # as in check()
# What a finding says that can happen and did not.
IN_RANGE = "in the given values every index was in range"


class Findings:
    """A report that grows. notes: of the report; more may be added. order: the place of each node's path."""

    def __init__(self, report: CheckReport, order: Mapping[str, int]) -> None:
        self._base, self._order = report, order
        self._findings: list[PortabilityFinding] = []
        self._places: dict[tuple[str, str, str], int] = {}
        for finding in report.findings:
            self.add(finding)
        self.notes: list[str] = list(report.notes)

    def take(self, found: Iterable[PortabilityFinding]) -> None:
        """Takes over findings on given or observed values, unless it is known that their rule's condition happens."""
        for finding in found:
            place = self._places.get(_key(finding))
            if place is None:
                self.add(finding)
            elif self._findings[place].verdict != "happens":
                self._findings[place] = finding

    def observe(self, finding: PortabilityFinding, observed: ObservedDifference) -> None:
        """Adds an observation to a finding, or as another finding if the finding already has another runtime's runs."""
        place = self._places.get(_key(finding))
        if place is None:  # the finding is among those left out
            return
        kept = self._findings[place]
        if kept.observed is None:
            self._findings[place] = dataclasses.replace(kept, observed=observed)
        elif kept.observed.runtime != observed.runtime:
            runtime = observed.runtime.partition("@")[0]
            self._findings[place] = _of_runtimes(kept, {name for name in kept.runtimes if name != runtime})
            self._findings.append(dataclasses.replace(_of_runtimes(kept, {runtime}), observed=observed))

    def observed_on(self, path: str) -> PortabilityFinding | None:
        """A finding on this node whose rule explains a difference that was observed; None if there is none."""
        here = (each for each in self._findings if each.node == path and each.observed is not None)
        return next((each for each in here if each.verdict == "happens"), None)

    def excuse(self, paths: Container[str], rules: Container[str]) -> None:
        """Notes that every index of these nodes was in range in the given values.

        rules: those on ranges. A finding that rests on a promise of the caller still fails a check.
        """
        for place, finding in enumerate(self._findings):
            is_meant = finding.node in paths and finding.rule in rules and finding.verdict == "can"
            if is_meant and not finding.observed_in_range and not _rests_on_promise(finding):
                what = f"{finding.what}; {IN_RANGE}"
                self._findings[place] = dataclasses.replace(
                    finding,
                    what=what,
                    message=f"{finding.message}; {IN_RANGE}",
                    observed_in_range=True,
                )

    def add(self, finding: PortabilityFinding) -> None:
        self._places.setdefault(_key(finding), len(self._findings))
        self._findings.append(finding)

    def report(self) -> CheckReport:
        """The report in its present state, with findings in the order of nodes; those on the whole model come first."""
        # Findings of one rule on one node are adjacent.
        ordered = sorted(
            self._findings,
            key=lambda finding: (self._order.get(finding.node, -1), self._places[_key(finding)]),
        )
        return dataclasses.replace(
            self._base,
            findings=tuple(ordered[:_MOST_FINDINGS]),
            left_out=self._base.left_out + max(0, len(ordered) - _MOST_FINDINGS),
            notes=tuple(dict.fromkeys(self.notes)),
        )


def _key(finding: PortabilityFinding) -> tuple[str, str, str]:
    """The identity of a finding: a rule on an input of a node."""
    return finding.node, finding.rule, finding.input


def _rests_on_promise(finding: PortabilityFinding) -> bool:
    """Whether a promise about an input allows what the finding is about: "ids lies in 0 to 9 (assumed)"."""
    return any(premise.endswith(" (assumed)") for premise in finding.premises)


def _of_runtimes(finding: PortabilityFinding, runtimes: Container[str]) -> PortabilityFinding:
    """The finding on some of its runtimes."""
    effects = tuple(effect for effect in finding.effects if effect.runtime in runtimes)
    severities = {effect.severity for effect in effects}
    return dataclasses.replace(
        finding,
        runtimes=tuple(name for name in finding.runtimes if name in runtimes),
        effects=effects,
        severity=next(name for name in SEVERITIES if name in severities),
    )


class Proved(NamedTuple):
    """What is proved of a model, once, whatever runs follow.

    report: on every run. given: the findings on runs with the given inputs; not_judged: why there are none, or "".
    judge: gives the findings on nodes of which values were seen.
    """

    report: CheckReport
    given: tuple[PortabilityFinding, ...]
    not_judged: str
    judge: Callable[[Observed], tuple[PortabilityFinding, ...]]


def prove(
    model: Model,
    name: str,
    options: Mapping[str, Any],
    arrays: Mapping[str, Any],
    ask: Callable[[bytes], tuple[Any, str]] | None,
) -> Proved:
    """name: the model's, for the report. options: those of _core.check(). arrays: the inputs of the runs.

    A premise of the report that the shapes of the inputs break is an error.
    """
    given = {
        name: array
        for name, array in arrays.items()
        if isinstance(array, np.ndarray) and array.dtype.kind not in "OTU"
    }
    shapes = {name: list(array.shape) for name, array in arrays.items() if hasattr(array, "shape")}
    report, found, why, proof = _core.prove(model._core, name, {**options, "given": given, "run_shapes": shapes}, ask)
    return Proved(report, found, printable(why), proof.judge)


def add_given(proved: Proved, findings: Findings, own: OwnNodes, unreached: Container[str]) -> None:
    """Adds the findings that follow from the inputs of a run alone.

    A node of the main graph runs with every input, so that its rule's condition happens; a node in a body or function,
    which the run may not reach, can meet it, unless it is one of the nodes that are known not to be reached.
    """
    if proved.not_judged:
        findings.notes.append(f"the rules are not judged on the given inputs alone: {proved.not_judged}")
    inside = {node.path for node in own.inside}
    found = [
        dataclasses.replace(finding, verdict="can") if finding.node in inside else finding
        for finding in proved.given
        if finding.verdict == "happens" and finding.node not in unreached
    ]
    findings.take(found)
