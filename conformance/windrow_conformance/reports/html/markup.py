"""Pieces of HTML. Only these functions, which escape it, put text into a page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from ...printable import one_line, printable

# The longest text that a page shows, in characters.
MOST_CHARACTERS = 1000
# The least width of a segment, in thousandths of a bar, so that one failure among thousands is visible.
LEAST_WIDTH = 8


def shown(text: str) -> str:
    """The text as it is shown: printable, cut, not yet escaped."""
    plain = printable(text[: MOST_CHARACTERS + 1])
    return plain if len(plain) <= MOST_CHARACTERS else f"{plain[:MOST_CHARACTERS]}…"


def escaped(text: str) -> str:
    """The text as the content of an element or the value of a quoted attribute, in one line."""
    return html.escape(shown(one_line(text[: 2 * MOST_CHARACTERS])))


def operator_name(operator: str) -> str:
    """The name after its dialect, with places where a line may break."""
    name = escaped(operator.rpartition("/")[2])
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=_)", "<wbr>", name)


def table(headings: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """headings, rows: HTML; rows are whole <tr> elements. A table that is too wide scrolls by itself."""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    return (
        f'<div class="wide" tabindex="0"><table class="{kind}">\n<thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + "\n</tbody></table></div>\n"
    )


def row(heading: str, cells: Iterable[str], kind: str = "") -> str:
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{kind}"><th scope="row">{heading}</th>{data}</tr>'


def bar(segments: Sequence[tuple[str, int, str]], whole: int = 0) -> str:
    """A bar of segments (class, number, meaning). whole: the number of a full bar; 0: the segments' sum."""
    present = [segment for segment in segments if segment[1]]
    total = max(whole, sum(number for _, number, _ in present), 1)
    widths = [max(number * 1000 // total, LEAST_WIDTH) for _, number, _ in present]
    # The width added to narrow segments is taken from the widest one.
    if widths and sum(widths) > 1000:
        widths[widths.index(max(widths))] -= sum(widths) - 1000
    label = ", ".join(f"{number:,} {what}" for _, number, what in present)
    rectangles = []
    left = 0
    for (kind, _, _), width in zip(present, widths, strict=True):
        rectangles.append(f'<rect class="{kind}" x="{left}" width="{width}" height="10"/>')
        left += width
    return (
        f'<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="{escaped(label)}">'
        f"<title>{escaped(label)}</title>{''.join(rectangles)}</svg>"
    )


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """entries: class and meaning."""
    items = "".join(f'<li><span class="swatch {kind}"></span>{escaped(what)}</li>' for kind, what in entries)
    return f'<ul class="legend">{items}</ul>\n'
