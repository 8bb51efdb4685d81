"""Small runs of the whole bench, its file, an interrupted run, and what ./dev refuses."""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from draws import files
from draws.__main__ import LIMITS_AND_OURS
from draws.cases import DrawnCase, Layout
from draws.draw import draw_case
from draws.inputs import make_inputs
from draws_command import BENCH, ENVIRONMENT, run_bench
from peers.rounds import save_inputs
from peers.worker import Contestant

HAS_LIBRARIES = all(os.environ.get(name) for name in ("WINDROW_RANDOM_READS", "WINDROW_NATIVE_CALL"))
# The environment names it also where ONNX Runtime's headers were missing and it was not built.
HAS_HOST_LIBRARY = pathlib.Path(os.environ.get("WINDROW_ONNXRUNTIME_CALL", "/")).is_file()
# The number of threads, as short as the bench allows.
BRIEF = ["--rounds", "6", "--threads", "1"]


@pytest.mark.parametrize("mode", ["given", "fresh"])
def test_run_and_repeat(tmp_path, mode):
    first, again = tmp_path / "first.json", tmp_path / "again.json"
    done = run_bench("--seed", 4, "--cases", 3, "--largest", 4096, "--mode", mode, *BRIEF, "--peers", "numpy",
                     "onnxruntime", "openvino", "jax", "--out", first)
    assert done.returncode == 0, done.stdout + done.stderr
    for words in ("what has to hold:", "the worst, with their plans:", "kernel set:"):
        assert words in done.stdout
    run = files.load_run(first)
    assert [one.case for one in run.results] == [draw_case(4, number, mode, 4096) for number in range(3)]
    for result in run.results:
        outcomes = result.last.outcomes
        assert set(outcomes) == {*LIMITS_AND_OURS, "numpy", "onnxruntime", "onnxruntime_cpp", "openvino", "jax"}
        assert outcomes["windrow"].ok and outcomes["windrow_again"].ok and outcomes["numpy"].ok
        assert len(outcomes["windrow"].times) == 6
        assert outcomes["jax"].ok == (mode == "fresh")
        assert not HAS_LIBRARIES or outcomes["windrow_cpp"].ok == (mode == "given")
    ElementTree.parse(first.with_suffix(".svg"))

    name = run.results[1].case.name
    done = run_bench("--repeat", first, "--only", name, *BRIEF, "--peers", "numpy", "--out", again)
    assert done.returncode == 0, done.stdout + done.stderr
    repeated = files.load_run(again)
    assert [one.case for one in repeated.results] == [run.results[1].case]
    assert repeated.settings == run.settings


@pytest.mark.parametrize("options", [
    [], ["--seed", "1", "--repeat", "x"], ["--seed", "1", "--rounds", "5"], ["--seed", "1", "--threads", "0"]])
def test_refused_options(options):
    assert run_bench(*options).returncode == 2


def test_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "other.json"
    for text in ("{", "{}", '{"format": 3}', '{"format": 1, "settings": {}, "machine": {}, "results": [{}]}'):
        path.write_text(text)
        done = run_bench("--repeat", path)
        assert done.returncode == 1 and str(path) in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("layout", "expected"), [
    ("contiguous", ()), ("strided", (Layout("indices", "strided"),))])
def test_file_of_one_layout_is_read(tmp_path, layout, expected):
    """As this bench wrote it before a case could have several layouts."""
    case = DrawnCase("4-1", "", "GatherElements", (8, 5), (3, 5), seed=4, number=1)
    fields = case.to_json() | {"layout": layout, "laid_out": "indices"}
    del fields["layouts"]
    result = {"case": fields, "threads": 1, "plan": "", "measurements": [{}]}
    path = tmp_path / "first.json"
    path.write_text(json.dumps({"format": 1, "settings": {}, "machine": {}, "results": [result]}))
    (read,) = files.load_run(path).results
    assert read.case == dataclasses.replace(case, layouts=expected)


def test_background_run_stops_and_keeps_its_file(tmp_path):
    """A shell starts it with SIGINT ignored, and it stops all the same."""
    path = tmp_path / "run.json"
    words = [sys.executable, "-m", "draws", "--seed", "5", "--cases", "1000", "--largest", "2048", *BRIEF,
             "--peers", "numpy", "--out", str(path)]
    process = subprocess.Popen(
        words, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    try:
        end = time.monotonic() + 120
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, out + errors
    assert "what has to hold:" in out and "Traceback" not in errors
    assert json.loads(path.read_text())["results"]


@pytest.mark.parametrize("mode", ["given", "fresh"])
@pytest.mark.parametrize("name", ["windrow", "windrow_cpp", "numpy", "onnxruntime", "onnxruntime_cpp", "openvino",
                                  "jax", "torch"])
def test_every_spelling_is_right(tmp_path, name, mode):
    """Of many small cases. A host may lack an operator or a type, but no spelling may be wrong."""
    if name == "torch":
        pytest.importorskip("torch")
    if name == "windrow_cpp" and not HAS_LIBRARIES:
        pytest.skip("WINDROW_NATIVE_CALL does not say where the library is")
    if name == "onnxruntime_cpp" and not HAS_HOST_LIBRARY:
        pytest.skip("WINDROW_ONNXRUNTIME_CALL does not say where the library is")
    script = pathlib.Path(__file__).with_name("spell_draws.py")
    done = subprocess.run([sys.executable, script, name, mode, tmp_path], env=ENVIRONMENT, text=True, capture_output=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    offered = int(done.stdout)
    assert offered >= 10 or (name, mode) in (("windrow_cpp", "fresh"), ("onnxruntime_cpp", "fresh"), ("jax", "given"))


def test_wrong_result_in_place_is_found(tmp_path):
    case = next(one for one in (draw_case(6, number, "given", 3000) for number in range(99)) if one.in_place)
    save_inputs(case, make_inputs(case), tmp_path)
    expected = np.load(tmp_path / "expected.npy")
    np.save(tmp_path / "expected.npy", expected + 1)
    answer = Contestant("numpy", 1).prepare(case.to_json(), str(tmp_path))
    assert answer["status"] == "wrong"


def test_linked_environment_of_torch_is_refused(tmp_path):
    shutil.copy(BENCH.parent / "dev", tmp_path / "dev")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "torch-venv").symlink_to(tmp_path / "elsewhere")
    done = subprocess.run([tmp_path / "dev", "bench", "random", "--seed", "1", "--torch"], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 1 and "build/torch-venv is a link" in done.stderr
