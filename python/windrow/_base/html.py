"""The HTML that notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from windrow._base.text import printable

if TYPE_CHECKING:
    from windrow._core import Plan

_LEFT = ' style="text-align: left"'


def _row(cells: Iterable[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}{_LEFT}>{escape(printable(cell))}</{tag}>" for cell in cells) + "</tr>"


def table_html(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: Iterable[str] = (),
    below: Iterable[str] = (),
) -> str:
    """A table, followed by a line per note; `headings` may be empty.

    below: for each row, HTML of full width that follows it, or an empty text.
    """
    head = f"<thead>{_row(headings, 'th')}</thead>" if headings else ""
    under = [f"<tr><td colspan={len(headings)}{_LEFT}>{html}</td></tr>" for html in below]
    body = "".join(row + html for row, html in zip_longest((_row(row, "td") for row in rows), under, fillvalue=""))
    ends = "".join(f"<p>{escape(printable(note))}</p>" for note in notes)
    return f"<table>{head}<tbody>{body}</tbody></table>{ends}"


def _shown(value: Any) -> str:
    """A field of a description, which may contain other fields."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{_label(name)} {_shown(held)}" for name, held in value.items() if held is not None)
    if isinstance(value, list):
        return "; ".join(_shown(held) for held in value)
    return str(value)


def _label(name: str) -> str:
    return name.replace("_", " ")


def description_html(description: Mapping[str, Any]) -> str:
    """A plan's fields, without empty ones."""
    rows = [
        (_label(name), _shown(value))
        for name, value in description.items()
        if value is not None and value is not False and value not in ("", (), [])
    ]
    return table_html((), rows)


def plan_html(plan: Plan) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in plan.notes())
    return f"<p><b>{escape(plan.operator)}</b></p>{description_html(plan.description)}{notes}"
