"""Cases of GatherND-11, -12 and -13."""

from . import types
from .records import Cases, count, f32, fault, i64
from .semantics import tensor

cases = Cases("GatherND", [11, 12, 13])
SQUARE = count("int32", [2, 2])
CUBE = count("int32", [2, 2, 2])


def examples():
    cases.ok("example_1", [SQUARE, i64([2, 2], 0, 0, 1, 1)], out=[0, 3], note="the operator page's example 1")
    cases.ok("example_2", [SQUARE, i64([2, 1], 1, 0)], out=[2, 3, 0, 1], note="the operator page's example 2")
    cases.ok("example_3", [CUBE, i64([2, 2], 0, 1, 1, 0)], out=[2, 3, 4, 5], note="the operator page's example 3")
    cases.ok("example_4", [CUBE, i64([2, 1, 2], 0, 1, 1, 0)], out=[2, 3, 4, 5], note="the operator page's example 4")
    cases.ok("example_5", [CUBE, i64([2, 1], 1, 0)], {"batch_dims": 1}, versions=cases.since(12),
             out=[2, 3, 4, 5], note="the operator page's example 5")


def every_type():
    for dtype in types.T16:
        cases.ok(f"{dtype}", [tensor(dtype, [3, 2], types.SAMPLES[dtype]), i64([4, 2], 0, 0, 2, -1, -2, 1, 1, 0)],
                 versions=cases.since(13 if dtype == "bfloat16" else 11))


def batches():
    data = count("int32", [2, 3, 4])
    cases.ok("batch_1_points", [data, i64([2, 2, 2], 0, 3, 2, -4, 1, 1, -1, 0)], {"batch_dims": 1},
             versions=cases.since(12))
    cases.ok("batch_1_rows", [data, i64([2, 2, 1], 0, 2, 1, -3)], {"batch_dims": 1}, versions=cases.since(12))
    cases.ok("batch_2", [data, i64([2, 3, 1], 0, 1, 2, 3, -1, -4)], {"batch_dims": 2}, versions=cases.since(12))
    cases.ok("batch_2_more_indices", [data, i64([2, 3, 2, 1], *[i % 4 for i in range(12)])], {"batch_dims": 2},
             versions=cases.since(12))
    cases.ok("batch_dims_0_by_name", [data, i64([1, 2], 1, 2)], {"batch_dims": 0}, versions=cases.since(12))


def ranks():
    data = count("int32", [2, 3, 4])
    cases.ok("one_tuple", [data, i64([3], 1, 2, 3)], out=[23], note="indices of rank 1, a result of rank 0")
    cases.ok("one_tuple_of_one", [data, i64([1], -1)])
    cases.ok("whole_tuple", [data, i64([2, 3], 1, 2, 3, 0, 0, 0)], out=[23, 0])
    cases.ok("a_vector", [count("uint8", [4]), i64([3, 1], -1, 0, 3)], out=[3, 0, 3])
    cases.ok("rank_32", [count("int32", [1] * 31 + [2]), i64([2, 32], *[0] * 31, 1, *[-1] * 31, -2)])


def empty():
    cases.ok("no_tuples", [SQUARE, i64([0, 2])], out=[])
    cases.ok("no_tuples_of_empty_data", [f32([0, 2]), i64([0, 1])], out=[])
    cases.ok("empty_tail", [f32([2, 0]), i64([2, 1], 1, -2)], out=[])
    cases.ok("empty_batch", [f32([0, 2]), i64([0, 1])], {"batch_dims": 1}, versions=cases.since(12), out=[])
    cases.error("empty_axis", "index", "C5", [f32([2, 0]), i64([1, 2], 1, 0)],
                bad=fault("indices", [0, 1], 0, 1, 0))
    cases.error("bad_index_of_an_empty_result", "index", "C5", [f32([2, 0]), i64([1, 1], 2)],
                bad=fault("indices", [0, 0], 2, 0, 2))


def policies():
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy})
        cases.ok(f"out_of_range_{policy}_rows", [count("int32", [2, 3], 1), i64([3, 1], 2, -3, 1)],
                 options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C5", inputs, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, options={"out_of_range": "skip"})


def rules():
    cases.error("index_too_large", "index", "C5", [CUBE, i64([2, 2], 0, 1, 1, 2)],
                bad=fault("indices", [1, 1], 2, 1, 2))
    cases.error("index_too_small", "index", "C5", [CUBE, i64([2, 1, 1], -2, -3)],
                bad=fault("indices", [1, 0, 0], -3, 0, 2))
    cases.error("index_of_a_batch", "index", "C5", [CUBE, i64([2, 2], 0, 2, 1, 1)], {"batch_dims": 1},
                versions=cases.since(12), bad=fault("indices", [0, 1], 2, 2, 2))
    for name, value in (("negative", -1), ("too_large", 2)):
        cases.error(f"batch_dims_{name}", "argument", "A1", [CUBE, i64([2, 1], 0, 0)], {"batch_dims": value},
                    versions=cases.since(12))
    cases.error("batch_dims_before_12", "argument", "A2", [CUBE, i64([2, 1], 0, 0)], {"batch_dims": 1}, versions=[11])
    cases.error("unknown_attribute", "argument", "A2", [CUBE, i64([2, 1], 0, 0)], {"axis": 0})
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0)])
    cases.error("indices_of_rank_0", "shape", "C1", [CUBE, i64([], 0)])
    cases.error("batch_extents_differ", "shape", "C2", [CUBE, i64([4, 1], 0, 0, 0, 0)], {"batch_dims": 1},
                versions=cases.since(12))
    cases.error("empty_tuples", "shape", "C3", [CUBE, i64([2, 0])])
    cases.error("tuples_too_long", "shape", "C3", [SQUARE, i64([1, 3], 0, 0, 0)])
    cases.error("tuples_too_long_for_the_batch", "shape", "C3", [SQUARE, i64([2, 2], 0, 0, 0, 0)], {"batch_dims": 1},
                versions=cases.since(12))
    cases.error("result_of_rank_33", "shape", "C4", [f32([1] * 32, 1.0), i64([1, 1, 1], 0)])
    cases.error("bfloat16_before_13", "type", "T1", [tensor("bfloat16", [1], [1.0]), i64([1, 1], 0)],
                versions=[11, 12])
    cases.error("type_float4", "type", "T1", [tensor("float4_e2m1fn", [1], ["0x1"]), i64([1, 1], 0)])
    cases.error("type_uint2", "type", "T1", [tensor("uint2", [1], [3]), i64([1, 1], 0)])
    for dtype in ("int32", "uint64", "float32"):
        cases.error(f"indices_of_type_{dtype}", "type", "T2", [SQUARE, count(dtype, [1, 1])])


for _part in (examples, every_type, batches, ranks, empty, policies, rules):
    _part()
