"""windrow.fix() where a newer opset allows a node."""

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper


def sums(opset, before=(), after=(), output="y", reduction="add"):
    """A ScatterElements with a reduction between other nodes: x -> data, y -> output."""
    node = helper.make_node("ScatterElements", ["data" if before else "x", "i", "u"], ["y"], name="write", reduction=reduction)
    inputs = [helper.make_tensor_value_info(name, kind, [4, 3])
              for name, kind in (("x", TensorProto.FLOAT), ("i", TensorProto.INT64), ("u", TensorProto.FLOAT))]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, [4, 3])]
    graph = helper.make_graph([*before, node, *after], "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def relu(source, target):
    return helper.make_node("Relu", [source], [target], name=f"relu_{target}")


def check(model):
    return windrow.check(model, runtimes="onnxruntime:cpu", select=["ONNX-", "operator-"])


INPUTS = {"x": np.ones((4, 3), np.float32), "i": np.zeros((4, 3), np.int64), "u": np.ones((4, 3), np.float32)}


def test_the_opset_is_raised_where_other_nodes_stay_the_same(tmp_path):
    pytest.importorskip("onnxruntime")
    model = sums(15, [relu("x", "data")], [relu("y", "z")], "z")
    result = windrow.fix(model, check(model), out=tmp_path / "out.onnx", hosts=("onnxruntime",))
    (change,) = result.applied
    assert (change.rule, change.node) == ("ONNX-ScatterElements-A2", "main/write")
    assert change.what == "the model's opset is 16, was 15"
    assert result.left == ()
    assert [row.equal for row in result.verifications if "other nodes" in row.host] == [6]
    written = onnx.load(tmp_path / "out.onnx")
    assert written.opset_import[0].version == 16
    assert windrow.lowest_opset(tmp_path / "out.onnx").is_enough
    assert check(written).findings == ()
    np.testing.assert_array_equal(windrow.load(written).run(INPUTS)["z"], [[5] * 3, [1] * 3, [1] * 3, [1] * 3])


def test_a_model_of_one_node():
    model = sums(13, reduction="max")
    result = windrow.fix(model, check(model), hosts=())
    assert [change.what for change in result.applied] == ["the model's opset is 18, was 13"]
    np.testing.assert_array_equal(result.model.run(INPUTS)["y"], np.ones((4, 3)))


def test_what_changes_other_nodes_is_left(tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    model = sums(15, [relu("x", "data")])

    def other_nodes(proto, opset):
        changed = onnx.ModelProto()
        changed.CopyFrom(proto)
        changed.opset_import[0].version = opset
        changed.graph.node[0].op_type = "Sigmoid"
        return changed

    monkeypatch.setattr(onnx.version_converter, "convert_version", other_nodes)
    result = windrow.fix(model, check(model), out=tmp_path / "out.onnx", hosts=("onnxruntime",))
    assert result.applied == ()
    assert not (tmp_path / "out.onnx").exists()
    (left,) = result.left
    assert left.what.startswith("the opset is not raised: other nodes change: onnxruntime (the other nodes): run 1 (drawn) gives another result")


def with_rows(rows, monkeypatch):
    """The outcome for a model whose gather gets these rows while its opset is raised."""
    gather = helper.make_node("Gather", ["x", "rows"], ["data"], name="take")
    model = sums(15, [gather])
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.arange(4), "rows"))

    def other_rows(proto, opset):
        changed = onnx.ModelProto()
        changed.CopyFrom(proto)
        changed.opset_import[0].version = opset
        changed.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(np.array(rows), "rows"))
        return changed

    monkeypatch.setattr(onnx.version_converter, "convert_version", other_rows)
    return windrow.fix(model, check(model), hosts=())


def test_a_newer_opset_that_brings_a_finding_is_left(monkeypatch):
    result = with_rows([0, 1, 2, 9], monkeypatch)
    assert result.applied == ()
    [left] = result.left
    assert left.what.startswith("the opset is not raised: it would bring a new finding, gather-index-range on main/take: ")
    [left] = with_rows(range(4), monkeypatch).left
    assert "new finding" not in left.what


def test_a_converter_that_fails_is_told(monkeypatch):
    model = sums(15, [relu("x", "data")])

    def fail(*_):
        raise RuntimeError("no adapter\nat all")

    monkeypatch.setattr(onnx.version_converter, "convert_version", fail)
    result = windrow.fix(model, check(model), hosts=())
    assert [change.what for change in result.left] == ["the opset is not raised: onnx's converter fails: no adapter"]


def test_without_a_host_for_the_other_nodes_it_is_left():
    model = sums(15, [relu("x", "data")])
    result = windrow.fix(model, check(model), hosts=())
    assert [change.what for change in result.left] == ["the opset is not raised: no installed host runs the other nodes"]


def test_what_no_opset_allows_is_left():
    model = sums(15, reduction="mean")
    result = windrow.fix(model, check(model), hosts=())
    assert result.applied == ()
    assert all("opset is not raised" not in change.what for change in result.left)


def in_a_branch(opset, inner="Identity"):
    """sums() in a branch of an If behind a Relu; `inner` is the operator of the other nodes of the branches."""
    write = helper.make_node("ScatterElements", ["data", "i", "u"], ["b"], name="write", reduction="add")
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 3]) for name in ("same", "added")]
    same = helper.make_graph([helper.make_node(inner, ["data"], ["same"])], "same", [], value[:1])
    added = helper.make_graph([write, helper.make_node(inner, ["b"], ["added"])], "added", [], value[1:])
    model = sums(opset, [relu("x", "data"), helper.make_node("If", ["keep"], ["y"], name="/pick", then_branch=same, else_branch=added)],
                 [relu("y", "z")], "z")
    del model.graph.node[2]
    model.graph.input.append(helper.make_tensor_value_info("keep", TensorProto.BOOL, []))
    return model


def test_the_opset_is_raised_for_a_node_in_a_body():
    pytest.importorskip("onnxruntime")
    model = in_a_branch(15, "Abs")
    result = windrow.fix(model, check(model), hosts=("onnxruntime",))
    (change,) = result.applied
    assert (change.node, change.what) == ("main//pick.else_branch/write", "the model's opset is 16, was 15")
    assert [row.equal for row in result.verifications if "other nodes" in row.host] == [6]
    assert check(result.model).findings == ()


def test_another_version_of_an_operator_in_the_body_is_told():
    model = in_a_branch(15, "Identity")
    result = windrow.fix(model, check(model), hosts=("onnxruntime",))
    assert result.applied == ()
    assert [change.what for change in result.left] == ["the opset is not raised: Identity in the same body has another version in opset 16"]


def test_a_node_that_shares_its_name_is_told():
    model = sums(15, [helper.make_node("Relu", ["x"], ["data"], name="write")])
    result = windrow.fix(model, check(model), hosts=())
    assert [change.what for change in result.left] == ["the opset is not raised: main/write#1 shares its name"]
