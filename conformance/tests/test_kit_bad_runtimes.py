"""Every bad runtime is reported as what it is, and its neighbours in a batch are not harmed."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from pathlib import Path

import pytest
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome, Verdict
from windrow_conformance.run import CannotRun, Settings, run

FILE = Path(__file__).with_name("bad_runtimes.py")
EXAMPLES = ["onnx/gather/example_axis_0", "onnx/gather/example_axis_1"]
SETTINGS = Settings(seconds=20.0, memory=1 << 29, runs=8, threads=(1, 4))
RECIPE = "deterministic/onnx/gather_float32_int64_64_axis_0"


def verdicts(
    corpus: Corpus, name: str, paths: list[str] = EXAMPLES, settings: Settings = SETTINGS
) -> list[Verdict]:
    return list(run(f"{FILE}:{name}", corpus, paths, settings).values())


def outcomes(corpus: Corpus, name: str, paths: list[str] = EXAMPLES) -> list[Outcome]:
    return [verdict.outcome for verdict in verdicts(corpus, name, paths)]


@pytest.mark.parametrize(
    "name, outcome, message",
    [
        ("honest", Outcome.PASSED, ""),
        ("random", Outcome.WRONG_VALUE, "stands"),
        ("null", Outcome.CRASH, "SIGSEGV"),
        ("exits", Outcome.CRASH, "exit code 0"),
        ("system exit", Outcome.REFUSED, "SystemExit: no more"),
        ("leaks", Outcome.MEMORY, "every call keeps at least"),
        ("reads after", Outcome.FOREIGN_READ, "SIGSEGV at the memory after its input 0"),
        ("reads far before", Outcome.FOREIGN_READ, "SIGSEGV at the memory before its input 0"),
        ("uses bytes before", Outcome.FOREIGN_READ, "changes with the memory before the inputs"),
        ("writes after", Outcome.FOREIGN_WRITE, "SIGSEGV at the memory after its input 0"),
        ("writes before", Outcome.FOREIGN_WRITE, "changed memory beside its input 0"),
        ("changes inputs", Outcome.FOREIGN_WRITE, "changed its input 1"),
        ("changes copies", Outcome.FOREIGN_WRITE, "changed its input 1"),
        ("asks for alignment", Outcome.PASSED, ""),
        ("prints much", Outcome.PASSED, ""),
        ("gives lists", Outcome.REFUSED, "gave a list, not a Tensor"),
        ("gives other types", Outcome.WRONG_VALUE, "in elements of"),
        ("says strange words", Outcome.REFUSED, "\\ud800"),
        ("always wrong", Outcome.WRONG_VALUE, "stands 0.0, expected"),
    ],
)
def test_what_a_runtime_does_is_its_outcome(corpus: Corpus, name: str, outcome: Outcome, message: str) -> None:
    for verdict in verdicts(corpus, name):
        assert (verdict.outcome, message in verdict.message) == (outcome, True), verdict


@pytest.mark.parametrize(
    "name, outcome, message, settings",
    [
        ("crashes", Outcome.CRASH, "SIGSEGV", SETTINGS),
        ("hangs", Outcome.HANG, "no answer after 0.5 s", dataclasses.replace(SETTINGS, seconds=0.5)),
        ("takes memory", Outcome.MEMORY, "held more than", Settings(memory=1 << 27, seconds=60)),
    ],
)
def test_what_ends_a_process_concerns_its_record_alone(
    corpus: Corpus, name: str, outcome: Outcome, message: str, settings: Settings
) -> None:
    good, bad = verdicts(corpus, name, settings=settings)
    assert good.outcome is Outcome.PASSED
    assert bad.outcome is outcome and message in bad.message


def test_crashes_by_chance_are_no_foreign_reads(corpus: Corpus) -> None:
    found = Counter(outcomes(corpus, "crashes at random", corpus.paths("onnx/gather/type_")[:12]))
    # All of the repeats may go one way by chance, but not for many records.
    assert found[Outcome.CRASH] > 0 and found[Outcome.FOREIGN_READ] + found[Outcome.FOREIGN_WRITE] <= 3


def test_random_refusals_of_calls_that_must_fail_are_no_foreign_reads(corpus: Corpus) -> None:
    paths = [path for path in corpus.paths("onnx/gather/") if corpus.must_fail(path)][:20]
    found = Counter(outcomes(corpus, "refuses at random", EXAMPLES + paths))
    # As above: all of the repeats may go one way by chance.
    assert found[Outcome.FOREIGN_READ] <= 3 and found[Outcome.PASSED] < len(paths)


def size_of_data(corpus: Corpus, path: str) -> int:
    data = corpus.record(path).inputs[0]
    return 0 if data is None else data.array.nbytes


def test_a_runtime_that_needs_alignment_is_unguarded_and_not_blamed(corpus: Corpus) -> None:
    odd = [path for path in corpus.paths("onnx/gather/*") if size_of_data(corpus, path) % 16][:3]
    asked = [one for one in verdicts(corpus, "wants alignment", odd) if one.outcome is not Outcome.UNSUPPORTED]
    assert asked and not any(verdict.outcome is Outcome.CRASH or verdict.guarded for verdict in asked)


def must_fail(corpus: Corpus) -> list[str]:
    return [path for path in corpus.paths("onnx/gather/*") if corpus.must_fail(path)][:40]


@pytest.mark.parametrize("name", ["refuses everything", "refuses models"])
def test_who_refuses_everything_scores_nothing(corpus: Corpus, name: str) -> None:
    paths = EXAMPLES + must_fail(corpus)
    found = outcomes(corpus, name, paths)
    assert found[:2] == [Outcome.REFUSED] * 2
    assert set(found[2:]) == {Outcome.UNSUPPORTED}


def test_refusals_count_where_other_calls_give_results_that_were_not_asked_for(corpus: Corpus) -> None:
    found = outcomes(corpus, "honest", must_fail(corpus))
    assert Outcome.PASSED in found


def test_operators_that_a_runtime_lacks_are_unsupported(corpus: Corpus) -> None:
    assert set(outcomes(corpus, "honest", corpus.paths("onnx/scatter/")[:30])) == {Outcome.UNSUPPORTED}


def test_processes_that_a_runtime_leaves_are_ended(corpus: Corpus) -> None:
    assert outcomes(corpus, "forks") == [Outcome.PASSED] * 2
    mine = os.getpid()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(mine):
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            assert b"windrow_conformance.processes" not in words or str(mine).encode() not in words


@pytest.mark.parametrize(
    "name, outcome, message",
    [
        ("honest", Outcome.PASSED, "no difference in 16 runs"),
        ("one thread", Outcome.PASSED, "no difference in 8 runs"),
        ("random", Outcome.DIFFERS, "run 2 on 1 threads: at"),
        ("races", Outcome.DIFFERS, "on 4 threads: at [0, 5] stands"),
        ("always wrong", Outcome.WRONG_VALUE, "no difference in 16 runs, but the bytes"),
        ("leaks", Outcome.MEMORY, "kept"),
        ("fills a cache", Outcome.PASSED, "no difference in 16 runs"),
        ("reads after", Outcome.FOREIGN_READ, "after its input 0"),
        ("changes inputs", Outcome.FOREIGN_WRITE, "changed its input 1"),
        ("refuses everything", Outcome.REFUSED, "ValueError: no"),
    ],
)
def test_recipes_are_judged_by_all_their_runs(corpus: Corpus, name: str, outcome: Outcome, message: str) -> None:
    [verdict] = verdicts(corpus, name, [RECIPE])
    assert verdict.outcome is outcome and message in verdict.message, verdict


def test_a_wrong_value_where_nothing_is_decided_passes_as_deterministic(corpus: Corpus) -> None:
    from bad_runtimes import AlwaysWrong
    from windrow_conformance.attempt import attempt_often

    record = corpus.record(RECIPE)
    assert record.digest is not None
    undecided = dataclasses.replace(record, digest=dataclasses.replace(record.digest, decided=False))
    assert attempt_often(AlwaysWrong(), undecided, 2, [1]).outcome is Outcome.PASSED


@pytest.mark.parametrize("name, message", [("not installed", "pip install"), ("breaks at import", "does not start")])
def test_a_runtime_that_cannot_start_is_no_failure_of_records(corpus: Corpus, name: str, message: str) -> None:
    with pytest.raises(CannotRun, match=message):
        verdicts(corpus, name)


def test_the_order_of_records_is_the_seed_s_and_that_of_verdicts_the_asked_one(corpus: Corpus) -> None:
    paths = corpus.paths("onnx/gather/drawn_")[:60]
    told: list[str] = []
    settings = dataclasses.replace(SETTINGS, seed=3, jobs=1)
    found = run(f"{FILE}:honest", corpus, paths, settings, lambda verdict: told.append(verdict.path))
    assert list(found) == paths and told[: len(paths)] != paths and set(told) == set(paths)


def test_strings_and_types_that_share_bytes_are_unguarded(corpus: Corpus) -> None:
    paths = ["onnx/gather/string_int32", EXAMPLES[0]]
    assert [verdict.guarded for verdict in verdicts(corpus, "honest", paths)] == [False, True]
