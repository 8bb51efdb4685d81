"""This project passes what it is asked, by every way to run it; only the reference cannot be asked everything."""

from __future__ import annotations

import importlib.util

import pytest
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.registry import find
from windrow_conformance.run import Settings, run

pytestmark = pytest.mark.skipif(importlib.util.find_spec("windrow") is None, reason="windrow is not built")
RECIPES = ["onnx/scatternd_rows_of_1_add_float32_rounded", "onnx/gather_float32_int64_64_axis_0"]


@pytest.mark.parametrize(
    "name, step",
    [("windrow", 29), ("windrow-plain", 83), ("windrow-avx2", 83), ("windrow-avx512", 83), ("windrow-reference", 331)],
)
def test_every_record_of_a_sample_passes(corpus: Corpus, name: str, step: int) -> None:
    if find(name).fault():
        pytest.skip(find(name).fault())
    paths = corpus.paths(tiers=["specification", "decision"])[::step]
    found = run(name, corpus, paths, Settings(jobs=2))
    assert {verdict.path: verdict for verdict in found.values() if verdict.outcome is not Outcome.PASSED} == {}
    # Strings and types that share bytes are not.
    assert find(name).reads_in_place == (sum(verdict.guarded for verdict in found.values()) > len(paths) // 2)


def test_recipes_are_the_same_in_every_run(corpus: Corpus) -> None:
    paths = [f"deterministic/{recipe}" for recipe in RECIPES]
    for verdict in run("windrow", corpus, paths, Settings(runs=5)).values():
        assert (verdict.outcome, verdict.message) == (Outcome.PASSED, "no difference in 20 runs")


def test_what_the_reference_cannot_be_asked_is_unsupported(corpus: Corpus) -> None:
    [verdict] = run("windrow-reference", corpus, ["onnx/one_hot/axis_is_no_text"], Settings()).values()
    assert verdict.outcome is Outcome.UNSUPPORTED


def test_reproductions_run(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("onnx/gather/example_axis_0", "openvino/gather/zero_of_type_uint16", "onnx/gather/bfloat16_int32"):
        exec(find("windrow-plain").reproduction(corpus.record(path)), {})
    assert capsys.readouterr().out.count("[") >= 3
