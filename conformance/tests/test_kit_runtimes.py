"""The files of the runtimes: what they run, what they show as a reproduction, and whether they read inputs in place."""

import dataclasses
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from windrow_conformance import registry
from windrow_conformance.judge import find_difference
from windrow_conformance.outcome import Outcome
from windrow_conformance.run import run
from windrow_conformance.runtimes.numpy import NumPy
from windrow_conformance.tensor import Tensor

HERE = Path(__file__).resolve().parent
OTHERS = ("numpy", "onnx", "onnxruntime", "openvino", "openvino-evaluate", "jax", "torch")
MIB_OF_INPUT = 256
RECORDS = 6


def installed(name):
    runtime = registry.find(name)
    if runtime.fault():
        pytest.skip(runtime.fault())
    return runtime


def sample(corpus, runtime, count):
    """Records that the runtime can be asked and has a reproduction of, the same in every run."""
    paths = corpus.paths(dialects=runtime.dialects, tiers=("specification",))
    random.Random(runtime.name).shuffle(paths)
    found = []
    for path in paths:
        record = corpus.record(path)
        if not runtime.why_not(record) and runtime.reproduction(record):
            found.append(path)
            if len(found) == count:
                break
    return found


@pytest.mark.parametrize("name", OTHERS)
def test_reproductions_give_what_the_run_gives(corpus, name):
    paths = sample(corpus, installed(name), RECORDS)
    verdicts = run(name, corpus, paths)
    passed = [path for path, verdict in verdicts.items() if verdict.outcome is Outcome.PASSED]
    assert len(passed) >= RECORDS // 3
    command = [sys.executable, str(HERE / "reproduced.py"), name, *passed]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.stdout.splitlines() == ["done"], told.stderr[-2000:]


@pytest.mark.parametrize("name", OTHERS)
def test_what_reads_in_place_copies_no_input(name):
    runtime = installed(name)
    command = [sys.executable, str(HERE / "reads_what.py"), name]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stderr[-2000:]
    grown = int(told.stdout)
    if runtime.reads_in_place:
        assert grown < MIB_OF_INPUT // 4
    else:
        assert grown > MIB_OF_INPUT // 2


def test_openvino_converts_what_it_does_not_compute_in(corpus):
    runtime = registry.find("openvino")
    small = dataclasses.replace(corpus.record("openvino/gather_nd/moves_int64"), inputs=())
    data, indices = Tensor("float32", np.zeros(2, np.float32)), Tensor("int32", np.zeros((1, 1), np.int32))
    assert runtime.is_in_place(dataclasses.replace(small, inputs=(data, indices))) is True
    wide = Tensor("int64", indices.array.astype(np.int64))
    assert runtime.is_in_place(dataclasses.replace(small, inputs=(data, wide))) is False


def test_attributes_are_no_code(corpus):
    record = dataclasses.replace(corpus.record("onnx/gather/example_axis_0"), attrs={"axis": "0); raise SystemExit(("})
    source = NumPy().source(record)
    assert source == "np.take(data, indices, axis='0); raise SystemExit((')"
    with pytest.raises(TypeError):
        NumPy().prepare(record)(record.inputs)


def test_rules_about_an_operators_lists_are_not_asked_of_functions(corpus):
    record = corpus.record("onnx/gather/example_axis_0")
    for rule in ("ONNX-Gather-T1", "ONNX-Gather-A2", "CALL-I1"):
        assert "lists" in NumPy().why_not(dataclasses.replace(record, rule=rule))
    assert not NumPy().why_not(record)


def test_every_function_of_numpy_gives_a_right_result(corpus):
    runtime = NumPy()
    left = set(runtime.lines)
    for path in corpus.paths(dialects=runtime.dialects, tiers=("specification",)):
        record = corpus.record(path)
        reduction = str(record.attrs.get("reduction", "none"))
        keys = {(record.dialect, record.op), (record.dialect, record.op, reduction)} & left
        if not keys or record.must_fail or runtime.why_not(record):
            continue
        key = max(keys, key=len)
        if len(key) == 2 and (*key, reduction) in runtime.lines:
            continue
        if not find_difference(record, runtime.prepare(record)(record.inputs)):
            left.discard(key)
    assert not left


def test_a_result_of_numpy_that_is_no_array_is_one(corpus):
    assert NumPy().from_library(np.float32(1)).shape == ()
    assert NumPy().from_library("text").dtype == "string"
