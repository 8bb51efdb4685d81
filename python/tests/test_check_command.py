"""python -m windrow check: what runs in host runtimes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/formats/check.schema.json").read_text())


@pytest.fixture
def command(tmp_path):
    """Calls the command in tmp_path; gives exit code, standard output and standard error."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def call(*arguments):
        done = subprocess.run([sys.executable, "-m", "windrow", "check", *arguments], cwd=tmp_path, env=environment,
                              capture_output=True, encoding="utf-8", timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr

    return call


def value(name, dtype, shape):
    return helper.make_tensor_value_info(name, dtype, shape)


def write_model(path):
    """Rows of a table, chosen by ids behind an operator that Windrow does not run; and a default attribute."""
    nodes = [
        helper.make_node("Abs", ["ids"], ["positive"], name="abs"),
        helper.make_node("Gather", ["table", "positive"], ["rows"], name="lookup"),
        helper.make_node("ScatterND", ["rows", "where", "rows"], ["y"], name="write", reduction="none"),
    ]
    inputs = [value("table", TensorProto.FLOAT, [4, 3]), value("ids", TensorProto.INT64, [2])]
    constant = numpy_helper.from_array(np.array([[1], [0]]), "where")
    graph = helper.make_graph(nodes, "g", inputs, [value("y", TensorProto.FLOAT, [2, 3])], [constant])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)


TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_inputs_show_the_index_and_what_a_host_made_of_it(command, tmp_path):
    write_model(tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", table=TABLE, ids=np.array([1, -7]))
    flags = ["--select", "gather-index-range", "--for", "openvino:cpu"]
    code, out, err = command("m.onnx", "--inputs", "in.npz", *flags, "--json")
    assert (code, err) == (1, "")
    document = json.loads(out)
    jsonschema_rs.validate(SCHEMA, document)
    (finding,) = document["findings"]
    assert (finding["verdict"], finding["evidence"]) == ("happens", "inputs")
    assert (finding["position"], finding["value"]) == ([1], "7")
    assert finding["observed"]["runtime"].startswith("openvino:cpu@")
    assert finding["observed"]["differing"] == 1


def test_good_inputs_do_not_fail_for_what_other_inputs_could_do(command, tmp_path):
    write_model(tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", table=TABLE, ids=np.array([1, -3]))
    flags = ["--for", "onnxruntime:cpu", "--host", "onnxruntime", "--select", "gather-index-range"]
    for wanted, strict in [(0, ()), (1, ("--strict",))]:
        code, out, _ = command("m.onnx", "--inputs", "in.npz", *flags, *strict, "--json")
        assert code == wanted
        (finding,) = json.loads(out)["findings"]
        assert (finding["verdict"], finding["observed"], finding["observed_in_range"]) == ("can", None, not strict)


def test_a_node_that_breaks_a_rule_of_its_operator_is_not_tried(command, tmp_path):
    graph = helper.make_graph(
        [helper.make_node("Gather", ["x", "i"], ["y"], axis=5)], "g",
        [helper.make_tensor_value_info("x", 1, [4, 3]), helper.make_tensor_value_info("i", 7, [2])],
        [helper.make_tensor_value_info("y", 1, None)])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), tmp_path / "m.onnx")
    code, out, err = command("m.onnx", "--try", "--for", "openvino:cpu", "--json")
    assert (code, err) == (1, "")
    assert [finding["rule"] for finding in json.loads(out)["findings"]] == ["ONNX-Gather-A1"]


def test_try_shows_what_a_host_does_with_the_node_alone(command, tmp_path):
    write_model(tmp_path / "m.onnx")
    flags = ["--select", "gather-index-range", "--for", "openvino:cpu", "--json"]
    code, out, err = command("m.onnx", "--try", *flags)
    assert (code, err) == (1, "")
    document = json.loads(out)
    jsonschema_rs.validate(SCHEMA, document)
    (tried,) = document["findings"][0]["tried"]
    assert tried["agreement"] == "agrees"
    assert tried["runtime"].startswith("openvino:cpu@")


def test_a_fix_of_a_model_with_foreign_operators_is_verified_in_hosts(command, tmp_path):
    write_model(tmp_path / "m.onnx")
    only = ["--for", "tensorrt@10.3", "--select", "scatter-nd-reduction-none"]
    code, out, err = command("m.onnx", *only, "--fix", "out.onnx", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    jsonschema_rs.validate(SCHEMA, document)
    assert [change["node"] for change in document["fixes"]["applied"]] == ["main/write"]
    assert {"onnxruntime", "openvino"} <= {runs["host"] for runs in document["fixes"]["runs"]}
    assert command("out.onnx", *only)[0] == 0


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04junk", b"\x93NUMPY", b"x" * 100])
def test_what_is_no_npz_file_is_refused(command, tmp_path, content):
    write_model(tmp_path / "m.onnx")
    (tmp_path / "in.npz").write_bytes(content)
    code, out, err = command("m.onnx", "--inputs", "in.npz")
    assert (code, out) == (2, "")
    assert err.startswith("windrow: error: ") and "in.npz" in err and len(err.splitlines()) == 1


def test_inputs_that_do_not_fit_are_refused(command, tmp_path):
    write_model(tmp_path / "m.onnx")
    assert "none.npz" in command("m.onnx", "--inputs", "none.npz")[2]
    np.savez(tmp_path / "in.npz", table=TABLE)
    assert "'ids' is not given" in command("m.onnx", "--inputs", "in.npz")[2]
    np.savez(tmp_path / "in.npz", table=np.array([{}], dtype=object), ids=np.array([1, 2]))
    code, out, err = command("m.onnx", "--inputs", "in.npz", "--json")
    assert code == 2
    assert json.loads(out)["error"]["code"] == "unsupported"
    assert "did you mean onnxruntime?" in command("m.onnx", "--try", "--host", "onxruntime")[2]
    assert "cobol" in command("m.onnx", "--try", "--host", "cobol")[2]
