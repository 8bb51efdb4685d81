"""The numbers of a run in words, the same in every report."""

from __future__ import annotations

from ..against import Comparison
from ..outcome import Outcome
from ..results import Counts, RunResults, RuntimeResults

# Names of the parts of Counts, in the order in which they are shown: class of the page, word.
PARTS = ("passed", "failed", "different", "unsupported")


def parts(counts: Counts) -> dict[str, int]:
    """The numbers by the names of PARTS; they add up to the records."""
    return dict(zip(PARTS, (counts.passed, counts.wrong, counts.different, counts.skipped), strict=True))


def percent(counts: Counts) -> str:
    return f"{counts.percent} %" if counts.records else ""


def number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def counts_words(counts: Counts) -> str:
    """ "60 failed, 35 unsupported, of 5,000"."""
    named = [f"{count:,} {name}" for name, count in parts(counts).items() if count and name != "passed"]
    return ", ".join([*named, f"of {counts.records:,}"])


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
    if "deterministic" in run.tiers():
        threads = ", ".join(map(str, run.threads))
        found.append(("deterministic tier", f"{number(run.runs, 'run')} on each of {threads} threads"))
    return found if run.complete else [*found, ("ended early", "not all records were run")]


def comparison_words(comparison: Comparison) -> str:
    before, after = comparison.before, comparison.after
    if before is None:
        return f"{after.name} {after.version}: not in the other run"
    return f"{after.name} {before.version} → {after.version}"
