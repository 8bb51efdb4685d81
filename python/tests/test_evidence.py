"""examples/evidence.py: its output for the installed runtimes, and its messages where there is nothing to show."""

import contextlib
import importlib.util
import io
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_SHOWN = "does not show here"


@pytest.fixture(scope="module")
def evidence():
    sys.path.insert(0, str(ROOT / "examples"))
    spec = importlib.util.spec_from_file_location("evidence", ROOT / "examples" / "evidence.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parts(text):
    """The lines of each part, by its title."""
    return {part.splitlines()[0]: part.splitlines()[1:] for part in text.strip().split("\n\n")}


def test_what_does_not_depend_on_chance_is_shown(evidence, capsys):
    assert evidence.main(["--runs", "2"]) == 0
    found = parts(capsys.readouterr().out)
    assert list(found) == [claim.title for claim in evidence.CLAIMS]
    memory, answers = found["Foreign memory"], found["One max, three answers"]
    assert memory[1].split(None, 2)[2] == "'and what lies behind.'"
    assert "indices[0, 0] is 16, out of range" in memory[2]
    assert [line.split(None, 2)[2] for line in answers[1:4]] == [
        "[5.0, 2.0, nan, 3.0]", "[nan, 2.0, 2.0, 3.0]", "[nan, nan, nan, 3.0]"]
    assert all(lines[-1].startswith("  shown") for lines in (memory, answers))
    assert found["Sums race"][2].endswith("right in 2 of 2 runs")


def test_a_race_that_does_not_show_is_said_not_to(evidence, capsys):
    assert evidence.main(["--runs", "1", "--threads", "1"]) == 0
    race = parts(capsys.readouterr().out)["Sums race"]
    assert race[1].endswith("right in 1 of 1 runs") and NOT_SHOWN in race[-1]


def test_a_runtime_that_is_not_installed_is_named(evidence, capsys, monkeypatch):
    monkeypatch.setattr(evidence, "missing", list)
    assert evidence.main([]) == 0
    assert "not tried: pip install onnx onnxruntime\n" in capsys.readouterr().out


def test_windrow_being_wrong_is_an_exit_code(evidence, capsys, monkeypatch):
    claim = evidence.Claim("Any", (), lambda runs, threads: evidence.Part(shown=True), "none")
    monkeypatch.setattr(evidence, "CLAIMS", (claim,))
    assert evidence.main([]) == 1
    assert "Windrow is wrong" in capsys.readouterr().out


def test_every_claim_names_a_test_that_is_there(evidence):
    for claim in evidence.CLAIMS:
        assert (ROOT / claim.test).is_file(), claim.title


@pytest.fixture(scope="module")
def printed(evidence):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert evidence.main([]) == 0
    return out.getvalue()


@pytest.mark.parametrize(("page", "count"), [("README.md", 6), ("docs/guide/evidence.md", 14)])
def test_pages_show_what_it_prints(printed, page, count):
    """Titles, tests, what does not depend on chance: line by line, where the page leaves nothing out."""
    shown = re.search(r"^\$ \./dev evidence\n(.*?)```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)[1]
    of_chance = ("in 3 of 10 runs", "test_ort_plugin_sums.py")
    lines = [line for line in shown.splitlines()
             if line not in ("", "[...]") and not any(text in line for text in of_chance)]
    assert len(lines) == count
    for line in lines:
        assert re.search(re.escape(line).replace(r"\[\.\.\.\]", ".*"), printed), line
