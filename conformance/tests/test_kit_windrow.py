"""This project passes what it is asked, by every way to run it; only the reference cannot be asked everything."""

from __future__ import annotations

import dataclasses
import importlib.util

import numpy as np
import pytest
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.registry import find
from windrow_conformance.run import Settings, run
from windrow_conformance.tensor import Tensor

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


@pytest.mark.parametrize("path", ["openvino/one_hot/example_1_of_the_text@1", "openvino/gather/example_1"])
def test_openvino_leaves_indices_of_64_bits_to_the_extension_where_32_hold_them(corpus: Corpus, path: str) -> None:
    runtime, record = find("windrow-in-openvino"), corpus.record(path)
    place = 0 if record.op == "OneHot" else 1

    def why_not(replaced: int, dtype: type, values: list[int]) -> str:
        inputs = list(record.inputs)
        inputs[replaced] = Tensor(np.dtype(dtype).name, np.array(values, dtype))
        return runtime.why_not(dataclasses.replace(record, inputs=tuple(inputs)))

    assert why_not(place, np.int64, [0, -1]) == ""
    assert "cuts integers to 32 bits" in why_not(place, np.int64, [2**31])
    elements = 2 if record.op == "OneHot" else 0
    assert "converts int64" in why_not(elements, np.int64, [1])


def test_openvino_makes_zeros_of_subnormal_constants(corpus: Corpus) -> None:
    runtime = find("windrow-in-openvino")
    assert "subnormal" in runtime.why_not(corpus.record("openvino/one_hot/last_values_float32"))
    record = corpus.record("openvino/gather/example_1")
    parameter = Tensor("float32", np.full(record.inputs[0].array.shape, 1e-45, np.float32))
    assert runtime.why_not(dataclasses.replace(record, inputs=(parameter, *record.inputs[1:]))) == ""
