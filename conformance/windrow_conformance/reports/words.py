"""How numbers of a run are put into words, the same in every report."""

from __future__ import annotations

from ..against import Comparison
from ..outcome import Outcome
from ..record import Tier
from ..results import Counts, RunResults, RuntimeResults

# What a tier's failures are called; and what a pass of the tier says.
FAILED = {"specification": "failed", "decision": "different", "deterministic": "failed"}


def percent(counts: Counts) -> str:
    return f"{counts.percent} %" if counts.records else ""


def number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def tier_words(tier: Tier, counts: Counts) -> str:
    """ "98.1 % of 5,000 (60 failed, 35 unsupported)"."""
    if not counts.records:
        return "no records"
    parts = [
        f"{count:,} {word}" for count, word in ((counts.failed, FAILED[tier]), (counts.skipped, "unsupported")) if count
    ]
    return f"{percent(counts)} of {counts.records:,}" + (f" ({', '.join(parts)})" if parts else "")


def failures_words(runtime: RuntimeResults) -> str:
    """ "12 wrong value, 3 crash", the most frequent first."""
    found: dict[Outcome, int] = {}
    for failure in runtime.failures:
        found[failure.outcome] = found.get(failure.outcome, 0) + 1
    return ", ".join(f"{count:,} {outcome.value}" for outcome, count in sorted(found.items(), key=lambda one: -one[1]))


def versions_words(runtime: RuntimeResults) -> str:
    return ", ".join(f"{package} {version}" for package, version in runtime.versions.items())


def facts(run: RunResults) -> list[tuple[str, str]]:
    """What was run, where and when, by name."""
    found = [("corpus", f"{run.corpus}, {number(len(run.records), 'record')}"), ("date", run.date)]
    found += run.machine.items()
    found += run.selection.items()
    if run.runs:
        threads = ", ".join(map(str, run.threads))
        found.append(("deterministic tier", f"{number(run.runs, 'run')} on each of {threads} threads"))
    return found if run.complete else [*found, ("ended early", "not all records were run")]


def comparison_words(comparison: Comparison) -> str:
    before, after = comparison.before, comparison.after
    if before is None:
        return f"{after.name} {after.version}: not in the other run"
    return f"{after.name} {before.version} → {after.version}"
