"""docs/formats/doors.md is what its script makes of the option tables, and no cell is empty without its reason."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script():
    path = ROOT / "scripts" / "write_doors.py"
    spec = importlib.util.spec_from_file_location("write_doors", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not os.path.exists(module.NATIVE[0]):
        pytest.skip("the native command is not built")
    return module


def test_page_is_that_of_the_tables(script):
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run scripts/write_doors.py"


def test_every_mark_has_its_reason(script):
    text = script.page()
    marks = set(re.findall(r"\[(\d+)\]", text))
    assert marks == set(re.findall(r"^(\d+)\. ", text, flags=re.MULTILINE))
    assert not re.search(r"\| *\|", text)


def test_a_new_option_without_a_reason_is_an_error(script):
    with pytest.raises(KeyError, match="run --new"):
        script.reason(script.NO_OPTION, "run", "--new")
