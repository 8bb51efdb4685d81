"""Gather, mode ND: a slice of data for every index tuple."""

import math

from .. import types
from ..records import count, f32, fault, i32, i64, sample
from . import releases
from .gather_default import FAR

SQUARE = count("int32", [2, 2])
CUBE = count("int32", [2, 2, 2])

# Shapes of data and indices, and num_elementwise_dims: every number that data of rank 4 has.
BATCHES = [
    ([3, 2, 4, 2], [2, 1], 0), ([3, 2, 4, 2], [5, 4], 0), ([3, 2, 4, 2], [2, 2, 3], 0), ([3, 2, 4, 2], [2], 0),
    ([3, 2, 4, 2], [3, 1], 1), ([3, 2, 4, 2], [3, 2, 2], 1), ([3, 2, 4, 2], [3, 3], 1), ([3, 2, 4, 2], [3, 2, 1, 3], 1),
    ([3, 2, 4, 2], [3, 2, 1], 2), ([3, 2, 4, 2], [3, 2, 2], 2), ([3, 2, 4, 2], [3, 2, 3, 1], 2),
    ([3, 2, 4, 2], [3, 2, 4, 1], 3), ([3, 2, 4, 2], [3, 2, 4, 2, 1], 3),
    ([4], [1], 0), ([4], [3, 1], 0), ([1, 4], [1, 1], 1), ([5, 3], [5, 1], 1), ([5, 3], [5, 2, 1], 1),
    ([0, 3], [0, 1], 1), ([2, 0, 3], [2, 0, 1], 2), ([2, 3], [2, 0, 1], 1), ([3, 3, 5], [3, 3], 0),
    ([3, 3, 5], [3, 1], 1), ([3, 3, 5], [3, 3, 1], 2), ([1, 1, 7], [1, 1, 3, 1], 2),
]


def nd(dims=0):
    return {"mode": "ND", "num_elementwise_dims": dims}


def tuples_of(shape, inner, dims):
    """Index tuples that count from both ends."""
    extents = shape[dims:dims + inner[-1]]
    values = [(7 * i + 3) % (2 * extents[i % inner[-1]]) - extents[i % inner[-1]] for i in range(math.prod(inner))]
    return i64(inner, *values)


def tuples(cases):
    cases.ok("nd_points", [SQUARE, i64([2, 2], 0, 0, 1, 1)], {"mode": "ND"}, out=[0, 3])
    cases.ok("nd_rows", [SQUARE, i32([2, 1], 1, 0)], nd(), out=[2, 3, 0, 1])
    cases.ok("nd_one_tuple", [CUBE, i64([3], 1, 0, -1)], nd(), out=[5])
    cases.ok("nd_ignores_axis", [CUBE, i64([1, 2], 1, 0)], {**nd(), "axis": -99}, out=[4, 5],
             note="axis has no meaning, whatever it is")
    cases.ok("nd_last_token", [count("float32", [2, 4, 3]), i64([2, 1, 1], 3, 1)], nd(1),
             note="the last token of every sequence")
    for number, (shape, inner, dims) in enumerate(BATCHES):
        dtype = types.T10[number % len(types.T10)]
        name = f"nd_{'x'.join(map(str, shape))}_by_{'x'.join(map(str, inner))}_dims_{dims}"
        cases.ok(name, [sample(dtype, shape), tuples_of(shape, inner, dims)], nd(dims))


def policies(cases):
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9)]
    cases.ok("nd_out_of_range_by_default", inputs, nd(), out=[0, 0, 0, 6, 0])
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"nd_out_of_range_{policy}", inputs, nd(), options={"out_of_range": policy})
        cases.ok(f"nd_out_of_range_{policy}_rows", [count("int32", [2, 3], 1), i64([3, 1], 2, -3, 1)], nd(),
                 options={"out_of_range": policy})
        cases.ok(f"nd_far_out_of_range_{policy}", [count("int32", [3], 7), i64([6, 1], *FAR)], nd(),
                 options={"out_of_range": policy})
    cases.error("nd_out_of_range_error", "index", "C5", inputs, nd(), options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("nd_out_of_range_of_a_batch", "index", "C5", [CUBE, i64([2, 2], 0, 1, 1, 2)], nd(1),
                options={"out_of_range": "error"}, bad=fault("indices", [1, 1], 2, 2, 2))
    nowhere = [f32([2, 0]), i64([1, 2], 1, 0)]
    cases.ok("nd_zero_on_an_empty_axis", nowhere, nd(), out=[0.0])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"nd_{policy}_on_an_empty_axis", "index", "C5", nowhere, nd(), options={"out_of_range": policy},
                    bad=fault("indices", [0, 1], 0, 1, 0))
    cases.ok("nd_no_tuples", [SQUARE, i64([0, 2])], nd(), out=[])
    cases.ok("nd_rows_of_nothing", [f32([2, 0]), i64([2, 1], 1, -2)], nd(), out=[])
    cases.error("nd_bad_index_of_rows_of_nothing", "index", "C5", [f32([2, 0]), i64([2, 1], 1, -3)], nd(),
                options={"out_of_range": "error"}, bad=fault("indices", [1, 0], -3, 0, 2))


def packed(cases):
    for shape, inner, dims in (([7], [3, 1], 0), ([3, 5], [2, 1], 0), ([3, 5], [5, 2], 0), ([3, 5], [3, 1], 1),
                               ([3, 5], [3, 3, 1], 1), ([3, 3, 5], [3, 1], 0), ([3, 3, 5], [4, 2], 0),
                               ([3, 3, 5], [3, 3, 1], 1), ([3, 3, 5], [3, 3, 3, 1], 2), ([5, 1, 3], [3, 2], 0)):
        cases.ok(f"int4_nd_{'x'.join(map(str, shape))}_by_{'x'.join(map(str, inner))}_dims_{dims}",
                 [sample("int4", shape), tuples_of(shape, inner, dims)], nd(dims))


def rules(cases):
    cases.error("nd_data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0)], nd())
    cases.error("nd_indices_of_rank_0", "shape", "C1", [CUBE, i64([], 0)], nd())
    for dims in (-1, 2, 3):
        cases.error(f"nd_dims_{dims}".replace("-", "minus_"), "argument", "A4", [CUBE, i64([2, 1], 0, 0)], nd(dims))
    cases.error("nd_dims_of_a_vector", "argument", "A4", [count("int32", [2]), i64([2, 1], 0, 0)], nd(1))
    cases.error("nd_dims_as_many_as_ranks", "argument", "A4", [SQUARE, i64([2, 2, 1], 0, 0, 0, 0)], nd(2))
    for name, shape, inner, dims in (("2_by_3", [2, 4], [3, 1], 1), ("no_broadcast_of_data", [1, 4], [3, 1], 1),
                                     ("no_broadcast_of_indices", [3, 4], [1, 1], 1),
                                     ("second", [2, 3, 4], [2, 2, 1], 2)):
        cases.error(f"nd_leading_{name}", "shape", "C2", [count("int32", shape), i64(inner, *[0] * math.prod(inner))],
                    nd(dims))
    cases.error("nd_tuples_too_long", "shape", "C3", [SQUARE, i64([1, 3], 0, 0, 0)], nd())
    cases.error("nd_tuples_too_long_for_the_dims", "shape", "C3", [SQUARE, i64([2, 2], 0, 0, 0, 0)], nd(1))
    cases.error("nd_empty_tuples", "shape", "C3", [SQUARE, i64([3, 0])], nd())
    cases.ok("nd_rank_32", [count("int32", [1] * 31 + [2]), i64([2, 32], *[0] * 31, 1, *[-1] * 31, -2)], nd())
    cases.error("nd_result_of_rank_33", "shape", "C4", [f32([1] * 32, 1.0), i64([1, 1, 1], 0)], nd())
    releases.add_rank(cases, "nd_rank_8", [[1] * 8, [1]], nd(), legal=True)
    releases.add_rank(cases, "nd_data_of_rank_9", [[1] * 9, [1]], nd(), legal=False)
    releases.add_rank(cases, "nd_indices_of_rank_9", [[1], [1] * 9], nd(), legal=False)
    releases.add_rank(cases, "nd_result_of_rank_9", [[1] * 8, [1] * 3], nd(), legal=False)


def add_cases(cases):
    for part in (tuples, policies, packed, rules):
        part(cases)
