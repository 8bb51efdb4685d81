"""The rows of the guide's table "What differs then", on both sides, and what the host says at a session's start."""

import subprocess
import sys

import numpy as np
import pytest
from ort_sessions import feeds, node_model, plain, plugged

NAN = np.float32("nan")


def both(*model_and_arrays):
    """What the host alone computes, and what it computes with the plug-in."""
    name, version, attributes, arrays = model_and_arrays
    model = node_model(name, version, attributes, arrays)
    return [session(model).run(None, feeds(arrays))[0] for session in (plain, plugged)]


@pytest.mark.parametrize("name", ["ScatterElements", "ScatterND"])
@pytest.mark.parametrize("reduction", ["max", "min"])
def test_a_cell_that_is_nan_stays_nan(name, reduction):
    data, updates = np.array([NAN, 1], np.float32), np.array([5, NAN], np.float32)
    indices = np.array([0, 1]) if name == "ScatterElements" else np.array([[0], [1]])
    alone, here = both(name, 18, {"reduction": reduction}, [data, indices, updates])
    np.testing.assert_array_equal(alone, [5, NAN])
    np.testing.assert_array_equal(here, [NAN, NAN])


def test_slices_of_text_are_copied_whole():
    data = np.array([["a", "b"], ["c", "d"]], object)
    alone, here = both("Gather", 13, {"axis": 0}, [data, np.array([1])])
    assert alone.tolist() != [["c", "d"]] and here.tolist() == [["c", "d"]]


def test_indices_of_empty_slices_are_checked():
    arrays = [np.zeros((2, 0), np.float32), np.array([[7]])]
    model = node_model("GatherND", 13, {}, arrays)
    assert plain(model).run(None, feeds(arrays))[0].shape == (1, 0)
    with pytest.raises(Exception, match="is 7, out of range for axis 0"):
        plugged(model).run(None, feeds(arrays))


START = """
import sys
import onnxruntime, windrow.onnxruntime
options = windrow.onnxruntime.session_options()
options.log_severity_level = int(sys.argv[2])
onnxruntime.InferenceSession(sys.argv[1], options)
"""


@pytest.mark.parametrize(("severity", "count"), [(2, 2), (3, 0)])
def test_what_the_host_says_where_nodes_stay_with_it(severity, count, tmp_path):
    from onnx import helper, save
    from ort_sessions import make_model, value

    table, ids = np.zeros((4, 3), np.float32), np.zeros(2, np.int64)
    nodes = [helper.make_node("Gather", ["t", "i"], ["g"]), helper.make_node("Relu", ["g"], ["o"])]
    save(make_model(nodes, [value("t", table), value("i", ids)], [value("o", table)]), tmp_path / "m.onnx")
    done = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path / "m.onnx"), str(severity)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if "W:onnxruntime" in line]
    assert len(lines) == count and all("VerifyEachNodeIsAssignedToAnEp" in line for line in lines)
    for text in ("Some nodes were not assigned to the preferred execution providers", "Rerunning with verbose"):
        assert any(text in line for line in lines) == (count > 0)
