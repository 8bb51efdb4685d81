"""The command against other implementations on random calls: NumPy's functions, ONNX's reference evaluator."""

import numpy as np
import pytest
from case_data import same_bits, same_values
from command import call
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from random_calls import (
    DTYPES,
    NUMBERS,
    gather,
    gather_elements,
    gather_nd,
    scatter_elements,
    scatter_nd,
)

CALLS = 12
REDUCTIONS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def make_rng(name):
    return np.random.default_rng(list(name.encode()))


def check(folder, operator, inputs, attributes, expected, *flags, same=same_bits):
    actual = call(folder, operator, inputs, attributes, *flags)
    shown = [(array.dtype, array.shape) for array in inputs]
    assert same(np.asarray(expected), actual), (operator, attributes, shown, expected, actual)


def test_take(tmp_path):
    rng = make_rng("take")
    for _ in range(CALLS):
        (data, indices), attributes = gather(rng, DTYPES)
        check(tmp_path, "Gather", [data, indices], attributes, np.take(data, indices, axis=attributes["axis"]))


@pytest.mark.parametrize(("policy", "mode"), [("clamp", "clip"), ("modulo", "wrap")])
def test_take_out_of_range(tmp_path, policy, mode):
    rng = make_rng(mode)
    for _ in range(CALLS):
        (data, indices), attributes = gather(rng, DTYPES)
        # NumPy's clip takes a negative index as below the first element, so none is given to it.
        indices = np.abs(indices) * 3 if mode == "clip" else indices * 3
        check(tmp_path, "Gather", [data, indices], attributes,
              np.take(data, indices, axis=attributes["axis"], mode=mode), "--out-of-range", policy)


def test_take_along_axis(tmp_path):
    rng = make_rng("take_along_axis")
    for _ in range(CALLS):
        (data, indices), attributes = gather_elements(rng, DTYPES)
        axis = attributes["axis"] % data.ndim
        window = tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(indices.shape))
        check(tmp_path, "GatherElements", [data, indices], attributes,
              np.take_along_axis(data[window], indices, axis=axis))


def test_advanced_indexing(tmp_path):
    rng = make_rng("advanced_indexing")
    for _ in range(CALLS):
        (data, indices), attributes = gather_nd(rng, DTYPES)
        batch = attributes["batch_dims"]
        grids = np.ogrid[tuple(slice(n) for n in indices.shape[:-1])][:batch]
        places = tuple(indices[..., k] for k in range(indices.shape[-1]))
        check(tmp_path, "GatherND", [data, indices], attributes, data[(*grids, *places)])


def test_put_along_axis(tmp_path):
    rng = make_rng("put_along_axis")
    for _ in range(CALLS):
        (data, indices, updates), attributes = scatter_elements(rng, DTYPES)
        expected = data.copy()
        np.put_along_axis(expected, indices, updates, axis=attributes["axis"])
        for operator, flags in (("ScatterElements", []), ("Scatter", ["--version", "9"])):
            check(tmp_path, operator, [data, indices, updates], attributes, expected, *flags)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_ufunc_at(tmp_path, reduction):
    rng = make_rng(reduction)
    for _ in range(CALLS):
        (data, indices, updates), attributes = scatter_nd(rng, NUMBERS, reduction)
        expected = data.copy()
        places = tuple(indices[..., k] for k in range(indices.shape[-1]))
        REDUCTIONS[reduction].at(expected, places, updates)
        check(tmp_path, "ScatterND", [data, indices, updates], attributes, expected, same=same_values)


def evaluate(operator, inputs, attributes, opset):
    """ONNX's own answer."""
    names = [f"input_{number}" for number in range(len(inputs))]
    node = helper.make_node(operator, names, ["output"], **attributes)
    types = [helper.np_dtype_to_tensor_dtype(array.dtype) for array in inputs]
    graph = helper.make_graph(
        [node], "oracle", [helper.make_tensor_value_info(name, kind, array.shape)
                           for name, kind, array in zip(names, types, inputs, strict=True)],
        [helper.make_tensor_value_info("output", types[0] or TensorProto.FLOAT, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    return ReferenceEvaluator(model).run(None, dict(zip(names, inputs, strict=True)))[0]


EVALUATED = [
    ("Gather", 13, lambda rng: gather(rng, DTYPES)),
    ("Gather", 10, lambda rng: gather(rng, NUMBERS)),
    ("GatherElements", 13, lambda rng: gather_elements(rng, NUMBERS, plain=True)),
    ("GatherND", 13, lambda rng: gather_nd(rng, NUMBERS)),
    ("ScatterElements", 18, lambda rng: scatter_elements(rng, NUMBERS)),
    *(("ScatterElements", 18, lambda rng, name=name: scatter_elements(rng, NUMBERS, name)) for name in REDUCTIONS),
    ("ScatterND", 18, lambda rng: scatter_nd(rng, NUMBERS)),
    *(("ScatterND", 18, lambda rng, name=name: scatter_nd(rng, NUMBERS, name)) for name in REDUCTIONS),
]


@pytest.mark.parametrize("row", range(len(EVALUATED)))
def test_reference_evaluator(tmp_path, row):
    operator, opset, make = EVALUATED[row]
    rng = make_rng(f"{operator} {opset} {row}")
    for _ in range(CALLS):
        inputs, attributes = make(rng)
        expected = evaluate(operator, inputs, attributes, opset)
        check(tmp_path, operator, inputs, attributes, expected, "--version", str(opset), same=same_values)


NAN = float("nan")

# Where the reference evaluator is known to fail or to answer in another way, so that it is not asked above; what
# stands here instead is NumPy's answer: operator, inputs, attributes, expected, what the evaluator does.
DEVIATIONS = [
    ("GatherElements", [np.arange(6).reshape(2, 3), np.array([[1, 0]])], {"axis": 0}, [[3, 1]],
     "wants equal extents off the axis"),
    ("GatherElements", [np.arange(6).reshape(2, 3), np.array([[2], [-3]])], {"axis": -1}, [[2], [3]],
     "does not count a negative axis from the end"),
    ("GatherElements", [np.arange(40), np.array([39, -40])], {"axis": 0}, [39, 0],
     "chooses by np.choose, which takes at most 32 entries"),
    ("ScatterElements", [np.array([1.0, NAN]), np.array([0, 1]), np.array([NAN, 1.0])], {"reduction": "max"},
     [NAN, NAN], "keeps the cell where the update is NaN"),
]


@pytest.mark.parametrize(("operator", "inputs", "attributes", "expected", "reason"), DEVIATIONS)
def test_known_deviations(tmp_path, operator, inputs, attributes, expected, reason):
    del reason  # for the reader of the table
    check(tmp_path, operator, inputs, attributes, np.array(expected, dtype=inputs[0].dtype))
