"""A contestant's process refuses another project's package `windrow` before it imports it."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("contestant", ["windrow", "onnxruntime_windrow", "windrow.take()"])
def test_the_file_is_named(tmp_path, contestant):
    file = tmp_path / "windrow" / "__init__.py"
    file.parent.mkdir()
    file.write_text('raise SystemExit("the stranger runs")\n')
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(BENCH)])}
    done = subprocess.run([sys.executable, "-m", "peers.worker", contestant, "1"], env=environment, text=True,
                          capture_output=True, check=False, stdin=subprocess.DEVNULL)
    answer = json.loads(done.stdout)
    assert answer["status"] == "not installed"
    assert answer["detail"].startswith(f"{file} is another project's package windrow; install windrow-ops")
