"""The comparison of facts with values finds each kind of wrong fact."""

import math

import numpy as np
import pytest
from facts_beside_values import Run, Tally, compare
from random_graphs import Sink, Value
from verdicts_beside_values import is_out_of_range, is_repeated

ARRAY = np.array([[0, 3], [1, -2]], np.int64)
RUN = Run({"x": np.zeros((3, 4)), "y": np.zeros((3, 5)), "ids": np.array([-2, 0, 1, 3]), "bytes": np.array([1, 3])})
TRUE = {
    "name": "v", "dtype": "int64", "dims": [2, None], "grain": "tensor", "axis": 0, "intervals": [(-2, 3, None, None)],
    "premises": [], "type_premises": [], "shape_premises": [], "source_input": "",
}


def faults(array=ARRAY, **changes):
    tally = Tally()
    compare(TRUE | changes, array, RUN, tally)
    return tally.faults


@pytest.mark.parametrize("changes", [
    {},
    {"intervals": []},
    {"dims": None},
    {"grain": "axis", "axis": 1, "intervals": [(0, 1, None, None), (-2, 3, None, None)]},
    {"grain": "axis", "axis": 0, "intervals": [(0, 3, None, None), (-2, 1, None, None)]},
    {"grain": "element", "intervals": [(n, n, None, None) for n in (0, 3, 1, -2)]},
    {"intervals": [(None, None, ("x.shape[0]", 1, -1), ("x.shape[1]", -1, 1))]},
    {"source_input": "ids"},
    {"premises": ["x.shape[0] = y.shape[0], both called N"]},
    {"premises": ["x.shape[1] = y.shape[1], both called N"], "intervals": [(9, 9, None, None)]},
    {"premises": ["ids lies in 0 to 5 (assumed)"], "intervals": [(9, 9, None, None)]},
    {"premises": ["x.shape[1] is at least 5"], "intervals": [(9, 9, None, None)]},
    {"premises": ["y (Relu) has the shape float64[3, 4], as onnx infers"], "intervals": [(9, 9, None, None)]},
    {"shape_premises": ["y (Relu) has the shape float64[x.shape[0]], as onnx infers"], "dims": [9]},
    {"type_premises": ["y has the type int64, as onnx infers"], "dtype": "int8"},
])
def test_true_facts_pass(changes):
    assert faults(**changes) == []


@pytest.mark.parametrize("changes", [
    {"intervals": [(-1, 3, None, None)]},
    {"intervals": [(-2, 2, None, None)]},
    {"intervals": [(None, None, None, ("x.shape[0]", -1, 1))]},
    {"intervals": [(None, None, ("x.shape[0]", 2, -1), None)]},
    {"grain": "axis", "axis": 0, "intervals": [(0, 1, None, None), (-2, 3, None, None)]},
    {"grain": "axis", "axis": 0, "intervals": [(-2, 3, None, None)]},
    {"grain": "element", "intervals": [(n, n, None, None) for n in (0, 3, 1, 2)]},
    {"dims": [2]},
    {"dims": [2, 3]},
    {"dims": ["x.shape[0]", 2]},
    {"dtype": "int32"},
    {"source_input": "bytes"},
    {"source_input": "no_input"},
    {"premises": ["x.shape[0] = y.shape[0], both called N"], "intervals": [(9, 9, None, None)]},
    {"premises": ["ids lies in -2 to 3 (assumed)"], "intervals": [(9, 9, None, None)]},
    {"premises": ["x.shape[1] is at least 4"], "intervals": [(9, 9, None, None)]},
    {"premises": ["y (Relu) has the shape ?[x.shape[0], ?], as onnx infers"], "intervals": [(9, 9, None, None)]},
    {"shape_premises": ["y (Relu) of main/loop.body has the shape float64[3, 5], as onnx infers"], "dims": [9]},
    {"type_premises": ["y (Relu) has the type float64, as onnx infers"], "dtype": "int8"},
])
def test_false_facts_are_found(changes):
    assert faults(**changes)


@pytest.mark.parametrize("changes", [
    {"premises": ["it rains"]},
    {"premises": ["x.shape[7] = y.shape[0], both called N"]},
    {"intervals": [(None, None, None, ("z.shape[0]", 0, 1))]},
])
def test_what_cannot_be_checked_is_an_error(changes):
    with pytest.raises(ValueError):
        faults(**changes)


def test_floats():
    array = np.array([0.5, np.nan, -0.0], np.float32)
    floats = {"dtype": "float32", "dims": [3]}
    assert faults(array, **floats, intervals=[(0.0, 0.5, True)]) == []
    assert faults(array, **floats, intervals=[(-math.inf, math.inf, False)])
    assert faults(array, **floats, intervals=[(0.0, 0.25, True)])


def sink(op_type, indices, data, **attributes):
    values = [Value(name, array.dtype, {0: array}) for name, array in (("data", data), ("indices", np.array(indices)))]
    return Sink(op_type, *values, attributes)


@pytest.mark.parametrize("op_type, indices, attributes, out, repeated", [
    ("Gather", [[-3, 2]], {"axis": 0}, False, None),
    ("Gather", [3], {"axis": 0}, True, None),
    ("Gather", [-5], {"axis": -1}, True, None),
    ("GatherND", [[2, 3]], {}, False, None),
    ("GatherND", [[3, 2]], {}, True, None),
    ("ScatterND", [[0, 1], [-3, -3]], {}, False, True),
    ("ScatterND", [[0, 1], [1, 0]], {}, False, False),
    ("ScatterElements", [[0, 1], [1, 0]], {"axis": 0}, False, False),
    ("ScatterElements", [[0, 1], [-3, 0]], {"axis": 0}, False, True),
    ("ScatterElements", [[0, 1], [-3, 0]], {"axis": 1}, False, False),
])
def test_conditions_on_indices(op_type, indices, attributes, out, repeated):
    data = np.zeros((3, 4), np.float32)
    given = sink(op_type, indices, data, **attributes)
    assert is_out_of_range(given, np.array(indices), data.shape) == out
    if repeated is not None:
        assert is_repeated(given, np.array(indices), data.shape) == repeated
