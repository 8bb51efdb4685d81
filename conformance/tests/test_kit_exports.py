"""Exports say what the records say, to those who read such files: ONNX's runner, this project's command, NumPy."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import unittest
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx.backend.test.runner as onnx_runner
import pytest
from onnx.backend.base import Backend, BackendRep
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator
from windrow_conformance.corpus import Corpus
from windrow_conformance.exports.arrays import plain_array
from windrow_conformance.exports.command import main
from windrow_conformance.exports.files import ExportError, File, case_name, write_archive, write_folder
from windrow_conformance.exports.npz import npz_archives
from windrow_conformance.tensor import Tensor

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WINDROW_COMMAND", str(ROOT / "build" / "release" / "bin" / "windrow"))

Export = Callable[..., Path]


open_corpus = Corpus.open


@pytest.fixture(autouse=True)
def open_once(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the corpus takes a second."""
    monkeypatch.setattr(Corpus, "open", lambda folder=None: corpus)


@pytest.fixture
def export(tmp_path: Path) -> Export:
    """Exports into a folder of its own, by the command."""

    def run(form: str, *more: str) -> Path:
        folder = tmp_path / form
        assert main([form, "-o", str(folder), *more]) == 0
        return folder

    return run


def index_of(folder: Path) -> Any:
    return json.loads((folder / "index.json").read_text(encoding="utf-8"))


# for ONNX's own runner


class ReferenceBackend(Backend):
    """ONNX's reference implementation, for the runner of its back-end tests."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        evaluator = ReferenceEvaluator(model)

        class Prepared(BackendRep):
            def run(self, inputs: Any, **kwargs: Any) -> Any:
                return evaluator.run(None, dict(zip(evaluator.input_names, inputs, strict=True)))

        return Prepared()

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device == "CPU"


def run_by_onnx(folder: Path, monkeypatch: pytest.MonkeyPatch) -> unittest.TestResult:
    """Runs must_pass by ONNX's loader and runner, which else load ONNX's own tests."""
    monkeypatch.setattr(
        onnx_runner,
        "load_model_tests",
        lambda kind: load_model_tests(data_dir=str(folder), kind="must_pass") if kind == "simple" else [],
    )
    result = unittest.TestResult()
    onnx_runner.Runner(ReferenceBackend).exclude("_cuda$").test_suite.run(result)
    return result


def test_onnx_s_runner_runs_the_folders(export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export("onnx", "--filter", "onnx/gather*/example_*")
    result = run_by_onnx(folder, monkeypatch)
    assert result.wasSuccessful(), result.errors + result.failures
    assert result.testsRun - len(result.skipped) == len(list((folder / "must_pass").iterdir())) > 20


def test_onnx_s_runner_sees_a_changed_last_bit(export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export("onnx", "--filter", "onnx/scatter_elements/example_axis_1")
    output = folder / "must_pass/test_scatter_elements__example_axis_1/test_data_set_0/output_0.pb"
    content = output.read_bytes()
    one = np.float32(1.0).tobytes()
    assert content.count(one) == 1
    output.write_bytes(content.replace(one, np.nextafter(np.float32(1), np.float32(2)).tobytes()))
    [(test, message)] = run_by_onnx(folder, monkeypatch).failures
    assert "Not equal to tolerance rtol=0, atol=0" in message


def test_what_must_fail_has_no_output_and_names_its_rule(export: Export, corpus: Corpus) -> None:
    folder = export("onnx", "--filter", "onnx/gather_nd/")
    cases = list((folder / "must_fail").iterdir())
    assert len(cases) > 200
    for case in cases:
        assert not list(case.glob("**/output_*"))
        described = json.loads((case / "data.json").read_text(encoding="utf-8"))
        record = corpus.record(described["path"])
        assert record.must_fail
        assert case.name == case_name(record)
        assert described["rule"] == record.rule
        assert described["sentence"] == corpus.rules[record.rule].rule
        assert described.get("fault") == record.fault


def test_an_omitted_input_has_no_file(export: Export, corpus: Corpus) -> None:
    record = next(r for r in corpus.records("onnx/tensor_scatter/") if r.inputs[2:3] == (None,) and not r.options)
    folder = export("onnx", "--filter", record.path)
    [data] = folder.glob(f"*/{case_name(record)}/test_data_set_0")
    assert len(list(data.glob("input_*.pb"))) == sum(tensor is not None for tensor in record.inputs)


# for this project's command


@pytest.mark.parametrize("form", ["onnx", "openvino"])
def test_the_command_verifies_the_cases(corpus: Corpus, export: Export, form: Any) -> None:
    half = "*[02468ace]"  # of the drawn ones, whose names are hashes
    folder = export(form, "--filter", half)
    must_pass = len(list((folder / "must_pass").iterdir()))
    assert must_pass > 1000
    result = subprocess.run([COMMAND, "verify", str(folder / "must_pass")], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr
    assert f"{must_pass} passed, 0 failed, 0 skipped" in result.stdout
    index = index_of(folder)
    records = corpus.paths(half, dialects=[form], tiers=["specification", "decision"])
    assert len(index["cases"]) + sum(index["left_out"].values()) == len(records)
    assert "an option beyond the specification" in index["left_out"]


# for NumPy


def test_npz_archives_hold_every_record(corpus: Corpus, export: Export) -> None:
    folder = export("npz", "--filter", "openvino/gather/")
    cases = index_of(folder)["cases"]
    arrays = np.load(folder / "openvino" / "gather.npz")
    types = set()
    for record in corpus.records("openvino/gather/", tiers=["specification", "decision"]):
        case = cases[record.path.partition("@")[0]]
        assert record.version in case["versions"]
        name = case["path"].rpartition("/")[2]
        assert case["output"]["dtype"] == record.output.dtype if record.output else case["must_fail"]
        for number, tensor in enumerate(record.inputs):
            assert tensor is not None
            assert case["inputs"][number] == {"dtype": tensor.dtype, "shape": list(tensor.shape)}
            types.add(tensor.dtype)
        if "@" not in record.path:  # a version shares its elements
            tensors = {f"input_{number}": tensor for number, tensor in enumerate(record.inputs)}
            for key, tensor in {**tensors, "output_0": record.output}.items():
                if tensor is None:
                    assert f"{name}/{key}" not in arrays
                else:
                    assert same(arrays[f"{name}/{key}"], plain_array(tensor)), record.path
    assert {"string", "int4", "bfloat16", "nf4", "uint1", "uint2", "complex64"} <= types


def same(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return (left.dtype, left.shape, left.tobytes()) == (right.dtype, right.shape, right.tobytes())


def test_any_nan_is_said(corpus: Corpus) -> None:
    chosen = [r for r in corpus.records(tiers=["decision"]) if r.any_nan is not None and "@" not in r.path]
    assert {"complex64", "bfloat16", "float32"} <= {r.output.dtype for r in chosen if r.output}
    files = {file.path: file.content for file in npz_archives(corpus, chosen)}
    for record in chosen:
        stem, _, name = record.path.rpartition("/")
        assert record.output is not None
        assert record.any_nan is not None
        flags = np.load(io.BytesIO(files[f"{stem}.npz"]))[f"{name}/any_nan_0"]
        assert flags.shape[: record.output.array.ndim] == record.output.shape
        np.testing.assert_array_equal(flags.reshape(-1), record.any_nan)


def test_a_text_that_numpy_would_cut_is_refused() -> None:
    with pytest.raises(ExportError, match="zero character"):
        plain_array(Tensor("string", np.array(["a\0"], object)))


# archives


def test_an_archive_has_all_that_is_needed_and_the_same_bytes_again(export: Export, corpus: Corpus) -> None:
    chosen = ["--filter", "*/gather/*[3]"]
    folder = export("archives", *chosen)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"windrow-conformance-{d}-{corpus.version}.zip" for d in ("onnx", "openvino", "tensorrt")]
    for name in names:
        assert main(["archives", "-o", str(folder / "again" / name), *chosen]) == 0
        assert (folder / name).read_bytes() == (folder / "again" / name / name).read_bytes()
    with zipfile.ZipFile(folder / names[0]) as archive:
        entries = archive.infolist()
        inside = [entry.filename for entry in entries]
        assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
        assert {"README.md", "LICENSE", "cases/onnx/gather.json", "npz/onnx/gather.npz"} <= set(inside)
        assert [name for name in inside if name.startswith("onnx_tests/must_fail/") and name.endswith("model.onnx")]
        assert archive.read("cases/onnx/gather.json") == (corpus.folder / "onnx" / "gather.json").read_bytes()
        readme = archive.read("README.md").decode()
        assert 'numpy.load("npz/onnx/gather.npz")' in readme
        assert len(inside) == len(set(inside))
        archive.extractall(folder / "extracted")
    # The files that came along are a corpus of their own, with hashes that are right.
    part = open_corpus(folder / "extracted" / "cases")
    assert part.paths() == corpus.paths("onnx/gather/")


# what goes wrong


def test_names_are_unique_in_a_dialect(corpus: Corpus) -> None:
    for dialect in ("onnx", "openvino"):
        paths = corpus.paths(dialects=[dialect], tiers=["specification", "decision"])
        assert len({case_name(corpus.record(path)) for path in paths}) == len(paths)


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../b", "a//b", "", "a/.hidden", "a\\b", "con:x", "é"])
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ExportError, match="is not a path"):
        write_folder([File(path, b"x")], tmp_path / "out")
    with pytest.raises(ExportError, match="is not a path"):
        write_archive([File(path, b"x")], tmp_path / "out.zip")
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".zip"]


def test_a_folder_with_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("kept")
    assert main(["npz", "-o", str(tmp_path), "--filter", "onnx/gather/"]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_module_s_command_exports(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "windrow_conformance", "export", "openvino", "--filter", "openvino/gather/example_1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "conformance")}
    result = subprocess.run(
        [*command, "-o", str(tmp_path)], capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "must_pass" / "test_gather__example_1__version_7" / "model.xml").exists()


def test_nothing_chosen_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["onnx", "-o", str(tmp_path / "out"), "--filter", "nobody"]) == 2
    assert "no record is chosen" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["onnx", "-o", str(tmp_path / "file" / "out"), "--filter", "onnx/gather/"]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err
