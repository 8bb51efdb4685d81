"""The case files fit their schema, are what the authoring package writes, and say something of every rule."""

import gzip
import json
import math
import re

import jsonschema_rs
import pytest
from case_data import FILES, ROOT, file_name, read

from cases.authoring import types, write

MIB = 1 << 20
CASES = ROOT / "cases"
TIERS = {row["label"]: row["tier"] for row in read(CASES / "rules.json")}


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_schema(path):
    schema = read(ROOT / "cases" / "schema.json")
    validator = jsonschema_rs.validator_for(schema)
    assert [error.message for error in validator.iter_errors(read(path))] == []


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_records_are_consistent(path):
    records = read(path)
    names = [record["name"] for record in records]
    assert len(names) == len(set(names))
    for record in records:
        assert record["version"] == max(record["versions"]), record["name"]
        for tensor in [*record["inputs"], *record.get("outputs", [])]:
            if tensor is not None:
                assert math.prod(tensor["shape"]) == len(tensor["data"]), record["name"]


def test_schema_refuses():
    schema = read(ROOT / "cases" / "schema.json")
    validator = jsonschema_rs.validator_for(schema)
    good = read(FILES[0])[0]
    assert validator.is_valid([good])
    for change in ({"outputs": []}, {"version": None}, {"error": True}, {"surprise": 1}, {"options": {"strict": "yes"}},
                   {"inputs": [{"dtype": "float32", "shape": [1], "data": ["zero"]}]}):
        assert not validator.is_valid([{**good, **change}]), change


def test_files_are_what_the_authoring_package_writes():
    texts = write.texts()
    assert [file_name(path) for path in FILES] == sorted(path[:-5] for path in texts if "/" in path)
    for path, text in texts.items():
        assert (CASES / path).read_text(encoding="utf-8") == text, path


def test_files_stay_small():
    assert len(gzip.compress(b"".join(path.read_bytes() for path in FILES))) < 10 * MIB
    assert sum(path.stat().st_size for path in FILES) < 16 * MIB


def test_no_two_records_say_the_same():
    seen = {}
    for path in FILES:
        for record in read(path):
            content = json.dumps({key: value for key, value in record.items() if key not in ("name", "note", "rule")},
                                 sort_keys=True)
            assert content not in seen, (record["name"], seen[content])
            seen[content] = record["name"]


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "tensorrt", "array"])
def test_every_label_has_a_record(dialect):
    page = (ROOT / "docs" / "operators" / f"{dialect}.md").read_text(encoding="utf-8")
    labels = set(re.findall(rf"^\| ({dialect.upper()}-\S+) \|", page, re.MULTILINE))
    assert labels
    records = [record for path in FILES for record in read(path) if record["dialect"] == dialect]
    broken = {record["constraint"] for record in records if "constraint" in record}
    proven = {record["rule"] for record in records}
    of_results = {label for label in labels if label.startswith(f"{dialect.upper()}-V")}
    assert labels - of_results - broken == set()
    assert of_results - proven == set()
    assert {label for label in broken | proven if not label.startswith("CALL-")} - labels == set()


def test_every_rule_has_a_tier_and_every_decision_a_reason():
    rows = read(CASES / "rules.json")
    assert {row["tier"] for row in rows} == {"specification", "decision"}
    assert {row["kind"] for row in rows} == {"type", "attribute", "constraint", "strict", "duplicates", "result", "inputs", "size", "option"}
    assert all(("because" in row) == (row["tier"] == "decision") for row in rows)
    assert len(TIERS) == len(rows)
    assert {record["rule"] for path in FILES for record in read(path)} - set(TIERS) == set()


def test_what_is_beyond_the_specification_is_of_no_specification_tier():
    for path in FILES:
        for record in read(path):
            asked = record.get("options", {})
            by_option = asked and record["rule"] not in (
    "TENSORRT-Gather-S1",
    "TENSORRT-Gather-S2",
    "TENSORRT-Scatter-S1",
    "TENSORRT-Scatter-S2",
    "TENSORRT-OneHot-S1",
    "TENSORRT-OneHot-S2",
     "TENSORRT-KVCacheUpdate-S2")
            if by_option and asked != {"out_of_range": "error"} and "outputs" in record:
                assert TIERS[record["rule"]] == "decision", record["name"]


# From which version on an OpenVINO operator takes strings; the operators that take few index types.
STRINGS_SINCE = {"Gather": 1, "GatherElements": 6, "GatherND": 5, "ScatterElementsUpdate": 12, "ScatterNDUpdate": 15,
                 "OneHot": 1}
BAGS = ["EmbeddingBagOffsetsSum", "EmbeddingBagOffsets", "EmbeddingBagPackedSum", "EmbeddingBagPacked", "EmbeddingSegmentsSum"]
FEW_INDEX_TYPES = ["GatherElements", "ScatterNDUpdate", "OneHot", "SegmentMax", *BAGS]
# The types of operators that compute, or compare, what they take.
DATA_TYPES = {**dict.fromkeys(BAGS, types.M16), "GatherTree": types.N12, "SegmentMax": types.T17}


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == "openvino"], ids=file_name)
def test_openvino_records_name_every_version_and_type(path):
    records = read(path)
    op = records[0]["op"]
    for version in sorted({version for record in records for version in record["versions"]}):
        of_version = [record for record in records if version in record["versions"]]
        legal = [record["inputs"] for record in of_version if "outputs" in record]
        strings = op in STRINGS_SINCE and version >= STRINGS_SINCE[op]
        data, indices = {"OneHot": (2, 0), "SliceScatter": (0, 2)}.get(op, (0, 1))
        index_types = types.N12 if op == "GatherTree" else types.I2 if op in FEW_INDEX_TYPES else types.I10
        assert {inputs[data]["dtype"] for inputs in legal} == set(DATA_TYPES.get(op) or (types.T23 if strings else types.T22))
        assert {inputs[indices]["dtype"] for inputs in legal} == set(index_types)
        assert len(legal) < len(of_version)


def test_onnx_one_hot_records_name_every_version_and_type():
    records = read(ROOT / "cases" / "onnx" / "one_hot.json")
    for version, of_values in ((9, types.T15), (11, types.T15), (28, types.T16)):
        legal = [record["inputs"] for record in records if version in record["versions"] and "outputs" in record]
        assert {inputs[0]["dtype"] for inputs in legal} == set(types.N11)
        assert {inputs[1]["dtype"] for inputs in legal} == set(types.N11)
        assert {inputs[2]["dtype"] for inputs in legal} == set(of_values)


# Of each TensorRT layer: its releases, the types of its data, the places of data and of indices, its modes.
LAYERS = {
    "Gather": ({8, 9, 10, 11}, types.T10, 0, 1, {"DEFAULT", "ELEMENT", "ND"}),
    "Scatter": ({8, 9, 10, 11}, types.T10, 0, 1, {"ELEMENT", "ND"}),
    "OneHot": ({8, 9, 10, 11}, types.T9, 1, 0, set()),
    "KVCacheUpdate": ({10, 11}, types.T8, 0, 2, {"LINEAR"}),
}


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == "tensorrt"], ids=file_name)
def test_tensorrt_records_name_every_release_type_and_mode(path):
    records = read(path)
    releases, data_types, data, indices, modes = LAYERS[records[0]["op"]]
    assert {version for record in records for version in record["versions"]} == releases
    for release in sorted(releases):
        legal = [record["inputs"] for record in records if release in record["versions"] and "outputs" in record]
        assert {inputs[data]["dtype"] for inputs in legal} == set(data_types)
        assert {inputs[indices]["dtype"] for inputs in legal} == set(types.I2)
    assert {record["attrs"]["mode"] for record in records if "outputs" in record and "mode" in record["attrs"]} == modes


# Operators of the array dialect that fold; look-ups in tables of codes apart, all others move the widest set of types.
FOLDING = ["IndexAdd", "IndexReduce", "SegmentReduce", "EmbeddingBag"]


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == "array"], ids=file_name)
def test_array_records_name_every_type(path):
    records = read(path)
    legal = [record["inputs"] for record in records if "outputs" in record]
    op = records[0]["op"]
    assert {inputs[0]["dtype"] for inputs in legal} == set(types.Q9 if op == "TakeQuantized" else types.R19 if op in FOLDING else types.T24)
    for indices in {1, 2} if op == "SegmentReduce" else {1}:
        assert {inputs[indices]["dtype"] for inputs in legal if indices < len(inputs) and inputs[indices]} == set(types.INTEGERS)
    assert {version for record in records for version in record["versions"]} == {1}


def test_every_correction_of_tensorrt_has_its_cases():
    page = (ROOT / "docs" / "operators" / "tensorrt.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 17))
    named = {name: number for number, names in rows for name in re.findall(r"`(\w+)`", names)}
    cases = {record["name"] for path in FILES if path.parent.name == "tensorrt" for record in read(path)
             if record["name"].startswith("correction_")}
    assert set(named) == cases
    assert all(name.startswith(f"correction_{number}_") for name, number in named.items())
    assert set(named.values()) == {number for number, _ in rows}
