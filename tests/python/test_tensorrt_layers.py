"""TensorRT's layers by the command: recorded runs of engines, and ONNX's node tests as its parser lowers them."""

import os
import sys
from pathlib import Path

import onnx
import pytest
from case_data import ROOT, read, same_bits, to_numpy
from command import call
from onnx import numpy_helper

sys.path.insert(0, str(ROOT / "tests" / "official"))
from write_node_tests import write_all  # noqa: E402

# The runs and documented results that are not Windrow's own.
SOURCES = ("page_", "recorded_", "documented_")


def recorded_cases():
    files = sorted((ROOT / "cases" / "tensorrt").glob("*.json"))
    records = [r for path in files for r in read(path) if r["name"].startswith(SOURCES)]
    for folder in filter(None, os.environ.get("WINDROW_CASES", "").split(":")):
        path = Path(folder) / "tensorrt.json"
        records += [dict(r, name=f"{r['name']}_again") for r in read(path)] if path.exists() else []
    return records


@pytest.mark.parametrize("record", recorded_cases(), ids=lambda record: f"{record['op']}-{record['name']}")
def test_recorded_runs(record, tmp_path):
    inputs = [to_numpy(tensor) for tensor in record["inputs"]]
    result = call(tmp_path, record["op"], inputs, record["attrs"], dialect="tensorrt")
    assert same_bits(to_numpy(record["outputs"][0]), result)


def front(axis, rank):
    return axis + rank if axis < 0 else axis


# How TensorRT's ONNX parser lowers a node: the layer and its settings from the attributes and the rank of data.
# None: it has no such layer for these attributes (a reduction), or takes them only in another form.
LOWERINGS = {
    "Gather": lambda a, rank: ("Gather", {"mode": "DEFAULT", "axis": front(a.get("axis", 0), rank)}),
    "GatherElements": lambda a, rank: ("Gather", {"mode": "ELEMENT", "axis": front(a.get("axis", 0), rank)}),
    "GatherND": lambda a, rank: ("Gather", {"mode": "ND", "num_elementwise_dims": a.get("batch_dims", 0)}),
    "Scatter": lambda a, rank: ("Scatter", {"mode": "ELEMENT", "axis": front(a.get("axis", 0), rank)}),
    "ScatterElements": lambda a, rank: ("Scatter", {"mode": "ELEMENT", "axis": front(a.get("axis", 0), rank)})
    if a.get("reduction", b"none") == b"none" else None,
    "ScatterND": lambda a, rank: ("Scatter", {"mode": "ND"}) if a.get("reduction", b"none") == b"none" else None,
    "TensorScatter": lambda a, rank: ("KVCacheUpdate", {"mode": "LINEAR"})
    if rank == 4 and a.get("axis", -2) == -2 and a.get("mode", b"linear") == b"linear" else None,
}


def lower(node, rank):
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    lowering = LOWERINGS.get(node.op_type)
    return lowering(attributes, rank) if lowering else None


@pytest.fixture(scope="module")
def node_tests(tmp_path_factory):
    folder = tmp_path_factory.mktemp("node_tests")
    return [folder / name for name in write_all(folder)]


def test_lowered_node_tests_give_what_onnx_says(node_tests, tmp_path):
    ran = set()
    for folder in node_tests:
        node = onnx.load(folder / "model.onnx").graph.node[0]
        data = folder / "test_data_set_0"
        inputs = [numpy_helper.to_array(onnx.load_tensor(path)) for path in sorted(data.glob("input_*.pb"))]
        expected = numpy_helper.to_array(onnx.load_tensor(data / "output_0.pb"))
        lowered = lower(node, inputs[0].ndim)
        if lowered is None:
            continue
        layer, settings = lowered
        result = call(tmp_path, layer, inputs, settings, dialect="tensorrt")
        assert same_bits(expected, result), folder.name
        ran.add(node.op_type)
    assert ran == set(LOWERINGS)
