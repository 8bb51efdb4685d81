"""The playground in a browser, built first if it is not up to date; skipped where its compiler is missing."""

import fcntl
import os
import pathlib
import subprocess
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "tests/pictures"))
sys.path.insert(0, str(_ROOT / "playground"))

from browser_fixture import browser  # noqa: E402, F401: a fixture, found by the path above

OPENED = "opened.then(() => true)"
_BUILT = _ROOT / "build/playground/playground.html"
_NO_COMPILER = 3  # the exit code of ./dev playground where packages are missing


def _build():
    """One process at a time: test processes share the folder."""
    _BUILT.parent.mkdir(parents=True, exist_ok=True)
    with (_BUILT.parent / "building.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run([_ROOT / "dev", "playground"], capture_output=True, text=True, timeout=1800, check=False)


@pytest.fixture(scope="session")
def page_file():
    """The page of the present sources, or the one that WINDROW_PLAYGROUND names."""
    if given := os.environ.get("WINDROW_PLAYGROUND"):
        return pathlib.Path(given)
    done = _build()
    if done.returncode == _NO_COMPILER:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return _BUILT


@pytest.fixture(scope="session")
def playground(browser, page_file):  # noqa: F811: the fixture
    """A browser with the page, once it can be asked."""
    browser.open(page_file)
    browser.call("Runtime.evaluate", expression=OPENED, awaitPromise=True)
    return browser
