"""The page of causes: it is what its program writes, its records do what it says, and it explains every failure."""

import pytest
import write_causes
from causes import BESIDE, TABLES
from causes.cause import explained, wrong
from kept_outcomes import read_kept

from windrow_conformance import registry
from windrow_conformance.outcome import Outcome
from windrow_conformance.run import Settings, run

NAMES = [table.runtime for table in TABLES]


@pytest.fixture(scope="module")
def scoreboard(corpus):
    return read_kept(corpus)


def test_the_page_is_what_the_program_writes(corpus, scoreboard):
    assert write_causes.PAGE.read_text(encoding="utf-8") == write_causes.page(corpus, scoreboard)


def test_causes_are_of_the_specification_tier(corpus):
    for tables, tier in ((TABLES, "specification"), (BESIDE, "decision")):
        for cause in (cause for table in tables for cause in table.causes):
            assert corpus.record(cause.record).tier == tier, cause.record


def test_every_other_runtime_of_the_scoreboard_has_a_table(scoreboard):
    others = [results.name for results in scoreboard.runtimes if not results.name.startswith("windrow")]
    assert [name for name in others if wrong(scoreboard, name) and name not in NAMES] == []


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_every_failure_of_the_scoreboard_has_a_cause(corpus, scoreboard, table):
    failures = wrong(scoreboard, table.runtime)
    known = {failure for cause in table.causes for failure in explained(cause, failures, scoreboard, corpus)}
    assert [f"{f.path}: {f.outcome.value}, {f.message}" for f in failures if f not in known] == []


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_every_cause_explains_its_own_record(corpus, scoreboard, table):
    failures = wrong(scoreboard, table.runtime)
    for cause in table.causes:
        paths = [failure.path for failure in explained(cause, failures, scoreboard, corpus)]
        outcome = next(of.outcomes[cause.record] for of in scoreboard.runtimes if of.name == table.runtime)
        # What memory or the processor decides may have passed in that run.
        assert cause.record in paths or outcome in cause.also, cause.record


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_every_pattern_of_a_cause_fits_some_failure(corpus, scoreboard, table):
    failures = wrong(scoreboard, table.runtime)
    for cause in table.causes:
        for pattern in cause.explains:
            assert any(
                pattern.fit(scoreboard.records[failure.path], failure, corpus.record(failure.path))
                for failure in failures
            ), (cause.record, pattern)


@pytest.mark.parametrize("name", NAMES)
def test_the_records_do_what_the_page_says(corpus, name):
    runtime = registry.find(name)
    if runtime.fault():
        pytest.skip(runtime.fault())
    tables = [table for table in (*TABLES, *BESIDE) if table.runtime == name]
    version = next(iter(runtime.versions().values()))
    if any(version != table.version for table in tables):
        pytest.skip(f"the page is about {tables[0].version}, this is {version}")
    said = {cause.record: cause for table in tables for cause in table.causes}
    verdicts = run(name, corpus, list(said), Settings(seconds=2.0))
    outcomes = {path: verdict.outcome for path, verdict in verdicts.items()}
    assert outcomes == {path: expected(cause, outcomes.get(path)) for path, cause in said.items()}


def expected(cause, outcome):
    """The outcome that a cause has on this machine, given the one that was seen.

    How a call ends that reads or writes what is not its own, or never ends, is up to the machine's memory.
    """
    lost = {Outcome.CRASH, Outcome.HANG, Outcome.MEMORY, Outcome.FOREIGN_READ, Outcome.FOREIGN_WRITE}
    is_possible = outcome in cause.also or (cause.outcome in lost and outcome in lost)
    return outcome if is_possible else cause.outcome
