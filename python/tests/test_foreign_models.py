"""Models of other formats, as their own libraries write them, in every function that reads a model."""

import zipfile

import numpy as np
import onnx
import onnxruntime
import pytest

import windrow


def lookup():
    value = onnx.helper.make_tensor_value_info
    node = onnx.helper.make_node("Gather", ["table", "ids"], ["rows"])
    inputs = [value("table", onnx.TensorProto.FLOAT, [4, 3]), value("ids", onnx.TensorProto.INT64, [2])]
    graph = onnx.helper.make_graph([node], "g", inputs, [value("rows", onnx.TensorProto.FLOAT, [2, 3])])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


@pytest.fixture
def ort_file(tmp_path):
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "m.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(lookup().SerializeToString(), options, providers=["CPUExecutionProvider"])
    return tmp_path / "m.ort"


DOORS = {
    "load": windrow.load,
    "load of bytes": lambda path: windrow.load(path.read_bytes()),
    "load of another name": lambda path: windrow.load(path.rename(path.with_suffix(".onnx"))),
    "check": windrow.check,
    "lowest_opset": windrow.lowest_opset,
    "explain": windrow.explain,
    "explain of a str": lambda path: windrow.explain(str(path)),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_names_the_format_of_onnx_runtime(ort_file, door):
    with pytest.raises(windrow.FormatError, match=r"ONNX Runtime's own format \(\.ort\); give the \.onnx"):
        DOORS[door](ort_file)


def test_archives_of_arrays_are_not_models(tmp_path):
    np.savez(tmp_path / "a.npz", table=np.zeros(3))
    with pytest.raises(windrow.FormatError, match=r"archive of NumPy's arrays \(\.npz\), not a model"):
        windrow.load(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "m.pt", "w") as archive:
        archive.writestr("m/data.pkl", b"")
    with pytest.raises(windrow.FormatError, match=r"PyTorch .* torch\.onnx\.export"):
        windrow.load(tmp_path / "m.pt")
