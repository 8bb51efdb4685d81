"""Programs in processes of their own, so that a hang or a crash does not affect the tests."""

import os
import subprocess
import sys
from pathlib import Path

import windrow


def start(program, **variables):
    """The process of a program in Python that can import the package and the modules beside this one."""
    here = Path(__file__).resolve().parent
    package = Path(windrow.__file__).absolute().parents[1]
    environment = {**os.environ, **variables, "PYTHONPATH": os.pathsep.join(map(str, (package, here)))}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process, timeout=120):
    """The program's output, and how it ended."""
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def run(program, **variables):
    return end(start(program, **variables))
