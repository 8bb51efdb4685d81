"""Fixtures that several tests of runners use."""

import subprocess
import sys

import pytest
from runner_models import there

IR = """
import sys
sys.modules["openvino_telemetry"] = None
import openvino
from openvino import opset15 as ops
table = ops.parameter([4, 3], openvino.Type.f32, name="table")
ids = ops.parameter([-1], openvino.Type.i32, name="ids")
look = ops.gather(table, ids, ops.constant(0, openvino.Type.i32), 0, name="look")
parts = ops.split(ops.relu(look, name="act"), ops.constant(1, openvino.Type.i32), 3, name="parts")
openvino.save_model(openvino.Model([parts.output(2), parts.output(0)], [table, ids], "m"), sys.argv[1],
                    compress_to_fp16=False)
"""


@pytest.fixture
def ir(tmp_path):
    """The path of an OpenVINO IR: parts 2 and 0 of the columns of table[ids]."""
    there("openvino")
    path = tmp_path / "model.xml"
    subprocess.run([sys.executable, "-c", IR, str(path)], check=True)
    return path
