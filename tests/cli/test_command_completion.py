"""Completion in shells, and the manual page: both are made from the command's own tables."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time

import cli_models as models
import pytest
from cli_command import COMMAND

_BIN = str(pathlib.Path(COMMAND).resolve().parent)
_ENVIRONMENT = {**os.environ, "PATH": _BIN + os.pathsep + os.environ["PATH"]}
_SUBCOMMANDS = ["run", "verify", "call", "lookup", "inspect", "explain", "playground", "check", "ops", "tune",
                "completion"]


def words_of_bash(folder, *words):
    """What bash's function of the script puts into COMPREPLY for these words, as bash splits them."""
    script = (
        'source <(windrow completion bash); COMP_WORDS=(windrow "$@"); COMP_CWORD=$#; _windrow windrow 2>/dev/null; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *words],
        cwd=folder,
        env=_ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ru"], ["run"]),
        ([""], [*_SUBCOMMANDS, "--help", "--version"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["run", "m.onnx", "--form"], ["--format"]),
        (["run", "m.onnx", "--format", ""], ["npy", "npz", "safetensors", "pb"]),
        (["run", "m.onnx", "--format", "=", "sa"], ["safetensors"]),
        (["run", "m.onnx", "--format", "="], ["npy", "npz", "safetensors", "pb"]),
        (["run", "m.onnx", "--out-of-range", "m"], ["modulo"]),
        (["run", "m.onnx", "--node", ""], ["pick"]),
        (["run", "m.onnx", "--input", ""], ["data=", "indices="]),
        (["run", "m.onnx", "--input", "data", "=", ""], []),
        (["run", ""], []),
        (["call", "onnx.GatherN"], ["onnx.GatherND"]),
        (["call", "onnx.GatherND-12", "x.npy", "--attr", ""], ["batch_dims="]),
        (["explain", "onnx.Gather", "--ind"], ["--indices"]),
        (["playground", "onnx.Gather", "--ind"], ["--indices"]),
        (["playground", "onnx.GatherN"], ["onnx.GatherND"]),
        (["lookup", "t.npy", "--re"], ["--reads"]),
        (["lookup", "t.npy", "--reads", ""], ["best", "io_uring", "threads", "read_ahead"]),
        (["ops", "ScatterElementsU"], ["ScatterElementsUpdate"]),
        (["check", "m.onnx", "--for", "onnxruntime", ":", "c"], ["coreml", "cpu", "cuda"]),
        (["check", "m.onnx", "--explain-rule", "gather-index-r"], ["gather-index-range"]),
        (["check", "m.onnx", "--fail-on", "s"], ["silent", "slow"]),
        (["nothing", "x"], []),
        (["run", "absent.onnx", "--node", ""], []),
    ],
)
def test_bash(tmp_path, words, expected):
    models.gather(tmp_path / "m.onnx")
    assert words_of_bash(tmp_path, *words) == expected


def test_an_option_that_was_given_is_not_offered_again(tmp_path):
    offered = words_of_bash(tmp_path, "run", "m.onnx", "--format", "npy", "--input", "a=b", "--")
    assert "--format" not in offered
    assert {"--input", "--out", "--json"} <= set(offered)


def test_names_of_a_file_that_a_shell_would_obey_are_not_offered(tmp_path):
    models.save(
        tmp_path / "m.onnx",
        [models.helper.make_node("Gather", ["data", "indices"], ["y"], name=name) for name in ("$(touch x)", "good")][:1]
        + [models.helper.make_node("Gather", ["data", "indices"], ["z"], name="good")],
        [models.value("data", "float32", [5]), models.value("indices", "int64", [2])],
        [models.value("y", "float32", None), models.value("z", "float32", None)],
    )
    assert words_of_bash(tmp_path, "run", "m.onnx", "--node", "") == ["good"]


def read_until(leader, wanted):
    """What the terminal shows until it shows `wanted`."""
    shown, ends = b"", time.monotonic() + 20
    while wanted not in shown and time.monotonic() < ends:
        if select.select([leader], [], [], 0.1)[0]:
            shown += os.read(leader, 65536)
    assert wanted in shown, shown
    return shown


def test_a_tab_on_a_terminal(tmp_path):
    (tmp_path / "weights.onnx").write_bytes(b"")
    leader, follower = pty.openpty()
    words = ["bash", "--norc", "--noprofile", "-i"]
    environment = {**_ENVIRONMENT, "PS1": "ready> ", "TERM": "dumb", "HISTFILE": ""}
    shell = subprocess.Popen(
        words, cwd=tmp_path, env=environment, stdin=follower, stdout=follower, stderr=follower, start_new_session=True
    )
    os.close(follower)
    try:
        read_until(leader, b"ready> ")
        os.write(leader, b"source <(windrow completion bash)\n")
        read_until(leader, b"ready> ")
        os.write(leader, b"windrow completion fi\t\n")
        read_until(leader, b"complete -c windrow")
        os.write(leader, b"windrow inspect wei\t")
        read_until(leader, b"weights.onnx")
    finally:
        shell.kill()
        shell.wait(30)
        os.close(leader)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_script(tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = subprocess.run([COMMAND, "completion", shell], capture_output=True, check=True).stdout
    (tmp_path / "script").write_bytes(script)
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    if shell == "fish":
        asked = f'source {tmp_path}/script; complete -C "windrow completion ba"'
        done = subprocess.run(["fish", "--no-config", "-c", asked], env=_ENVIRONMENT, capture_output=True, check=True)
        assert done.stdout.split() == [b"bash"]


@pytest.fixture(scope="module")
def page():
    """The manual page as the build made it."""
    path = pathlib.Path(COMMAND).resolve().parents[1] / "share/man/man1/windrow.1"
    assert path.is_file()
    return path


def shown(page):
    done = subprocess.run(
        ["man", "--warnings=mac,char,reg,tab,break", "-E", "UTF-8", "-l", page],
        env={**os.environ, "MANWIDTH": "200", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return re.sub(".\b", "", done.stdout)


def test_the_manual_page_has_every_option(windrow, page):
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    text = shown(page)
    for name in _SUBCOMMANDS:
        assert f"windrow {name}\n" in text
        out = windrow(name, "--help").out
        for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", out, re.MULTILINE):
            assert option in text
        for line in out[out.index("Example") :].splitlines():
            assert line.strip() in text
    assert "--version" in text
    assert "NO_COLOR" in text


def test_the_page_is_that_of_this_command(windrow, page):
    assert windrow("--version").out.strip() in page.read_text()
