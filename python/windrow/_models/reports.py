"""The descriptions of a model's values and nodes, and how an inspection shows them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from windrow._base.html import description_html, table_html
from windrow._base.text import padded, printable, width


class Value(NamedTuple):
    """What a model declares of a value, or what inference finds.

    dtype: the element type's name; None if unknown. shape: an int per known extent, a str per named
    one, None per unknown one; None for an unknown rank. basis: the basis of what inference knows:
    "proven" (declared inputs, constants, rules of operators), "onnx" (also onnx's shape inference),
    "claimed" (also what the file declares of inner values, which may be wrong), "unknown" (also
    where inference did not run).
    """

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None
    basis: str = "unknown"

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.dtype or '?'}[...]"
        dims = ", ".join("?" if dim is None else printable(str(dim)) for dim in self.shape)
        return f"{self.dtype or '?'}[{dims}]"


@dataclass(frozen=True)
class Node:
    """A node of a model; an empty input name is an omitted optional input.

    version: the opset, or the operator's own version, that determines its meaning.
    """

    name: str
    op_type: str
    domain: str
    version: int | None
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """A problem that inference found.

    kind: "broken rule" (a node's inputs or attributes break a rule of its operator) or
    "contradiction" (the file's declaration of a value is wrong). graph, node: their paths; node is
    empty for a value that is not a node's output. value: the contradicted value, or the node's
    first output. label: the rule's, or empty. claim: the value whose claim this rests on; empty if
    there is none. text: the finding as a sentence.
    """

    kind: str
    graph: str
    node: str
    value: str
    label: str
    message: str
    claim: str
    text: str

    def __str__(self) -> str:
        return self.text


class Inference(dict[str, Value]):
    """What Model.infer() found about the main graph's values, by name.

    graphs: the same for every graph by its path, the main one ("main") first. findings: broken rules
    and contradictions, at most 1000; findings_left_out: the number of further ones. notes: what
    inference could not do.
    """

    def __init__(
        self,
        graphs: dict[str, dict[str, Value]],
        findings: tuple[Finding, ...],
        findings_left_out: int,
        notes: tuple[str, ...],
    ) -> None:
        super().__init__(graphs["main"])
        self.graphs = graphs
        self.findings = findings
        self.findings_left_out = findings_left_out
        self.notes = notes


@dataclass(frozen=True)
class NodeReport:
    """A gather or scatter node as Model.inspect() shows it.

    path: unique in the model, "main/loop_3.body/Gather_7". axis: "axis 1 of 3", of the data, or of
    OneHot's output. axes, rank: the same as numbers, None if unknown; batch_dims: the number of axes
    before them that data and indices share. out_of_range: the policy. notes: warnings. plan: as
    Plan.description; None if there is no plan, and no_plan says why.
    """

    node: str
    path: str
    operator: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    axis: str
    axes: tuple[int, ...] | None
    rank: int | None
    batch_dims: int
    out_of_range: str
    notes: tuple[str, ...]
    plan: dict[str, Any] | None
    no_plan: str


def listed(values: tuple[Value, ...]) -> str:
    """Names and types; a dash for an omitted input, "(claimed)" where only the file says so."""

    def text(value: Value) -> str:
        return f"{printable(value.name)} {value}{' (claimed)' if value.basis == 'claimed' else ''}"

    return ", ".join(text(value) if value.name else "-" for value in values)


def _shown(report: NodeReport) -> str:
    """The node's path as text to show."""
    return report.path.removeprefix("main/")


def _plan_html(report: NodeReport) -> str:
    """The plan in a collapsed element, or why there is none."""
    if report.plan is None:
        return f"no plan: {escape(printable(report.no_plan))}"
    return f"<details><summary>plan</summary>{description_html(report.plan)}</details>"


class Inspection(tuple[NodeReport, ...]):
    """The reports of a model's nodes; str() gives a table, notebooks show one in HTML.

    findings, findings_left_out, notes: as in Inference.
    """

    findings: tuple[Finding, ...] = ()
    findings_left_out: int = 0
    notes: tuple[str, ...] = ()
    _MOST_IN_HTML = 1000  # a notebook keeps what it shows
    _HEADINGS = ("node", "operator", "axis", "out of range", "inputs", "outputs")

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                printable(_shown(report)),
                report.operator,
                report.axis,
                report.out_of_range,
                listed(report.inputs),
                listed(report.outputs),
            )
            for report in self
        ]

    def __repr__(self) -> str:
        rows = [self._HEADINGS, *self._rows()]
        widths = [max(width(row[column]) for row in rows) for column in range(len(self._HEADINGS))]
        lines = [
            "  ".join(map(padded, row, widths)).rstrip() for row in rows
        ]
        lines += [printable(f"note: {line}") for line in self._remarks()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown = Inspection(self[: self._MOST_IN_HTML])
        remarks = [printable(line) for line in self._remarks()]
        if len(self) > len(shown):
            remarks.append(f"{len(self) - len(shown)} more nodes are left out")
        return table_html(self._HEADINGS, shown._rows(), remarks, map(_plan_html, shown))

    def _remarks(self) -> list[str]:
        """Warnings of nodes, findings and notes."""
        lines = [f"{_shown(report)}: {note}" for report in self[: self._MOST_IN_HTML] for note in report.notes]
        lines += map(str, self.findings)
        if self.findings_left_out:
            lines.append(f"{self.findings_left_out} more broken rules and contradictions")
        return [*lines, *self.notes]
