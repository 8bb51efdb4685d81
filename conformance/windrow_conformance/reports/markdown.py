"""A run and a comparison as Markdown tables, for issues."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..against import Comparison, Kind
from ..causes import causes
from ..printable import one_line
from ..results import RunResults, RuntimeResults
from . import Background
from .words import comparison_words, counts_words, facts, failures_words, number, percent

# The numbers of causes that are listed for a runtime, and of changes of one kind.
MOST_CAUSES = 40
MOST_CHANGES = 50
# The longest foreign text in a cell, in characters.
MOST_CHARACTERS = 200


def cell(text: str) -> str:
    """Foreign text for a table's cell: without markup, links and mentions."""
    plain = one_line(text)
    if len(plain) > MOST_CHARACTERS:
        plain = f"{plain[:MOST_CHARACTERS]}…"
    plain = re.sub(r"([\\`*_{}\[\]#|~!$])", r"\\\1", plain)
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A zero-width space follows whatever would begin a mention, and the scheme of a link.
    return plain.replace("@", "@&#8203;").replace(":/", ":&#8203;/").replace("www.", "www&#8203;.")


def code(text: str) -> str:
    """A name in a table's cell, as code."""
    plain = one_line(text).replace("|", "\\|")
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    space = " " if "`" in plain else ""
    return f"{fence}{space}{plain}{space}{fence}"


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = list(headings)
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def write_markdown(run: RunResults, background: Background) -> str:
    lines = ["# Conformance of gathers and scatters", "", *percentages(run)]
    for runtime in run.runtimes:
        lines += [] if runtime.fault else _causes(run, runtime, background)
    return "\n".join(lines)


def percentages(run: RunResults) -> list[str]:
    """The lines that say what was run, and the tables by runtime and by operator."""
    headings = ["runtime", "version", *run.tiers(), "failures"]
    lines = [f"* {cell(name)}: {cell(value)}" for name, value in facts(run)]
    lines += ["", "Percentages are of all records that a runtime was given, including those that it does not support.", ""]
    lines += _table(headings, (_row(run, runtime) for runtime in run.runtimes))
    return lines + _operators(run, [runtime for runtime in run.runtimes if not runtime.fault])


def _row(run: RunResults, runtime: RuntimeResults) -> list[str]:
    row = [cell(runtime.name), cell(runtime.version)]
    for tier in run.tiers():
        counts = run.tier_counts(runtime)[tier]
        row.append(f"**{percent(counts)}** {counts_words(counts)}" if counts.records else "")
    return [*row, f"not run: {cell(runtime.fault)}" if runtime.fault else failures_words(runtime)]


def _operators(run: RunResults, runtimes: list[RuntimeResults]) -> list[str]:
    """A table for each tier: the percentage of every operator in every runtime."""
    counts = [run.counts(runtime) for runtime in runtimes]
    lines = []
    for tier in run.tiers():
        lines += [f"## By operator: {tier}", ""]
        rows = []
        for operator in run.operators():
            found = [one.get((operator, tier)) for one in counts]
            if any(found):
                rows.append([cell(operator), *(percent(one) if one else "" for one in found)])
        lines += _table(["operator", *(cell(runtime.name) for runtime in runtimes)], rows)
    return lines


def _causes(run: RunResults, runtime: RuntimeResults, background: Background) -> list[str]:
    found = causes(run, runtime)
    if not found:
        return []
    rows = [
        [
            cell(cause.asked.operator),
            cause.asked.tier,
            code(cause.asked.rule),
            cell(background.sentence(cause.asked.rule)),
            cause.word,
            f"{len(cause.failures):,}",
            code(cause.failures[0].path),
            cell(cause.failures[0].message),
        ]
        for cause in found[:MOST_CAUSES]
    ]
    headings = ["operator", "tier", "rule", "what it says", "outcome", "records", "first", "message"]
    lines = [f"## {cell(runtime.name)} {cell(runtime.version)}", "", *_table(headings, rows)]
    left = sum(len(cause.failures) for cause in found[MOST_CAUSES:])
    if left:
        lines += [f"{number(left, 'more record')} with {number(len(found) - MOST_CAUSES, 'more cause')}.", ""]
    return lines


def write_markdown_against(comparisons: list[Comparison]) -> str:
    lines = ["# What changed", ""]
    lines += _table(
        ["runtime", *(kind.value for kind in Kind)],
        ([cell(comparison_words(one)), *(f"{len(one.of(kind)):,}" for kind in Kind)] for one in comparisons),
    )
    for comparison in comparisons:
        for kind in Kind:
            changes = comparison.of(kind)
            if changes:
                lines += [f"## {cell(comparison.after.name)}: {kind.value}", ""]
                lines += _table(
                    ["record", "rule", "before", "after"],
                    (
                        [
                            code(one.path),
                            code(one.asked.rule),
                            *(end.value if end else "" for end in (one.before, one.after)),
                        ]
                        for one in changes[:MOST_CHANGES]
                    ),
                )
            if len(changes) > MOST_CHANGES:
                lines += [f"{number(len(changes) - MOST_CHANGES, 'more record')}.", ""]
    return "\n".join(lines)
