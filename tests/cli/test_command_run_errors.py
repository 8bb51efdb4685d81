"""windrow run on bad input: one line on standard error, exit code 2, no file written."""

import os

import cli_models as models
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

GIVEN = ["--input", "data=data.npy", "--input", "indices=indices.npy"]


@pytest.fixture
def run(windrow, tmp_path):
    """Runs the model m.onnx on good inputs; the test breaks what it wants to break first."""
    np.save(tmp_path / "data.npy", np.arange(15, dtype=np.float32).reshape(5, 3))
    np.save(tmp_path / "indices.npy", np.array([4, 0]))
    models.gather(tmp_path / "m.onnx")

    def call(*arguments, model="m.onnx"):
        outcome = windrow("run", model, *GIVEN, "--out", "results", *arguments)
        if outcome.code != 0:
            assert not (tmp_path / "results").exists()
        return outcome

    return call


def test_the_fixture_is_good(run):
    assert run().code == 0


def test_absent_model(run):
    assert "absent.onnx" in run(model="absent.onnx").only_error()


def test_another_operator_names_the_command_that_runs_it(windrow, tmp_path):
    values = [[models.value(name, "float32", [5, 3])] for name in ("data", "y")]
    models.save(tmp_path / "relu.onnx", [helper.make_node("Relu", ["data"], ["y"])], *values)
    np.save(tmp_path / "data.npy", np.ones((5, 3), np.float32))
    error = windrow("run", "relu.onnx", "--input", "data.npy").only_error()
    assert "operators that can't run here: Relu" in error
    assert "python -m windrow has the same subcommands and runs the whole model" in error


def test_cut_model(run, tmp_path):
    whole = (tmp_path / "m.onnx").read_bytes()
    (tmp_path / "m.onnx").write_bytes(whole[: len(whole) // 2])
    assert "m.onnx" in run().only_error()


def test_model_of_other_bytes(run, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"PK\x03\x04 no model" * 10)
    assert "m.onnx" in run().only_error()


def test_empty_model_file(run, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"")
    assert "m.onnx" in run().only_error()


def test_a_folder_as_model(run, tmp_path):
    (tmp_path / "folder.onnx").mkdir()
    assert "folder.onnx" in run(model="folder.onnx").only_error()


def test_absent_input_file(run, tmp_path):
    (tmp_path / "data.npy").unlink()
    assert "data.npy" in run().only_error()


def test_input_with_wrong_magic(run, tmp_path):
    (tmp_path / "data.npy").write_bytes(b"\x93NUMPX" + b"\0" * 100)
    assert "data.npy" in run().only_error()


def test_empty_input_file(run, tmp_path):
    (tmp_path / "data.npy").write_bytes(b"")
    assert "data.npy" in run().only_error()


def test_cut_input_file(run, tmp_path):
    whole = (tmp_path / "data.npy").read_bytes()
    (tmp_path / "data.npy").write_bytes(whole[:-1])
    assert "data.npy" in run().only_error()


def test_input_with_unknown_ending(windrow, run, tmp_path):
    (tmp_path / "data.csv").write_text("1,2\n")
    error = windrow("run", "m.onnx", "--input", "data=data.csv").only_error()
    assert "data.csv" in error


def test_shape_mismatch(run, tmp_path):
    np.save(tmp_path / "data.npy", np.zeros((5, 4), np.float32))
    error = run().only_error()
    assert "data" in error
    assert "[5, 4]" in error
    assert "[5, 3]" in error


def test_wrong_type(run, tmp_path):
    np.save(tmp_path / "data.npy", np.zeros((5, 3), np.float64))
    error = run().only_error()
    assert "data" in error
    assert "float64" in error
    assert "float32" in error


def test_missing_input_is_named(windrow, run):
    assert "indices" in windrow("run", "m.onnx", "--input", "data=data.npy").only_error()


def test_unknown_input_is_named_with_those_there_are(run):
    error = run("--input", "date=data.npy").only_error()
    assert "'date'" in error
    assert "data, indices" in error


def test_input_given_twice(run):
    assert "twice" in run("--input", "data=data.npy").only_error()


def test_out_of_range_index_says_everything(run, tmp_path):
    np.save(tmp_path / "indices.npy", np.array([5, -6]))
    error = run().only_error()
    for part in [
        "pick",
        "onnx.Gather-13",
        "indices[0] is 5",
        "axis 0 of data",
        "extent 5",
        "2 of 2 indices",
    ]:
        assert part in error


def test_out_of_range_index_as_json(run, tmp_path):
    np.save(tmp_path / "indices.npy", np.array([0, -6]))
    outcome = run("--json")
    assert outcome.code == 2
    error = outcome.json()["error"]
    assert error["code"] == "index out of range"
    assert error["operator"] == "onnx.Gather-13"
    assert error["constraint"].startswith("ONNX-Gather-C")
    assert error["index"] == {
        "input": "indices",
        "position": [1],
        "value": -6,
        "axis": 0,
        "extent": 5,
        "count": 1,
    }
    assert outcome.err == f"windrow: error: {error['message']}\n"


def test_duplicates_error_names_both_positions(windrow, tmp_path):
    models.scatter_elements(tmp_path / "s.onnx")
    np.save(tmp_path / "data.npy", np.zeros(5, np.float32))
    np.save(tmp_path / "indices.npy", np.array([1, 3, -4]))
    np.save(tmp_path / "updates.npy", np.array([1, 2, 3], np.float32))
    arguments = ["run", "s.onnx", *GIVEN, "--input", "updates=updates.npy"]
    assert windrow(*arguments).out == "y  float32[5]  [0, 3, 0, 2, 0]\n"
    error = windrow(*arguments, "--duplicates", "error").only_error()
    assert "put" in error
    assert "[0]" in error
    assert "[2]" in error


def test_zero_on_a_scatter_is_refused(windrow, tmp_path):
    models.scatter_elements(tmp_path / "s.onnx")
    error = windrow("run", "s.onnx", "--random", 1, "--out-of-range", "zero").only_error()
    assert "zero" in error


def test_external_data_outside_its_folder_is_refused(run, tmp_path):
    (tmp_path / "secret.bin").write_bytes(b"\0" * 100)
    inner = tmp_path / "inner"
    inner.mkdir()
    node = helper.make_node("Gather", ["data", "indices"], ["y"])
    constant = numpy_helper.from_array(np.array([1, 1]), "indices")
    path = models.save(
        inner / "m.onnx",
        [node],
        [models.value("data", "float32", [5, 3])],
        [models.value("y", "float32", [2, 3])],
        initializers=[constant],
    )
    model = onnx.load(path)
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, text in {"location": "../secret.bin", "offset": "0", "length": "16"}.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, text
    path.write_bytes(model.SerializeToString())
    assert "../secret.bin" in run(model="inner/m.onnx").only_error()


def test_unwritable_out_leaves_nothing(windrow, run, tmp_path):
    (tmp_path / "file").write_text("")
    error = windrow("run", "m.onnx", *GIVEN, "--out", "file/sub").only_error()
    assert "file/sub" in error
    error = windrow("run", "m.onnx", *GIVEN, "--out", "file").only_error()
    assert "file" in error
    assert (tmp_path / "file").read_text() == ""


def test_a_folder_where_the_output_file_should_be(windrow, run, tmp_path):
    (tmp_path / "o/y.npy").mkdir(parents=True)
    error = windrow("run", "m.onnx", *GIVEN, "--out", "o").only_error()
    assert "y.npy" in error
    assert os.listdir(tmp_path / "o") == ["y.npy"]
    assert os.listdir(tmp_path / "o/y.npy") == []


def test_kernels_that_are_not_there(run):
    assert "sse9" in run("--kernels", "sse9").only_error()
