"""The case files fit their schema, are what the authoring package writes, and say something of every rule."""

import math
import re

import jsonschema
import pytest
from case_data import FILES, ROOT, read

from cases.authoring.write import FILES as AUTHORED
from cases.authoring.write import text_of

MIB = 1 << 20
# The operator takes every element type that a case can name.
UNBREAKABLE = {"ONNX-TensorScatter-T1"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_schema(path):
    schema = read(ROOT / "cases" / "schema.json")
    validator = jsonschema.Draft202012Validator(schema)
    assert [error.message for error in validator.iter_errors(read(path))] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
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
    validator = jsonschema.Draft202012Validator(schema)
    good = read(FILES[0])[0]
    assert validator.is_valid([good])
    for change in ({"outputs": []}, {"version": None}, {"error": True}, {"surprise": 1}, {"options": {"strict": "yes"}},
                   {"inputs": [{"dtype": "float32", "shape": [1], "data": ["zero"]}]}):
        assert not validator.is_valid([{**good, **change}]), change


def test_files_are_what_the_authoring_package_writes():
    assert [path.stem for path in FILES] == sorted(AUTHORED)
    for path in FILES:
        assert path.read_text(encoding="utf-8") == text_of(AUTHORED[path.stem]), path


def test_files_stay_small():
    assert sum(path.stat().st_size for path in FILES) < MIB


def test_every_label_has_an_error_record():
    page = (ROOT / "docs" / "operators" / "onnx.md").read_text(encoding="utf-8")
    labels = set(re.findall(r"^\| (ONNX-\S+) \|", page, re.MULTILINE))
    assert labels
    cited = {record["constraint"] for path in FILES for record in read(path) if "constraint" in record}
    assert labels - cited == UNBREAKABLE
    assert {label for label in cited if label.startswith("ONNX")} - labels == set()
