"""Messages of the host when a session starts."""

import subprocess
import sys

import numpy as np
import pytest

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
