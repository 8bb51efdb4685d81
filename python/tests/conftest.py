"""Fixtures and settings that the tests of the Python package share.

They import the package as a user does, from the build tree (PYTHONPATH=build/release/python) or
installed; the case files and NumPy models come from this repository.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))

import windrow  # noqa: E402


def pytest_report_header():
    return f"windrow {windrow.__version__} from {Path(windrow.__file__).parent}"
