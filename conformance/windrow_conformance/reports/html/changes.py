"""The changes since another run, as a section of the page."""

from __future__ import annotations

from collections.abc import Sequence

from ...against import Change, Comparison, Kind
from ..words import comparison_words, number
from .markup import escaped, row, table

# The number of changes of one kind that are listed for a runtime.
MOST_CHANGES = 100


def changes(comparisons: Sequence[Comparison]) -> str:
    rows = [
        row(
            escaped(comparison_words(one)),
            (f"{len(one.of(kind)):,}" if one.of(kind) else "" for kind in Kind),
        )
        for one in comparisons
    ]
    worse = "".join(_listed(one, Kind.WORSE) for one in comparisons)
    others = "".join(_listed(one, kind) for one in comparisons for kind in Kind if kind is not Kind.WORSE)
    if others:
        others = f"<details><summary>The records that are not worse</summary>\n{others}</details>\n"
    return table(["runtime", *(kind.value for kind in Kind)], rows, "numbers") + worse + others


def _listed(comparison: Comparison, kind: Kind) -> str:
    found = comparison.of(kind)
    if not found:
        return ""
    title = f"{comparison.after.name}: {number(len(found), 'record')} {kind.value}"
    rows = [row(f"<code>{escaped(one.path)}</code>", _cells(one)) for one in found[:MOST_CHANGES]]
    left = len(found) - MOST_CHANGES
    more = f'<p class="soft">{number(left, "more record")}.</p>\n' if left > 0 else ""
    return f"<h3>{escaped(title)}</h3>\n" + table(["record", "rule", "before", "after"], rows) + more


def _cells(change: Change) -> list[str]:
    ends = [one.value if one else "" for one in (change.before, change.after)]
    return [f"<code>{escaped(change.asked.rule)}</code>", *ends]
