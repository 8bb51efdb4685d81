"""The option `negative` through every function of the package: call, plan, explain and what they describe."""

import pickle

import numpy as np
import pytest
import windrow
from onnx import TensorProto, helper

TABLE = np.arange(8, dtype=np.float32).reshape(4, 2)
IDS = np.array([3, -1, 0])
PADDED = {"out_of_range": "zero", "negative": "out_of_range"}
LOOKED_UP = TABLE[IDS] * np.array([[1], [0], [1]], np.float32)


def test_ids_of_minus_one_pad():
    np.testing.assert_array_equal(windrow.take(TABLE, IDS, axis=0, out_of_range="zero"), TABLE[IDS])
    np.testing.assert_array_equal(windrow.take(TABLE, IDS, axis=0, **PADDED), LOOKED_UP)
    for function in (windrow.onnx.gather, windrow.array.take):
        np.testing.assert_array_equal(function(TABLE, IDS, **PADDED), LOOKED_UP)
    np.testing.assert_array_equal(windrow.openvino.gather(TABLE, IDS, 0, negative="out_of_range"), LOOKED_UP)
    np.testing.assert_array_equal(windrow.call("onnx", "Gather", TABLE, IDS, **PADDED), LOOKED_UP)
    added = windrow.index_add(TABLE, IDS, np.ones((3, 2), np.float32), out_of_range="skip", negative="out_of_range")
    np.testing.assert_array_equal(added, TABLE + np.array([[1], [0], [0], [1]], np.float32))


def test_numpys_modes_take_the_option():
    assert windrow.take([1, 2, 3], [-1, -9], mode="clip").tolist() == [1, 1]
    assert windrow.take([1, 2, 3], [-1, -9], mode="clip", negative="from_end").tolist() == [3, 1]
    assert windrow.take([1, 2, 3], [-1, -9], mode="wrap", negative="out_of_range").tolist() == [3, 1]


@pytest.mark.parametrize("policy", ["error", "skip", "clamp", "modulo"])
def test_an_error_in_place_changes_nothing(policy):
    table = TABLE.copy()
    with pytest.raises(windrow.IndexOutOfRange, match="CALL-O3") as caught:
        windrow.index_add(table, IDS, TABLE[:3], out=table, out_of_range=policy, negative="error")
    assert (caught.value.position, caught.value.value, caught.value.count) == ((1,), -1, 1)
    assert caught.value.constraint == "CALL-O3"
    np.testing.assert_array_equal(table, TABLE)


def test_a_plan_keeps_the_option_through_a_pickle():
    plan = windrow.compile("array", "Take", TABLE, IDS, **PADDED)
    for each in (plan, pickle.loads(pickle.dumps(plan))):
        np.testing.assert_array_equal(each(TABLE, IDS), LOOKED_UP)


@pytest.mark.parametrize(
    ("negative", "text"),
    [("from_end", "negative ones count from the end"), ("out_of_range", ""), ("error", "negative ones are errors")],
)
def test_a_plan_describes_it(negative, text):
    plan = windrow.compile("array", "Take", TABLE, IDS, out_of_range="zero", negative=negative)
    [line] = [line for line in plan.describe().splitlines() if line.startswith("indices:")]
    assert text in line
    assert ("negative" in line) == bool(text)


def test_an_explanation_follows_it():
    zeros = windrow.explain("array.Take", TABLE, IDS, **PADDED)
    assert [walk.value for walk in zeros.walks][2:4] == ["0", "0"]
    refused = windrow.explain("array.Take", TABLE, IDS, out_of_range="zero", negative="error")
    assert "indices[1] is -1, negative, and the call says negative=error" in refused.failure
    counted = windrow.explain("array.Take", TABLE, IDS, out_of_range="clamp", negative="from_end")
    assert counted.walks[2].cell == (3, 0)


def look_up_model():
    node = helper.make_node("Gather", ["table", "ids"], ["rows"], name="look_up")
    inputs = [
        helper.make_tensor_value_info("table", TensorProto.FLOAT, [4, 2]),
        helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"]),
    ]
    outputs = [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 2])]
    graph = helper.make_graph([node], "g", inputs, outputs)
    return windrow.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())


def test_models_take_it():
    model, given = look_up_model(), {"table": TABLE, "ids": IDS}
    for _ in range(2):
        np.testing.assert_array_equal(model.run(given)["rows"], TABLE[IDS])
        for reference in (False, True):
            np.testing.assert_array_equal(model.run(given, reference=reference, **PADDED)["rows"], LOOKED_UP)
        np.testing.assert_array_equal(model.prepare(**PADDED).run(given)["rows"], LOOKED_UP)
    for reference in (False, True):
        with pytest.raises(windrow.IndexOutOfRange, match=r"node 'look_up'.*CALL-O3.*\[1\] is -1"):
            model.run(given, negative="error", reference=reference)
    with pytest.raises(windrow.ArgumentError, match="negative is 'wrap', must be one of: from_end, out_of_range, error"):
        model.prepare(negative="wrap")
    with pytest.raises(windrow.ArgumentError, match="negative is not for models that run in a host"):
        model.run(given, negative="error", host="onnxruntime")
