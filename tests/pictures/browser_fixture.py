"""The fixture `browser` of tests that look at pages, for their conftest.py."""

import pytest
from browser import CHROMIUM, Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("no Chromium here: Debian's package chromium has it")
    opened = Browser(tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()
