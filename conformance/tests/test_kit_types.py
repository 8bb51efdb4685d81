"""The types of the package, as mypy sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_package_is_typed() -> None:
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / "build" / "mypy"), "windrow_conformance"]
    done = subprocess.run(command, cwd=ROOT / "conformance", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
