"""Scatter, mode ND: a slice of data is replaced for every index tuple."""

import math

from .. import types
from ..records import count, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases
from .gather_default import FAR
from .gather_nd import tuples_of

TABLE = count("int32", [3, 4])
ND = {"mode": "ND"}

# Shapes of data and indices.
SLICES = [
    ([7], [1]), ([7], [3, 1]), ([3, 5], [2, 1]), ([3, 5], [4, 2]), ([3, 5], [2, 2, 2]), ([3, 5], [2, 2, 1]),
    ([3, 3, 5], [2, 1]), ([3, 3, 5], [4, 2]), ([3, 3, 5], [5, 3]), ([5, 1, 3], [3, 2]), ([2, 3, 4, 3], [2, 2, 3]),
    ([2, 3, 4], [3]), ([2, 3, 4], [1, 1, 2]), ([5, 1], [3, 1]), ([1, 7], [2, 2]),
]


def updates_for(dtype, shape, inner):
    outer = inner[:-1] + shape[inner[-1]:]
    values = types.SAMPLES[dtype]
    return tensor(dtype, outer, [values[(i + 2) % len(values)] for i in range(math.prod(outer))])


def slices(cases):
    cases.ok("nd_points", [TABLE, i64([2, 2], 0, 3, 2, -4), count("int32", [2], 100)], ND,
             out=[0, 1, 2, 100, 4, 5, 6, 7, 101, 9, 10, 11])
    cases.ok("nd_rows", [TABLE, i32([2, 1], 2, -3), count("int32", [2, 4], 100)], ND,
             out=[104, 105, 106, 107, 4, 5, 6, 7, 100, 101, 102, 103])
    cases.ok("nd_one_tuple", [TABLE, i64([2], 1, 2), count("int32", [], 100)], ND,
             out=[0, 1, 2, 3, 4, 5, 100, 7, 8, 9, 10, 11])
    cases.ok("nd_ignores_axis", [TABLE, i64([2], 1, 2), count("int32", [], 100)], {**ND, "axis": -99})
    cases.ok("nd_duplicate_rows_last_wins", [TABLE, i64([3, 1], 1, 0, 1), count("int32", [3, 4], 100)], ND)
    for shape, inner in SLICES:
        name = f"{'x'.join(map(str, shape))}_by_{'x'.join(map(str, inner))}"
        for dtype in ("int4", types.T10[(len(shape) + 3 * sum(inner)) % len(types.T10)]):
            if f"nd_{dtype}_{name}" not in {record["name"] for record in cases.records}:
                cases.ok(f"nd_{dtype}_{name}",
                         [sample(dtype, shape), tuples_of(shape, inner, 0), updates_for(dtype, shape, inner)], ND)


def policies(cases):
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9), count("int32", [5], 10)]
    cases.ok("nd_out_of_range_by_default", inputs, ND, out=[1, 2, 3, 4, 5, 13])
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"nd_out_of_range_{policy}", inputs, ND, options={"out_of_range": policy})
        cases.ok(f"nd_out_of_range_{policy}_rows", [count("int32", [2, 3]), i64([3, 1], 2, -3, 1),
                                                    count("int32", [3, 3], 10)], ND, options={"out_of_range": policy})
        cases.ok(f"nd_far_out_of_range_{policy}", [count("int32", [3], 7), i64([6, 1], *FAR), count("int32", [6], 10)],
                 ND, options={"out_of_range": policy})
    cases.error("nd_out_of_range_error", "index", "C4", inputs, ND, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 2, 0, 2, 6))
    nowhere = [f32([2, 0]), i64([1, 2], 1, 0), f32([1], 1.0)]
    cases.ok("nd_skip_on_an_empty_axis", nowhere, ND, out=[])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"nd_{policy}_on_an_empty_axis", "index", "C4", nowhere, ND, options={"out_of_range": policy},
                    bad=fault("indices", [0, 1], 0, 1, 0))
    cases.ok("nd_no_tuples", [TABLE, i64([0, 2]), tensor("int32", [0], [])], ND)
    cases.ok("nd_rows_of_nothing", [f32([2, 0]), i64([1, 1], 1), f32([1, 0])], ND, out=[])


def rules(cases):
    cases.error("nd_data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0), f32([], 1.0)], ND)
    cases.error("nd_indices_of_rank_0", "shape", "C1", [TABLE, i64([], 0), count("int32", [4])], ND)
    cases.error("nd_tuples_too_long", "shape", "C2", [TABLE, i64([1, 3], 0, 0, 0), count("int32", [1])], ND)
    cases.error("nd_empty_tuples", "shape", "C2", [TABLE, i64([1, 0]), count("int32", [1, 3, 4])], ND)
    for name, shape in (("of_another_rank", [4]), ("of_one_element", [1, 1]), ("of_another_slice", [1, 3]),
                        ("of_too_many_tuples", [2, 4])):
        cases.error(f"nd_updates_{name}", "shape", "C3", [TABLE, i64([1, 1], 0), count("int32", shape)], ND)
    cases.error("nd_updates_would_have_rank_33", "shape", "C3",
                [f32([1] * 32, 1.0), i64([1, 1, 1], 0), f32([1] * 32, 1.0)], ND)
    releases.add_rank(cases, "nd_rank_8", [[1] * 8, [1], [1] * 7], ND, legal=True)
    releases.add_rank(cases, "nd_data_of_rank_9", [[1] * 9, [1], [1] * 8], ND, legal=False)
    releases.add_rank(cases, "nd_indices_of_rank_9", [[1], [1] * 9, [1] * 8], ND, legal=False)
    releases.add_rank(cases, "nd_updates_of_rank_9", [[1] * 8, [1] * 3, [1] * 9], ND, legal=False)


def add_cases(cases):
    for part in (slices, policies, rules):
        part(cases)
