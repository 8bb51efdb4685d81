"""The kept outcomes with a run of some records: these are the run's, all others stay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kept_outcomes import read_kept
from new_records import CASES, failing, joined, unchanged
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.results import Failure, RunResults, RuntimeResults

NEW = 3


@pytest.fixture(scope="module")
def kept(corpus: Corpus) -> RunResults:
    return read_kept(corpus)


def run_of(kept: RunResults, paths: list[str]) -> RunResults:
    """A run in which every runtime hangs in these records."""

    def results(old: RuntimeResults) -> RuntimeResults:
        hung = [path for path in paths if path in old.outcomes]
        failures = tuple(Failure(path, Outcome.HANG) for path in hung)
        return replace(old, outcomes=dict.fromkeys(hung, Outcome.HANG), failures=failures)

    return replace(kept, runtimes=tuple(map(results, kept.runtimes)))


def test_only_new_records_have_new_outcomes(corpus: Corpus, kept: RunResults) -> None:
    new = corpus.paths(dialects=["onnx"])[:NEW]
    same = set(corpus.paths()).difference(new)
    both = joined(kept, same, run_of(kept, new), corpus)
    assert [runtime.name for runtime in both.runtimes] == [runtime.name for runtime in kept.runtimes]
    for before, after in zip(kept.runtimes, both.runtimes, strict=True):
        expected = {path: Outcome.HANG if path in new else outcome for path, outcome in before.outcomes.items()}
        assert after.outcomes == expected and list(after.outcomes) == list(before.outcomes)
        assert {failure.path for failure in after.failures} == {
            path for path, outcome in expected.items() if outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED)
        }


def test_records_that_this_project_fails_are_told(corpus: Corpus, kept: RunResults) -> None:
    assert failing(kept) == []
    new = corpus.paths(dialects=["onnx"])[:NEW]
    both = joined(kept, set(corpus.paths()).difference(new), run_of(kept, new), corpus)
    assert "windrow" in failing(both)
    assert "onnxruntime" not in failing(both)


def test_a_runtime_of_another_version_is_not_joined(corpus: Corpus, kept: RunResults) -> None:
    run = run_of(kept, corpus.paths()[:NEW])
    newer = tuple(replace(one, versions={name: "99" for name in one.versions}) for one in run.runtimes)
    with pytest.raises(ValueError, match="was run with"):
        joined(kept, set(), replace(run, runtimes=newer), corpus)
    with pytest.raises(ValueError, match="it is not in the run"):
        joined(kept, set(), replace(run, runtimes=()), corpus)


def test_the_same_corpus_has_no_new_records(corpus: Corpus) -> None:
    assert unchanged(CASES, corpus) == set(corpus.paths())
