"""Functions, plans and models as Python objects: pickles, copies, weak references, what they show."""

import copy
import gc
import pickle
import weakref

import ml_dtypes
import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper
from small_table import ROWS, TABLE


@pytest.mark.parametrize("function", [
    windrow.take, windrow.index_add, windrow.index_reduce, windrow.onnx.gather, windrow.openvino.gather,
    windrow.tensorrt.kv_cache_update, windrow.array.put_along_axis, windrow.put_along_axis], ids=lambda function: function.__name__)
def test_functions(function):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(function, protocol)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function
    assert weakref.ref(function)() is function


def test_every_operator_pickles():
    for operator in windrow.ops():
        function = getattr(getattr(windrow, operator.dialect), operator.function_name)
        assert pickle.loads(pickle.dumps(function)) is function


PLANS = {
    "examples": lambda: windrow.compile("onnx", "Gather", TABLE, ROWS, axis=1, threads=2),
    "options": lambda: windrow.compile(
        "onnx", "ScatterND", TABLE, [[0]], TABLE[:1], version=16, reduction="add", out_of_range="skip",
        duplicates="error", strict=True, kernels="plain,stream=off"),
    "strides": lambda: windrow.compile("onnx", "Gather", TABLE.T, ROWS[::-1]),
    "values": lambda: windrow.compile("openvino", "Gather", windrow.Spec("bfloat16", (4, 3)), ROWS, 1),
    "left out": lambda: windrow.compile("onnx", "TensorScatter", TABLE[None], TABLE[None, :2], None),
    "nibbles": lambda: windrow.compile("openvino", "Gather", np.zeros(4, ml_dtypes.int4), ROWS, 0),
    "text": lambda: windrow.compile("onnx", "Gather", ["a", "b"], [0]),
}


@pytest.mark.parametrize("name", PLANS)
def test_plans(name):
    plan = PLANS[name]()
    again = pickle.loads(pickle.dumps(plan))
    assert again is not plan
    assert again.describe() == plan.describe()
    assert (again.operator, again.dtype, again.shape, again.kernels, again.threads) == (
        plan.operator, plan.dtype, plan.shape, plan.kernels, plan.threads)
    assert again.__reduce__()[1][3:] == plan.__reduce__()[1][3:]
    assert copy.copy(plan) is copy.deepcopy(plan) is plan


def test_a_plan_that_came_back_runs():
    plan = pickle.loads(pickle.dumps(PLANS["values"]()))
    data = TABLE.astype(ml_dtypes.bfloat16)
    assert np.array_equal(plan(data, [1, 0, 2], 1), data[:, [1, 0, 2]])
    with pytest.raises(windrow.ArgumentError, match="axis"):
        plan(data, [1, 0, 2], 0)
    with pytest.raises(windrow.DuplicateIndex):
        strict = windrow.compile("onnx", "ScatterND", TABLE, [[0], [0]], TABLE[:2], duplicates="error")
        pickle.loads(pickle.dumps(strict))(TABLE, [[0], [0]], TABLE[:2])


def test_a_plan_takes_weak_references():
    plan = PLANS["examples"]()
    gone = []
    reference = weakref.ref(plan, gone.append)
    assert reference() is plan
    del plan
    gc.collect()
    assert reference() is None
    assert gone == [reference]


def model(tmp_path):
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "ids"], ["rows"])], "lookup",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 3])],
        [onnx.numpy_helper.from_array(TABLE, "table")])
    path = tmp_path / "lookup.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return windrow.load(path)


def test_models(tmp_path):
    first = model(tmp_path)
    again = pickle.loads(pickle.dumps(first))
    (tmp_path / "lookup.onnx").unlink()
    assert again is not first
    assert repr(again) == repr(first)
    assert again.nodes == first.nodes
    assert np.array_equal(again.run({"ids": [3, 0]})["rows"], TABLE[[3, 0]])
    assert copy.copy(first) is copy.deepcopy(first) is first
    assert weakref.ref(first)() is first
    assert weakref.ref(first._core)() is first._core


def test_models_of_openvino(tmp_path):
    openvino = pytest.importorskip("openvino")
    from openvino import opset8

    ids = opset8.parameter([2], np.int64, name="ids")
    rows = opset8.gather(opset8.constant(TABLE), ids, opset8.constant(0))
    openvino.save_model(openvino.Model([rows], [ids]), tmp_path / "m.xml", compress_to_fp16=False)
    first = windrow.load(tmp_path / "m.xml")
    again = pickle.loads(pickle.dumps(first))
    (output,) = again.run({"ids": [3, 0]}).values()
    assert np.array_equal(output, TABLE[[3, 0]])


def test_the_list_of_operators_fits_a_screen():
    for shown in (repr(windrow.ops()), *(repr(windrow.ops(name)) for name in ("onnx", "openvino"))):
        lines = shown.splitlines()
        assert len(lines) < 24
        assert all(len(line) < 80 for line in lines)
    assert "GatherND" in repr(windrow.ops())
    assert isinstance(windrow.ops(), list)
    assert repr(windrow.ops("no such dialect")) == "[]"
    for operator in windrow.ops():
        assert repr(operator).startswith(f"<operator {operator.dialect}.{operator.name}, version")
        assert len(repr(operator)) < 80


def test_a_plan_describes_itself_in_fields():
    plan = windrow.compile("onnx", "Gather", TABLE, [1, 0], axis=0, kernels="plain")
    fields = plan.description
    assert (fields["operator"], fields["dtype"], fields["shape"]) == ("onnx.Gather-13", str(TABLE.dtype), (2, 3))
    assert fields["loops"] == (2,)
    assert fields["row_bytes"] == 3 * TABLE.itemsize
    assert fields["kernel_set"] == "plain"
    indices = [{"dtype": "int64", "negative": "from_end", "padding": None}]
    assert fields["index_axes"] == [{"extent": 4, "out_of_range": "error", "indices": indices, "one_pass": True}]
    assert fields["tile"] is None
    fields["row_bytes"] = 0  # a copy
    assert plan.description["row_bytes"] == 3 * TABLE.itemsize
    shown = plan._repr_html_()
    assert "<b>onnx.Gather-13</b>" in shown
    assert f">row bytes</td><td style=\"text-align: left\">{3 * TABLE.itemsize}</td>" in shown
    assert "extent 4, out of range error, indices dtype int64, negative from_end, one pass yes" in shown
    assert "tile" not in shown and "None" not in shown
    strings = windrow.compile("onnx", "Gather", np.zeros((3, 0)), [0]).description
    assert strings["empty"] is True and strings["loops"] == ()


def test_a_plan_has_the_estimates_that_chose_its_copies():
    table = np.zeros((20, 30), np.float32)[:, ::2]
    plan = windrow.compile("onnx", "Gather", table, np.arange(5000) % 20, axis=0)
    chosen, other = plan.description["estimates"]
    assert (chosen["copied_first"], other["copied_first"]) == ("data", "")
    assert 0 < chosen["microseconds"] < other["microseconds"]
    [line] = [line for line in plan.describe().splitlines() if line.startswith("estimate: ")]
    assert line.endswith(f" with a copy of data; {other['microseconds']:.2f} us as it is")
    assert "estimates" in plan._repr_html_()
    without = windrow.compile("onnx", "Gather", TABLE, [1, 0], axis=0)
    assert without.description["estimates"] == [] and "estimates" not in without._repr_html_()


def test_reports_of_nodes_have_fields(tmp_path):
    [symbolic] = model(tmp_path).inspect()
    assert (symbolic.axis, symbolic.axes, symbolic.rank, symbolic.batch_dims) == ("axis 0 of 2", (0,), 2, 0)
    assert (symbolic.plan, symbolic.no_plan) == (None, "input 'ids' is int64[n]")
    name = "<img src=x onerror=alert(1)>\u202e"
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "ids"], ["rows"], name=name)], "lookup",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [2])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(TABLE, "table")])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    reports = windrow.load(proto).inspect()
    [report] = reports
    assert (report.no_plan, report.plan["shape"], report.plan["row_bytes"]) == ("", (2, 3), 3 * TABLE.itemsize)
    assert pickle.loads(pickle.dumps(reports)) == reports
    shown = reports._repr_html_()
    assert "<img" not in shown and "\u202e" not in shown and "&lt;img src=x" in shown
    assert "<details><summary>plan</summary><table>" in shown
    assert "no plan: input &#x27;ids&#x27; is int64[n]" in model(tmp_path).inspect()._repr_html_()
    many = type(reports)([report] * 1003)
    assert many._repr_html_().count("<details>") == 1000
    assert many._repr_html_().endswith("<p>3 more nodes are left out</p>")
