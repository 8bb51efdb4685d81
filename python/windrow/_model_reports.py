"""What models say of their values and nodes, and how an inspection of them is shown."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from windrow._html import description_html, table_html
from windrow._text import printable


class Value(NamedTuple):
    """What a model says of a value, or inference finds.

    dtype: the element type's name, None: unknown. shape: an int per known extent, a str per named
    one, None per unknown one; None for an unknown rank.
    """

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.dtype or '?'}[...]"
        dims = ", ".join("?" if dim is None else printable(str(dim)) for dim in self.shape)
        return f"{self.dtype or '?'}[{dims}]"


@dataclass(frozen=True)
class Node:
    """A node of a model; an empty input name is an omitted optional input.

    version: the opset, or the operator's own version, that its operator is taken from.
    """

    name: str
    op_type: str
    domain: str
    version: int | None
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]


@dataclass(frozen=True)
class NodeReport:
    """A gather or scatter node as Model.inspect() shows it.

    axis: "axis 1 of 3", of the data, or of OneHot's output. axes, rank: the same as numbers, None
    where they are unknown; batch_dims: axes before them that data and indices share. out_of_range:
    the policy. notes: warnings. plan: as Plan.description; None: there is none, and no_plan says why.
    """

    node: str
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
    """Names and types, of omitted inputs a dash."""
    return ", ".join(f"{printable(value.name)} {value}" if value.name else "-" for value in values)


def _plan_html(report: NodeReport) -> str:
    """The plan, folded, or why there is none."""
    if report.plan is None:
        return f"no plan: {escape(printable(report.no_plan))}"
    return f"<details><summary>plan</summary>{description_html(report.plan)}</details>"


class Inspection(tuple[NodeReport, ...]):
    """The reports of a model's nodes; prints itself as a table, in notebooks as one of HTML."""

    __slots__ = ()
    _MOST_IN_HTML = 1000  # a notebook keeps what it shows
    _HEADINGS = ("node", "operator", "axis", "out of range", "inputs", "outputs")

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                printable(report.node),
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
        widths = [max(len(row[column]) for row in rows) for column in range(len(self._HEADINGS))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
        ]
        lines += [printable(f"note: {report.node}: {note}") for report in self for note in report.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown = Inspection(self[: self._MOST_IN_HTML])
        notes = [f"{report.node}: {note}" for report in shown for note in report.notes]
        if len(self) > len(shown):
            notes.append(f"{len(self) - len(shown)} more nodes are left out")
        return table_html(self._HEADINGS, shown._rows(), notes, map(_plan_html, shown))
