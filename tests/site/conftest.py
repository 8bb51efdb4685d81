"""A browser for the site; skipped where ./dev docs has not made it."""

import os
import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "tests/pictures"), str(_ROOT / "scripts")]

from browser import CHROMIUM, Browser  # noqa: E402: found by the path above


@pytest.fixture(scope="session")
def site():
    """The folder of the finished site."""
    folder = pathlib.Path(os.environ.get("WINDROW_SITE", _ROOT / "build/site"))
    if not (folder / "index.html").exists():
        pytest.skip(f"{folder} is not there: ./dev docs makes it")
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("no Chromium here: Debian's package chromium has it")
    opened = Browser(tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()
