"""A name that is not known is answered with the nearest that is."""

import cli_models as models
import numpy as np
import pytest
from onnx import helper


@pytest.fixture
def files(tmp_path):
    models.gather(tmp_path / "m.onnx", data=("batch", 3), out=None)
    np.save(tmp_path / "i.npy", np.array([1, 0]))
    np.savez(tmp_path / "in.npz", data=np.zeros(3), indices=np.array([1]))
    node = helper.make_node("GatherND", ["data", "indices"], ["y"], name="/embeddings/GatherND")
    inputs = [models.value("data", "float32", [5]), models.value("indices", "int64", [1])]
    models.save(tmp_path / "nd.onnx", [node], inputs, [models.value("y", "float32", None)])


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["inspct", "m.onnx"], "inspect"),
        (["run", "m.onnx", "--inputss", "x"], "--inputs"),
        (["run", "m.onnx", "--theads=2"], "--threads"),
        (["run", "m.onnx", "--out-of-range", "clmp"], "clamp"),
        (["run", "m.onnx", "--out", "x", "--format", "safetensor"], "safetensors"),
        (["check", "m.onnx", "--format", "jsn"], "json"),
        (["run", "m.onnx", "--kernels", "plan"], "plain"),
        (["call", "onnx.GahterND", "i.npy"], "GatherND"),
        (["call", "onx.Gather", "i.npy"], "onnx"),
        (["call", "onnx.Gather", "i.npy", "i.npy", "--attr", "axes=1"], "axis"),
        (["call", "onnx.Gather", "i.npy", "i.npy", "--dtype", "indies=int8"], "indices"),
        (["call", "onnx.Gather", "i.npy", "i.npy", "--dtype", "0=flaot16"], "float16"),
        (["explain", "onnx.Gather", "--indicies", "[1]"], "--indices"),
        (["run", "nd.onnx", "--node", "/embedding/GatherND"], "/embeddings/GatherND"),
        (["explain", "nd.onnx", "--node", "/embeddings/Gather"], "/embeddings/GatherND"),
        (["run", "m.onnx", "--input", "indice=i.npy"], "indices"),
        (["run", "m.onnx", "--random", "1", "--dim", "batches=3"], "batch"),
        (["call", "onnx.Gather", "in.npz:dta", "i.npy"], "data"),
        (["check", "m.onnx", "--select", "gather-index-rang3"], "gather-index-range"),
        (["check", "--explain-rule", "gather-index-rnge"], "gather-index-range"),
        (["ops", "GatherNd"], "GatherND"),
        (["completion", "bsh"], "bash"),
    ],
)
def test_the_nearest_name_is_told(windrow, files, arguments, meant):
    assert windrow(*arguments).only_error().endswith(f"; did you mean {meant}?")


# A runtime that no rule knows is no error: the report says so.
@pytest.mark.parametrize(
    ("runtime", "meant"),
    [("onnxruntme:cpu", "onnxruntime:cpu"), ("opnevino", "openvino"), ("onnxruntime:gpu", "onnxruntime:cpu")],
)
def test_the_nearest_runtime_is_noted(windrow, files, runtime, meant):
    outcome = windrow("check", "m.onnx", "--for", runtime)
    assert f"note: no rule knows the runtime '{runtime}'" in outcome.out
    assert f"did you mean {meant}?" in " ".join(outcome.out.split())


def test_a_name_without_its_dialect_is_answered_with_all_that_have_it(windrow, files):
    error = windrow("call", "Gather", "i.npy", "i.npy").only_error()
    assert error.endswith("write the dialect before it, as in onnx.Gather, openvino.Gather, tensorrt.Gather")
    assert windrow("call", "GahterND", "i.npy").only_error().endswith("; did you mean onnx.GatherND?")


@pytest.mark.parametrize("arguments", [["fly"], ["run", "m.onnx", "--wings"], ["call", "onnx.Convolution", "i.npy"]])
def test_what_is_near_nothing_gets_no_advice(windrow, files, arguments):
    assert "did you mean" not in windrow(*arguments).only_error()
