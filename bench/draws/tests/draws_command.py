"""The random bench as a command."""

import os
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(BENCH), os.environ.get("PYTHONPATH", "")])}


def run_bench(*options):
    return subprocess.run([sys.executable, "-m", "draws", *map(str, options)], env=ENVIRONMENT, text=True,
                          capture_output=True, check=False)
