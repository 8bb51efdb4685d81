"""What changed since another run, as a section of the page."""

from __future__ import annotations

from collections.abc import Sequence

from ...against import Change, Comparison, Kind
from ..words import comparison_words, number
from .markup import escaped, row, table

# Changes of a kind that are listed for a runtime.
MOST_CHANGES = 100


def changes(comparisons: Sequence[Comparison]) -> str:
    rows = [
        row(
            escaped(comparison_words(one)),
            (f"{len(one.of(kind)):,}" if one.of(kind) else "" for kind in Kind),
        )
        for one in comparisons
    ]
    listed = "".join(_listed(one, kind) for one in comparisons for kind in Kind)
    return table(["runtime", *(kind.value for kind in Kind)], rows, "numbers") + listed


def _listed(comparison: Comparison, kind: Kind) -> str:
    found = comparison.of(kind)
    if not found:
        return ""
    title = f"{comparison.after.name}: {number(len(found), 'record')} {kind.value}"
    rows = [row(f"<code>{escaped(one.path)}</code>", _cells(one)) for one in found[:MOST_CHANGES]]
    left = len(found) - MOST_CHANGES
    more = f'<p class="soft">{number(left, "more record")}.</p>\n' if left > 0 else ""
    opened = " open" if kind is Kind.WORSE else ""
    return (
        f"<details{opened}><summary>{escaped(title)}</summary>\n"
        + table(["record", "rule", "before", "after"], rows)
        + more
        + "</details>\n"
    )


def _cells(change: Change) -> list[str]:
    ends = [one.value if one else "" for one in (change.before, change.after)]
    return [f"<code>{escaped(change.asked.rule)}</code>", *ends]
