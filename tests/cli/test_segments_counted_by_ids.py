"""SegmentMax without num_segments: the last id says how many segments there are."""

import ir_models as models
import numpy as np
import pytest
from openvino import opset16

IDS = np.array([1, 4], np.int32)
EXPECTED = np.zeros((5, *models.DATA.shape[1:]), np.float32)
EXPECTED[IDS] = models.DATA


def model(folder, ids=None):
    """y = SegmentMax of x by `ids`, a constant if there are any."""
    x = models.parameter("x", models.DATA)
    given = models.parameter("ids", IDS, [-1]) if ids is None else opset16.constant(ids)
    node = opset16.segment_max(x, given, fill_mode="ZERO", name="node")
    node.output(0).set_names({"y"})
    return models.save(folder / "m.xml", [node], [x] if ids is not None else [x, given])


@pytest.fixture
def arrays(tmp_path):
    np.save(tmp_path / "x.npy", models.DATA)
    np.save(tmp_path / "ids.npy", IDS)


@pytest.mark.parametrize("flags", [(), ("--reference",)])
def test_call(windrow, tmp_path, arrays, flags):
    outcome = windrow("call", "openvino.SegmentMax", "x.npy", "ids.npy", "--attr", "fill_mode=ZERO", *flags, "-o", "out.npy")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), EXPECTED)


def test_run(windrow, tmp_path, arrays):
    path = model(tmp_path)
    [there] = models.evaluate(path, {"x": models.DATA, "ids": IDS})
    np.testing.assert_array_equal(there, EXPECTED)
    outcome = windrow("run", "m.xml", "--input", "x=x.npy", "--input", "ids=ids.npy", "--out", "o")
    assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "o/y.npy"), EXPECTED)


def test_inspect_knows_the_extent_of_constant_ids(windrow, tmp_path):
    model(tmp_path, IDS)
    [node] = windrow("inspect", "m.xml", "--json").json()["nodes"]
    assert node["outputs"][0]["shape"] == [5, *models.DATA.shape[1:]]
    assert node["plan"] is not None
    model(tmp_path)
    [node] = windrow("inspect", "m.xml", "--json", "--dim", "ids.0=2").json()["nodes"]
    assert node["outputs"][0]["shape"] == [None, *models.DATA.shape[1:]]
    assert "num_segments is left out, and the last of 'ids' is not known" in str(node)


def test_explain(windrow, tmp_path, arrays):
    outcome = windrow("explain", "openvino.SegmentMax", "--data", "x.npy", "--segment_ids", "ids.npy", "--attr", "fill_mode=ZERO")
    assert outcome.code == 0, outcome.err
    assert "num_segments: left out" in outcome.out
