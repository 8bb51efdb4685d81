"""The page of causes: it is what its program writes, and its records do what it says."""

import sys
from pathlib import Path

import pytest

from windrow_conformance import registry
from windrow_conformance.run import Settings, run

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import write_causes


def test_the_page_is_what_the_program_writes(corpus):
    assert write_causes.PAGE.read_text(encoding="utf-8") == write_causes.page(corpus)


def test_causes_are_of_the_specification_tier(corpus):
    for cause in write_causes.CAUSES:
        assert corpus.record(cause.record).tier == "specification", cause.record
    for cause in write_causes.BESIDE:
        assert corpus.record(cause.record).tier == "decision", cause.record


@pytest.mark.parametrize("name", write_causes.VERSIONS)
def test_the_records_do_what_the_page_says(corpus, name):
    runtime = registry.find(name)
    if runtime.fault():
        pytest.skip(runtime.fault())
    version = next(iter(runtime.versions().values()))
    if not write_causes.VERSIONS[name].startswith(version):
        pytest.skip(f"the page is about {write_causes.VERSIONS[name]}, this is {version}")
    said = {cause.record: cause for cause in (*write_causes.CAUSES, *write_causes.BESIDE) if cause.runtime == name}
    verdicts = run(name, corpus, list(said), Settings(seconds=2.0))
    outcomes = {path: verdict.outcome for path, verdict in verdicts.items()}
    assert outcomes == {
        path: outcomes.get(path) if outcomes.get(path) in cause.also else cause.outcome
        for path, cause in said.items()
    }
