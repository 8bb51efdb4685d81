"""Gather, mode DEFAULT: a slice of data for every index."""

import math

from .. import types
from ..records import count, cycle, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases

TABLE = count("int32", [3, 4])
FAR = [2**32 + 1, 2**31, -2**32 - 1, 2**63 - 1, -2**63, 1]

# Shapes of data and indices, and the axis, of calls with num_elementwise_dims 1.
ELEMENTWISE = [
    ([2, 3], [2, 1], 1), ([2, 3], [2], 1), ([3, 4], [3, 2], 1), ([3, 4], [3, 2, 2], 1), ([2, 3, 4], [2, 2], 1),
    ([2, 3, 4], [2, 2], 2), ([2, 3, 4], [2], 2), ([2, 3, 2, 3], [2, 2, 1], 3), ([1, 4], [1, 3], 1), ([1, 4], [3, 2], 1),
    ([3, 4], [1, 2], 1), ([1, 4], [5], 1), ([3, 4], [1], 1), ([1, 3, 4], [2, 2], 1), ([1, 3, 4], [2, 2], 2),
    ([2, 3, 4], [1, 2], 1), ([2, 3, 4], [1, 2], 2), ([1, 3, 4, 2], [2, 1, 2], 2), ([2, 3, 4, 2], [1, 2, 2], 3),
    ([0, 4], [0, 2], 1), ([0, 4], [1, 2], 1), ([1, 4], [0, 2], 1), ([2, 4], [2, 0], 1), ([2, 3, 0], [2, 2], 1),
    ([2, 0, 3], [2, 2], 2), ([1, 5, 3], [7, 3], 1), ([5, 3, 3], [1, 3], 2), ([3, 3, 5], [3, 1], 2),
]


def indices(shape, extent):
    """Indices from both ends."""
    return cycle("int64", shape, [(5 * i + 2) % (2 * extent) - extent for i in range(2 * extent + 1)])


def slices(cases):
    cases.ok("rows", [TABLE, i64([2], 2, 0)], {"axis": 0}, out=[8, 9, 10, 11, 0, 1, 2, 3])
    cases.ok("columns", [TABLE, i32([2], 3, -4)], {"axis": 1}, out=[3, 0, 7, 4, 11, 8])
    cases.ok("scalar_index", [TABLE, i64([], -1)], {"axis": 0}, out=[8, 9, 10, 11],
             note="0-D indices since release 8.4")
    cases.ok("scalar_index_of_a_vector", [count("float32", [3]), i64([], 1)], out=[1.0])
    cases.ok("embedding", [count("float32", [5, 2]), i32([2, 3], 4, 0, 2, 2, 1, 4)], {"mode": "DEFAULT", "axis": 0})
    for axis in range(3):
        data = count("int32", [2, 3, 4])
        for shape in ([], [2], [2, 2], [1, 1, 3]):
            name = "x".join(map(str, shape)) or "scalar"
            cases.ok(f"axis_{axis}_by_{name}", [data, indices(shape, data["shape"][axis])], {"axis": axis})
    cases.ok("elementwise_dims_0", [TABLE, i64([3, 1], 1, 0, 2)], {"axis": 1, "num_elementwise_dims": 0})


def elementwise(cases):
    for number, (shape, inner, axis) in enumerate(ELEMENTWISE):
        dtype = types.T10[number % len(types.T10)]
        name = f"elementwise_{'x'.join(map(str, shape))}_by_{'x'.join(map(str, inner))}_axis_{axis}"
        cases.ok(name, [sample(dtype, shape), indices(inner, shape[axis])],
                 {"mode": "DEFAULT", "axis": axis, "num_elementwise_dims": 1})
    one = {"axis": 1, "num_elementwise_dims": 1}
    for name, shape, inner in (("2_by_3", [2, 4], [3, 1]), ("2_by_0", [2, 4], [0, 1]), ("0_by_2", [0, 4], [2, 1])):
        cases.error(f"elementwise_{name}", "shape", "C2",
                    [count("int32", shape), i64(inner, *[0] * math.prod(inner))], one)
    for dims in (-1, 2, 3, 2**40):
        cases.error(f"elementwise_dims_{dims}".replace("-", "minus_"), "argument", "A4",
                    [count("int32", [2, 2, 2, 2]), i64([2, 2, 2], *[0] * 8)], {"axis": 3, "num_elementwise_dims": dims})
    cases.error("elementwise_dims_above_the_axis", "argument", "A4", [TABLE, i64([3], 0, 0, 0)],
                {"axis": 0, "num_elementwise_dims": 1})
    cases.error("elementwise_dims_above_the_rank_of_indices", "argument", "A4", [TABLE, i64([], 0)], one)
    inputs = [count("int32", [1, 4], 1), i64([3, 1], 1, 4, -6)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"elementwise_out_of_range_{policy}", inputs, one, options={"out_of_range": policy})
    cases.error("elementwise_out_of_range_error", "index", "C5", inputs, one, options={"out_of_range": "error"},
                bad=fault("indices", [1, 0], 4, 1, 4, 2))
    cases.error("elementwise_bad_index_counts_once", "index", "C5", [count("int32", [3, 4]), i64([1, 1], 4)], one,
                options={"out_of_range": "error"}, bad=fault("indices", [0, 0], 4, 1, 4),
                note="one index element, though it is read for three positions")


def policies(cases):
    inputs = [count("int32", [2, 3], 1), i64([6], 3, 2, -1, -3, -4, 100)]
    cases.ok("out_of_range_by_default", inputs, {"axis": 1}, out=[0, 3, 3, 1, 0, 0, 0, 6, 6, 4, 0, 0])
    cases.ok("out_of_range_in_strict", inputs, {"axis": 1}, versions=[9, 10, 11], options={"strict": True},
             note="zero is what TensorRT documents")
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, {"axis": 1}, options={"out_of_range": policy})
        cases.ok(f"far_out_of_range_{policy}", [count("int32", [3], 7), i64([6], *FAR)],
                 options={"out_of_range": policy}, note="indices are compared in 64 bits")
        cases.ok(f"far_out_of_range_int32_{policy}", [count("int32", [3], 7), i32([2], -2**31, 2**31 - 1)],
                 options={"out_of_range": policy})
    cases.ok("index_beyond_32_bits", [count("float32", [3], 7), i64([3], 2**32 + 1, 1, -2**32 + 1)],
             out=[0.0, 8.0, 0.0], note="an engine that narrows indices to 32 bits reads element 1")
    cases.error("out_of_range_error", "index", "C5", inputs, {"axis": 1}, options={"out_of_range": "error"},
                bad=fault("indices", [0], 3, 1, 3, 3))
    cases.error("index_beyond_32_bits_error", "index", "C5", [count("float32", [3]), i64([1, 2], 1, 2**32 + 1)],
                options={"out_of_range": "error"}, bad=fault("indices", [0, 1], 2**32 + 1, 0, 3))
    for dtype in types.T10:
        cases.ok(f"zero_of_{dtype}", [tensor(dtype, [2], types.SAMPLES[dtype][1:3]), i32([4], 2, 0, 1, -3)])


def empty(cases):
    cases.ok("no_indices", [TABLE, i64([0])], {"axis": 1}, out=[])
    cases.ok("no_indices_of_rank_2", [TABLE, i32([2, 0])], out=[])
    cases.ok("rows_of_nothing", [f32([2, 0]), i64([3], 1, -2, 5)], out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 2]), i64([0])], out=[])
    nowhere = [f32([2, 0]), i64([2], 0, -1)]
    cases.ok("zero_on_an_empty_axis", nowhere, {"axis": 1}, out=[0.0] * 4)
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C5", nowhere, {"axis": 1}, options={"out_of_range": policy},
                    bad=fault("indices", [0], 0, 1, 0, 2))
    cases.error("bad_index_of_an_empty_result", "index", "C5", [f32([2, 0]), i64([2], 1, 2)],
                options={"out_of_range": "error"}, bad=fault("indices", [1], 2, 0, 2), note="every index is checked")


def packed(cases):
    """4-bit elements on every axis of odd sizes."""
    for shape in ([7], [3, 5], [5, 1], [1, 7], [3, 3, 5], [5, 3, 1], [3, 1, 3], [2, 3, 3]):
        for axis in range(len(shape)):
            for number in (1, 3, 4):
                cases.ok(f"int4_{'x'.join(map(str, shape))}_axis_{axis}_by_{number}",
                         [sample("int4", shape), indices([number], shape[axis])], {"axis": axis})


def ranks(cases):
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0)])
    cases.ok("rank_32", [f32([1] * 31 + [2], 1.0, 2.0), i64([1], 1)], {"axis": 31})
    cases.ok("result_of_rank_32", [f32([1] * 16, 1.0), i64([1] * 17, 0)], {"axis": 15})
    cases.error("result_of_rank_33", "shape", "C4", [f32([1] * 32, 1.0), i64([1, 1], 0)])
    cases.ok("elementwise_result_of_rank_32", [f32([1] * 32, 1.0), i64([1, 1], 0)],
             {"axis": 4, "num_elementwise_dims": 1})
    releases.add_rank(cases, "result_of_rank_8", [[1] * 4, [1] * 5], {"axis": 2}, legal=True)
    releases.add_rank(cases, "result_of_rank_9", [[1] * 5, [1] * 5], {"axis": 2}, legal=False)
    releases.add_rank(cases, "data_of_rank_9", [[1] * 9, []], {"axis": 8}, legal=False)
    releases.add_rank(cases, "indices_of_rank_9", [[1], [1] * 9], {}, legal=False)


def add_cases(cases):
    for part in (slices, elementwise, policies, empty, packed, ranks):
        part(cases)
