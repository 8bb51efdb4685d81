""".npz and .safetensors wherever a tensor is read or written."""

import cli_models as models
import numpy as np
import pytest
from archives import parse_safetensors, save_safetensors
from onnx import helper

DATA = np.arange(15, dtype=np.float32).reshape(5, 3)
INDICES = np.array([4, 0])
WRITERS = {
    "stored.npz": lambda path, arrays: np.savez(path, **arrays),
    "deflated.npz": lambda path, arrays: np.savez_compressed(path, **arrays),
    "x.safetensors": save_safetensors,
}


@pytest.fixture(params=WRITERS)
def archive(request, tmp_path):
    """The name of an archive of data and indices."""
    WRITERS[request.param](tmp_path / request.param, {"data": DATA, "indices": INDICES})
    return request.param


def two_outputs(path):
    nodes = [helper.make_node("Gather", ["data", "indices"], [name]) for name in ("x", "y/z")]
    inputs = [models.value("data", "float32", [5, 3]), models.value("indices", "int64", [2])]
    models.save(path, nodes, inputs, [models.value(name, "float32", None) for name in ("x", "y/z")])


def read(path):
    return parse_safetensors(path.read_bytes()) if path.suffix == ".safetensors" else dict(np.load(path))


def test_an_archive_gives_all_inputs_of_a_model(windrow, tmp_path, archive):
    models.gather(tmp_path / "m.onnx")
    outcome = windrow("run", "m.onnx", "--input", archive, "--out", ".")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), DATA[INDICES])


def test_one_tensor_of_an_archive_by_its_name(windrow, tmp_path, archive):
    models.gather(tmp_path / "m.onnx")
    given = ["--input", f"data={archive}:data", "--input", f"indices={archive}"]
    outcome = windrow("run", "m.onnx", *given, "--out", ".")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), DATA[INDICES])


@pytest.mark.parametrize("name", ["out.npz", "out.safetensors"])
def test_outputs_as_one_archive(windrow, tmp_path, archive, name):
    two_outputs(tmp_path / "m.onnx")
    outcome = windrow("run", "m.onnx", "--input", archive, "--out", name)
    assert outcome.code == 0, outcome.err
    assert outcome.out.count(f"wrote {name}") == 1
    arrays = read(tmp_path / name)
    assert list(arrays) == ["x", "y/z"]
    for array in arrays.values():
        np.testing.assert_array_equal(array, DATA[INDICES])


def test_call_takes_the_inputs_by_their_names(windrow, tmp_path, archive):
    outcome = windrow("call", "onnx.Gather", archive, archive + ":indices", "-o", "y.safetensors")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(read(tmp_path / "y.safetensors")["output"], DATA[INDICES])


def test_numpy_reads_what_is_written(windrow, tmp_path):
    texts = np.array(["a", "äö", "", "😀"])
    np.save(tmp_path / "t.npy", texts)
    np.save(tmp_path / "i.npy", np.array([3, 1]))
    outcome = windrow("call", "onnx.Gather", "t.npy", "i.npy", "-o", "y.npz")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["output"], texts[[3, 1]])
    assert "can't hold; .npz can" in windrow("call", "onnx.Gather", "t.npy", "i.npy", "-o", "y.safetensors").only_error()


def test_cases_with_archives(windrow, tmp_path):
    (tmp_path / "a/test_data_set_0").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    models.gather(tmp_path / "a/model.onnx")
    models.gather(tmp_path / "b/model.onnx")
    np.savez(tmp_path / "a/test_data_set_0/inputs.npz", data=DATA, indices=INDICES)
    save_safetensors(tmp_path / "a/test_data_set_0/outputs.safetensors", {"y": DATA[INDICES]})
    np.savez(tmp_path / "b/inputs.npz", data=DATA, indices=INDICES)
    np.savez_compressed(tmp_path / "b/outputs.npz", y=DATA[INDICES] + 1)
    outcome = windrow("verify", ".")
    assert outcome.code == 1
    assert "pass a\n" in outcome.out
    assert "FAIL b: output 'y' first differs at [0, 0]" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["run", "m.onnx", "--input", "three.npz"], "the model has no input 'more'; its inputs: data, indices"),
        (["run", "m.onnx", "--input", "three.npz:data"], "say which input it is"),
        (["run", "m.onnx", "--input", "data=three.npz:dat"], "no tensor 'dat'; it has 3 tensors: data, indices, more"),
        (["run", "m.onnx", "--input", "two.npz", "--out", "x.npz", "--format", "pb"], "the name says another format"),
        (["call", "onnx.Gather", "other.npz", "i.npy"], "no tensor 'data'; it has 2 tensors: a, b"),
        (["call", "onnx.Gather", "text.npz", "i.npy"], "no directory"),
        (["call", "onnx.Gather", "text.safetensors", "i.npy"], "not a .safetensors file"),
    ],
)
def test_errors_name_the_file_and_the_tensor(windrow, tmp_path, arguments, error):
    models.gather(tmp_path / "m.onnx")
    np.save(tmp_path / "i.npy", INDICES)
    np.savez(tmp_path / "two.npz", data=DATA, indices=INDICES)
    np.savez(tmp_path / "three.npz", data=DATA, indices=INDICES, more=DATA)
    np.savez(tmp_path / "other.npz", a=DATA, b=INDICES)
    for name in ("text.npz", "text.safetensors"):
        (tmp_path / name).write_text("hello, this is text and not an archive")
    assert error in windrow(*arguments).only_error()
