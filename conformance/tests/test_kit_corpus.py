"""Files become records, whole and undamaged, or a clear error."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from windrow_conformance.corpus import Corpus, CorpusError
from windrow_conformance.elements import any_nan, decode
from windrow_conformance.tensor import CARRIERS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def authoring_fills(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    from cases.authoring import fills

    return fills


def rewrite(folder: Path, file: str, content: bytes) -> None:
    """Changes a file and its hash in the index."""
    (folder / file).write_bytes(content)
    index = json.loads((folder / "index.json").read_text())
    for row in index["files"]:
        if row["path"] == file:
            row["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "index.json").write_text(json.dumps(index))


def test_every_version_of_every_line_is_a_record(corpus: Corpus) -> None:
    lines = [
        line
        for file in sorted((ROOT / "cases").glob("*/*.json"))
        for line in json.loads(file.read_text(encoding="utf-8"))
    ]
    paths = corpus.paths(tiers=["specification", "decision"])
    assert len(paths) == sum(len(line["versions"]) for line in lines)
    assert sum(map(corpus.must_fail, paths)) == sum(len(line["versions"]) for line in lines if "error" in line)
    assert corpus.record("onnx/gather/example_axis_0").version == 13
    assert corpus.record("onnx/gather/example_axis_0@1").version == 1


def test_records_say_what_their_lines_say(corpus: Corpus) -> None:
    for path in corpus.paths()[:34068:97]:
        record = corpus.record(path)
        assert record.must_fail == (record.output is None) == corpus.must_fail(path)
        assert corpus.operators[path] == (record.dialect, record.op, record.version)
        for tensor in (*record.inputs, record.output):
            if tensor is not None and tensor.dtype in CARRIERS:
                assert tensor.array.dtype == CARRIERS[tensor.dtype]


def test_filters_choose(corpus: Corpus) -> None:
    assert "onnx/gather/example_axis_0@1" in corpus.paths("example_axis")
    assert corpus.paths("onnx/gather/example_axis_?") == [
        "onnx/gather/example_axis_0",
        "onnx/gather/example_axis_1",
    ]
    chosen = corpus.records(tiers=["decision"], dialects=["array"], operators=["Take"], versions=[1])
    assert {(record.tier, record.op) for record in chosen} == {("decision", "Take")}
    assert corpus.paths("no such record") == []


def test_recipes_are_filled_as_their_definition_says(corpus: Corpus, authoring_fills: Any) -> None:
    lines = json.loads((ROOT / "cases" / "deterministic.json").read_text())
    for line in lines[::40]:
        record = corpus.record(f"deterministic/{line['dialect']}/{line['name']}")
        assert record.digest is not None and record.digest.sha256 == line["outputs"][0]["sha256"]
        for tensor, written in zip(record.inputs, line["inputs"], strict=True):
            assert (tensor is None) == (written is None)
            if tensor is not None:
                assert tensor.array.tobytes() == authoring_fills.elements(written).tobytes()


@pytest.mark.parametrize(
    "dtype, data, bits",
    [
        ("float16", [1.0, "-inf", -0.0, "0xfe12"], "003c 00fc 0080 12fe"),
        ("bfloat16", [1.00390625, 1.01171875, 1.0039062500000002, "nan"], "803f 823f 813f c07f"),
        ("float32", ["0x7fc00001", "inf"], "0100c07f 0000807f"),
        ("complex64", [[1.0, "0xffc00000"]], "0000803f 0000c0ff"),
        ("int4", [-1, 7, -8], "0f 07 08"),
        ("uint1", [1, 0], "01 00"),
        ("uint2", [3, 0], "03 00"),
        ("uint64", [18446744073709551615], "ffffffffffffffff"),
        ("bool", [True, "0x02"], "01 02"),
        ("float4_e2m1fn", ["0xe"], "0e"),
    ],
)
def test_elements_have_the_bits_that_are_written(dtype: str, data: list[Any], bits: str) -> None:
    tensor = decode({"dtype": dtype, "shape": [len(data)], "data": data})
    assert tensor.array.tobytes() == bytes.fromhex(bits)


def test_any_nan_is_told_from_the_bits_of_one() -> None:
    mask = any_nan({"dtype": "complex64", "shape": [1], "data": [["0x7fc00000", "nan"]]})
    assert mask is not None and mask.tolist() == [False, True]
    assert any_nan({"dtype": "float32", "shape": [1], "data": ["0x7fc00000"]}) is None
    assert any_nan({"dtype": "string", "shape": [1], "data": ["nan"]}) is None


DAMAGE = [
    ("index.json", b"", "index.json is not JSON"),
    ("index.json", b"[]", "not an index of a corpus"),
    ("index.json", b'{"version": "2.0.0", "files": []}', "version 2.0.0"),
    ("index.json", b'{"version": "1.0.0", "files": []}', "no table of rules"),
    ("index.json", b'{"version": "1.0.0", "files": [{"path": "../x", "sha256": ""}]}', "outside of its folder"),
    ("onnx/gather.json", b"[]", "SHA-256 differs"),
]


@pytest.mark.parametrize("file, content, message", DAMAGE)
def test_a_damaged_corpus_is_refused(damageable: Path, file: str, content: bytes, message: str) -> None:
    Corpus.open(damageable)
    (damageable / file).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        Corpus.open(damageable)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"{}[", "not JSON"),
        (b'{"a": 1}', "not a list of records"),
        (b'[{"name": "a"}]', "not a list of records"),
    ],
)
def test_files_of_another_form_are_refused(damageable: Path, content: bytes, message: str) -> None:
    rewrite(damageable, "onnx/gather.json", content)
    with pytest.raises(CorpusError, match=message):
        Corpus.open(damageable)


def test_a_line_that_is_no_record_is_refused_by_its_path(damageable: Path) -> None:
    line = {"name": "a", "dialect": "onnx", "op": "Gather", "version": 13, "rule": "ONNX-V1", "attrs": {}}
    line["inputs"] = [{"dtype": "float32", "shape": [3], "data": [1.0]}]
    rewrite(damageable, "onnx/gather.json", json.dumps([line]).encode())
    with pytest.raises(CorpusError, match="onnx/gather/a is not a record"):
        Corpus.open(damageable).record("onnx/gather/a")


def test_a_missing_file_is_named(damageable: Path) -> None:
    (damageable / "rules.json").unlink()
    with pytest.raises(CorpusError, match=r"rules\.json cannot be read"):
        Corpus.open(damageable)
    with pytest.raises(CorpusError, match=r"index\.json cannot be read"):
        Corpus.open(damageable / "nowhere")


def test_words_are_those_of_splitmix64() -> None:
    from windrow_conformance.fills import words

    assert words(1234567, 2).tolist() == [6457827717110365317, 3203168211198807973]
    assert words(2**64 - 1, 0).dtype == np.uint64
