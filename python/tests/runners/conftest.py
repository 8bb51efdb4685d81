"""Fixtures that several tests of runners use."""

import pytest
from forked_code import run_code
from kept_workers import new_workers
from runner_models import there

IR = """
import sys
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
def workers_of_its_own():
    """The pools of the test start and end their own workers."""
    with new_workers():
        yield


@pytest.fixture
def ir(tmp_path):
    """The path of an OpenVINO IR: parts 2 and 0 of the columns of table[ids]."""
    there("openvino")
    path = tmp_path / "model.xml"
    assert run_code(IR, path, host="openvino").failure is None
    return path
