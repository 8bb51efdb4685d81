"""The command: what is asked, told and returned."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from windrow_conformance.__main__ import main
from windrow_conformance.corpus import Corpus
from windrow_conformance.reports.files import read_run

CONFORMANCE = Path(__file__).resolve().parents[1]
FILE = Path(__file__).with_name("bad_runtimes.py")
GOOD, BAD = f"{FILE}:honest", f"{FILE}:always wrong"
EXAMPLES = ["--filter", "onnx/gather/example_axis_*", "--jobs", "1"]


def test_exit_codes_tell_how_a_run_ended(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*EXAMPLES, "--corpus", str(small)]
    assert main([GOOD, *words]) == 0
    assert "specification  100.0 %" in capsys.readouterr().out.replace("   ", "  ")
    assert main([BAD, *words]) == 1
    assert main([GOOD, f"{FILE}:not installed", *words]) == 3
    assert "pip install no-such-package" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, message",
    [
        (["no-such-runtime"], "there is no runtime 'no-such-runtime'; there are: "),
        (["onnxruntmie"], "; did you mean onnxruntime?"),
        (["exprot"], "; did you mean export?"),
        (["./no-such-file.py"], "there is no file no-such-file.py"),
        ([str(FILE)], "one is asked for"),
        ([GOOD, "--filter", "no such record"], "no record is chosen"),
        ([GOOD, "--corpus", "/nowhere"], "/nowhere/index.json cannot be read"),
        ([GOOD, "-o", "/nowhere/out.json"], "the folder is not there"),
        ([GOOD, "--against", "/nowhere/old.json"], "/nowhere/old.json"),
    ],
)
def test_what_is_wrong_is_told_before_anything_runs(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, nearest",
    [
        ([GOOD, "--tier", "specificaton"], "specification"),
        ([GOOD, "--filtre=a"], "--filter"),
        (["export", "onxx", "-o", "x"], "onnx"),
        (["report", "run.json", "--format", "htlm"], "html"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], words: list[str], nearest: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"; did you mean {nearest}?\n")


@pytest.mark.parametrize("words", [[], [GOOD, "--jobs", "0"], [GOOD, "--threads", "1,x"], [GOOD, "--time-limit", "-1"]])
def test_bad_usage_is_told_with_the_usage(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2 and "usage: python -m windrow_conformance" in capsys.readouterr().err


def test_a_run_as_json_has_what_was_asked_for(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    words = ["--tier", "specification", "--sample", "40", "--seed", "3", "--dialect", "onnx"]
    words += ["--jobs", "1", "--corpus", str(small)]
    assert main([BAD, *words, "-o", str(file)]) == 1
    [runtime] = json.loads(file.read_text())["runtimes"]
    assert runtime["runtime"] == "always wrong" and runtime["version"]
    counts = runtime["tiers"]["specification"]
    assert counts["passed"] + counts["failed"] + counts["skipped"] == 40
    run = read_run(file)
    assert run.selection == {"tier": "specification", "dialect": "onnx", "sample": "40", "seed": "3"}
    assert main([BAD, *words, "-o", str(file), "--against", str(file), "--format", "markdown"]) == 1


def test_only_the_records_of_a_list_run(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = Corpus.open(small).paths(tiers=["specification"], dialects=["onnx"])[:3]
    listed, file = tmp_path / "records.txt", tmp_path / "run.json"
    listed.write_text("\n".join(chosen), encoding="utf-8")
    main([GOOD, "--paths", str(listed), "--jobs", "1", "--corpus", str(small), "-o", str(file)])
    assert list(read_run(file).records) == chosen
    listed.write_text("onnx/gather/none", encoding="utf-8")
    assert main([GOOD, "--paths", str(listed), "--corpus", str(small)]) == 2
    assert "1 records that the corpus has not, such as onnx/gather/none" in capsys.readouterr().err


def test_runtimes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    listed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert {"onnxruntime", "onnx", "openvino", "torch", "jax", "numpy", "windrow"} <= listed.keys()


CLEARED_LINE = b"\r\x1b[K"


def started(words: list[str], stderr: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(CONFORMANCE)}
    command = [sys.executable, "-m", "windrow_conformance", *words]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True, preexec_fn=heed_interrupts
    )


def heed_interrupts() -> None:
    """In a child: a shell lets its background jobs ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_until(end: bytes, descriptor: int) -> bytes:
    """What a terminal gets, up to `end`."""
    said = b""
    while end not in said:
        said += os.read(descriptor, 4096)
    return said


def test_an_interrupt_tells_what_is_known(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    words = [*EXAMPLES, "--time-limit", "1000", "--corpus", str(small)]
    ours, theirs = pty.openpty()
    run = started([GOOD, f"{FILE}:hangs", *words, "-o", str(file)], theirs)
    os.close(theirs)
    read_until(CLEARED_LINE, ours)  # the first runtime is through
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=30)
    os.close(ours)
    assert run.returncode == 130
    kept = read_run(file)
    assert not kept.complete
    assert [runtime.name for runtime in kept.runtimes] == ["honest", "hangs"]
    assert len(kept.runtimes[0].outcomes) == 6 and len(kept.runtimes[1].outcomes) < 6


def test_progress_is_for_terminals_alone(small: Path) -> None:
    words = [GOOD, "--jobs", "1", "--corpus", str(small)]
    silent = started([*words, "--filter", "example"], subprocess.PIPE)
    assert silent.communicate()[1] == ""
    ours, theirs = pty.openpty()
    shown = started(words, theirs)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 4096):
            said += piece
    except OSError:
        pass  # the other side is closed
    shown.communicate()
    assert b"honest" in said and b" of " in said and said.endswith(CLEARED_LINE)
