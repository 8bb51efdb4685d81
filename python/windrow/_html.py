"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow import Plan


def plan_html(plan: Plan) -> str:
    """A plan: its lines as a table of what and how, notes behind it."""
    first, *lines = plan.describe().splitlines()
    rows = []
    for line in lines:
        what, separator, text = line.partition(": ")
        cells = (what, text) if separator else ("", line)
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    notes = "".join(f"<p>{escape(note)}</p>" for note in plan.notes())
    return f"<p><b>{escape(first)}</b></p><table>{''.join(rows)}</table>{notes}"
