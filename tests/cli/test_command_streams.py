"""- as standard input and standard output."""

import contextlib
import io
import json
import os
import pathlib
import pty
import signal
import subprocess
import time

import cli_models as models
import numpy as np
import onnx
import pytest
from archives import parse_safetensors, save_safetensors
from cli_command import COMMAND

DATA = np.arange(15, dtype=np.float32).reshape(5, 3)
INDICES = np.array([4, 0])


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path):
    """Files for the calls; its subfolder tmp is that of temporary files and must stay empty."""
    models.gather(tmp_path / "m.onnx")
    np.save(tmp_path / "data.npy", DATA)
    np.save(tmp_path / "indices.npy", INDICES)
    np.savez(tmp_path / "in.npz", data=DATA, indices=INDICES)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def call(folder, *arguments, given=b"", **kwargs):
    """Runs the command with these bytes on standard input."""
    done = subprocess.run(
        [COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
        **kwargs,
    )
    assert not list((folder / "tmp").iterdir())
    return done


def good(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


def error_of(done):
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode()


def test_a_call_in_a_pipe(folder):
    out = good(call(folder, "call", "onnx.Gather", "data.npy", "-", "-o", "-", given=npy(INDICES)))
    np.testing.assert_array_equal(np.load(io.BytesIO(out)), DATA[INDICES])


def test_reports_of_a_call_in_a_pipe_go_to_standard_error(folder):
    done = call(folder, "call", "onnx.Gather", "data.npy", "-", "-o", "-", given=npy(INDICES))
    assert b"float32[2, 3]" in done.stderr
    assert b"wrote standard output" in done.stderr


@pytest.mark.parametrize("kind", ["npz", "deflated", "safetensors", "pb"])
def test_the_format_of_standard_input_follows_from_its_bytes(folder, kind):
    path = folder / f"given.{'npz' if kind == 'deflated' else kind}"
    if kind == "pb":
        path.write_bytes(onnx.numpy_helper.from_array(INDICES, "i").SerializeToString())
    else:
        writers = {"npz": np.savez, "deflated": np.savez_compressed}
        arrays = {"i": INDICES}
        save_safetensors(path, arrays) if kind == "safetensors" else writers[kind](path, **arrays)
    out = good(call(folder, "call", "onnx.Gather", "data.npy", "-", "-o", "-", given=path.read_bytes()))
    np.testing.assert_array_equal(np.load(io.BytesIO(out)), DATA[INDICES])


def test_tensors_of_an_archive_on_standard_input_by_their_names(folder):
    given = (folder / "in.npz").read_bytes()
    for words in (["-", "-"], ["-", "indices.npy"], ["data.npy", "-"]):
        out = good(call(folder, "call", "onnx.Gather", *words, "-o", "-", "--format", "npz", given=given))
        np.testing.assert_array_equal(np.load(io.BytesIO(out))["output"], DATA[INDICES])


def test_a_model_and_its_inputs(folder):
    model = (folder / "m.onnx").read_bytes()
    out = good(call(folder, "run", "-", "--input", "in.npz", "--out", "-", given=model))
    np.testing.assert_array_equal(np.load(io.BytesIO(out)), DATA[INDICES])
    given = (folder / "in.npz").read_bytes()
    out = good(call(folder, "run", "m.onnx", "--input", "-", "--out", "-", "--format", "safetensors", given=given))
    np.testing.assert_array_equal(parse_safetensors(out)["y"], DATA[INDICES])
    assert b"standard input: 1 node, opset" in good(call(folder, "inspect", "-", given=model))
    checked = call(folder, "check", "-", "--fail-on", "never", given=model)
    assert b"standard input: " in good(checked)
    document = json.loads(good(call(folder, "check", "-", "--json", "--fail-on", "never", given=model)))
    assert document["model"] == "standard input"
    assert b"data[" in good(call(folder, "explain", "-", "--node", "y", "--input", "in.npz", given=model))


def test_pages_and_models_on_standard_output(folder):
    page = call(folder, "inspect", "m.onnx", "--html", "-")
    assert good(page).startswith(b"<!DOCTYPE html>")
    assert b"1 node" in page.stderr
    assert good(call(folder, "check", "m.onnx", "--html", "-", "--fail-on", "never")).startswith(b"<!DOCTYPE html>")
    node = onnx.helper.make_node("ScatterND", ["data", "at", "rows"], ["y"], reduction="none")
    inputs = [models.value("data", "float32", [5, 3]), models.value("at", "int64", [2, 1])]
    inputs.append(models.value("rows", "float32", [2, 3]))
    models.save(folder / "none.onnx", [node], inputs, [models.value("y", "float32", None)], 18)
    words = ["--for", "tensorrt@10.3", "--select", "scatter-nd-reduction", "--fix", "-"]
    fixed = call(folder, "check", "none.onnx", *words)
    assert fixed.returncode == 0, fixed.stderr
    assert not onnx.load_from_string(fixed.stdout).graph.node[0].attribute
    assert b"wrote standard output" in fixed.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["call", "onnx.Gather", "-", "-"], "standard input is read once"),
        (["run", "-", "--input", "data=-"], "standard input is read once"),
        (["check", "m.onnx", "--html", "-", "--fix", "-"], "standard output takes one file"),
        (["run", "m.onnx", "--out", "-", "--json"], "standard output takes one of them"),
        (["inspect", "m.onnx", "--html", "-", "--json"], "standard output takes one of them"),
    ],
)
def test_what_cannot_share_a_stream(folder, arguments, error):
    given = npy(DATA) if arguments[0] == "call" else (folder / "m.onnx").read_bytes()
    done = call(folder, *arguments, given=given)
    assert done.returncode == 2
    assert error in done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "given", "error"),
    [
        (["inspect", "-"], b"", "standard input is empty"),
        (["inspect", "-"], b"<net/>", "an OpenVINO IR is two files"),
        (["inspect", "-"], b"no model", "standard input: "),
        (["call", "onnx.Gather", "data.npy", "-"], b"\x93NUMPY no", "standard input: "),
        (["call", "onnx.Gather", "data.npy", "-"], b"PK no", "standard input: bad zip archive"),
        (["run", "m.onnx", "--input", "data=-:x"], npy(INDICES), "is not an archive of tensors"),
    ],
)
def test_errors_say_standard_input(folder, arguments, given, error):
    assert error in error_of(call(folder, *arguments, given=given))


def test_nothing_of_a_failed_run_is_on_standard_output(folder):
    error_of(call(folder, "call", "onnx.Gather", "data.npy", "-", "-o", "-", given=npy(INDICES + 9)))


def test_a_terminal_takes_no_binary_file(folder):
    leader, follower = pty.openpty()
    words = [COMMAND, "call", "onnx.Gather", "data.npy", "indices.npy", "-o", "-"]
    done = subprocess.run(words, cwd=folder, stdout=follower, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(follower)
    os.close(leader)
    assert done.returncode == 2
    assert b"standard output is a terminal, and what would be written is binary" in done.stderr


def test_a_terminal_is_no_standard_input(folder):
    leader, follower = pty.openpty()
    words = [COMMAND, "call", "onnx.Gather", "data.npy", "-"]
    done = subprocess.run(words, cwd=folder, stdin=follower, capture_output=True, check=False, timeout=60)
    os.close(follower)
    os.close(leader)
    assert b"which is a terminal" in done.stderr


def test_a_full_or_closed_standard_output(folder):
    words = [COMMAND, "call", "onnx.Gather", "data.npy", "indices.npy", "-o", "-"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, cwd=folder, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 2
    assert b"standard output can't be written" in done.stderr
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        process.stderr.read()
    assert process.returncode == 0


def test_a_signal_leaves_no_copy_of_standard_input(folder):
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    for number in (signal.SIGTERM, signal.SIGINT):
        with subprocess.Popen(
            [COMMAND, "call", "onnx.Gather", "data.npy", "-"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process:
            process.stdin.write(b"\x93NUMPY" + bytes(1 << 20))
            process.stdin.flush()
            ends = time.monotonic() + 30
            while not list((folder / "tmp").glob("*/*")) and time.monotonic() < ends:
                time.sleep(0.01)
            assert list((folder / "tmp").glob("*/*"))
            process.send_signal(number)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait(30)
        assert process.returncode == -number
        assert not list(pathlib.Path(folder, "tmp").iterdir())
