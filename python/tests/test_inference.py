"""Inference of whole models: claims, findings, bodies, and what onnx's shape inference adds."""

import json
import pickle
import subprocess
import sys

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper, numpy_helper
from windrow._models import onnx_shapes
from windrow.processes import Limits


def info(name, dtype=TensorProto.FLOAT, shape=None):
    return helper.make_tensor_value_info(name, dtype, shape)


def untyped(name):
    return onnx.ValueInfoProto(name=name)


def model_of(nodes, values=(), outputs=(), initializers=(), functions=(), shape=("N", 4)):
    inputs = [info("x", TensorProto.FLOAT, shape), info("i", TensorProto.INT64, [3])]
    graph = helper.make_graph(
        nodes, "g", inputs, list(outputs), list(initializers), value_info=list(values)
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8, functions=list(functions))


def foreign_chain(**options):
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Cast", ["shape"], ["cast"], to=TensorProto.INT32),
        helper.make_node("Add", ["cast", "cast"], ["sum"]),
        helper.make_node("Gather", ["x", "sum"], ["y"]),
    ]
    return model_of(nodes, outputs=[info("y")], **options)


def test_a_foreign_chain_with_and_without_onnx():
    model = windrow.load(foreign_chain())
    found = model.infer()
    assert found["sum"] == ("sum", "int32", (2,), "onnx")
    assert found["y"] == ("y", "float32", (2, 4), "onnx")
    assert found["shape"] == ("shape", "int64", (2,), "proven")
    assert (found.findings, found.notes) == ((), ())
    alone = model.infer(ask_onnx=False)
    assert alone["sum"] == ("sum", None, None, "unknown")
    assert alone["y"].shape is None
    assert model.inspect()[0].inputs[1].basis == "onnx"


def test_a_missing_onnx_is_a_note(monkeypatch):
    monkeypatch.setattr(onnx_shapes.importlib.util, "find_spec", lambda name: None)
    found = windrow.load(foreign_chain()).infer()
    assert found["y"].shape is None
    assert found.notes == (
        "types of other operators are unknown: onnx, whose shape inference finds them, is not installed",
    )


def crash(skeleton):
    import os

    os.abort()


@pytest.mark.parametrize("handler", ["test_inference:crash", "test_inference:no_such_function"])
def test_a_crash_of_onnx_is_a_note(monkeypatch, handler):
    monkeypatch.setattr(sys, "path", [*sys.path, __file__.rpartition("/")[0]])
    pool = onnx_shapes.Pool
    monkeypatch.setattr(onnx_shapes, "Pool", lambda name, **options: pool(handler, **options))
    (note,) = windrow.load(foreign_chain()).infer().notes
    assert note.startswith("types of other operators are unknown: onnx's shape inference failed: ")


def test_claims_do_not_reach_onnx():
    wrong = [info("cast", TensorProto.INT32, [7]), info("sum", TensorProto.INT32, [9])]
    found = windrow.load(foreign_chain(values=wrong)).infer()
    assert found["y"] == ("y", "float32", (2, 4), "onnx")
    assert [finding.value for finding in found.findings] == ["cast", "sum"]
    assert str(found.findings[0]) == (
        "node 'Cast_1': the model declares 'cast' as int32[7], but it is int32[2] (if 'cast' is what onnx infers)"
    )
    assert {finding.kind for finding in found.findings} == {"contradiction"}


def test_a_wrong_claim_that_onnx_runtime_accepts():
    session = pytest.importorskip("onnxruntime")
    nodes = [helper.make_node("Gather", ["x", "i"], ["y"]), helper.make_node("Relu", ["y"], ["z"])]
    model = model_of(nodes, [info("y", shape=[5, 4])], [info("z")], shape=[10, 4])
    options = session.SessionOptions()
    options.log_severity_level = 4
    running = session.InferenceSession(model.SerializeToString(), options)
    (z,) = running.run(None, {"x": np.zeros((10, 4), np.float32), "i": np.arange(3)})
    found = windrow.load(model).infer()
    assert found["y"] == ("y", "float32", (3, 4), "proven")
    assert z.shape == (3, 4) and len(found.findings) == 1


def test_a_broken_rule_is_told_and_the_rest_goes_on():
    nodes = [
        helper.make_node("Gather", ["x", "i"], ["bad"], axis=7, name="first"),
        helper.make_node("Gather", ["x", "i"], ["y"], name="second"),
    ]
    model = windrow.load(model_of(nodes, outputs=[info("y")]))
    found = model.infer()
    assert found["y"].shape == (3, 4)
    (finding,) = found.findings
    assert (finding.kind, finding.label, finding.node) == ("broken rule", "ONNX-Gather-A1", "main/first")
    inspection = model.inspect()
    assert [report.path for report in inspection] == ["main/first", "main/second"]
    assert inspection.findings == found.findings
    assert "ONNX-Gather-A1" in repr(inspection) and "ONNX-Gather-A1" in inspection._repr_html_()
    assert pickle.loads(pickle.dumps(finding)) == finding


def loop_model():
    body = helper.make_graph(
        [
            helper.make_node("Concat", ["v", "x"], ["w"], axis=0),
            helper.make_node("Gather", ["w", "i"], ["rows"], name="rows"),
        ],
        "b",
        [untyped("n"), untyped("go"), untyped("v")],
        [untyped("go"), untyped("w"), untyped("rows")],
    )
    one = numpy_helper.from_array(np.array(True), "c")
    nodes = [helper.make_node("Loop", ["", "c", "x"], ["end", "stack"], name="l", body=body)]
    return model_of(nodes, outputs=[info("end"), info("stack")], initializers=[one])


def test_a_carried_value_that_grows_by_concat():
    found = windrow.load(loop_model()).infer()
    assert set(found.graphs) == {"main", "main/l.body"}
    assert found.graphs["main/l.body"]["n"] == ("n", "int64", (), "proven")
    assert found.graphs["main/l.body"]["v"].dtype == "float32"
    assert found["end"].shape in (None, (None, 4))
    assert found["stack"].dtype == "float32"
    assert windrow.load(loop_model()).inspect()[0].path == "main/l.body/rows"


def test_functions_have_the_types_of_their_calls():
    function = helper.make_function(
        "mine",
        "Pick",
        ["a", "b"],
        ["c"],
        [helper.make_node("Gather", ["a", "b"], ["c"], name="g")],
        [helper.make_opsetid("", 17)],
    )
    nodes = [
        helper.make_node("Pick", ["x", "i"], ["y"], domain="mine"),
        helper.make_node("Gather", ["y", "i"], ["z"]),
    ]
    model = windrow.load(model_of(nodes, outputs=[info("z")], functions=[function]))
    found = model.infer()
    assert found.notes == ()
    assert found.graphs["function mine.Pick"]["c"] == ("c", "float32", (3, 4), "proven")
    assert found["y"] == ("y", "float32", (3, 4), "onnx")
    assert found["z"] == ("z", "float32", (3, 4), "onnx")
    assert [report.path for report in model.inspect()] == ["main/Gather_1", "function mine.Pick/g"]


def test_large_constants_stay_where_they_are(tmp_path):
    """None of 64 MB of weights, in a Constant node, a body and an initializer, is passed to onnx."""
    weights = np.zeros((1 << 20, 4), np.float32)
    body = helper.make_graph(
        [helper.make_node("MatMul", ["x", "inner"], ["t"])],
        "b",
        [],
        [untyped("t")],
        [numpy_helper.from_array(np.zeros((4, 1 << 21), np.float32), "inner")],
    )
    nodes = [
        helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(weights)),
        helper.make_node("Add", ["k", "w"], ["sum"]),
        helper.make_node("Gather", ["sum", "i"], ["y"]),
        helper.make_node("If", ["c"], ["z"], then_branch=body, else_branch=body),
        helper.make_node("Gather", ["z", "i"], ["a"]),
    ]
    constants = [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(np.array(True), "c")]
    onnx.save(model_of(nodes, outputs=[info("y")], initializers=constants), tmp_path / "m.onnx")
    model = windrow.load(tmp_path / "m.onnx")
    given = []

    def keep(skeleton):
        given.append(skeleton)
        return onnx_shapes.infer(skeleton), ""

    graphs, rest = model._core.infer(keep)
    assert len(given[0]) < 2000
    assert rest["notes"] == []
    assert graphs[0][1]["y"][1:] == ("float32", (3, 4), "onnx")
    assert graphs[0][1]["a"][1:] == ("float32", (3, 1 << 21), "onnx")


def test_errors_of_the_function_that_is_asked_end_inference():
    def interrupted(skeleton):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        windrow.load(foreign_chain())._core.infer(interrupted)


def test_the_command_asks_onnx_too(tmp_path):
    onnx.save(foreign_chain(), tmp_path / "m.onnx")
    call = [sys.executable, "-m", "windrow", "inspect", str(tmp_path / "m.onnx"), "--json"]
    document = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    assert document["notes"] == []
    (node,) = document["nodes"]
    assert node["inputs"][1] == {"name": "sum", "dtype": "int32", "shape": [2], "basis": "onnx"}
    symbols = subprocess.run([*call, "--dim", "N=8"], check=True, capture_output=True).stdout
    assert json.loads(symbols)["nodes"][0]["plan"]["operator"] == "onnx.Gather-13"


def long_vectors(nodes, shape):
    graph = helper.make_graph(nodes, "g", [info("x", TensorProto.INT64, shape)], [untyped("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    rows, failure = onnx_shapes.ask(model.SerializeToString())
    return {name: dims for _, name, _, dims in rows}, failure


def test_a_long_vector_is_no_list_of_values(monkeypatch):
    # onnx keeps an entry for each element of a vector that an operator computes with.
    monkeypatch.setattr(onnx_shapes, "_LIMITS", Limits(seconds=60, memory=1 << 30))
    dims, failure = long_vectors([helper.make_node("Add", ["x", "x"], ["y"])], [1 << 31])
    assert (dims, failure) == ({"y": [1 << 31]}, "")


def test_extents_are_found_where_the_values_of_a_vector_need_too_much_memory(monkeypatch):
    monkeypatch.setattr(onnx_shapes, "_LIMITS", Limits(seconds=60, memory=1 << 30))
    nodes = [
        helper.make_node("Constant", [], ["one"], value_ints=[-1]),
        helper.make_node("Reshape", ["x", "one"], ["vector"]),
        helper.make_node("Add", ["vector", "vector"], ["y"]),
    ]
    dims, failure = long_vectors(nodes, [1 << 15, 1 << 15])
    assert (dims["y"], failure) == ([1 << 30], "")
