"""Judges a model's rules on the given values of its inputs, before any host runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping
from typing import Any, Protocol

import numpy as np

from windrow._check import CheckReport, Observed
from windrow._check_findings import Findings
from windrow._check_nodes import OwnNodes
from windrow._errors import ArgumentError


class Judge(Protocol):
    """Gives the report on values seen at nodes, or on the runs with given values of the model's inputs.

    run: the inputs of a run; a premise of the report that their shapes break is an error.
    """

    def __call__(
        self, observed: Observed, given: Mapping[str, Any] = ..., run: Mapping[str, Any] = ...
    ) -> CheckReport: ...


def judge_given(
    judge: Judge, arrays: Mapping[str, Any], findings: Findings, own: OwnNodes, unreached: Container[str]
) -> None:
    """Adds the findings that follow from the inputs of a run alone.

    A node of the main graph runs with every input, so that its rule's condition happens; a node in a body or function,
    which the run may not reach, can meet it, unless it is one of the nodes that are known not to be reached.
    """
    given = {
        name: array
        for name, array in arrays.items()
        if isinstance(array, np.ndarray) and array.dtype.kind not in "OTU"
    }
    if not given:
        return
    try:
        report = judge({}, given)
    except ArgumentError as error:  # a host may take arrays that the model does not declare
        findings.notes.append(f"the rules are not judged on the given inputs alone: {error}")
        return
    inside = {node.path for node in own.inside}
    found = [
        dataclasses.replace(finding, verdict="can") if finding.node in inside else finding
        for finding in report.findings
        if finding.verdict == "happens" and finding.node not in unreached
    ]
    findings.take_given(found)
