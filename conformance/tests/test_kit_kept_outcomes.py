"""The outcomes that git keeps are those of the run: nothing that causes and observations read is lost."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from kept_outcomes import OUTCOMES_FILE, PATTERNS, excerpt, kept_text, read_kept
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.results import Asked, Failure, RunResults, RuntimeResults


def drawn_runtime(name: str, paths: list[str], seed: int) -> RuntimeResults:
    """Outcomes in runs of several lengths, with messages that have what the patterns of the runtime's causes look for."""
    numbers = random.Random(seed)
    told = ["", "nothing of it", "prefix IndexError: vector", *(f"{text.lstrip('^')} and more" for text in PATTERNS[name])]
    outcomes: dict[str, Outcome] = {}
    left = list(paths)
    while left:
        outcome, count = numbers.choice(list(Outcome)), numbers.choice([1, 1, 2, 9, 150])
        outcomes.update(dict.fromkeys(left[:count], outcome))
        del left[:count]
    failures = [
        Failure(path, outcome, numbers.choice(told), "a result")
        for path, outcome in outcomes.items()
        if outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED)
    ]
    return RuntimeResults(name, {name: "1.2.3", "numpy": "2"}, "", outcomes, tuple(failures), 12, 3.25)


@pytest.fixture(scope="module")
def whole(corpus: Corpus) -> RunResults:
    """A run of the whole corpus: of two runtimes, one of which is asked one dialect alone, and of an absent one."""
    asked = {path: Asked.of(corpus.record(path)) for path in corpus.paths()}
    runtimes = (
        drawn_runtime("openvino", corpus.paths(), 1),
        RuntimeResults("absent", fault="absent is not installed"),
        drawn_runtime("onnx", corpus.paths(dialects=["onnx"]), 2),
    )
    return RunResults(corpus.version, "2026-11-23T09:00:00Z", {"cores": "2"}, asked, runtimes, {}, 20, (1, 8))


def test_what_is_read_is_what_was_kept(corpus: Corpus, whole: RunResults) -> None:
    read = read_kept(corpus, kept_text(whole, corpus))
    for before, after in zip(whole.runtimes, read.runtimes, strict=True):
        assert after.outcomes == before.outcomes
        assert [(one.path, one.outcome) for one in after.failures] == [(one.path, one.outcome) for one in before.failures]
        assert replace(after, failures=()) == replace(before, failures=())
    assert replace(read, runtimes=()) == replace(whole, runtimes=())


def test_the_patterns_of_causes_are_found_in_the_same_failures(corpus: Corpus, whole: RunResults) -> None:
    read = read_kept(corpus, kept_text(whole, corpus))
    for before, after in zip(whole.runtimes, read.runtimes, strict=True):
        for pattern in PATTERNS.get(before.name, ()):
            found = [bool(re.search(pattern, failure.message)) for failure in before.failures]
            assert [bool(re.search(pattern, failure.message)) for failure in after.failures] == found
            assert {True, False} == set(found)


def test_the_kept_file_is_what_is_written_of_it(corpus: Corpus) -> None:
    text = OUTCOMES_FILE.read_text(encoding="utf-8")
    assert kept_text(read_kept(corpus, text), corpus) == text


def test_a_part_of_a_run_is_not_kept(corpus: Corpus, whole: RunResults) -> None:
    some = dict(list(whole.records.items())[:-1])
    for other in (
        replace(whole, records=some),
        replace(whole, complete=False),
        replace(whole, selection={"filter": "x"}),
        replace(whole, corpus="0.9.0"),
    ):
        with pytest.raises(ValueError, match="only a run of the whole corpus is kept"):
            kept_text(other, corpus)


def test_outcomes_of_another_corpus_are_refused(small: Path, corpus: Corpus, whole: RunResults) -> None:
    with pytest.raises(ValueError, match="is of another corpus"):
        read_kept(Corpus.open(small), kept_text(whole, corpus))


def test_excerpts() -> None:
    assert excerpt("RuntimeError: Check 'a' failed", ["Check 'a", "SIGFPE"]) == "Check 'a"
    assert excerpt("one, two, three", ["three", "^one"]) == "one, two, three"
    assert excerpt("one", ["two"]) == ""
    with pytest.raises(ValueError, match="is found in only one"):
        excerpt("of two: one", ["one", "^one"])  # the excerpt "one" begins with it, the message does not
