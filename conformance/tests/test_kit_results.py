"""What a run found: counted, joined, compared, kept and read again."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from windrow_conformance.against import Change, Kind, compare
from windrow_conformance.causes import causes
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome, Verdict
from windrow_conformance.reports.json import LETTERS, NOT_ASKED, read_json, write_json
from windrow_conformance.results import Asked, Counts, RunResults, RuntimeResults, join
from windrow_conformance.tensor import Tensor
from windrow_conformance.tensor_text import tensor_text

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "formats" / "conformance.schema.json"


@pytest.fixture(scope="module")
def document(run: RunResults) -> dict[str, Any]:
    return dict(json.loads(write_json(run)))


@pytest.mark.parametrize(
    ("outcomes", "percent"),
    [((1999, 1, 0), "99.9"), ((1, 0, 0), "100.0"), ((0, 1, 0), "0.0"), ((1, 0, 2), "33.3"), ((0, 0, 0), "")],
)
def test_percent_is_rounded_down_and_of_all_records(outcomes: tuple[int, int, int], percent: str) -> None:
    assert Counts(*outcomes).percent == percent


def test_a_runtime_that_refuses_everything_scores_nothing() -> None:
    counts = Counts.of([Outcome.UNSUPPORTED] * 3, "specification")
    assert counts == Counts(0, 0, 3) and counts.percent == "0.0"


def test_only_decisions_can_be_different_and_a_crash_is_a_failure_even_there() -> None:
    outcomes = [Outcome.WRONG_VALUE, Outcome.NO_ERROR, Outcome.REFUSED, Outcome.CRASH, Outcome.FOREIGN_READ]
    assert Counts.of(outcomes, "decision") == Counts(0, 5, 0, 3)
    assert Counts.of(outcomes, "specification") == Counts(0, 5, 0, 0)
    assert Counts.of([Outcome.DIFFERS], "deterministic") == Counts(0, 1, 0, 0)


def test_results_are_made_of_verdicts(corpus: Corpus) -> None:
    record = corpus.record("onnx/gather/example_axis_0")
    outputs = [Outcome.PASSED, Outcome.WRONG_VALUE, Outcome.UNSUPPORTED]
    judged = [
        (replace(record, path=path), Verdict(path, outcome, "x" * 1000, record.inputs[1]))
        for path, outcome in ((f"a/{outcome.value}", outcome) for outcome in outputs)
    ]
    results = RuntimeResults.of("some", {"some": "1", "other": "2"}, judged)
    assert results.version == "1"
    assert list(results.outcomes.values()) == outputs
    assert results.unguarded == 2, "an unsupported record makes no call"
    [failure] = results.failures
    assert failure.path == "a/wrong value" and failure.got == "int64[2, 2] 0 1 1 2"
    assert failure.message.endswith("x… (600 more characters)")


def test_a_document_says_what_its_schema_says(document: dict[str, Any]) -> None:
    jsonschema_rs.validate(json.loads(SCHEMA.read_text()), document)
    runtime = next(one for one in document["runtimes"] if one["runtime"] == "usual")
    assert runtime["version"] == "1.2.3"
    tiers = runtime["tiers"]
    assert set(tiers) == {"specification", "decision", "deterministic"}
    failed = [one for one in runtime["failures"] if one["tier"] == "specification"]
    assert tiers["specification"]["failed"] == len(failed) > 0
    operators = [one["specification"] for one in runtime["operators"].values() if "specification" in one]
    for name in ("passed", "failed", "skipped", "different"):
        assert sum(one[name] for one in operators) == tiers["specification"][name]


def test_every_outcome_has_a_letter_that_the_schema_knows() -> None:
    assert set(LETTERS) == set(Outcome)
    assert len({*LETTERS.values(), NOT_ASKED}) == len(Outcome) + 1
    definitions = json.loads(SCHEMA.read_text())["$defs"]
    outcomes = definitions["runtime"]["properties"]["outcomes"]
    listed = outcomes["description"].split(":")[1].rstrip(".").split(",")
    told = dict(part.strip().split(" ", 1)[::-1] for part in listed)
    assert told == {**{outcome.value: letter for outcome, letter in LETTERS.items()}, "not asked": NOT_ASKED}
    failing = {outcome.value for outcome in Outcome} - {"passed", "unsupported"}
    assert set(definitions["failure"]["properties"]["outcome"]["enum"]) == failing


def test_a_run_is_read_again_as_it_was(run: RunResults) -> None:
    again = read_json(write_json(run))
    assert again == run
    assert [one.failures for one in again.runtimes] == [one.failures for one in run.runtimes]


def _change(document: dict[str, Any], path: tuple[str | int, ...], value: Any) -> str:
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(changed)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "other", "not a document of the format"),
        (("format_version",), 2, "not a document of the format"),
        (("records",), {}, r"the document\.records is of type dict; expected a list"),
        (("records", 0, "tier"), "best", r"records\[0\]\.tier .* expected specification or"),
        (("records", 0, "names", 0), 7, r"names\[0\] is of type int; expected a text"),
        (("records", 1), {"folder": "x"}, r"records\[1\] has no 'operator'"),
        (("machine",), {"cores": 2}, "machine is of type dict; expected an object of texts"),
        (("runs",), -1, "runs is of type int; expected a whole number from 0 on"),
        (("runs",), True, "runs is of type bool"),
        (("runtimes", 0, "seconds"), float("nan"), "seconds is of type float; expected a number"),
        (("runtimes", 0, "seconds"), 10**400, "seconds is of type int; expected a number"),
        (("runtimes", 0, "outcomes"), [], r"runtimes\[0\]\.outcomes: expected \d+ texts"),
        (("runtimes", 0, "outcomes", 0), "p", r"outcomes\[0\]: expected \d+ letters"),
        (("runtimes", 1, "failures", 0, "outcome"), "hang", r"failures\[0\]: its outcome is not the one"),
        (("runtimes", 1, "failures", 0, "path"), "no/such", r"failures\[0\]: its outcome is not the one"),
        (("runtimes", 1, "runtime"), "sound", "two runtimes of one name"),
        (("complete",), 1, "complete is of type int; expected true or false"),
    ],
)
def test_a_damaged_document_is_refused(
    document: dict[str, Any], path: tuple[str | int, ...], value: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read_json(_change(document, path, value))


@pytest.mark.parametrize("text", ["", "[]", "7", "null", "{}", "[" * 100_000, '{"format": "windrow-conformance-run"}'])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_two_records_of_one_path_are_refused(document: dict[str, Any]) -> None:
    group = document["records"][0]
    with pytest.raises(ValueError, match="two records of one path"):
        read_json(_change(document, ("records", 0, "names"), [group["names"][0]] * len(group["names"])))


def test_runs_are_joined_by_runtime(run: RunResults) -> None:
    newer = replace(run.runtimes[1], versions={"usual": "2"})
    other = replace(run.runtimes[0], name="other")
    joined = join(run, replace(run, runtimes=(newer, other)))
    assert [one.name for one in joined.runtimes] == ["sound", "usual", "bad", "absent", "other"]
    assert joined.runtimes[1].version == "2"


@pytest.mark.parametrize("change", [{"corpus": "9"}, {"runs": 3}, {"selection": {"filter": "x"}}, {"threads": (1,)}])
def test_runs_of_other_records_are_not_joined(run: RunResults, change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be joined"):
        join(run, replace(run, **change))


def test_causes_are_groups_of_operator_rule_and_outcome(run: RunResults) -> None:
    runtime = run.runtimes[1]
    found = causes(run, runtime)
    assert sorted(one.path for cause in found for one in cause.failures) == sorted(one.path for one in runtime.failures)
    keys = [(cause.asked, cause.outcome) for cause in found]
    assert len(set(keys)) == len(keys)
    tiers = [cause.asked.tier for cause in found]
    assert tiers == sorted(tiers, key=list(run.tiers()).index)
    for cause in found:
        assert cause.word.startswith("different") == (
            cause.asked.tier == "decision" and cause.outcome is not Outcome.CRASH
        )


def test_a_comparison_tells_every_kind_of_change() -> None:
    asked = Asked("onnx/Gather", "specification", "ONNX-Gather-V1")
    passed, wrong, crash, unsupported = Outcome.PASSED, Outcome.WRONG_VALUE, Outcome.CRASH, Outcome.UNSUPPORTED
    before = {"same": passed, "worse": passed, "better": unsupported, "changed": wrong, "gone": passed, "still": wrong}
    after = {"same": passed, "worse": wrong, "better": passed, "changed": crash, "new": wrong, "still": wrong}

    def run_of(outcomes: dict[str, Outcome], *others: RuntimeResults) -> RunResults:
        records = dict.fromkeys(outcomes, asked)
        return RunResults("1.0.0", "", {}, records, (RuntimeResults("some", outcomes=outcomes), *others))

    absent = RuntimeResults("absent", fault="not installed")
    unknown = RuntimeResults("unknown")
    [some, other] = compare(run_of(before, absent), run_of(after, absent, unknown))
    for kind in Kind:
        [change] = some.of(kind)
        assert change == Change(kind.value, asked, before.get(kind.value), after.get(kind.value))
    assert other.before is None and other.after is unknown and not other.changes


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (None, "omitted"),
        (Tensor("float32", np.array([[0.1, -0.0, np.inf]], np.float32)), "float32[1, 3] 0.1 -0.0 inf"),
        (Tensor("float32", np.array([0x7FC00000, 0x7FC00001], "u4").view("f4")), "float32[2] nan 0x7fc00001"),
        (Tensor("float16", np.array([0xFE00], np.uint16).view(np.float16)), "float16[1] 0xfe00"),
        (Tensor("bfloat16", np.array([0x3F80, 0x7FC0, 0x7FC1], np.uint16)), "bfloat16[3] 1.0 nan 0x7fc1"),
        (Tensor("int4", np.array([15, 7], np.uint8)), "int4[2] -1 7"),
        (Tensor("uint4", np.array(15, np.uint8)), "uint4[] 15"),
        (Tensor("uint2", np.array(3, np.uint8)), "uint2[] 3"),
        (Tensor("float8_e5m2", np.array([1], np.uint8)), "float8_e5m2[1] 0x01"),
        (Tensor("float4_e2m1fn", np.array([1], np.uint8)), "float4_e2m1fn[1] 0x1"),
        (Tensor("complex64", np.array([1 - 2j], np.complex64)), "complex64[1] (1-2j)"),
        (Tensor("string", np.array(["a\n", "b" * 100], object)), f"string[2] 'a\\n' '{'b' * 79}…"),
        (Tensor("int64", np.zeros((0, 3), np.int64)), "int64[0, 3]"),
        (Tensor("int64", np.arange(1_000_000)), f"int64[1000000] {' '.join(map(str, range(64)))} … (999936 more)"),
        (Tensor("int64", np.arange(6).reshape(2, 3).T), "int64[3, 2] 0 3 1 4 2 5"),
    ],
)
def test_tensors_as_text(tensor: Tensor | None, text: str) -> None:
    assert tensor_text(tensor) == text
