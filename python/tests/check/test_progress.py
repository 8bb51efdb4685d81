"""What a terminal shows while a check works, and that nothing else gets it."""

import os
import pty
import subprocess
import sys

import differing_models
import numpy as np
import onnx
import pytest
from windrow import runners

SLOW = """
import sys, time
from windrow._base import progress
progress._SILENT, progress._EVERY = 0.1, 0.05
with progress.shown():
    progress.step("a host runs the model: 3 nodes left")
    time.sleep(0.5)
print("done")
"""


def run(code, terminal):
    """What a process writes to standard error; terminal: whether that is a terminal."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "60"}
    if not terminal:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment).stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        process.communicate(timeout=60)
    os.close(theirs)
    assert process.returncode == 0
    try:
        return os.read(ours, 1 << 16)
    except OSError:  # nothing was written, and the other end is closed
        return b""
    finally:
        os.close(ours)


def test_a_terminal_shows_the_step_and_its_time_and_is_cleared():
    written = run(SLOW, terminal=True).decode()
    assert "\ra host runs the model: 3 nodes left (0 s)\x1b[K" in written
    assert written.endswith("\r\x1b[K")


def test_a_pipe_gets_nothing():
    assert run(SLOW, terminal=False) == b""


def test_short_work_shows_nothing():
    assert run(SLOW.replace("0.1, 0.05", "60, 0.05"), terminal=True) == b""


@pytest.mark.parametrize("arguments", [["--inputs", "inputs.npz"], ["--try"]])
def test_the_command_shows_its_steps(tmp_path, arguments, monkeypatch):
    if runners.runner("onnxruntime").fault():
        pytest.skip(runners.runner("onnxruntime").fault())
    model, inputs = differing_models.positions()
    onnx.save(model, tmp_path / "m.onnx")
    np.savez(tmp_path / "inputs.npz", **inputs)
    monkeypatch.chdir(tmp_path)
    code = f"""
import sys
from windrow._base import progress
progress._SILENT, progress._EVERY = 0.0, 0.01
from windrow.__main__ import main
sys.argv = ["windrow", "check", "m.onnx", *{arguments!r}, "--for", "onnxruntime:cpu", "--fail-on", "never"]
sys.exit(main())
"""
    assert b"onnxruntime:cpu@" in run(code, terminal=True)
    assert run(code, terminal=False) == b""
