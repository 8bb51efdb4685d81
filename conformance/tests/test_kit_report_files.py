"""Runs that were kept as files become reports, joined and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import windrow_conformance
from windrow_conformance.reports.__main__ import main
from windrow_conformance.reports.files import read_run, write_file
from windrow_conformance.reports.json import write_json
from windrow_conformance.results import RunResults


def test_files_of_runs_become_reports(tmp_path: Path, run: RunResults, older: RunResults, capsys: Any) -> None:
    first, second, out = tmp_path / "first.json", tmp_path / "second.json", tmp_path / "page.html"
    write_file(first, write_json(replace(run, runtimes=run.runtimes[:1])))
    write_file(second, write_json(replace(run, runtimes=run.runtimes[1:])))
    assert main([str(first), str(second), "--format", "html", "-o", str(out)]) == 0
    assert "usual" in out.read_text() and "sound" in out.read_text()
    joined = tmp_path / "joined.json"
    assert main([str(first), str(second), "--format", "json", "-o", str(joined)]) == 0
    assert read_run(joined) == run
    assert sorted(file.name for file in tmp_path.iterdir()) == ["first.json", "joined.json", "page.html", "second.json"]
    write_file(first, write_json(older))
    assert main([str(joined), "--against", str(first)]) == 0
    assert "1.2.2 → 1.2.3" in capsys.readouterr().out


def test_a_runtime_can_be_required_to_pass(tmp_path: Path, run: RunResults, capsys: Any) -> None:
    file = tmp_path / "run.json"
    write_file(file, write_json(run))
    assert main([str(file), "--require", "sound"]) == 0
    capsys.readouterr()
    assert main([str(file), "--require", "sound", "--require", "usual", "--require", "absent", "--require", "x"]) == 1
    number = len(run.runtimes[1].failures)
    lines = [f"error: usual fails {number} records", "error: absent was not run", "error: x was not run"]
    assert capsys.readouterr().err.splitlines() == lines


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    for name, words in (("no.json", "No such file"), ("bytes.json", "utf-8")):
        assert main([str(tmp_path / name)]) == 2
        assert re.search(f"error: .*{name}.*{words}", capsys.readouterr().err)


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """Such as /dev/null, and /dev/stdout, which is a link."""
    link, pipe, file = tmp_path / "link", tmp_path / "pipe", tmp_path / "file"
    file.write_text("longer than what is written")
    link.symlink_to(file)
    write_file(link, "text")
    assert link.is_symlink() and file.read_text() == "text"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, "text")
        assert os.read(reader, 9) == b"text" and pipe.is_fifo()
    finally:
        os.close(reader)


def test_a_report_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "out", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_the_module_runs(tmp_path: Path, run: RunResults) -> None:
    write_file(tmp_path / "run.json", write_json(run))
    folder = Path(windrow_conformance.__file__).parents[1]
    call = [sys.executable, "-m", "windrow_conformance.reports", str(tmp_path / "run.json")]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "usual" in done.stdout, done.stderr
