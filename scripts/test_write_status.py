"""Every operator of the installed standards is decided, and docs/status.md says so. Tests of write_status.py."""

import importlib.util

import pytest
import write_status
from write_status import Lists

needs_standards = pytest.mark.skipif(any(importlib.util.find_spec(package) is None for package in ("onnx", "openvino")),
                                     reason="onnx or openvino is not installed")


def faults(theirs, ours=None, missing=None, not_by_index=()):
    return write_status.faults("onnx", theirs, ours or {}, Lists(frozenset(not_by_index), missing or {}))


@needs_standards
def test_the_page_has_every_operator_of_the_standards():
    found, text = write_status.section()
    assert not found, "\n".join(found)
    assert write_status.PAGE.read_text(encoding="utf-8").endswith(text), "run scripts/write_status.py"


def test_decided_operators_have_no_fault():
    assert not faults({"Gather": {1, 11}, "Slice": {1}, "Abs": {6}}, {"Gather": {1, 11}}, {"Slice": "a box"}, ["Abs"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"theirs": {"New": {1}}}, "ONNX: New is in neither list"),
        ({"theirs": {"Gather": {1}}, "ours": {"Gather": {1}}, "missing": {"Gather": "not written yet"}},
         "ONNX: Gather is in windrow ops and `missing`"),
        ({"theirs": {"Abs": {1}}, "missing": {"Abs": "x"}, "not_by_index": ["Abs"]},
         "ONNX: Abs is in `missing` and `not_by_index`"),
        ({"theirs": {}, "not_by_index": ["Gone"]}, "ONNX: Gone is in `not_by_index`, but the standard does not have it"),
        ({"theirs": {"Gather": {1, 11, 30}}, "ours": {"Gather": {1, 11}}}, "ONNX: Windrow lacks Gather-30"),
    ],
)
def test_faults(given, said):
    [fault] = faults(**given)
    assert fault.startswith(said)


def test_versions_are_told():
    assert write_status.with_versions("Gather", {13, 1, 11}) == "Gather-1, -11, -13"
    assert write_status.with_versions("MoE", set()) == "MoE"


@needs_standards
def test_the_installed_standards_are_read():
    assert {1, 11, 13} <= write_status.standard_operators("onnx")["Gather"]
    assert "ai.onnx.ml.ArrayFeatureExtractor" in write_status.standard_operators("onnx")
    assert {1, 7, 8} <= write_status.standard_operators("openvino")["Gather"]
    assert write_status.first_opsets()["ScatterNDUpdate", 3] == 4
    assert write_status.first_opsets()["ROIPooling", 1] == 2
