"""windrow.fix(): whole models, files, and what is refused."""

import dataclasses

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper
from onnx.backend.test.loader import load_model_tests


def model_of(nodes, inputs, constants=(), opset=18, outputs=("y",)):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["?", 3]) for name in outputs],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


# A rule about runtimes that refuse reduction="none".
OLD = "onnxruntime,openvino,tensorrt@10.3"


def scatter(indices, **attributes):
    return model_of(
        [helper.make_node("ScatterND", ["x", "i", "u"], ["y"], name="n", **attributes)],
        [("x", TensorProto.FLOAT, [4, 3]), ("u", TensorProto.FLOAT, [2, 3])], [("i", np.int64(indices))])


def test_the_file_is_written(tmp_path):
    model = scatter([[-1], [0]], reduction="none")
    result = windrow.fix(model, windrow.check(model, runtimes=OLD), out=tmp_path / "out.onnx", hosts=())
    assert {change.rule for change in result.applied} == {"scatter-nd-reduction-none", "scatter-negative-index"}
    written = onnx.load(tmp_path / "out.onnx")
    assert [node.op_type for node in written.graph.node] == ["ScatterND"]
    assert not written.graph.node[0].attribute
    assert [list(onnx.numpy_helper.to_array(each).ravel()) for each in written.graph.initializer] == [[3, 0]]
    inputs = {"x": np.zeros((4, 3), np.float32), "u": np.ones((2, 3), np.float32)}
    np.testing.assert_array_equal(result.model.run(inputs)["y"], windrow.load(model).run(inputs)["y"])
    assert "verified in windrow: 4 runs gave the same bits before and after" in str(result)


def test_nothing_is_written_where_nothing_changes(tmp_path):
    result = windrow.fix(scatter([[1], [0]]), out=tmp_path / "out.onnx", hosts=())
    assert result.applied == ()
    assert not (tmp_path / "out.onnx").exists()


def test_what_is_not_verified_is_not_written(tmp_path, monkeypatch):
    from windrow._fixes import runs

    run_here = runs._run_here
    done = []

    def other_results(model, sample):
        done.append(run_here(model, sample))
        return done[-1] if len(done) <= 4 else dataclasses.replace(done[-1], outputs=[done[-1].outputs[0] + 1])

    monkeypatch.setattr(runs, "_run_here", other_results)
    with pytest.raises(windrow.HostError, match=r"is not written: windrow: run 1 \(drawn\) gives another result: output 0 at"):
        windrow.fix(scatter([[-1], [0]]), out=tmp_path / "out.onnx", hosts=())
    assert list(tmp_path.iterdir()) == []


def test_given_inputs_are_the_runs():
    inputs = {"x": np.zeros((4, 3), np.float32), "u": np.full((2, 3), np.nan, np.float32)}
    result = windrow.fix(scatter([[-1], [0]]), inputs=[inputs, inputs], hosts=())
    assert result.verifications[0].equal == 2
    result = windrow.fix(scatter([[-1], [0]]), inputs=inputs, hosts=())
    assert result.verifications[0].equal == 1
    result = windrow.fix(scatter([[-1], [0]]), inputs={"x": inputs["x"]}, hosts=())
    assert "no run gave a result" in result.failure


def test_nodes_among_others_and_in_bodies_are_fixed(tmp_path):
    pytest.importorskip("onnxruntime")
    then_branch = helper.make_graph(
        [helper.make_node("ScatterND", ["h", "i", "u"], ["z"], name="inner", reduction="none")], "then", [],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [4, 3])])
    else_branch = helper.make_graph(
        [helper.make_node("Identity", ["h"], ["e"])], "else", [],
        [helper.make_tensor_value_info("e", TensorProto.FLOAT, [4, 3])])
    model = model_of(
        [helper.make_node("Relu", ["x"], ["h"]), helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0),
         helper.make_node("Greater", ["most", "zero"], ["c"]),
         helper.make_node("If", ["c"], ["y"], name="if", then_branch=then_branch, else_branch=else_branch)],
        [("x", TensorProto.FLOAT, [4, 3]), ("u", TensorProto.FLOAT, [2, 3]), ("i", TensorProto.INT64, [2, 1])],
        [("zero", np.float32(0))])
    report = windrow.check(model, runtimes=OLD)
    result = windrow.fix(model, report, unsafe=True, out=tmp_path / "out.onnx", hosts=())
    assert {change.node for change in result.applied} == {"main/if.then_branch/inner"}
    assert {"scatter-nd-reduction-none", "scatter-nd-index-range"} <= {change.rule for change in result.applied}
    onnx.checker.check_model(tmp_path / "out.onnx", full_check=True)
    assert result.verifications[0].equal > 0


def test_functions_have_constants_as_nodes(tmp_path):
    node = helper.make_node("ScatterND", ["a", "i", "b"], ["o"], name="inner", reduction="none")
    function = helper.make_function("mine", "Put", ["a", "i", "b"], ["o"], [node], [helper.make_opsetid("", 18)])
    model = model_of([helper.make_node("Put", ["x", "i", "u"], ["y"], domain="mine")],
                     [("x", TensorProto.FLOAT, [4, 3]), ("u", TensorProto.FLOAT, [2, 3])], [("i", np.int64([[1], [0]]))])
    model.functions.append(function)
    model.opset_import.append(helper.make_opsetid("mine", 1))
    result = windrow.fix(model, windrow.check(model, runtimes=OLD), hosts=())
    assert {change.rule for change in result.applied} == {"scatter-nd-reduction-none", "scatter-negative-index"}


def test_only_strings_are_left_out_of_the_message():
    result = windrow.fix(scatter([[9], [0]]), hosts=())
    assert result.applied == ()
    assert "only an unsafe fix" in str(result)


FAMILY = ("Gather", "Scatter", "ArrayFeatureExtractor", "OneHot", "TensorScatter")
CASES = [case for case in load_model_tests(kind="node")
         if case.model and all(node.op_type.startswith(FAMILY) for node in case.model.graph.node)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_onnx_own_models_give_the_same(case, tmp_path):
    model = case.model
    sets = [dict(zip((each.name for each in model.graph.input), inputs)) for inputs, _ in case.data_sets]
    result = windrow.fix(model, unsafe=True, inputs=sets, hosts=())
    assert result.failure == "", result
    if result.applied:
        result.model.save(tmp_path / "fixed.onnx")
        onnx.checker.check_model(tmp_path / "fixed.onnx", full_check=True)
