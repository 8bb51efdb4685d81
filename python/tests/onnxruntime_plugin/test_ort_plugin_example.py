"""The example of whole models, at a small size."""

import os
import re
import subprocess
import sys
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[3]


def test_both_models_give_the_same_with_the_plug_in(tmp_path):
    script = ROOT / "examples" / "onnxruntime_models.py"
    command = [sys.executable, script, "--small", "--threads", "1", "--folder", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    # On one thread ONNX Runtime's own sums are right.
    assert done.stdout.count("same bits") == 2, done.stdout
    assert len(re.findall(r"ONNX Runtime [\d.]+ ms, with Windrow [\d.]+ ms", done.stdout)) == 2
    for name in ("transformer", "graph_layer"):
        onnx.checker.check_model(onnx.load(tmp_path / f"{name}.onnx"), full_check=True)
