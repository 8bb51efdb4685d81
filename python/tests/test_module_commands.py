"""python -m windrow.torch and its like: help, wrong words, and names that are nearly right."""

import os
import subprocess
import sys

import numpy as np
import pytest
import windrow
from onnx import TensorProto, helper
from windrow.runners import runner


def module(name, *words, blocked=""):
    """Runs a module; blocked: a package that cannot be imported."""
    code = f"import runpy, sys; sys.modules[{blocked!r}] = None; " if blocked else "import runpy, sys; "
    code += f"sys.argv = [{name!r}, *{list(words)!r}]; runpy.run_module({name!r}, run_name='__main__', alter_sys=True)"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120, env=dict(os.environ)
    )


@pytest.mark.parametrize(("name", "host"), [("windrow.torch", "torch"), ("windrow.openvino_plugin", "openvino")])
def test_help_of_a_command_that_builds_needs_no_host(name, host):
    for word in ("--help", "-h"):
        done = module(name, word, blocked=host)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"usage: python -m {name} ")
        assert "WINDROW_PLUGINS" in done.stdout
    done = module(name, "biuld", blocked=host)
    assert done.returncode == 2
    assert "'biuld' (choose from 'build')" in done.stderr
    done = module(name, "build", blocked=host)
    assert done.returncode == 1
    assert done.stderr.startswith("windrow: error: ") and host in done.stderr.lower()


def test_help_of_the_kit_without_the_kit():
    done = module("windrow.conform", "--help", blocked="windrow_conformance")
    assert done.returncode == 0
    assert "pip install dist/windrow_conformance-*.whl" in done.stdout


def test_help_of_the_command():
    done = subprocess.run([sys.executable, "-m", "windrow", "--help"], capture_output=True, text=True, check=True)
    for dialect in ("ONNX", "OpenVINO", "TensorRT", "NumPy"):
        assert dialect in done.stdout


DATA = np.zeros(3, np.float32)


def gather():
    """A model of one Gather."""
    inputs = [helper.make_tensor_value_info("d", TensorProto.FLOAT, [3])]
    inputs.append(helper.make_tensor_value_info("i", TensorProto.INT64, [1]))
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([helper.make_node("Gather", ["d", "i"], ["y"])], "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (lambda: windrow.onnx.gather(DATA, [1], axs=0), "Did you mean 'axis'?"),
        (lambda: windrow.compile("onnx", "GahterND", DATA, [[0]]), "; did you mean GatherND?"),
        (lambda: windrow.call("onx", "Gather", DATA, [0]), "; did you mean onnx?"),
        (lambda: runner("openvno"), "; did you mean openvino?"),
        (lambda: windrow.check(gather(), select=["gather-index-rang3"]), "; did you mean gather-index-range?"),
        (lambda: windrow.load(gather()).run({"dd": DATA, "i": np.array([0])}), "; did you mean d?"),
    ],
)
def test_the_nearest_name_is_told(wrong, meant):
    with pytest.raises((TypeError, windrow.Error)) as raised:
        wrong()
    assert str(raised.value).endswith(meant)


def test_the_nearest_runtime_is_told_in_a_note():
    """Runtimes that no rule knows are judged all the same."""
    (note,) = windrow.check(gather(), runtimes="onnxruntim").notes
    assert note.endswith("; did you mean onnxruntime?")


def test_a_keyword_of_odd_letters_is_near_nothing():
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        windrow.onnx.gather(DATA, [1], **{"\udc80": 0})


def test_a_model_of_one_node_has_one_node():
    assert "1 node:" in repr(windrow.load(gather()))
