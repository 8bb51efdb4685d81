"""A browser for the site; skipped where ./dev docs has not made it."""

import os
import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / folder) for folder in ("tests/pictures", "scripts", "build/release/python")]

from browser_fixture import browser  # noqa: E402, F401: a fixture, found by the path above


@pytest.fixture(scope="session")
def site():
    """The folder of the finished site."""
    folder = pathlib.Path(os.environ.get("WINDROW_SITE", _ROOT / "build/site"))
    if not (folder / "index.html").exists():
        pytest.skip(f"{folder} is not there: ./dev docs makes it")
    return folder
