"""Runtimes by operators: a table for each dialect, whose cells have the numbers of every tier."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from ...record import Tier
from ...results import Counts, RunResults, RuntimeResults
from ..words import parts, percent
from .markup import escaped, operator_name, row, table
from .overview import counts_bar, ranked

# The least share of passed records, in percent, of each class of cells.
LEVELS = ((100, "level-all"), (99, "level-5"), (95, "level-4"), (80, "level-3"), (50, "level-2"), (0, "level-1"))
# The sign before a number of records that did not pass.
SIGNS = {"failed": "✗", "different": "≠", "unsupported": "○"}


def operators(run: RunResults) -> str:
    dialects = dict.fromkeys(operator.partition("/")[0] for operator in run.operators())
    signs = ", ".join(f"{sign} {name}" for name, sign in SIGNS.items())
    choice = f'<p class="soft">{signs}. A cell with failures leads to them.</p>\n' + _tier_choice(run)
    return choice + "".join(_dialect_table(run, dialect) for dialect in dialects)


def _tier_choice(run: RunResults) -> str:
    """The choice of the tier whose numbers are shown, which the style sheet implements."""
    choices = "".join(
        f'<label><input type="radio" name="tier" value="{tier}"{" checked" if at == 0 else ""}> {tier}</label>'
        for at, tier in enumerate(run.tiers())
    )
    return f'<fieldset class="choice"><legend>tier</legend>{choices}</fieldset>\n'


def _dialect_table(run: RunResults, dialect: str) -> str:
    columns = [one for one in run.operators() if one.partition("/")[0] == dialect]
    rows = []
    for runtime in ranked(run):
        counts = run.counts(runtime)
        cells = [_cell(run, runtime, operator, counts) for operator in columns]
        if any(cells):
            rows.append(row(escaped(runtime.name), cells))
    return f"<h3>{escaped(dialect)}</h3>\n" + table(["runtime", *map(operator_name, columns)], rows, "heat")


def _cell(
    run: RunResults, runtime: RuntimeResults, operator: str, counts: dict[tuple[str, Tier], Counts]
) -> str:
    contents = []
    for tier in run.tiers():
        found = counts.get((operator, tier))
        if found is not None:
            level = next(name for least, name in LEVELS if found.passed * 100 >= least * found.records)
            numbers = [
                f'<span class="is-{name}" title="{name}">{SIGNS[name]}\u202f{count:,}</span>'
                for name, count in parts(found).items()
                if count and name in SIGNS
            ]
            content = f"<b>{percent(found)}</b>{counts_bar(found)}<small>{' '.join(numbers)}</small>"
            if found.failed:
                where = {"runtime": runtime.name, "operator": operator, "tier": tier}
                content = f'<a href="#failures&amp;{escape(urlencode(where, errors="replace"))}">{content}</a>'
            contents.append(f'<div class="of-{tier} {level}">{content}</div>')
    return "".join(contents)
