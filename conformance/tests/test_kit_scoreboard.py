"""The scoreboard that is in the project: of this corpus, and this project passes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from windrow_conformance.corpus import Corpus
from windrow_conformance.reports.__main__ import main
from windrow_conformance.reports.files import read_run

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCOREBOARD = DOCS / "scoreboard.json"


def test_it_is_of_this_corpus(corpus: Corpus) -> None:
    run = read_run(SCOREBOARD)
    assert run.complete
    assert set(run.records) == set(corpus.paths())


def test_this_project_passes(capsys: pytest.CaptureFixture[str]) -> None:
    ours = [runtime.name for runtime in read_run(SCOREBOARD).runtimes if runtime.name.startswith("windrow")]
    assert {"windrow", "windrow-plain", "windrow-reference", "windrow-in-onnxruntime"} <= set(ours)
    assert main([str(SCOREBOARD), *(f"--require={name}" for name in ours)]) == 0
    capsys.readouterr()


def test_the_page_is_of_the_same_run(tmp_path: Path) -> None:
    assert main([str(SCOREBOARD), "--format", "html", "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text() == (DOCS / "scoreboard.html").read_text()
