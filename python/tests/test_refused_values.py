"""Values that are refused with what to do instead, and names that every dialect takes."""

import re

import numpy as np
import onnx
import pytest

import windrow

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


class Column:
    """A column of a table, as pandas and polars hand it to NumPy."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


class NAType:
    """What pandas.NA is an instance of."""


@pytest.mark.parametrize("values", [np.array([1.0, np.nan, 2.0]), np.array([1, NAType(), 2], object), [1, None, 2]],
                         ids=["floats", "objects", "a list"])
def test_nulls_of_a_column_are_named_with_their_place(values):
    ids = values if isinstance(values, list) else Column(values)
    with pytest.raises(windrow.DTypeError, match=r"indices has a null of 3 elements: indices\[1\]; drop or fill"):
        windrow.take(TABLE, ids, axis=0)


def test_the_first_of_many_nulls_are_named():
    ids = np.zeros((3, 4))
    ids[1:] = np.nan
    with pytest.raises(windrow.DTypeError, match=r"8 nulls of 12 elements: indices\[1, 0\], .* and 3 more"):
        windrow.take(TABLE, Column(ids), axis=0)


def test_objects_that_are_numbers_are_refused_with_a_line_that_works():
    indices = np.array([2, 0], dtype=object)
    with pytest.raises(windrow.DTypeError, match="all of them numbers: give") as refused:
        windrow.take(TABLE, indices, axis=0)
    line = str(refused.value).rpartition("give ")[2].replace("numpy.", "np.")
    np.testing.assert_array_equal(windrow.take(TABLE, eval(line), axis=0), TABLE[[2, 0]])


@pytest.mark.parametrize("name", ["index_add", "index_reduce"])
def test_the_order_of_torch_is_answered_with_ours(name):
    function = getattr(windrow.array, name)
    with pytest.raises(windrow.ArgumentTypeError, match=re.escape(f"{name}(data, indices, updates, ")) as refused:
        function(TABLE, 0, np.array([0, 1]), TABLE[:2])
    assert "torch has the axis before the indices" in str(refused.value)
    assert isinstance(refused.value, TypeError)


def test_a_policy_that_is_not_for_the_operator_is_answered_with_those_that_are():
    with pytest.raises(windrow.ArgumentError, match="scatter does not take: it takes error, skip, clamp and modulo"):
        windrow.onnx.scatter_nd(TABLE, [[9]], TABLE[:1], out_of_range="zero")
    with pytest.raises(windrow.ArgumentError, match="gather does not take: it takes error, zero, clamp and modulo"):
        windrow.onnx.gather(TABLE, [9], out_of_range="skip")


@pytest.mark.parametrize("reduction", ["add", "sum"])
def test_add_and_sum_are_one_reduction(reduction):
    added = TABLE.copy()
    added[1] += TABLE[0]
    rows = ([[1]], TABLE[:1])
    results = [
        windrow.onnx.scatter_nd(TABLE, *rows, reduction=reduction),
        windrow.openvino.scatter_nd_update(TABLE, *rows, reduction=reduction),
        windrow.array.index_reduce(TABLE, [1], TABLE[:1], reduction=reduction),
        windrow.call("onnx", "ScatterND", TABLE, *rows, reduction=reduction),
        windrow.compile("onnx", "ScatterND", TABLE, np.array([[1]]), TABLE[:1], reduction=reduction)(TABLE, *rows),
    ]
    for result in results:
        np.testing.assert_array_equal(result, added)
    windrow.explain("onnx.ScatterND", TABLE, *rows, reduction=reduction)
    sums = windrow.segment_reduce([1.0, 2.0, 3.0], [0, 0, 1], reduction=reduction)
    np.testing.assert_array_equal(sums, [3, 3])


def test_models_keep_to_the_names_of_their_specification():
    value = onnx.helper.make_tensor_value_info
    node = onnx.helper.make_node("ScatterND", ["data", "at", "rows"], ["y"], reduction="sum")
    inputs = [value("data", 1, [4, 3]), value("at", 7, [1, 1]), value("rows", 1, [1, 3])]
    graph = onnx.helper.make_graph([node], "g", inputs, [value("y", 1, [4, 3])])
    model = windrow.load(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)]))
    with pytest.raises(windrow.ArgumentError, match="reduction is 'sum'"):
        model.run({"data": TABLE, "at": np.array([[1]]), "rows": TABLE[:1]})


def test_both_functions_called_take_say_how_their_axes_differ():
    assert "windrow.array.take has the default 0" in windrow.take.__doc__
    assert "axis has the default None" in windrow.array.take.__doc__


def hours():
    """Rows of a table of 24, chosen by the integer part of a float input."""
    value = onnx.helper.make_tensor_value_info
    nodes = [
        onnx.helper.make_node("Cast", ["hour"], ["index"], to=7),
        onnx.helper.make_node("Gather", ["table", "index"], ["y"], name="look"),
    ]
    inputs = [value("table", 1, [24, 3]), value("hour", 1, [2])]
    graph = onnx.helper.make_graph(nodes, "g", inputs, [value("y", 1, [2, 3])])
    return windrow.load(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8))


def verdicts(**options):
    report = windrow.check(hours(), select=["gather-index-range"], show_cannot=True, **options)
    return {finding.verdict for finding in report.findings}


def test_floats_that_become_indices_can_be_promised():
    assert verdicts() == {"can"}
    assert verdicts(assume={"hour": (0, 23)}) == {"cannot"}
    assert verdicts(assume={"hour": (0, 24)}) == {"can"}
    with pytest.raises(windrow.ArgumentError, match="no input of integers or floats of that name"):
        verdicts(assume={"minute": (0, 23)})


@pytest.mark.parametrize("bad", [24.0, np.nan])
def test_floats_that_break_their_promise_are_an_error(bad):
    given = {"table": np.zeros((24, 3), np.float32), "hour": np.array([1, bad], np.float32)}
    with pytest.raises(windrow.ArgumentError, match=r"break the promise that 'hour' lies in 0 to 23: hour\[1\] is"):
        verdicts(assume={"hour": (0, 23)}, inputs=given)


class ArrowArray:
    """An array as pyarrow has it: DLPack refuses nulls, and is_null() says where they are."""

    null_count = 1

    def __dlpack__(self, stream=None, **options):
        raise TypeError("Can only use DLPack on arrays with no nulls.")

    def __dlpack_device__(self):
        return (1, 0)

    def is_null(self):
        return [False, True, False]


def test_nulls_of_an_arrow_array_are_named_with_their_place():
    with pytest.raises(windrow.DTypeError, match=r"indices has a null of 3 elements: indices\[1\]; drop or fill"):
        windrow.take(TABLE, ArrowArray(), axis=0)
