"""The hosts: models, single nodes, types, exposed nodes; every failure is a value."""

import json
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper
from runner_models import EXPECTED, INPUTS, gelu, lookup, with_body

import windrow
from windrow.runners import Failure, Limits, ModelFile, ModelRun, NodeCall, Runner, run_with_host, runner, runners

NAMES = [host.name for host in runners()]
FOREIGN = [name for name in NAMES if name != "windrow"]


def there(name):
    host = runner(name)
    if host.fault():
        pytest.skip(host.fault())
    return host


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


# Those that the host gives back as they were.
NUMBERS = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 bfloat16"
TYPES = {
    "onnxruntime": f"{NUMBERS} float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz string",
    "openvino": f"{NUMBERS} float8_e4m3fn float8_e5m2 int4 uint4",
    "openvino_evaluate": "bool int8 uint8 int32 uint32 int64 uint64 float16 float32 bfloat16 string",
    "onnx_reference": f"{NUMBERS} complex64 complex128 float8_e4m3fn float8_e5m2fnuz int4 uint4 string",
    "windrow": f"{NUMBERS} float8_e4m3fn float8_e5m2 int4 uint4 string",
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
        assert output.tolist() == array.tolist(), kind
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


def test_limits_are_those_of_each_request():
    loop = NodeCall("Gather", (np.zeros((3, 2), np.float32), np.array([0])), {}, 13)
    results = there("onnxruntime").run_batch([loop, loop], processes=2, limits=Limits(memory=1))
    assert [result.failure.kind for result in results] == ["memory", "memory"]


@pytest.mark.parametrize("name", FOREIGN)
def test_exposed_nodes(name):
    result = there(name).run(lookup(), INPUTS, expose=["look", "sum", "nothing"])
    assert result.failure is None and result.changed == ()
    assert list(result.outputs) == ["y"] and np.array_equal(result.outputs["y"], EXPECTED)
    rows = INPUTS["table"][INPUTS["ids"]]
    look, add = result.observed["look"], result.observed["sum"]
    assert np.array_equal(look.inputs[0], INPUTS["table"]) and look.inputs[1].tolist() == [3, 0, -2]
    assert np.array_equal(look.outputs[0], rows) and np.array_equal(add.inputs[0], rows)
    assert add.inputs[1].tolist() == [1, 0, -5]
    assert np.array_equal(add.outputs[0], rows + add.inputs[1])
    assert result.not_observed == {"nothing": "the model has no node of this name"}


def test_exposing_changes_what_the_host_fuses():
    values = {"x": np.random.default_rng(0).standard_normal(1000).astype(np.float32)}
    host = there("onnxruntime")
    assert host.run(gelu(), values, expose=["erf"], threads=1).changed == ("y",)
    assert host.run(gelu(), values, expose=["erf"], threads=1, optimize=False).changed == ()


@pytest.mark.parametrize("name", ["onnxruntime", "onnx_reference"])
def test_bodies_are_not_observed(name):
    values = {"c": np.array(True), "x": np.array([1, -1], np.float32)}
    result = there(name).run(with_body(), values, expose=["inside_then", "else_y", "choice"])
    assert result.outputs["y"].tolist() == [1, 0]
    assert result.not_observed == {
        "inside_then": "it is in a body of the If node 'choice'", "else_y": "it is in a body of the If node 'choice'"}
    assert result.observed["choice"].outputs[0].tolist() == [1, 0]


def test_a_copy_with_more_outputs_keeps_every_byte():
    """Fields that this onnx does not know are part of a model, too."""
    from windrow.runners._onnx_models import plan_exposure

    unknown = b"\xca\x3e\x03abc"  # field 1001, three bytes
    content = lookup().SerializeToString() + unknown
    copy = plan_exposure(ModelFile.of(content), ("look",)).model.data
    assert copy.startswith(content)
    merged = onnx.load_model_from_string(copy)
    assert [output.name for output in merged.graph.output] == ["y", "rows"]


IR = """
import sys
sys.modules["openvino_telemetry"] = None
import openvino
from openvino import opset15 as ops
table = ops.parameter([4, 3], openvino.Type.f32, name="table")
ids = ops.parameter([-1], openvino.Type.i32, name="ids")
look = ops.gather(table, ids, ops.constant(0, openvino.Type.i32), 0, name="look")
parts = ops.split(ops.relu(look, name="act"), ops.constant(1, openvino.Type.i32), 3, name="parts")
openvino.save_model(openvino.Model([parts.output(2), parts.output(0)], [table, ids], "m"), sys.argv[1],
                    compress_to_fp16=False)
"""


@pytest.fixture
def ir(tmp_path):
    there("openvino")
    path = tmp_path / "model.xml"
    subprocess.run([sys.executable, "-c", IR, str(path)], check=True)
    return path


IR_INPUTS = {**INPUTS, "ids": INPUTS["ids"].astype(np.int32) % 4}


@pytest.mark.parametrize("name", ["openvino", "openvino_evaluate"])
def test_openvino_ir(name, ir):
    rows = INPUTS["table"][INPUTS["ids"]]
    result = runner(name).run(ir, IR_INPUTS, expose=["look", "parts", "nothing"])
    assert result.failure is None and result.changed == ()
    assert [array.tolist() for array in result.outputs.values()] == [rows[:, 2:].tolist(), rows[:, :1].tolist()]
    assert np.array_equal(result.observed["look"].outputs[0], rows)
    assert result.observed["look"].inputs[2].tolist() == 0
    assert [part.shape for part in result.observed["parts"].outputs] == [(3, 1)] * 3
    assert result.observed["parts"].outputs[1].tolist() == rows[:, 1:2].tolist()
    assert result.not_observed == {"nothing": "the model has no node of this name"}
    content = ModelFile("openvino", data=ir.read_bytes(), weights=ir.with_suffix(".bin").read_bytes())
    assert runner(name).run(content, IR_INPUTS).outputs.keys() == result.outputs.keys()
    assert runner(name).run(ir, {"table": INPUTS["table"]}).failure.kind == "can't be asked"


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


def has_windrow_inside(name):
    if name == "onnxruntime":
        there(name)
        if not __import__("windrow.onnxruntime").onnxruntime.available():
            pytest.skip("this build has no plug-in for ONNX Runtime")
    elif (failure := run_with_host(lookup(), INPUTS, host=name).failure) is not None:
        pytest.skip(failure.message)


@pytest.mark.parametrize("name", ["onnxruntime", "openvino"])
def test_whole_models_with_windrow_inside(name):
    has_windrow_inside(name)
    result = run_with_host(lookup(), INPUTS, host=name)
    assert np.array_equal(result.outputs["y"], EXPECTED)
    failure = run_with_host(lookup(), {**INPUTS, "ids": np.array([9])}, host=name).failure
    assert failure.kind == "refused" and "ONNX-Gather-C3" in failure.message  # the words of Windrow


def test_ir_with_windrow_inside(ir):
    has_windrow_inside("openvino")
    rows = INPUTS["table"][INPUTS["ids"]]
    outputs = windrow.load(ir).run(IR_INPUTS)
    assert list(outputs) == [value.name for value in windrow.load(ir).outputs]
    assert [array.tolist() for array in outputs.values()] == [rows[:, 2:].tolist(), rows[:, :1].tolist()]


def test_models_run_in_a_host(tmp_path):
    has_windrow_inside("onnxruntime")
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
    has_windrow_inside("onnxruntime")
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
    return subprocess.run([sys.executable, "-m", "windrow", *map(str, words)], capture_output=True, text=True, check=False)


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
    has_windrow_inside("onnxruntime")
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
    has_windrow_inside("onnxruntime")
    assert "1 passed, 0 failed, 0 skipped" in command("verify", case).stdout
    assert "0 passed, 0 failed, 1 skipped" in command("verify", case, "--host", "never").stdout
    wrong = onnx.numpy_helper.from_array(EXPECTED + 1).SerializeToString()
    (case / "lookup" / "test_data_set_0" / "output_0.pb").write_bytes(wrong)
    done = command("verify", case)
    assert done.returncode == 1 and "FAIL lookup" in done.stdout
