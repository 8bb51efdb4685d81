"""The scoreboard that is in the project: of this corpus, this project passes it, and its pages are what is made of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import write_scoreboard
from kept_outcomes import read_kept
from windrow_conformance.corpus import Corpus
from windrow_conformance.results import RunResults


@pytest.fixture(scope="module")
def scoreboard(corpus: Corpus) -> RunResults:
    return read_kept(corpus)


def test_it_is_of_this_corpus(corpus: Corpus, scoreboard: RunResults) -> None:
    assert scoreboard.corpus == corpus.version
    assert list(scoreboard.records) == corpus.paths()


def test_this_project_passes(scoreboard: RunResults) -> None:
    ours = {runtime.name: runtime for runtime in scoreboard.runtimes if runtime.name.startswith("windrow")}
    assert {"windrow", "windrow-plain", "windrow-reference", "windrow-in-onnxruntime"} <= set(ours)
    failing = [name for name, runtime in ours.items() if runtime.fault or not runtime.outcomes or runtime.failures]
    assert failing == []


def test_the_summary_is_of_the_same_run(scoreboard: RunResults) -> None:
    assert write_scoreboard.SUMMARY.read_text(encoding="utf-8") == write_scoreboard.summary(scoreboard)


def test_the_page_for_a_browser_has_every_failure(tmp_path: Path, scoreboard: RunResults) -> None:
    write_scoreboard.main(["--page", str(tmp_path / "page.html")])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    document = json.loads(data)
    shown: dict[str, set[str]] = {}
    for cause in document["causes"]:
        paths = [record["path"] for record in cause["records"]] + cause["others"]
        shown.setdefault(cause["runtime"], set()).update(paths)
    failing = {runtime.name: {failure.path for failure in runtime.failures} for runtime in scoreboard.runtimes}
    assert shown == {name: paths for name, paths in failing.items() if paths}
    assert document["left_out"] == 0
