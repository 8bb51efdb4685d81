"""The hosts: models, single nodes, types; every failure is a value."""

import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import pytest
import windrow
from onnx import helper
from runner_models import EXPECTED, FOREIGN, INPUTS, NAMES, lookup, there
from windrow.runners import Failure, Limits, ModelFile, ModelRun, NodeCall, Runner, runner


def test_the_hosts():
    assert NAMES == ["onnxruntime", "openvino", "openvino_evaluate", "onnx_reference", "windrow"]
    with pytest.raises(windrow.ArgumentError, match="there is no host 'tensorflow'; there are: onnxruntime"):
        runner("tensorflow")


@pytest.mark.parametrize("name", NAMES)
def test_versions_say_what_is_installed(name):
    host = there(name)
    assert list(host.versions()) == [host.package]
    assert all(host.versions().values())


def test_this_process_imports_no_host():
    script = ("import sys, windrow.runners as r; [(h.versions(), h.fault()) for h in r.runners()];"
              "print([n for n in ('onnxruntime', 'openvino', 'onnx') if n in sys.modules])")
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"[]\n"


# A process is forked for each run: what only it imports is imported again for the next one.
@pytest.mark.parametrize("name", FOREIGN)
def test_a_run_imports_nothing_of_the_host(name, tmp_path):
    host = there(name)
    onnx.save(lookup(), tmp_path / "model.onnx")
    script = ("import importlib, pathlib, sys; from windrow.runners import ModelFile, ModelRun, runner\n"
              "from runner_models import INPUTS\n"
              "host = runner(sys.argv[1]); run = ModelRun(ModelFile.of(pathlib.Path(sys.argv[2])), INPUTS)\n"
              "[importlib.import_module(module) for module in host.preload()]; before = set(sys.modules)\n"
              "host.execute(run); print([n for n in set(sys.modules) - before if n.startswith(host.package + '.')])")
    ran = subprocess.run([sys.executable, "-c", script, name, tmp_path / "model.onnx"], capture_output=True, check=True,
                         env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert ran.stdout.splitlines()[-1] == b"[]"


@pytest.mark.usefixtures("workers_of_its_own")
@pytest.mark.parametrize("name", FOREIGN)
def test_whole_models(name, tmp_path):
    host = there(name)
    onnx.save(lookup(), tmp_path / "model.onnx")
    for model in (lookup(), lookup().SerializeToString(), tmp_path / "model.onnx"):
        result = host.run(model, INPUTS)
        assert result.failure is None and list(result.outputs) == ["y"]
        assert np.array_equal(result.outputs["y"], EXPECTED)


@pytest.mark.parametrize("name", FOREIGN)
def test_external_data(name, tmp_path):
    host = there(name)
    path = tmp_path / "model.onnx"
    onnx.save_model(lookup(), path, save_as_external_data=True, location="data", size_threshold=0)
    in_memory = host.run(path.read_bytes(), INPUTS, folder=tmp_path)
    for result in (host.run(path, INPUTS, expose=["add"]), in_memory):
        assert result.failure is None and np.array_equal(result.outputs["y"], EXPECTED)


@pytest.mark.parametrize("name", NAMES)
def test_single_nodes(name):
    host = there(name)
    data, ids = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([2, 0])
    for constants in ((), (1,)):
        for dynamic in (False, True):
            call = NodeCall("Gather", (data, ids), {"axis": 0}, 13, constants=constants, dynamic=dynamic)
            result = host.run_node(call)
            assert result.failure is None and np.array_equal(result.outputs["output_0"], data[ids])


@pytest.mark.parametrize("name", ["openvino", "openvino_evaluate", "windrow"])
def test_single_nodes_of_openvino(name):
    host = there(name)
    data, ids = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([1, 0], np.int32)
    call = NodeCall("Gather", (data, ids, np.int64(1)), {"batch_dims": 0}, 8, dialect="openvino", constants=(2,))
    result = host.run_node(call)
    assert result.failure is None and np.array_equal(result.outputs["output_0"], data[:, ids])


# The types that the host returns unchanged.
NUMBERS = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 bfloat16"
TYPES = {
    "onnxruntime": f"{NUMBERS} float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz string",
    "openvino": f"{NUMBERS} float8_e4m3fn float8_e5m2 float8_e8m0fnu int4 uint4",
    "openvino_evaluate": "bool int8 uint8 int32 uint32 int64 uint64 float16 float32 bfloat16 string",
    "onnx_reference": f"{NUMBERS} complex64 complex128 float8_e4m3fn float8_e5m2fnuz int4 uint4 string",
    "windrow": f"{NUMBERS} float8_e4m3fn float8_e5m2 float8_e8m0fnu float4_e2m1fn int4 uint4 uint2 string",
}


def elements(name):
    if name == "string":
        return np.array([["a", "日本", ""], ["b", "c", "d"]], object)
    dtype = np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)
    return np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype)


def gives_back(name, array):
    """A call whose result is the array: Identity, or a Gather of all rows in order."""
    if name in ("windrow", "openvino", "openvino_evaluate"):
        return NodeCall("Gather", (array, np.arange(2), np.int64(0)), {}, 8, dialect="openvino", constants=(2,))
    return NodeCall("Identity", (array,), {}, 19)


@pytest.mark.parametrize("name", NAMES)
def test_element_types(name):
    host = there(name)
    types = TYPES[name].split()
    arrays = [elements(kind) for kind in types]
    results = host.run_batch([gives_back(name, array) for array in arrays])
    for kind, array, result in zip(types, arrays, results, strict=True):
        assert result.failure is None, (kind, result.failure)
        output = result.outputs["output_0"]
        # As texts, because float8_e8m0fnu has NaN for 0.
        assert repr(output.tolist()) == repr(array.tolist()), kind
        assert output.dtype == array.dtype, kind


def test_four_bits_come_from_onnxruntime():
    array = np.arange(-8, 7).reshape(3, 5).astype(ml_dtypes.int4)
    scale, data = np.ones((), np.float32), array.astype(np.float32)
    host = there("onnxruntime")
    quantized = host.run_node(NodeCall("QuantizeLinear", (data, scale, np.zeros((), ml_dtypes.int4)), {}, 21))
    assert quantized.failure is None and quantized.outputs["output_0"].dtype == array.dtype
    assert quantized.outputs["output_0"].tolist() == array.tolist()
    again = host.run_node(NodeCall("DequantizeLinear", (array, scale), {}, 21))
    assert again.failure is None and np.array_equal(again.outputs["output_0"], data)


@pytest.mark.parametrize("name", ["onnxruntime", "onnx_reference"])
def test_sequences(name):
    result = there(name).run_node(NodeCall("SequenceConstruct", (np.arange(2), np.arange(3)), {}, 17))
    assert [part.tolist() for part in result.outputs["output_0"]] == [[0, 1], [0, 1, 2]]


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_has_the_hosts_words(name):
    bad = NodeCall("Gather", (np.zeros((3, 2), np.float32), np.array([7])), {"axis": 5}, 13)
    failure = there(name).run_node(bad).failure
    assert failure.kind in ("refused", "can't be asked") and len(failure.message) > 10


def test_no_code_is_told_from_a_refusal():
    host = there("onnxruntime")
    no_code = host.run_node(NodeCall("Gather", (elements("float8_e5m2"), np.array([0])), {}, 13))
    refused = host.run_node(NodeCall("Gather", (elements("float32"), np.array([9])), {}, 13))
    assert host.has_no_code(no_code.failure) and not host.has_no_code(refused.failure)


def test_what_cannot_be_asked():
    host = runner("onnxruntime")
    assert "does not read the format 'openvino'" in host.why_not("openvino")
    assert "no tensors of complex64" in host.why_not("onnx", 17, ["float32", "complex64"])
    assert host.why_not("onnx", 17, ["float32"]) == ""
    newest = onnx.defs.onnx_opset_version()
    assert runner("onnx_reference").why_not("onnx", newest) == ""
    assert str(newest) in runner("onnx_reference").why_not("onnx", newest + 1)
    asked = NodeCall("Identity", (np.zeros(2, np.complex64),), {}, 17)
    assert there("onnxruntime").run_node(asked).failure.kind == "can't be asked"
    assert there("onnx_reference").run(lookup(), INPUTS, windrow_inside=True).failure.kind == "can't be asked"


def test_a_model_with_other_operators_cannot_be_asked_of_windrow():
    failure = runner("windrow").run(lookup(), INPUTS).failure
    assert failure.kind == "can't be asked" and "Relu" in failure.message


class Absent(Runner):
    name, package = "absent", "no_such_package"

    def execute(self, run):
        raise AssertionError


def test_a_host_that_is_not_installed():
    assert Absent().versions() == {}
    result = Absent().run(lookup(), INPUTS)
    expected = "absent is not installed: pip install no_such_package"
    assert (result.outputs, result.failure) == (None, Failure("not installed", expected))


@pytest.mark.usefixtures("workers_of_its_own")
def test_limits_are_those_of_each_request():
    loop = NodeCall("Gather", (np.zeros((3, 2), np.float32), np.array([0])), {}, 13)
    results = there("onnxruntime").run_batch([loop, loop], processes=2, limits=Limits(memory=1))
    assert [result.failure.kind for result in results] == ["memory", "memory"]


def test_sequences_go_in():
    parts = [np.arange(2.0), np.arange(3.0)]
    given = helper.make_tensor_sequence_value_info("parts", onnx.TensorProto.DOUBLE, None)
    graph = helper.make_graph([helper.make_node("ConcatFromSequence", ["parts"], ["y"], axis=0)], "g", [given],
                              [onnx.ValueInfoProto(name="y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    result = there("onnxruntime").run(model, {"parts": parts})
    assert result.failure is None and result.outputs["y"].tolist() == [0, 1, 0, 1, 2]


def test_requests_survive_the_way_to_a_worker():
    from windrow.runners import _requests

    run = ModelRun(ModelFile.of(b"x", "/tmp"), {"a": 1}, ("n",), True, 3, False)
    call = NodeCall("Gather", (1, None), {"axis": 1}, 13, constants=(1,))
    for request in (run, call):
        assert _requests.from_value(_requests.to_value(request)) == request
