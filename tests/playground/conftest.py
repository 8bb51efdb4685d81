"""The playground in a browser; skipped where it has not been built."""

import os
import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "tests/pictures"))
sys.path.insert(0, str(_ROOT / "playground"))

from browser import CHROMIUM, Browser  # noqa: E402: found by the path above

PAGE = pathlib.Path(os.environ.get("WINDROW_PLAYGROUND", _ROOT / "build/playground/playground.html"))
OPENED = "opened.then(() => true)"


@pytest.fixture(scope="session")
def page_file():
    if not PAGE.exists():
        pytest.skip(f"{PAGE} is not built: ./dev playground builds it, or says which packages it needs")
    return PAGE


@pytest.fixture(scope="session")
def playground(tmp_path_factory, page_file):
    """A browser with the page, once it can be asked."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: Debian's package chromium has it")
    browser = Browser(tmp_path_factory.mktemp("chromium"))
    browser.open(page_file)
    browser.call("Runtime.evaluate", expression=OPENED, awaitPromise=True)
    yield browser
    browser.close()
