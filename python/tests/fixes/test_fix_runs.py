"""What windrow.fix() says of the runs that verify it, and what it does not write."""

import numpy as np
import onnx
import onnx.parser
import pytest
import windrow
from onnx import TensorProto, helper, numpy_helper
from windrow import runners
from windrow._fixes.inputs import Sample
from windrow._fixes.runs import Ran, Tally

OLD = "onnxruntime,openvino,tensorrt@10.3"


def model_of(nodes, inputs, constants=(), outputs=("y",), opset=18):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(*each) for each in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["?"] * 2) for name in outputs],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def rounded(*more):
    """A function that hosts round differently, in front of a default attribute; `more`: inputs that nothing reads."""
    nodes = [helper.make_node("Mish", ["x"], ["h"], name="mish"),
             helper.make_node("ScatterND", ["h", "i", "u"], ["y"], name="n", reduction="none")]
    return model_of(nodes, [("x", TensorProto.FLOAT, [4, 3]), ("u", TensorProto.FLOAT, [2, 3]), *more],
                    [("i", np.array([[1], [0]]))])


def run_of(host):
    if runners.runner(host).fault():
        pytest.skip(f"{host} is not installed")


def rows(result):
    return {row.host: row for row in result.verifications}


def test_a_host_that_rounds_differently_still_compares_its_own_runs():
    run_of("openvino")
    model = rounded(("unread", TensorProto.FLOAT, [2]))
    result = windrow.fix(model, windrow.check(model, runtimes=OLD), hosts=("openvino",))
    row = rows(result)["openvino"]
    assert (row.equal, row.refused, row.failure, row.reasons) == (1, 0, "", ())
    assert "verified in openvino: 1 run gave the same bits before and after" in str(result)


def test_openvino_takes_inputs_that_nothing_reads():
    run_of("openvino")
    model = rounded(("unread", TensorProto.FLOAT, [2])).SerializeToString()
    inputs = {"x": np.ones((4, 3), np.float32), "u": np.ones((2, 3), np.float32), "unread": np.ones(2, np.float32)}
    host = runners.runner("openvino")
    assert host.run(model, inputs).outputs["y"].shape == (4, 3)
    failure = host.run(model, {**inputs, "missing": inputs["x"]}).failure
    assert "the model has no input 'missing'" in failure.message


def test_openvino_takes_no_value_for_an_input_with_a_default():
    """It would compute with the default, without a word."""
    model = rounded(("unread", TensorProto.FLOAT, [2]))
    model.graph.initializer.append(numpy_helper.from_array(np.ones((4, 3), np.float32), "x"))
    inputs = {"x": np.zeros((4, 3), np.float32), "u": np.ones((2, 3), np.float32)}
    run_of("openvino")
    failure = runners.runner("openvino").run(model.SerializeToString(), inputs).failure
    assert "the model has no input 'x'" in failure.message


def lookup(rows=4):
    return model_of([helper.make_node("Gather", ["t", "i"], ["y"], name="n")],
                    [("t", TensorProto.FLOAT, [rows, 3]), ("i", TensorProto.INT64, [2])])


def test_unsafe_changes_run_on_inputs_that_meet_the_rule():
    run_of("onnxruntime")
    result = windrow.fix(lookup(), unsafe=True, hosts=("onnxruntime",))
    assert "gather-index-range" in {change.rule for change in result.applied}
    assert rows(result)["windrow"].gained > 0
    # ONNX Runtime refuses the index before the change, and gives Windrow's result after it.
    assert rows(result)["onnxruntime"].repaired > 0
    assert result.notes == ()


def test_a_rule_that_no_drawn_input_meets_is_named():
    nodes = [helper.make_node("Add", ["i", "one"], ["j"]), helper.make_node("Gather", ["t", "j"], ["y"], name="n")]
    model = model_of(nodes, [("t", TensorProto.FLOAT, [4, 3]), ("i", TensorProto.INT64, [2])], [("one", np.int64(1))])
    result = windrow.fix(model, unsafe=True, hosts=())
    assert "no inputs were made for gather-index-range on main/n: its indices are computed inside the model" in result.notes


def test_no_clip_helps_on_an_axis_without_elements(tmp_path):
    model = model_of([helper.make_node("Gather", ["t", "i"], ["y"], name="n")],
                     [("t", TensorProto.FLOAT, [0, 3])], [("i", np.array([0]))])
    result = windrow.fix(model, unsafe=True, hosts=(), out=tmp_path / "out.onnx")
    assert result.applied == ()
    assert any("no index is legal on an axis of extent 0" in change.what for change in result.left)
    assert list(tmp_path.iterdir()) == []


def of_one_run(before, after, right):
    tally = Tally("openvino", [Sample({}, "drawn")])
    tally.add_host(0, (before, after), (right, right))
    return tally.verification()


ONE, OTHER, ERROR = Ran([np.float32([1])]), Ran([np.float32([2])]), Ran(None, "no kernel")
NEAR = Ran([np.float32([1.00001])])


@pytest.mark.parametrize(("before", "after", "counts"), [
    (ONE, ONE, (1, 0, 0)), (NEAR, NEAR, (1, 0, 0)), (OTHER, ONE, (0, 1, 0)), (ERROR, ONE, (0, 1, 0)),
    (NEAR, ONE, (0, 1, 0)), (ERROR, ERROR, (0, 0, 1)), (OTHER, ERROR, (0, 0, 1)), (ERROR, OTHER, (0, 0, 1)),
])
def test_what_a_run_in_a_host_counts_as(before, after, counts):
    row = of_one_run(before, after, ONE)
    assert (row.equal, row.repaired, row.refused) == counts
    assert len(row.reasons) == row.refused
    assert row.failure == ""
    assert row.shows_something == (row.refused == 0)


@pytest.mark.parametrize("after", [OTHER, ERROR, NEAR])
def test_a_host_that_was_right_must_stay_so(after):
    row = of_one_run(ONE, after, ONE)
    assert row.failure.startswith("run 1 (drawn) ")
    assert not row.shows_something


def test_reasons_have_the_message_of_the_host():
    row = of_one_run(ERROR, ERROR, ONE)
    assert row.reasons == ("run 1 (drawn) ends with an error before and after the change: no kernel",)
    assert str(row).startswith("not verified in openvino: 1 run proved nothing; run 1 (drawn) ends with an error")


def test_what_no_host_of_its_findings_shows_is_not_written(tmp_path, monkeypatch):
    from windrow._fixes import runs

    model = rounded()
    report = windrow.check(model, runtimes=OLD)
    monkeypatch.setattr(runs, "run_in", lambda host, file, samples, inside: (
        ([ERROR] * len(samples), "") if not inside else (_ for _ in ()).throw(AssertionError)))
    monkeypatch.setattr(runs, "_run_windrow", lambda model, file, samples, before=None: ([ONE] * len(samples), True))
    run_of("onnxruntime")
    concerned = windrow.CheckReport(**{**vars(report), "findings": tuple(
        windrow.PortabilityFinding(**{**vars(each), "runtimes": ("onnxruntime:cpu",)}) for each in report.findings)})
    with pytest.raises(windrow.HostError, match="is not written: onnxruntime: run 1 .* no kernel"):
        windrow.fix(model, concerned, out=tmp_path / "out.onnx", hosts=("onnxruntime",))
    assert list(tmp_path.iterdir()) == []


OF_A_DYNAMIC_AXIS = {
    "Gather": "int64[k] ids) => (float[k,3] y) { [n] y = Gather (x, ids) }",
    "GatherND": "int64[k,1] ids) => (float[k,3] y) { [n] y = GatherND (x, ids) }",
    "GatherElements": "int64[k,3] ids) => (float[k,3] y) { [n] y = GatherElements (x, ids) }",
    "ScatterND": "int64[k,1] ids, float[k,3] u) => (float[rows,3] y) { [n] y = ScatterND (x, ids, u) }"}


@pytest.mark.parametrize("operator", OF_A_DYNAMIC_AXIS)
def test_a_clip_to_an_extent_that_a_run_decides_is_proved_to_help(operator):
    text = f'<ir_version: 8, opset_import: ["" : 17]> g (float[rows,3] x, {OF_A_DYNAMIC_AXIS[operator]}'
    model = onnx.parser.parse_model(text)
    both = "onnxruntime:cpu,openvino:cpu"
    result = windrow.fix(model, windrow.check(model, runtimes=both), unsafe=True, hosts=())
    of_range = [change for change in result.applied if change.rule.endswith("index-range")]
    assert of_range and all(change.what.endswith("which must have an element") for change in of_range)
    assert not [change for change in result.left if change.rule.endswith("index-range")]
    after = windrow.check(result.model, runtimes=both, show_cannot=True)
    found = [each for each in after.findings if each.node == "main/n" and each.rule == of_range[0].rule]
    assert found and all(each.verdict == "cannot" and "x.shape[0] is at least 1" in each.premises for each in found)
