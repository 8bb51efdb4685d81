"""docs/guide/fixes.md is what its script makes: every fix, run before and after in every host."""

import importlib.util
from pathlib import Path

import pytest
from windrow import runners

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("write_fix_table", ROOT / "scripts" / "write_fix_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def few_runs():
    """The page has the numbers of all runs."""


def rows(script):
    return [line for line in script.PAGE.read_text(encoding="utf-8").splitlines(True) if line.startswith("| [")]


def test_every_rule_with_a_fix_has_a_row(script):
    assert [line.split("]")[0][3:] for line in rows(script)] == [rule.label for rule in script.rules_with_fixes()]


def test_rows_are_what_runs_give(script):
    if any(runners.runner(host).fault() for host in script.HOSTS):
        pytest.skip("a host is not installed")
    if script.hosts_line() not in script.PAGE.read_text(encoding="utf-8"):
        pytest.skip("the page is of other versions of the hosts")
    for rule, line in zip(script.rules_with_fixes(), rows(script)):
        assert script.row_of(rule) == line, "run scripts/write_fix_table.py"


def test_no_run_speaks_against_a_fix(script):
    for line in rows(script):
        if "not for its example" not in line:
            assert "windrow: " in line
            assert "run " not in line.rsplit("|", 2)[1], line
