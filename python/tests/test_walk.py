"""docs/design/walk.md: its files and functions exist, and the call that it follows ends in the kernel that it names."""

import re
from pathlib import Path

import numpy as np
import pytest
import windrow

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "design" / "walk.md").read_text(encoding="utf-8")
# The file and the text of each step.
STEPS = re.findall(r"^\d+\. `([^`]+)`(.*?)(?=^\d+\. |^$)", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def description():
    """The plan of the call on the page."""
    [made] = re.findall(r"^>>> (table, ids = .*)$", PAGE, re.MULTILINE)
    scope = {"np": np}
    exec(made, scope)  # noqa: S102: a line of our own page
    inputs = [windrow.Spec(scope[name].dtype.name, scope[name].shape) for name in ("table", "ids")]
    return windrow.compile("array", "Take", *inputs, axis=0).description


def test_the_walk_is_short():
    assert 5 < len(STEPS) <= 10
    assert len({file for file, _ in STEPS}) == len(STEPS)


@pytest.mark.parametrize(("file", "text"), STEPS, ids=[file for file, _ in STEPS])
def test_each_step_names_a_function_of_its_file(file, text):
    functions = re.findall(r"`(?:\w+::)*(\w*_?\w+)`", text)
    source = (ROOT / file).read_text(encoding="utf-8")
    assert functions and re.search(rf"\b{functions[0]}\(", source), functions


def test_the_call_takes_the_way_of_the_page(description):
    assert not description["one_block"] and not description["straight"] and not description["tile"]
    assert f"rows of {description['row_bytes']} bytes" in " ".join(PAGE.split())


def test_the_walk_ends_in_the_kernel_of_the_call(description):
    file, text = STEPS[-1]
    row = f"WINDROW_KERNEL({description['kernel']},"
    [line] = [line for line in (ROOT / file).with_name("rows.inc").read_text().splitlines() if line.startswith(row)]
    [function] = re.findall(r"`(\w+)`", text)[:1]
    assert f"({function}<" in line
