"""Help, version, usage errors, pipes, colours."""

import os
import pty
import subprocess

import pytest
from cli_command import COMMAND

SUBCOMMANDS = ["run", "verify", "call", "lookup", "inspect", "explain", "playground", "check", "ops"]


def test_version(windrow):
    outcome = windrow("--version")
    assert outcome.code == 0
    name, number = outcome.out.split()
    assert name == "windrow"
    assert len(number.split(".")) == 3


def test_help_names_every_subcommand_and_the_exit_codes(windrow):
    outcome = windrow("--help")
    assert outcome.code == 0
    for name in SUBCOMMANDS:
        assert f"\n  {name} " in outcome.out
    assert "Exit codes: 0 fine; 1 a case failed, or check found something; 2 bad usage" in outcome.out


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_of_a_subcommand_has_an_example_and_json(windrow, name):
    outcome = windrow(name, "--help")
    assert outcome.code == 0
    assert "Example" in outcome.out
    assert f"  windrow {name}" in outcome.out
    assert "--json" in outcome.out


@pytest.mark.parametrize("name", ["run", "verify", "call"])
def test_help_lists_the_call_options(windrow, name):
    out = windrow(name, "--help").out
    for flag in ["--out-of-range", "--negative", "--padding-index", "--strict", "--duplicates", "--kernels", "--threads"]:
        assert flag in out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["run"],
        ["run", "m.onnx", "--wings", "2"],
        ["verify"],
        ["call", "onnx.Gather"],
        ["run", "m.onnx", "--out-of-range", "ignore"],
        ["run", "m.onnx", "--duplicates", "no"],
        ["run", "m.onnx", "--threads", "0"],
        ["run", "m.onnx", "--dim", "N=3"],
        ["run", "m.onnx", "--format", "pb"],
    ],
)
def test_bad_usage_is_one_line_and_exit_2(windrow, arguments):
    assert "--help" in windrow(*arguments).only_error()


def test_an_unknown_subcommand_is_answered_with_those_there_are(windrow):
    error = windrow("runn", "m.onnx").only_error()
    assert "'runn'" in error
    assert "run, verify, call, lookup, inspect, explain, playground, check, ops" in error


def test_bad_usage_with_json_is_a_document_too(windrow):
    outcome = windrow("run", "--json")
    assert outcome.code == 2
    assert outcome.json()["error"]["code"] == "invalid argument"
    assert outcome.err.startswith("windrow: error: ")


def test_unknown_kernels_are_refused_with_the_names_there_are(windrow, tmp_path):
    error = windrow("verify", tmp_path, "--kernels", "sse9").only_error()
    assert "sse9" in error
    assert "plain" in error


def test_a_closed_pipe_is_no_crash():
    # The reader goes away at once; there is more output than a pipe holds.
    with subprocess.Popen(
        [COMMAND, "ops", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        error = process.stderr.read()
    assert process.returncode == 0
    assert error == b""


def test_output_that_cannot_be_written_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [COMMAND, "ops"], stdout=full, stderr=subprocess.PIPE, check=False, encoding="utf-8"
        )
    assert done.returncode == 2
    assert "standard output can't be written" in done.stderr


def run_on_terminal(arguments, env):
    """What the command prints when standard output is a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen([COMMAND, *arguments], stdout=follower, env=env) as process:
        os.close(follower)
        out = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
    os.close(leader)
    assert process.returncode == 0
    return out


def test_colours_only_on_a_terminal_and_not_with_no_color(windrow):
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    assert b"\x1b[" in run_on_terminal(["ops"], env)
    assert b"\x1b[" not in run_on_terminal(["ops"], env | {"NO_COLOR": "1"})
    assert b"\x1b[" not in run_on_terminal(["ops"], env | {"TERM": "dumb"})
    assert "\x1b[" not in windrow("ops").out
