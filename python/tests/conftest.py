"""Fixtures and settings that the tests of the Python package share.

They import the package as a user does, from the build tree (PYTHONPATH=build/release/python) or
installed; the case files and NumPy models come from this repository.
"""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))

import windrow  # noqa: E402
from kept_workers import kept_workers, surroundings  # noqa: E402
from longest_first import put_longest_first  # noqa: E402


def pytest_report_header():
    return f"windrow {windrow.__version__} from {Path(windrow.__file__).parent}"


def pytest_collection_modifyitems(items):
    put_longest_first(items)


@pytest.fixture(scope="session")
def workers_of_all_files():
    with kept_workers() as kept:
        yield kept


@pytest.fixture(scope="module", autouse=True)
def one_start_of_each_host(workers_of_all_files):
    """Workers with the folder, paths and variables of a whole file stay for the next one, a single test's do not."""
    home = surroundings()
    yield
    workers_of_all_files.end_all_but(home)
