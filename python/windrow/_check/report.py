"""What windrow.check() reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windrow import _core
from windrow._base.html import table_html

# How often a node is repeated whose rule concerns races.
REPEATS = 20
# The arrays of a node's inputs and outputs by the node's path; None for a value that was not observed.
Observed = dict[str, tuple[list[Any], list[Any]]]


@dataclass(frozen=True)
class FirstDifference:
    """An element for which a host and Windrow differ: its position in the node's first output, and both values."""

    position: tuple[int, ...]
    got: str
    expected: str


@dataclass(frozen=True)
class ObservedDifference:
    """How runs of a node in a host compare with Windrow's result for the same inputs.

    runtime: "onnxruntime:cpu@1.31.1". runs: the number of runs compared; differing: the number that
    differed. first: the lowest differing position of the first run that differed.
    """

    runtime: str
    runs: int
    differing: int
    first: FirstDifference


@dataclass(frozen=True)
class FindingEffect:
    """What a runtime does with a node that meets a rule's condition; effect: for example "gives zeros"."""

    runtime: str
    severity: str
    effect: str


@dataclass(frozen=True)
class TriedEffect:
    """What a runtime did with a node alone, on inputs that provoke a rule.

    outcome: "refused: ...", "crashed: ...", "differs: ..." or "as specified". agreement: with the
    rule's effect: "agrees", "no longer shown" or "worse"; "not seen" if the effect leaves the result
    open and the runtime gave Windrow's.
    """

    runtime: str
    outcome: str
    agreement: str


@dataclass(frozen=True)
class PortabilityFinding:
    """A rule of portability and a node.

    rule: its label. node: the node's path, as in NodeReport. runtimes: the requested ones that have an
    effect if the rule's condition holds. severity: the worst effect: "fails", "silent",
    "undefined" or "slow". verdict: whether a run meets the condition: "cannot" (proved, if the
    premises hold), "can" (neither proved nor seen) or "happens". evidence: "constant", "range" or
    "inputs". input: the operator's input, may be empty. position, value: those of the first element that
    meets the condition; value is empty if there is none. what: the condition on this node; effects: what
    each of the runtimes does if it holds. observed, tried: what hosts did; None and empty if nothing ran
    or nothing differed. observed_in_range: every index was in range in the given values, so that the
    finding fails no check. message: the finding as text that needs no context. fix: what to change.
    """

    rule: str
    node: str
    operator: str
    runtimes: tuple[str, ...]
    severity: str
    verdict: str
    premises: tuple[str, ...]
    evidence: str
    input: str
    position: tuple[int, ...]
    value: str
    what: str
    effects: tuple[FindingEffect, ...]
    observed: ObservedDifference | None
    tried: tuple[TriedEffect, ...]
    message: str
    fix: str
    observed_in_range: bool = False


@dataclass(frozen=True)
class InputContract:
    """A condition that the model's caller must meet: `low` and `high` bound the elements of `input`.

    low, high: numbers or texts such as "table.shape[0] - 1". rules: their labels. nodes: at most 8
    of those that read it. sentence: "ids must lie in 0 to 30521".
    """

    input: str
    low: str
    high: str
    rules: tuple[str, ...]
    nodes: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class UnjudgedOperator:
    """Inputs of indices that the check leaves out: those called `input` of `count` nodes of an operator, and why.

    nodes: the paths of the first 8. sentence: all of this, complete by itself.
    """

    operator: str
    input: str
    count: int
    nodes: tuple[str, ...]
    why: str
    sentence: str


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The result of windrow.check(); str() gives the command's text, notebooks show a table.

    model: its name. nodes: the number of nodes checked: gathers, scatters, and others whose indices
    rules know. findings: in the order of nodes, at most 10000; left_out: the number of further ones.
    notes: what the check could not examine. not_judged: the inputs of indices that no rule judges.
    """

    model: str
    nodes: int
    findings: tuple[PortabilityFinding, ...]
    left_out: int
    contracts: tuple[InputContract, ...]
    notes: tuple[str, ...]
    not_judged: tuple[UnjudgedOperator, ...]

    _MOST_IN_HTML = 1000  # a notebook keeps what it shows

    def fails(self, at: str = "undefined") -> bool:
        """Whether a finding with the verdict "can" or "happens" is at least as severe as `at`.

        at: "fails", "silent", "undefined" or "slow", or "never". Raises windrow.ArgumentError.
        """
        return _core.check_fails(self, at)

    def format(self, format: str = "text", *, at: str = "undefined") -> str:
        """The report as `windrow check --format` writes it.

        format: "text", "json", "sarif", "github", "junit", "html" or "model-explorer". at: as for
        fails(); JUnit's failures are the findings from there on. Raises windrow.ArgumentError.
        """
        return _core.format_check(self, format, at)

    def to_json(self) -> str:
        """One JSON document, which docs/formats/check.schema.json describes."""
        return self.format("json")

    def model_explorer(self) -> dict[str, Any]:
        """The findings as custom node data of the viewer Model Explorer, ready for json.dump()."""
        import json  # here, because it makes every other program's first import of this package slower

        data: dict[str, Any] = json.loads(self.format("model-explorer"))
        return data

    def __repr__(self) -> str:
        return self.format("text").rstrip("\n")

    def _repr_html_(self) -> str:
        headings = ("node", "operator", "rule", "verdict", "worst", "runtimes")
        shown = self.findings[: self._MOST_IN_HTML]
        rows = [
            (
                finding.node.removeprefix("main/"),
                finding.operator,
                finding.rule,
                finding.verdict,
                finding.severity,
                ", ".join(finding.runtimes),
            )
            for finding in shown
        ]
        ends = [contract.sentence for contract in self.contracts]
        ends += [f"not judged: {unjudged.sentence}" for unjudged in self.not_judged]
        ends += [f"note: {note}" for note in self.notes]
        left_out = len(self.findings) - len(shown) + self.left_out
        if left_out:
            ends.append(f"{left_out} more findings are left out")
        return table_html(headings, rows, ends, (table_html((), _details(finding)) for finding in shown))


def _details(finding: PortabilityFinding) -> list[tuple[str, str]]:
    """The lines below a finding."""
    lines = [("", finding.message)]
    lines += [("premise", premise) for premise in finding.premises]
    return [*lines, ("fix", finding.fix)]
