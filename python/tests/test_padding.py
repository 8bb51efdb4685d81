"""The option `padding_index` through every function of the package: call, plan, explain and models."""

import pickle

import numpy as np
import pytest
import windrow
from onnx import TensorProto, helper

TABLE = np.arange(1, 9, dtype=np.float32).reshape(4, 2)
IDS = np.array([3, -1, 0])
LOOKED_UP = TABLE[IDS] * np.array([[1], [0], [1]], np.float32)
ONES = np.ones((3, 2), np.float32)
ADDED = TABLE + np.array([[1], [0], [0], [1]], np.float32)


def test_gathers_give_zeros():
    for function in (windrow.onnx.gather, windrow.array.take):
        np.testing.assert_array_equal(function(TABLE, IDS, padding_index=-1), LOOKED_UP)
        np.testing.assert_array_equal(function(TABLE, IDS, padding_index=3), TABLE[IDS] * [[0], [1], [1]])
    np.testing.assert_array_equal(windrow.take(TABLE, IDS, axis=0, padding_index=-1), LOOKED_UP)
    np.testing.assert_array_equal(windrow.call("onnx", "Gather", TABLE, IDS, padding_index=-1), LOOKED_UP)
    columns = np.array([[0, -1], [-1, 1], [0, 1], [-1, -1]])
    along = windrow.take_along_axis(TABLE, columns, axis=1, padding_index=-1)
    np.testing.assert_array_equal(along, np.where(columns == -1, 0, TABLE))
    assert windrow.take(np.array(["a", "b"], object), [1, -1], padding_index=-1).tolist() == ["b", ""]
    assert windrow.take([True, True], [1, -1], padding_index=-1).tolist() == [True, False]


def test_scatters_and_sums_leave_padding_out():
    np.testing.assert_array_equal(windrow.index_add(TABLE, IDS, ONES, padding_index=-1), ADDED)
    table = TABLE.copy()
    windrow.index_add(table, IDS, ONES, out=table, padding_index=-1)
    np.testing.assert_array_equal(table, ADDED)
    twice = windrow.index_add(TABLE, [-1, 3, -1], ONES, padding_index=-1, duplicates="error")
    np.testing.assert_array_equal(twice, TABLE + np.array([[0], [0], [0], [1]], np.float32))
    updates = ONES * np.array([[2], [50], [4]], np.float32)
    means = windrow.index_reduce(TABLE, [0, -1, 0], updates, reduction="mean", use_init_val=False, padding_index=-1)
    np.testing.assert_array_equal(means, [[3, 3], *TABLE[1:]])
    sums = windrow.segment_reduce(ONES, [-1, 0, 0], 2, padding_index=-1)
    np.testing.assert_array_equal(sums, [[2, 2], [0, 0]])


def test_other_bad_indices_are_errors_as_before():
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.take(TABLE, [-1, 4, -2, -1], axis=0, padding_index=-1, negative="error")
    error = caught.value
    assert (error.position, error.value, error.count) == ((1,), 4, 2)
    bad = error.positions(9)
    assert (bad.positions.tolist(), bad.values.tolist()) == ([[1], [2]], [4, -2])
    assert "padding: -1" in str(error)


def test_zero_is_a_padding_index_of_its_own():
    for padding in (0, None, 0, 3, None):
        expected = [0 if index == padding else TABLE[index, 0] for index in (3, 0)]
        np.testing.assert_array_equal(windrow.array.take(TABLE[:, 0], [3, 0], 0, padding_index=padding), expected)


def test_a_plan_keeps_it_through_a_pickle_and_describes_it():
    plan = windrow.compile("array", "Take", TABLE, IDS, padding_index=-1)
    for each in (plan, pickle.loads(pickle.dumps(plan))):
        np.testing.assert_array_equal(each(TABLE, IDS), LOOKED_UP)
        assert each.description["index_axes"][0]["indices"][0]["padding"] == -1
        assert "-1 is padding" in each.describe()


def test_an_explanation_names_it():
    explanation = windrow.explain("array.Take", TABLE, IDS, padding_index=-1)
    assert not explanation.failure
    walk = explanation.walks[2]
    assert (walk.cell, walk.value, walk.coordinates[0].placing) == (None, "0", "outside")
    assert [walk.coordinates[0].indices[0].padding for walk in explanation.walks] == [False] * 2 + [True] * 2 + [False] * 2
    assert "indices[1] = -1; -1 is padding, the element is zero" in str(explanation)
    added = windrow.explain("array.IndexAdd", TABLE, IDS, ONES, padding_index=-1)
    assert "-1 is padding, the update is dropped" in str(added)
    failing = windrow.explain("array.Take", TABLE, [-1, 4], padding_index=-1)
    assert "indices[1] is 4, which must lie in -4 to 3 or be the padding -1" in failing.failure


def look_up_model(count="n"):
    node = helper.make_node("Gather", ["table", "ids"], ["rows"], name="look_up")
    inputs = [
        helper.make_tensor_value_info("table", TensorProto.FLOAT, [4, 2]),
        helper.make_tensor_value_info("ids", TensorProto.INT64, [count]),
    ]
    outputs = [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [count, 2])]
    graph = helper.make_graph([node], "g", inputs, outputs)
    return windrow.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())


def test_models_take_it():
    model, given = look_up_model(), {"table": TABLE, "ids": IDS}
    for _ in range(2):
        np.testing.assert_array_equal(model.run(given)["rows"], TABLE[IDS])
        for reference in (False, True):
            np.testing.assert_array_equal(model.run(given, reference=reference, padding_index=-1)["rows"], LOOKED_UP)
        np.testing.assert_array_equal(model.prepare(padding_index=-1).run(given)["rows"], LOOKED_UP)
    for padding in (-1, 0):
        with pytest.raises(windrow.ArgumentError, match="padding_index is not for models that run in a host"):
            model.run(given, padding_index=padding, host="onnxruntime")
    [look_up] = look_up_model(3).inspect(padding_index=-1)
    assert look_up.plan["index_axes"][0]["indices"][0]["padding"] == -1
