"""A run and a comparison on a terminal."""

from __future__ import annotations

from ..against import Comparison, Kind
from ..printable import one_line
from ..results import RunResults
from .words import comparison_words, counts_words, failures_words, number, percent, versions_words

# The number of changes of one kind that are listed for a runtime.
MOST_CHANGES = 20


def write_text(run: RunResults) -> str:
    """A paragraph for each runtime."""
    lines = []
    for runtime in run.runtimes:
        title = one_line(f"{runtime.name} ({versions_words(runtime)})" if runtime.versions else runtime.name)
        if runtime.fault:
            lines += [f"{title}: not run: {one_line(runtime.fault)}", ""]
            continue
        counts = run.tier_counts(runtime)
        lines.append(title)
        lines += [
            f"  {tier:14} {percent(counts[tier]):>7}   {counts_words(counts[tier])}"
            for tier in run.tiers()
            if counts[tier].records
        ]
        if runtime.failures:
            lines.append(f"  {'failures':14} {failures_words(runtime)}")
        if runtime.unguarded:
            lines.append(f"  {'unguarded':14} {number(runtime.unguarded, 'call')}: foreign reads would not be detected")
        lines.append("")
    if not run.complete:
        lines += ["The run was ended early; not all records were run.", ""]
    return "\n".join(lines)


def write_text_against(comparisons: list[Comparison]) -> str:
    """What changed, by runtime and kind of change."""
    lines = []
    for comparison in comparisons:
        lines.append(one_line(comparison_words(comparison)))
        if comparison.before is not None and not comparison.changes:
            lines.append("  nothing changed")
        for kind in Kind:
            changes = comparison.of(kind)
            if changes:
                lines.append(f"  {kind.value}: {number(len(changes), 'record')}")
            for change in changes[:MOST_CHANGES]:
                outcomes = [one.value for one in (change.before, change.after) if one is not None]
                lines.append(f"    {one_line(change.path)}: {' → '.join(outcomes)}")
            if len(changes) > MOST_CHANGES:
                lines.append(f"    … and {len(changes) - MOST_CHANGES:,} more")
        lines.append("")
    return "\n".join(lines)
