"""Errors arrive as ONNX Runtime's own exceptions with Windrow's text, and nothing is changed."""

import subprocess
import sys

import numpy as np
import pytest
import windrow.onnxruntime
from onnx import helper
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
from ort_sessions import feeds, make_model, node_model, plugged, run_node, value

DATA = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_index_out_of_range():
    with pytest.raises(InvalidArgument) as caught:
        run_node("Gather", 13, {}, [DATA, np.array([0, 1, -5, 9])])
    text = str(caught.value)
    assert "onnx.Gather-13 [ONNX-Gather-C3]: indices[2] is -5, out of range for axis 0 of data with extent 4" in text
    assert "2 of 4" in text


@pytest.mark.parametrize("name", ["GatherND", "ScatterND", "GatherElements", "ScatterElements"])
def test_every_operator_refuses_an_index_beyond_the_data(name):
    indices = np.array([[4]])
    arrays = [DATA, indices, DATA[:1, :1] if "Elements" in name else DATA[:1]]
    version = {"GatherND": 13, "GatherElements": 13}.get(name, 18)
    with pytest.raises(InvalidArgument, match=r"is 4, out of range for axis 0"):
        run_node(name, version, {}, arrays[: 2 if name.startswith("Gather") else 3])


def test_shapes_that_do_not_fit():
    with pytest.raises(InvalidArgument, match=r"onnx.ScatterND-18 \[ONNX-ScatterND-"):
        run_node("ScatterND", 18, {}, [DATA, np.array([[1]]), DATA[:1, :2]])


def test_a_session_goes_on_after_an_error():
    session = plugged(node_model("Gather", 13, {}, [DATA, np.array([0])]))
    for _ in range(3):
        with pytest.raises(InvalidArgument):
            session.run(None, feeds([DATA, np.array([9])]))
        assert session.run(None, feeds([DATA, np.array([1])]))[0].tolist() == [[3, 4, 5]]


def test_the_data_of_the_user_stay_as_they_are():
    data = DATA.copy()
    session = plugged(node_model("ScatterND", 18, {}, [data, np.array([[0]]), data[:1]]))
    with pytest.raises(InvalidArgument):
        session.run(None, feeds([data, np.array([[1], [9]]), np.full((2, 3), -1, np.float32)]))
    result = session.run(None, feeds([data, np.array([[1]]), np.full((1, 3), -1, np.float32)]))[0]
    assert (data == DATA).all() and (result[1] == -1).all()


def test_rank_above_windrows():
    data = np.zeros((1,) * 33, np.float32)
    node = helper.make_node("Reshape", ["flat", "shape"], ["data"])
    gather = helper.make_node("Gather", ["data", "i1"], ["out"])
    flat, shape, indices = np.zeros(1, np.float32), np.ones(33, np.int64), np.array([0])
    model = make_model([node, gather], [value("flat", flat), value("shape", shape), value("i1", indices)],
                       [helper.make_tensor_value_info("out", 1, None)])
    session = plugged(model, others=True)
    with pytest.raises(InvalidArgument, match="has rank 33; the most is 32"):
        session.run(None, {"flat": flat, "shape": shape, "i1": indices})
    assert data.ndim == 33


def test_a_library_without_the_plug_in_is_named(monkeypatch):
    monkeypatch.setattr(windrow.onnxruntime, "_devices", list)
    with pytest.raises(ImportError, match="without ONNX Runtime's plug-in"):
        windrow.onnxruntime.register(_library_without())


def test_an_old_onnxruntime_is_named(monkeypatch):
    monkeypatch.setattr(windrow.onnxruntime, "_devices", list)
    monkeypatch.setattr(windrow.onnxruntime.onnxruntime, "__version__", "1.23.2")
    with pytest.raises(RuntimeError, match="needs onnxruntime 1.24 or newer; this is 1.23.2"):
        windrow.onnxruntime.register()


def _library_without():
    import _ctypes

    return _ctypes.__file__


def test_windrow_alone_imports_no_host():
    code = "import sys, windrow; sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
