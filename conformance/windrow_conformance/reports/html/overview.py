"""The first tables of the page: every runtime with its percentages and its kinds of failures."""

from __future__ import annotations

from ...outcome import Outcome
from ...record import Tier
from ...results import Counts, RunResults, RuntimeResults, is_difference
from ..words import counts_words, number, parts, percent, versions_words
from .markup import bar, escaped, legend, row, table

# All outcomes except passed and unsupported, in the order of the columns.
FAILING: list[Outcome] = [outcome for outcome in Outcome if outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED)]


def outcome_class(outcome: Outcome) -> str:
    return outcome.value.replace(" ", "-")


def counts_bar(counts: Counts) -> str:
    return bar([(name, count, name) for name, count in parts(counts).items()])


def ranked(run: RunResults) -> list[RuntimeResults]:
    """The runtimes that ran, by the share of passed records of the first tier."""

    def share(runtime: RuntimeResults) -> float:
        counts = run.tier_counts(runtime)[tiers[0]] if tiers else Counts()
        return counts.passed / max(counts.records, 1)

    tiers = run.tiers()
    return sorted((runtime for runtime in run.runtimes if not runtime.fault), key=share, reverse=True)


def overview(run: RunResults) -> str:
    tiers = run.tiers()
    rows = [row(_title(runtime), [_tier_cell(run, runtime, tier) for tier in tiers]) for runtime in ranked(run)]
    kinds = [
        ("passed", "passed"),
        ("failed", "failed"),
        ("unsupported", "unsupported: no such operator, version, type or option"),
    ]
    if "decision" in tiers:
        kinds.insert(2, ("different", "different: another choice where the text decides nothing"))
    faults = [runtime for runtime in run.runtimes if runtime.fault]
    absent = "".join(f"<li>{escaped(runtime.name)}: {escaped(runtime.fault)}</li>" for runtime in faults)
    return (
        legend(kinds)
        + table(["runtime", *tiers], rows, "overview")
        + (f"<p>Not run:</p><ul>{absent}</ul>\n" if absent else "")
    )


def _title(runtime: RuntimeResults) -> str:
    return f"{escaped(runtime.name)}<small>{escaped(versions_words(runtime))}</small>"


def _tier_cell(run: RunResults, runtime: RuntimeResults, tier: Tier) -> str:
    counts = run.tier_counts(runtime)[tier]
    if not counts.records:
        return '<span class="soft">not asked</span>'
    words = counts_words(counts)
    if tier == "deterministic" and run.runs and counts.passed == counts.records:
        words = f"no difference in {number(run.runs, 'run')}, {words}"
    return f'<span class="label">{tier}</span><b>{percent(counts)}</b>{counts_bar(counts)}<small>{words}</small>'


def failing(run: RunResults) -> str:
    """The numbers of records by kind of failure, without those that are only different."""
    found = {runtime.name: _by_outcome(run, runtime) for runtime in ranked(run)}
    used = [outcome for outcome in FAILING if any(numbers[outcome] for numbers in found.values())]
    most = max((sum(numbers.values()) for numbers in found.values()), default=0)
    rows = []
    for runtime in ranked(run):
        numbers = found[runtime.name]
        segments = [(outcome_class(one), numbers[one], one.value) for one in used]
        cells = [bar(segments, most), *(f"{numbers[one]:,}" if numbers[one] else "" for one in used)]
        rows.append(row(escaped(runtime.name), [*cells, f"{runtime.unguarded:,}" if runtime.unguarded else ""]))
    if not most and not any(runtime.unguarded for runtime in run.runtimes):
        return "<p>No runtime fails a record, and all calls were guarded.</p>\n"
    heads = [f'<span class="swatch {outcome_class(one)}"></span>{one.value}' for one in used]
    return table(["runtime", '<span class="hidden">chart</span>', *heads, "unguarded calls"], rows, "failing")


def _by_outcome(run: RunResults, runtime: RuntimeResults) -> dict[Outcome, int]:
    numbers: dict[Outcome, int] = dict.fromkeys(FAILING, 0)
    for failure in runtime.failures:
        numbers[failure.outcome] += not is_difference(run.records[failure.path].tier, failure.outcome)
    return numbers
