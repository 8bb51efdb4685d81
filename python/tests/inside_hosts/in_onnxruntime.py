"""ONNX Runtime: a call is an operator, its version, its attributes and its inputs."""

import numpy as np
from difference import Chance, Difference, Raises

TITLE, HOST, GUIDE = "ONNX Runtime", "onnxruntime 1.32.0", "onnxruntime.md"
NAN = float("nan")
ONES = 400_000


def f32(*values):
    return np.array(values, np.float32)


def f16(*values):
    return np.array(values, np.float16)


def _run(call, session):
    from ort_sessions import feeds, node_model

    name, version, attributes, arrays = call
    return session(node_model(name, version, attributes, arrays)).run(None, feeds(arrays))[0]


def alone(call):
    from ort_sessions import plain

    return _run(call, lambda model: plain(model, threads=2))


def here(call):
    from ort_sessions import plugged

    return _run(call, lambda model: plugged(model, threads=2))


CELLS = np.array([0, 1, 2, 1])
ONE_CELL = np.zeros((ONES, 1), np.int64)
TEXT = np.array([["a", "b"], ["c", "d"]], object)

ROWS = [
    Difference("nan-in-a-cell", "min or max, a cell of data is NaN", "the next update replaces it", "stays NaN",
               ("ScatterElements", 18, {"reduction": "max"}, [f32(NAN, 1, 2, 3), CELLS, f32(5, 0, 0, 0)]),
               [5, 1, 2, 3], [NAN, 1, 2, 3]),
    Difference("nan-in-an-update", "min or max, an update is NaN", "is taken; the next update of the cell replaces it",
               "is taken, and the cell stays NaN",
               ("ScatterND", 18, {"reduction": "min"}, [f32(0, 1, 2, 3), CELLS[:, None], f32(5, NAN, NAN, 2)]),
               [0, 2, NAN, 3], [0, NAN, NAN, 3]),
    Difference("sums-of-a-cell", "ScatterND with add or mul, several updates of a cell, two threads or more",
               "varies from run to run, often wrong: threads race", "the loop of the specification",
               ("ScatterND", 18, {"reduction": "add"}, [f32(0), ONE_CELL, np.ones(ONES, np.float32)]),
               Chance(), [ONES]),
    Difference("last-update", "ScatterND without a reduction, several updates of a cell, two threads or more",
               "any of them: threads race", "the last one in row-major order",
               ("ScatterND", 18, {}, [f32(0), ONE_CELL, np.arange(ONES, dtype=np.float32)]),
               Chance(), [ONES - 1]),
    Difference("half-sums", "a reduction of float16 other than min and max in ScatterElements", "an error",
               "computed, rounded after every step",
               ("ScatterElements", 18, {"reduction": "add"}, [f16(2048), np.array([0, 0]), f16(1, 1)]),
               Raises("MLFloat16 data type is not supported"), [2048]),
    Difference("boolean-extremes", "min or max of bool", "an error", "computed",
               ("ScatterElements", 18, {"reduction": "max"}, [np.array([False]), np.array([0]), np.array([True])]),
               Raises("bool data type is not supported"), [True]),
    Difference("text-slices", "Gather of text, slices of several elements",
               "copies the first element of each slice alone",
               "copies the slice", ("Gather", 13, {}, [TEXT, np.array([1])]), [["c", ""]], [["c", "d"]]),
    Difference("text-caches", "TensorScatter of text", "refuses the model", "computed",
               ("TensorScatter", 24, {"axis": 1},
                [np.array([[["a"], ["b"]]], object), np.array([[["c"]]], object), np.array([1])]),
               Raises("Could not find an implementation for TensorScatter"), [[["a"], ["c"]]]),
    Difference("unequal-batches", "GatherND with batch_dims, the batch of data divides that of indices",
               "takes the batches of data in turn", "an error",
               ("GatherND", 13, {"batch_dims": 1}, [f32([1, 2], [3, 4]), np.array([[0], [1], [0], [1]])]),
               [1, 2, 3, 4], Raises("they differ in batch axis 0")),
    Difference("empty-tuples", "GatherND, tuples of length 0", "copies data for each", "an error, as ONNX says",
               ("GatherND", 13, {}, [f32(1, 2), np.zeros((2, 0), np.int64)]),
               [[1, 2], [1, 2]], Raises("index tuples have length 0")),
    Difference("unread-indices", "GatherND, an index out of range, slices without elements", "not looked at",
               "an error",
               ("GatherND", 13, {}, [np.zeros((2, 0), np.float32), np.array([[7]])]),
               np.zeros((1, 0)).tolist(), Raises("is 7, out of range for axis 0")),
    Difference("error-text", "an index out of range elsewhere", "an error that has the value",
               "an error that has input, position, value, axis, extent and count",
               ("ScatterElements", 18, {}, [f32(1, 2), np.array([0, 9]), f32(1, 2)]),
               Raises("idx=9 must be within"),
               Raises(r"indices\[1\] is 9, out of range for axis 0 of data with extent 2")),
]
NOTES = """\
ONNX Runtime silently treats a reduction that ONNX does not have, such as "mean", as assignment. Windrow leaves such a node to it,
so that the result is the same; `windrow check` reports it as `reduction-unknown`."""
