"""The seven examples of OpenVINO's Gather-8 page, as IR files, by every way to compute them."""

import json
import pathlib

import ir_models as models
import numpy as np
import pytest
from openvino import opset8

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases" / "openvino" / "gather.json"
EXAMPLES = [case for case in json.loads(CASES.read_text()) if case["name"].startswith("example_")]


def array(tensor):
    return np.array(tensor["data"], tensor["dtype"]).reshape(tensor["shape"])


def write_case(folder, case):
    """A folder as windrow verify takes it: the axis is a constant, data and indices are inputs."""
    folder.mkdir(parents=True)
    data, indices, axis = (array(tensor) for tensor in case["inputs"])
    inputs = [models.parameter("data", data), models.parameter("indices", indices)]
    node = opset8.gather(*inputs, opset8.constant(axis), case["attrs"].get("batch_dims", 0))
    models.save(folder / "model.xml", [node], inputs)
    np.save(folder / "input_0.npy", data)
    np.save(folder / "input_1.npy", indices)
    np.save(folder / "output_0.npy", array(case["outputs"][0]))


@pytest.mark.parametrize("way", [["--kernels", "plain"], ["--kernels", "avx2"], ["--kernels", "avx512"], ["--reference"]])
def test_every_example_holds(windrow, tmp_path, way):
    assert len(EXAMPLES) == 7
    for case in EXAMPLES:
        write_case(tmp_path / "cases" / case["name"], case)
    outcome = windrow("verify", "cases", *way)
    if "(not on this machine)" in outcome.err:
        pytest.skip(f"{way[1]}: not on this machine")
    assert outcome.code == 0, outcome.out + outcome.err
    assert "7 passed, 0 failed, 0 skipped" in outcome.out
