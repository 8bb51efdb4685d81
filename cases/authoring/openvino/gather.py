"""Cases of Gather-1, -7 and -8."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from . import axes
from .records import Cases, axis

cases = Cases("Gather", [1, 7, 8])
BATCHED = cases.since(7)
VECTOR = count("int32", [5], 1)
ROWS = count("int32", [2, 5], 1)
SQUARE = count("float32", [3, 3])


def examples():
    triples = i64([2, 3], 0, 0, 4, 4, 0, 0)
    cases.ok("example_1", [VECTOR, i64([3], 0, 0, 4), axis(0)], {"batch_dims": 0}, versions=BATCHED, out=[1, 1, 5],
             note="the operator page's example 1")
    cases.ok("example_2", [ROWS, triples, axis(1)], {"batch_dims": 1}, versions=BATCHED, out=[1, 1, 5, 10, 6, 6],
             note="the operator page's example 2")
    cases.ok("example_3", [count("int32", [2, 2, 5], 1), i64([2, 2, 3], 0, 0, 4, 4, 0, 0, 1, 2, 4, 4, 3, 2), axis(2)],
             {"batch_dims": 2}, versions=BATCHED, out=[1, 1, 5, 10, 6, 6, 12, 13, 15, 20, 19, 18],
             note="the operator page's example 3")
    cases.ok("example_4", [count("int32", [2, 1, 5, 4], 1), i64([2, 3], 1, 2, 4, 4, 3, 2), axis(2)], {"batch_dims": 1},
             versions=BATCHED, out=[*range(5, 13), *range(17, 21), *range(37, 41), *range(33, 37), *range(29, 33)],
             note="the operator page's example 4")
    cases.ok("example_5", [ROWS, triples, axis(1)], {"batch_dims": -1}, versions=BATCHED, out=[1, 1, 5, 10, 6, 6],
             note="the operator page's example 5")
    cases.ok("example_6", [VECTOR, i64([3], 0, -2, -1), axis(0)], {"batch_dims": 0}, versions=[8], out=[1, 4, 5],
             note="the operator page's example 6")
    cases.ok("example_7", [VECTOR, i64([3], 3, 10, -20), axis(0)], {"batch_dims": 0}, versions=[8], out=[4, 0, 0],
             note="the operator page's example 7")


def batches():
    data = count("int32", [2, 3, 4])
    cases.ok("batch_1_with_axes_between", [count("int32", [2, 2, 3, 2]), i64([2, 2], 2, 0, 1, -1), axis(2)],
             {"batch_dims": 1}, versions=BATCHED)
    cases.ok("batch_1_axis_2", [data, i64([2, 2], 3, 0, -1, -4), axis(2)], {"batch_dims": 1}, versions=BATCHED)
    cases.ok("batch_1_no_other_index_axis", [data, i64([2], 2, -1), axis(1)], {"batch_dims": 1}, versions=BATCHED,
             note="the axis is gone")
    cases.ok("batch_2_no_other_index_axis", [data, i64([2, 3], 0, 1, 2, 3, -1, -2), axis(-1)], {"batch_dims": 2},
             versions=BATCHED)
    cases.ok("batch_counts_from_the_rank_of_indices", [data, i64([2, 3, 1], 0, 1, 2, 3, -1, -2), axis(2)],
             {"batch_dims": -1}, versions=BATCHED, note="-1 means 2 batch axes with indices of rank 3")
    cases.ok("batch_minus_rank_is_none", [data, i64([2, 1], 1, 0), axis(1)], {"batch_dims": -2}, versions=BATCHED)
    cases.ok("batch_extents_of_0", [f32([0, 3]), i64([0, 2]), axis(1)], {"batch_dims": 1}, versions=BATCHED, out=[])
    cases.ok("batch_index_outside_is_zero", [ROWS, i64([2, 2], 5, 1, 0, -6), axis(1)], {"batch_dims": 1},
             versions=BATCHED, out=[0, 2, 6, 0])
    for value in (3, -3):
        cases.error(f"batch_dims_{value}", "argument", "A4", [ROWS, i64([2, 1], 0, 0), axis(1)], {"batch_dims": value},
                    versions=BATCHED)
    cases.error("more_batch_axes_than_axis", "argument", "A4", [data, i64([2, 3], *[0] * 6), axis(1)],
                {"batch_dims": 2}, versions=BATCHED)
    cases.error("negative_batch_dims_beyond_axis", "argument", "A4", [data, i64([2, 3, 1], *[0] * 6), axis(0)],
                {"batch_dims": -2}, versions=BATCHED)
    cases.error("batch_dims_of_scalar_indices", "argument", "A4", [ROWS, i64([], 0), axis(1)], {"batch_dims": 1},
                versions=BATCHED)
    cases.error("batch_extents_differ", "shape", "C2", [ROWS, i64([1, 2], 0, 0), axis(1)], {"batch_dims": 1},
                versions=BATCHED, note="batch axes are not broadcast")
    cases.error("batch_dims_before_7", "argument", "A2", [ROWS, i64([2, 1], 0, 0), axis(1)], {"batch_dims": 1},
                versions=[1])
    cases.error("batch_dims_of_text", "argument", "A2", [ROWS, i64([2, 1], 0, 0), axis(1)], {"batch_dims": "one"},
                versions=BATCHED)


def shapes():
    data = count("int32", [2, 3, 4])
    for value in range(-3, 3):
        cases.ok(f"axis_{value}", [data, i64([2], 1, 0), axis(value)])
    cases.ok("scalar_index_removes_the_axis", [data, i64([], 2), axis(1)])
    cases.ok("scalar_index_of_a_vector", [VECTOR, i64([], -2), axis(0)], out=[4])
    cases.ok("indices_of_rank_3", [count("int16", [3, 2]), i64([1, 2, 3], 0, 1, 2, 2, 1, 0), axis(0)])
    cases.ok("rank_32", [count("int32", [1] * 30 + [2, 3]), i64([2], 2, 0), axis(31)])
    cases.ok("result_of_rank_32", [count("int32", [2] + [1] * 15), i64([1] * 16 + [2], 1, 0), axis(0)])
    cases.ok("no_indices", [data, i64([2, 0]), axis(1)], out=[])
    cases.ok("no_rows_elsewhere", [f32([0, 3]), i64([2], 2, -3), axis(1)], out=[])
    cases.ok("zero_on_an_empty_axis", [f32([0, 2]), i64([2], 0, -1), axis(0)], out=[0.0] * 4,
             note="the default policy needs no coordinate")
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0), axis(0)])
    cases.error("result_of_rank_33", "shape", "C3", [f32([1] * 17, 1.0), i64([1] * 17, 0), axis(0)])


def policies():
    data = count("int32", [2, 3], 1)
    indices = i64([7], 3, 2, -1, -3, -4, 9, -9)
    cases.ok("out_of_range_is_zero", [data, indices, axis(1)])
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", [data, indices, axis(1)], options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C4", [data, indices, axis(1)], options={"out_of_range": "error"},
                bad=fault("indices", [0], 3, 1, 3, 4))
    far = i64([4], 2**63 - 1, -2**63, 2**32, -2**32)
    unsigned = tensor("uint64", [4], [2**64 - 1, 2**63, 2**63 - 1, 2**32])
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"far_out_of_range_{policy}", [data, far, axis(1)], options={"out_of_range": policy})
        cases.ok(f"far_out_of_range_uint64_{policy}", [data, unsigned, axis(1)], options={"out_of_range": policy})
        cases.ok(f"out_of_range_uint4_{policy}", [data, tensor("uint4", [3], [15, 0, 3]), axis(1)],
                 options={"out_of_range": policy})
        cases.ok(f"out_of_range_int4_{policy}", [data, tensor("int4", [3], [-8, 7, -3]), axis(1)],
                 options={"out_of_range": policy})
    cases.error("far_out_of_range_uint64_error", "index", "C4", [data, unsigned, axis(1)],
                options={"out_of_range": "error"}, bad=fault("indices", [0], 2**64 - 1, 1, 3, 4))
    for dtype in types.T23:
        cases.ok(f"zero_of_type_{dtype}",
                 [tensor(dtype, [6], types.SAMPLES[dtype]), i64([3], 6, 1, -7), axis(0)])
    for policy in ("clamp", "modulo", "error"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C4", [f32([0, 2]), i64([2], 7, 1), axis(0)],
                    options={"out_of_range": policy}, bad=fault("indices", [0], 7, 0, 0, 2))
    cases.error("bad_index_of_an_empty_result", "index", "C4", [f32([2, 0]), i64([1], 5), axis(0)],
                options={"out_of_range": "error"}, bad=fault("indices", [0], 5, 0, 2), note="every index is checked")
    cases.error("scalar_index_out_of_range", "index", "C4", [SQUARE, i64([], 3), axis(0)],
                options={"out_of_range": "error"}, bad=fault("indices", [], 3, 0, 3))
    cases.error("index_in_a_batch", "index", "C4", [ROWS, i64([2, 2], 0, 1, -6, 5), axis(1)], {"batch_dims": 1},
                versions=BATCHED, options={"out_of_range": "error"}, bad=fault("indices", [1, 0], -6, 1, 5, 2))
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", [data, indices, axis(1)],
                options={"out_of_range": "skip"})


def strict():
    negative = [SQUARE, i64([3], 1, -1, -2), axis(0)]
    large = [SQUARE, i32([2], 3, 0), axis(1)]
    old = [1, 7]
    cases.ok("strict_with_legal_indices", [SQUARE, i64([2], 2, 0), axis(0)], options={"strict": True})
    cases.ok("strict_negative_index_since_8", negative, versions=[8], options={"strict": True})
    cases.ok("strict_large_index_since_8", large, versions=[8], options={"strict": True})
    cases.error("strict_negative_index", "index", "S1", negative, versions=old, options={"strict": True},
                bad=fault("indices", [1], -1, 0, 3, 2))
    cases.error("strict_large_index", "index", "S1", large, versions=old, options={"strict": True},
                bad=fault("indices", [0], 3, 1, 3), note="strict without a policy makes it error")
    both = [SQUARE, i64([3], 7, 0, -1), axis(0)]
    for policy in ("zero", "clamp", "modulo"):
        options = {"strict": True, "out_of_range": policy}
        cases.error(f"strict_negative_index_{policy}", "index", "S1", both, versions=old, options=options,
                    bad=fault("indices", [2], -1, 0, 3))
        cases.ok(f"strict_large_index_{policy}", large, versions=old, options=options)
    cases.error("strict_error", "index", "S1", both, versions=old, options={"strict": True, "out_of_range": "error"},
                bad=fault("indices", [0], 7, 0, 3, 2))
    cases.error("strict_modulo_on_an_empty_axis", "index", "S1", [f32([0]), i64([1], 0), axis(0)], versions=old,
                options={"strict": True, "out_of_range": "modulo"}, bad=fault("indices", [0], 0, 0, 0))


for _part in (examples, batches, shapes, policies, strict):
    _part()
axes.add_cases(cases, [SQUARE, i64([2], 2, -3)])
payloads.add_cases(cases, dict.fromkeys(cases.versions, types.T23),
                   lambda make: [make([3, 2]), i64([4], 2, -3, 1, -1), axis(0)],
                   lambda make: [make([3, 5]), i32([3], 2, 1, 0), axis(0)])
payloads.add_odd_cases(cases, lambda make: [make([2, 3, 3]), i64([2, 1], 2, 1), axis(1)], {"batch_dims": 1},
                       versions=BATCHED, name="batch")
index_types.add_cases(cases, types.I10, lambda make: [SQUARE, make([3], [2, -2, 1]), axis(1)])
