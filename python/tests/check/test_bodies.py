"""Gathers and scatters in bodies of If, Loop and Scan and in functions: the values that enter them, and what hosts do."""

import check_models
import numpy as np
import pytest
import windrow
from onnx import TensorProto, helper, numpy_helper
from windrow import runners

HOSTS = ("onnxruntime:cpu", "openvino:cpu")
INT64, BOOL, FLOAT = TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT
ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture(autouse=True)
def hosts():
    for name in ("onnxruntime", "openvino"):
        if runners.runner(name).fault():
            pytest.skip(runners.runner(name).fault())


def value(name, type_, shape):
    return helper.make_tensor_value_info(name, type_, shape)


def pick(table="table", ids="ids", out="row", name="pick", op="Gather", **attributes):
    return helper.make_node(op, [table, ids], [out], name=name, **attributes)


def loop(rows=4):
    """Row number i in iteration i."""
    body = helper.make_graph(
        [pick(ids="i"), helper.make_node("Identity", ["c"], ["c2"])], "b", [value("i", INT64, []), value("c", BOOL, [])],
        [value("c2", BOOL, []), value("row", FLOAT, [3])])
    return check_models.model(
        [helper.make_node("Loop", ["m", "true"], ["y"], name="loop", body=body)],
        {"table": ("float32", [rows, 3]), "m": ("int64", [])}, ["y"], {"true": np.array(True)})


def branch(name="choice"):
    """ids in one branch, the first row in the other."""
    then = helper.make_graph([pick(out="then_out")], "t", [], [helper.make_empty_tensor_value_info("then_out")])
    other = helper.make_graph([pick(ids="zero", out="else_out", name="other")], "e", [],
                              [helper.make_empty_tensor_value_info("else_out")])
    return check_models.model(
        [helper.make_node("ReduceSum", ["flag"], ["sum"], keepdims=0),
         helper.make_node("Cast", ["sum"], ["yes"], to=BOOL),
         helper.make_node("If", ["yes"], ["y"], name=name, then_branch=then, else_branch=other)],
        {"table": ("float32", [4, 3]), "ids": ("int64", [2]), "flag": ("int64", [1])}, ["y"], {"zero": np.array([0, 0])})


def scan():
    """A row for each of the scanned ids."""
    body = helper.make_graph([pick(ids="one")], "b", [value("one", INT64, [])], [value("row", FLOAT, [3])])
    return check_models.model(
        [helper.make_node("Scan", ["ids"], ["y"], name="scan", body=body, num_scan_inputs=1)],
        {"table": ("float32", [4, 3]), "ids": ("int64", ["n"])}, ["y"])


def nested():
    """A Loop in a Loop; the row is the sum of both iterations' numbers."""
    inner = helper.make_graph(
        [helper.make_node("Add", ["i", "j"], ["sum"]), pick(ids="sum"), helper.make_node("Identity", ["d"], ["d2"])],
        "inner", [value("j", INT64, []), value("d", BOOL, [])], [value("d2", BOOL, []), value("row", FLOAT, [3])])
    outer = helper.make_graph(
        [helper.make_node("Loop", ["m", "true"], ["part"], name="inner", body=inner),
         helper.make_node("Identity", ["c"], ["c2"])],
        "outer", [value("i", INT64, []), value("c", BOOL, [])], [value("c2", BOOL, []), value("part", FLOAT, None)])
    return check_models.model(
        [helper.make_node("Loop", ["m", "true"], ["y"], name="outer", body=outer)],
        {"table": ("float32", [4, 3]), "m": ("int64", [])}, ["y"], {"true": np.array(True)})


def function():
    """A function that gathers the row after each id."""
    opset = helper.make_opsetid("", 18)
    one = numpy_helper.from_array(np.array([1]))
    made = helper.make_function(
        "mine", "Next", ["data", "at"], ["out"],
        [helper.make_node("Constant", [], ["one"], value=one), helper.make_node("Add", ["at", "one"], ["next"]),
         pick("data", "next", "out")], [opset])
    model = check_models.model(
        [helper.make_node("Next", ["table", "ids"], ["y"], name="call", domain="mine")],
        {"table": ("float32", [4, 3]), "ids": ("int64", [2])}, ["y"])
    model.functions.append(made)
    model.opset_import.append(helper.make_opsetid("mine", 1))
    return model


BROKEN = {  # the node, the iteration, the position and the value that breaks it
    "loop": (loop, {"m": np.array(6)}, "main/loop.body/pick", "in iteration 4", (), "4"),
    "if": (branch, {"ids": np.array([0, -5]), "flag": np.array([1])}, "main/choice.then_branch/pick", "", (1,), "-5"),
    "scan": (scan, {"ids": np.array([3, 0, 9, 7])}, "main/scan.body/pick", "in iteration 2", (), "9"),
    "nested": (nested, {"m": np.array(3)}, "main/outer.body/inner.body/pick", "in iteration 2 of iteration 2", (), "4"),
    "function": (function, {"ids": np.array([1, 3])}, "function mine.Next/pick", "", (1,), "4"),
}


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("kind", BROKEN)
def test_an_index_out_of_range_in_a_body_is_found(kind, host):
    make, given, path, place, position, number = BROKEN[kind]
    report = windrow.check(make().SerializeToString(), runtimes=host, inputs={"table": ROWS, **given})
    [finding] = [each for each in report.findings if each.rule == "gather-index-range" and each.verdict == "happens"]
    assert (finding.node, finding.position, finding.value, finding.evidence) == (path, position, number, "inputs")
    assert place in finding.what and place in finding.message and report.fails()
    assert not [each for each in report.findings if each.rule == "unexplained"]
    if host == "openvino:cpu":
        assert finding.observed is not None and finding.observed.differing == 1
    assert "cause" not in report.format()


@pytest.mark.parametrize("make, given", [
    (loop, {"m": np.array(4)}), (branch, {"ids": np.array([0, 3]), "flag": np.array([1])}),
    (scan, {"ids": np.array([3, 0, -4])}), (nested, {"m": np.array(2)}), (function, {"ids": np.array([2, 0])}),
    (scan, {"ids": np.zeros(0, np.int64)}), (loop, {"m": np.array(0)}),
])
def test_legal_indices_in_bodies_add_nothing(make, given):
    report = windrow.check(
        make().SerializeToString(), runtimes=",".join(HOSTS), inputs={"table": ROWS, **given}, select=["gather", "unexplained"])
    # OpenVINO has no functions, and no Scan without a state.
    assert not [each for each in report.findings if each.verdict == "happens" and each.rule != "host-failure"]


def test_a_branch_that_is_not_taken_is_no_finding():
    report = windrow.check(
        branch().SerializeToString(), runtimes=",".join(HOSTS), select=["gather-index-range"],
        inputs={"table": ROWS, "ids": np.array([9, 9]), "flag": np.array([0])})
    assert not report.findings
    assert any("choice.then_branch/pick: the run does not reach them" in note for note in report.notes)


def test_values_that_are_too_many_to_compare_are_noted():
    report = windrow.check(
        scan().SerializeToString(), runtimes="openvino:cpu", select=["gather-index-range"],
        inputs={"table": np.zeros((4, 3), np.float32), "ids": np.array([*range(4), -1, -2, -3, -4] * 10)})
    assert not [note for note in report.notes if "further" in note]  # equal values count once
    big = scan()
    big.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 100
    inputs = {"table": np.zeros((100, 3), np.float32), "ids": np.arange(101)}
    report = windrow.check(big.SerializeToString(), runtimes="openvino:cpu", select=["gather-index-range"], inputs=inputs)
    [finding] = [each for each in report.findings if each.rule == "gather-index-range"]
    assert finding.value == "100" and "in iteration 100" in finding.what
    assert any("68 further executions" in note for note in report.notes)


def test_given_values_are_judged_before_hosts_run(monkeypatch):
    """The position and value come from the inputs alone, also where no host is a target."""
    model = check_models.model(
        [helper.make_node("Cast", ["ids"], ["narrow"], to=TensorProto.INT32), pick(ids="narrow", out="y")],
        {"table": ("float32", [4, 3]), "ids": ("int64", ["n"])}, ["y"])
    report = windrow.check(model.SerializeToString(), runtimes="tensorrt", select=["gather-index-range"],
                           inputs={"table": ROWS, "ids": np.array([0, 7])})
    [finding] = report.findings
    assert (finding.verdict, finding.evidence, finding.value) == ("happens", "inputs", "7") and report.fails()


def test_arrays_of_another_type_are_refused():
    for ids in (np.array([0.5]), np.array([0], np.int32), np.array([True])):
        with pytest.raises(windrow.ArgumentError, match=f"input 'ids' is int64, the given array is {ids.dtype.name}"):
            windrow.check(scan().SerializeToString(), inputs={"table": ROWS, "ids": ids})
    report = windrow.check(scan().SerializeToString(), inputs={"table": ROWS[:3], "ids": np.array([0])})
    assert any("'table' is float32[3, 3]" in note for note in report.notes) and report.fails()


def test_a_cause_is_told_only_if_it_is_proved():
    """The main graph has no gather, and the one in the body is not reached: nothing is known of the cause."""
    model = branch()
    model.graph.node.insert(0, helper.make_node("Reshape", ["table", "flag"], ["bad"], name="bad"))
    model.graph.output.append(helper.make_empty_tensor_value_info("bad"))
    report = windrow.check(model.SerializeToString(), runtimes="onnxruntime:cpu",
                           inputs={"table": ROWS, "ids": np.array([0, 1]), "flag": np.array([5])})
    [failure] = [each for each in report.findings if each.rule == "host-failure"]
    assert "Reshape" in failure.message and "is the cause" not in failure.message
    assert "1 finding on the model" in report.format() or "the model and" in report.format()
