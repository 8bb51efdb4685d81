"""The tutorial's files, as they stand, measure its engine and find what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from windrow_conformance.__main__ import main
from windrow_conformance.reports.files import read_run

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
PAGE = (GUIDE / "conformance_of_your_runtime.md").read_text(encoding="utf-8")


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    engine, file = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "toy_engine.py").write_text(engine)
    (tmp_path / "toy.py").write_text(file)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_toy_has_the_failures_of_the_page(toy: Path) -> None:
    kept = toy / "run.json"
    assert main([f"{toy / 'toy.py'}", "--filter", "onnx/gather/*", "--jobs", "1", "-o", str(kept)]) == 1
    run = read_run(kept)
    [runtime] = run.runtimes
    rows = re.findall(r"^\| (ONNX-[\w-]+), [^|]*\| ([\w ]+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 4
    found = {
        (run.records[failure.path].rule, failure.outcome.value)
        for failure in runtime.failures
        if run.records[failure.path].tier == "specification"
    }
    assert found == set(rows)
    assert runtime.unguarded < len(runtime.outcomes) / 10


def test_its_reproductions_run(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from windrow_conformance.corpus import Corpus
    from windrow_conformance.registry import find

    record = Corpus.open().record("onnx/gather/negative_indices")
    exec(find(str(toy / "toy.py")).reproduction(record), {})
    assert capsys.readouterr().out


def test_outcomes_and_options_are_those_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    from windrow_conformance.outcome import Outcome

    page = (GUIDE / "conformance.md").read_text(encoding="utf-8")
    table = page.split("| outcome | when |")[1].split("\n\n")[0]
    named = {word for row in re.findall(r"^\| ([\w ,]+) \|", table, re.MULTILINE) for word in row.split(", ")}
    assert named == {outcome.value for outcome in Outcome}
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert options - set(re.findall(r"--[a-z-]+", page)) == {"--help", "--output"}
