"""The tests of the kit run on the package of this checkout."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CONFORMANCE), str(CONFORMANCE / "tests")]

from drawn_runs import BAD, SOUND, USUAL, draw_run  # noqa: E402
from windrow_conformance.corpus import Corpus  # noqa: E402
from windrow_conformance.outcome import Outcome  # noqa: E402
from windrow_conformance.record import Record  # noqa: E402
from windrow_conformance.reports import Background  # noqa: E402
from windrow_conformance.results import RunResults, RuntimeResults  # noqa: E402


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The corpus of this checkout."""
    return Corpus.open()


@pytest.fixture(scope="session")
def run(corpus: Corpus) -> RunResults:
    """Drawn: three runtimes, and one that could not be run."""
    names = [("sound", "", SOUND), ("usual", "onnx", USUAL), ("bad", "openvino", BAD)]
    run = draw_run(corpus, 20, names)
    return replace(run, runtimes=(*run.runtimes, RuntimeResults("absent", fault="absent is not installed")))


@pytest.fixture(scope="session")
def older(run: RunResults) -> RunResults:
    """The same before: every tenth record passed, every eleventh crashed."""

    def changed(runtime: RuntimeResults) -> RuntimeResults:
        outcomes = dict(runtime.outcomes)
        for at, path in enumerate(outcomes):
            outcomes[path] = Outcome.PASSED if at % 10 == 0 else Outcome.CRASH if at % 11 == 0 else outcomes[path]
        failures = tuple(one for one in runtime.failures if outcomes[one.path] is one.outcome)
        return replace(runtime, versions={runtime.name: "1.2.2"}, outcomes=outcomes, failures=failures)

    return replace(run, runtimes=tuple(map(changed, run.runtimes)))


@pytest.fixture(scope="session")
def background(corpus: Corpus) -> Background:
    """The corpus's, with a reproduction of every failure."""

    def reproduction(runtime: str, record: Record) -> str:
        return f"import {runtime}\nprint({runtime}.run({record.path!r}))"

    return replace(Background.of(corpus, {}), reproduction=reproduction)


def copy_of_gather(folder: Path) -> Path:
    """Makes a folder a small corpus: one file of records and the rules."""
    source = CONFORMANCE.parent / "cases"
    index = json.loads((source / "index.json").read_text())
    index["files"] = [row for row in index["files"] if row["path"] in ("onnx/gather.json", "rules.json")]
    (folder / "onnx").mkdir()
    for row in index["files"]:
        shutil.copy(source / row["path"], folder / row["path"])
    (folder / "index.json").write_text(json.dumps(index))
    return folder


@pytest.fixture
def damageable(tmp_path: Path) -> Path:
    """A small corpus of a test's own."""
    return copy_of_gather(tmp_path)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus that is only read."""
    return copy_of_gather(tmp_path_factory.mktemp("small"))
