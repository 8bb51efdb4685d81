"""Models with operators that windrow does not run: in an installed host, from Python and by the command."""

import json
import subprocess
import sys

import numpy as np
import onnx
import pytest
import windrow
from runner_models import EXPECTED, INPUTS, IR_INPUTS, lookup, require_windrow_inside
from windrow.runners import run_with_host


@pytest.mark.parametrize("name", ["onnxruntime", "openvino"])
def test_whole_models_with_windrow_inside(name):
    require_windrow_inside(name)
    result = run_with_host(lookup(), INPUTS, host=name)
    assert np.array_equal(result.outputs["y"], EXPECTED)
    failure = run_with_host(lookup(), {**INPUTS, "ids": np.array([9])}, host=name).failure
    assert failure.kind == "refused" and "ONNX-Gather-C3" in failure.message  # the words of Windrow


def test_ir_with_windrow_inside(ir):
    require_windrow_inside("openvino")
    rows = INPUTS["table"][INPUTS["ids"]]
    outputs = windrow.load(ir).run(IR_INPUTS)
    assert list(outputs) == [value.name for value in windrow.load(ir).outputs]
    assert [array.tolist() for array in outputs.values()] == [rows[:, 2:].tolist(), rows[:, :1].tolist()]


def test_models_run_in_a_host(tmp_path):
    require_windrow_inside("onnxruntime")
    path = tmp_path / "model.onnx"
    onnx.save(lookup(), path)
    for model in (windrow.load(path), windrow.load(lookup())):
        lists = {"table": INPUTS["table"].tolist(), "ids": [3, 0, -2]}
        for inputs in (INPUTS, lists):
            assert np.array_equal(model.run(inputs)["y"], EXPECTED)
        with pytest.raises(windrow.Unsupported, match="can't run here: .*Relu"):
            model.run(INPUTS, host=False)
        with pytest.raises(windrow.HostError, match="onnxruntime: .*ONNX-Gather-C3") as caught:
            model.run({**INPUTS, "ids": [4]})
        assert caught.value.kind == "refused"
        with pytest.raises(windrow.ArgumentError, match="strict is not for models that run in a host"):
            model.run(INPUTS, strict=True)
        with pytest.raises(windrow.ArgumentError, match="'ids' is not given"):
            model.run({"table": INPUTS["table"]})
        with pytest.raises(windrow.ArgumentError, match="no input 'more'"):
            model.run({**INPUTS, "more": [1]})
        with pytest.raises(windrow.ArgumentError, match="there is no host"):
            model.run(INPUTS, host="tensorflow")
    changed = windrow.load(path)
    path.write_bytes(path.read_bytes() + b"\xca\x3e\x03abc")
    with pytest.raises(windrow.FileError, match="has changed"):
        changed.run(INPUTS)


def test_a_model_that_runs_here_needs_no_host(tmp_path):
    node = lookup().graph.node[0]
    del (model := lookup()).graph.node[1:]
    model.graph.output[0].name = node.output[0]
    assert windrow.load(model).run(INPUTS, strict=True)["rows"].shape == (3, 3)
    with pytest.raises(windrow.Unsupported, match="no file that a host could read"):
        windrow.load(model).run(INPUTS, host="onnxruntime")
    require_windrow_inside("onnxruntime")
    onnx.save(model, tmp_path / "model.onnx")
    assert windrow.load(tmp_path / "model.onnx").run(INPUTS, host="onnxruntime")["rows"].shape == (3, 3)


def without(package, code):
    """What a Python prints in which the package cannot be found."""
    hide = ("import importlib.util, sys; find = importlib.util.find_spec;"
            f"importlib.util.find_spec = lambda name, *more: None if name in {package!r} else find(name, *more);")
    done = subprocess.run([sys.executable, "-c", hide + code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_without_a_host_the_error_says_what_to_install(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(lookup(), path)
    said = without(["onnxruntime", "openvino"], f"import windrow; windrow.load({str(path)!r}).run("
                                                "{'table': [[1, 2, 3]] * 4, 'ids': [0]})")
    assert "Unsupported: no host can run this model" in said
    assert "pip install onnxruntime" in said and "pip install openvino" in said


def command(*words):
    words = [sys.executable, "-m", "windrow", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.fixture
def case(tmp_path):
    """A case of `windrow verify`, whose inputs are also .npy files."""
    data = tmp_path / "lookup" / "test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(lookup(), tmp_path / "lookup" / "model.onnx")
    for file, array in (("input_0", INPUTS["table"]), ("input_1", INPUTS["ids"]), ("output_0", EXPECTED)):
        (data / f"{file}.pb").write_bytes(onnx.numpy_helper.from_array(array).SerializeToString())
    for name, array in INPUTS.items():
        np.save(tmp_path / f"{name}.npy", array)
    return tmp_path


def test_the_command_runs_models_in_a_host(case):
    require_windrow_inside("onnxruntime")
    words = ["run", case / "lookup" / "model.onnx", *(f"--input={n}={case}/{n}.npy" for n in INPUTS), "--json"]
    done = command(*words)
    assert done.returncode == 0, done.stderr
    [output] = json.loads(done.stdout)["outputs"]
    assert (output["name"], output["shape"], output["values"]) == ("y", [3, 3], EXPECTED.ravel().tolist())
    never = command(*words, "--host", "never")
    assert never.returncode == 2 and "can't run here: Add" in never.stderr and "python -m" not in never.stderr
    assert "have no meaning" in command(*words, "--strict").stderr
    assert "there is no host 'other'" in command(*words, "--host", "other").stderr
    np.save(case / "ids.npy", np.array([9]))
    refused = command(*words)
    assert refused.returncode == 2 and "onnxruntime: " in refused.stderr and "ONNX-Gather-C3" in refused.stderr


def test_the_command_verifies_models_in_a_host(case):
    require_windrow_inside("onnxruntime")
    assert "1 passed, 0 failed, 0 skipped" in command("verify", case).stdout
    assert "0 passed, 0 failed, 1 skipped" in command("verify", case, "--host", "never").stdout
    wrong = onnx.numpy_helper.from_array(EXPECTED + 1).SerializeToString()
    (case / "lookup" / "test_data_set_0" / "output_0.pb").write_bytes(wrong)
    done = command("verify", case)
    assert done.returncode == 1 and "FAIL lookup" in done.stdout
