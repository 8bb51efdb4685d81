"""Running the command windrow on NumPy arrays."""

import os
import subprocess

import numpy as np
from case_data import ROOT

COMMAND = os.environ.get("WINDROW_COMMAND", str(ROOT / "build" / "release" / "bin" / "windrow"))


def call(folder, operator, inputs, attributes, *flags, dialect="onnx"):
    """The result of `windrow call <dialect>.<operator>`; fails the test on an error."""
    files = []
    for number, array in enumerate(inputs):
        files.append(str(folder / f"input_{number}.npy"))
        np.save(files[-1], array)
    options = [text for name, value in attributes.items() for text in ("--attr", f"{name}={value}")]
    out = folder / "out.npy"
    result = subprocess.run([COMMAND, "call", f"{dialect}.{operator}", *files, *options, *flags, "-o", str(out)],
                            capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return np.load(out)
