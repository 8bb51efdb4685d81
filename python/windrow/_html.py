"""What notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow import Plan


def _row(cells: Iterable[str], tag: str) -> str:
    style = ' style="text-align: left"'
    return "<tr>" + "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def table_html(
    headings: Sequence[str], rows: Iterable[Sequence[str]], notes: Iterable[str] = ()
) -> str:
    """A table with a line per note behind it; `headings` may be empty."""
    head = f"<thead>{_row(headings, 'th')}</thead>" if headings else ""
    body = "".join(_row(row, "td") for row in rows)
    ends = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f"<table>{head}<tbody>{body}</tbody></table>{ends}"


def plan_html(plan: Plan) -> str:
    """A plan: its lines as a table of what and how."""
    first, *lines = plan.describe().splitlines()
    parts = [line.partition(": ") for line in lines]
    rows = [(what, how) if colon else ("", what) for what, colon, how in parts]
    return f"<p><b>{escape(first)}</b></p>{table_html((), rows, plan.notes())}"
