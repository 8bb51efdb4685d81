"""Cases of ScatterND-11, -13, -16 and -18."""

from . import reductions, types
from .records import Cases, count, f32, fault, i64
from .semantics import tensor

cases = Cases("ScatterND", [11, 13, 16, 18])
VECTOR = count("float32", [8], 1)
BLOCKS = tensor("int32", [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8])


def examples():
    cases.ok("example_1", [VECTOR, i64([4, 1], 4, 3, 1, 7), f32([4], 9.0, 10.0, 11.0, 12.0)],
             out=[1.0, 11.0, 3.0, 10.0, 9.0, 6.0, 7.0, 12.0], note="the operator page's example 1")
    cases.ok("slices", [count("int32", [4, 2, 2]), i64([2, 1], 0, 2), count("int32", [2, 2, 2], 50)],
             note="whole slices, as in the operator page's example 2")


def every_type():
    for dtype in types.T16:
        samples = types.SAMPLES[dtype]
        cases.ok(f"{dtype}", [tensor(dtype, [3, 2], samples), i64([3, 2], 0, 1, -1, 0, 1, -2),
                              tensor(dtype, [3], samples[:2:-1])],
                 versions=cases.since(13 if dtype == "bfloat16" else 11))


def shapes():
    data = count("int32", [2, 3, 4])
    cases.ok("rows", [data, i64([2, 2], 1, 2, 0, -3), count("int32", [2, 4], 100)])
    cases.ok("points", [data, i64([2, 3], 1, 2, 3, -2, -3, -4), tensor("int32", [2], [100, 101])])
    cases.ok("one_tuple", [data, i64([2], 1, 0), count("int32", [4], 100)])
    cases.ok("one_point", [data, i64([3], 1, 0, 3), tensor("int32", [], [100])])
    cases.ok("indices_of_rank_3", [count("int32", [5]), i64([2, 2, 1], 4, 0, 1, 2), count("int32", [2, 2], 10)])
    cases.ok("duplicates_last_wins", [count("int32", [3]), i64([4, 1], 1, 1, 0, -2), count("int32", [4], 10)],
             out=[12, 13, 2])
    cases.ok("duplicate_rows_last_wins", [BLOCKS, i64([3, 1], 1, 0, -1), count("int32", [3, 2, 2], 10)])
    cases.ok("rank_32", [count("int32", [1] * 31 + [2]), i64([1, 32], *[0] * 31, -1),
                         tensor("int32", [1], [9])])


def empty_tuples():
    data = count("int32", [2, 2])
    cases.ok("empty_tuple", [data, i64([0]), count("int32", [2, 2], 10)], out=[10, 11, 12, 13],
             note="a tuple of no coordinates addresses the whole tensor")
    cases.ok("empty_tuples_last_wins", [data, i64([3, 0]), count("int32", [3, 2, 2], 10)], out=[18, 19, 20, 21])
    cases.ok("empty_tuples_add", [data, i64([2, 0]), count("int32", [2, 2, 2], 10)], {"reduction": "add"},
             versions=cases.since(16), out=[24, 27, 30, 33])
    cases.ok("no_empty_tuples", [data, i64([0, 0]), tensor("int32", [0, 2, 2], [])], out=[0, 1, 2, 3])
    cases.error("empty_tuples_are_duplicates", "duplicate", "D1", [data, i64([2, 0]), count("int32", [2, 2, 2])],
                options={"duplicates": "error"})


def empty():
    cases.ok("no_tuples", [VECTOR, i64([0, 1]), f32([0])])
    cases.ok("empty_tail", [f32([2, 0]), i64([1, 1], 1), f32([1, 0])], out=[])
    cases.error("empty_axis", "index", "C4", [f32([0]), i64([1, 1], 0), f32([1], 1.0)],
                bad=fault("indices", [0, 0], 0, 0, 0))
    cases.error("bad_index_without_updates", "index", "C4", [f32([2, 0]), i64([1, 1], 2), f32([1, 0])],
                bad=fault("indices", [0, 0], 2, 0, 2), note="every index is checked")


def policies():
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9), count("int32", [5], 10)]
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy})
        cases.ok(f"out_of_range_{policy}_rows",
                 [count("int32", [2, 3], 1), i64([3, 1], 2, -3, 1), count("int32", [3, 3], 10)],
                 options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C4", inputs, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    one = tensor("int32", [1], [1])
    cases.error("index_too_large", "index", "C4", [BLOCKS, i64([1, 3], 0, 1, 2), one],
                bad=fault("indices", [0, 2], 2, 2, 2))
    cases.error("index_too_small", "index", "C4", [VECTOR, i64([2, 1], -8, -9), f32([2], 1.0, 2.0)],
                bad=fault("indices", [1, 0], -9, 0, 8))
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1, 0]), f32([1], 1.0)])
    cases.error("indices_of_rank_0", "shape", "C1", [VECTOR, i64([], 0), f32([], 1.0)])
    cases.error("tuples_too_long", "shape", "C2", [VECTOR, i64([1, 2], 0, 0), f32([1], 1.0)])
    cases.error("updates_of_one_element_do_not_fit_one_tuple", "shape", "C3", [VECTOR, i64([1], 0), f32([1], 1.0)],
                note="indices.shape[:-1] ++ data.shape[1:] is [], not [1]")
    cases.error("updates_too_short", "shape", "C3", [VECTOR, i64([2, 1], 0, 1), f32([1], 1.0)])
    cases.error("updates_with_another_tail", "shape", "C3", [BLOCKS, i64([1, 1], 0), tensor("int32", [1, 2, 1], [1, 2])])
    cases.error("axis_is_no_attribute", "argument", "A2", [VECTOR, i64([1, 1], 0), f32([1], 1.0)], {"axis": 0})
    cases.error("bfloat16_before_13", "type", "T1",
                [tensor("bfloat16", [1], [0.0]), i64([1, 1], 0), tensor("bfloat16", [1], [1.0])], versions=[11])
    cases.error("type_uint2", "type", "T1", [tensor("uint2", [1], [0]), i64([1, 1], 0), tensor("uint2", [1], [3])])
    cases.error("indices_of_type_int32", "type", "T2", [VECTOR, tensor("int32", [1, 1], [0]), f32([1], 1.0)])
    cases.error("updates_of_another_type", "type", "T3", [VECTOR, i64([1, 1], 0), one])


def reduction_rules():
    inputs = [count("int32", [3]), i64([3, 1], 1, 1, 0), count("int32", [3], 5)]
    cases.error("reduction_before_16", "argument", "A2", inputs, {"reduction": "add"}, versions=[11, 13])
    for reduction in ("max", "min"):
        cases.error(f"{reduction}_before_18", "argument", "A3", inputs, {"reduction": reduction}, versions=[16])
    cases.error("unknown_reduction", "argument", "A3", inputs, {"reduction": "sub"}, versions=[16, 18])
    for reduction in reductions.REDUCTIONS:
        cases.ok(f"rows_{reduction}",
                 [BLOCKS, i64([3, 1], 1, 0, 1), tensor("int32", [3, 2, 2], [2, -1, 3, 9, 4, 4, 4, 4, 7, 1, -5, 8])],
                 {"reduction": reduction}, versions=cases.since(reductions.first_version(reduction)))


def duplicates():
    inputs = [count("int32", [3]), i64([3, 1], 1, 0, -2), count("int32", [3], 5)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        cases.error(f"{name}_with_none", "duplicate", "D1", inputs, options=options)
        cases.ok(f"{name}_only_what_is_double", [inputs[0], i64([2, 1], 2, 0), count("int32", [2], 5)],
                 options=options)
    cases.error("duplicates_refused_with_add", "duplicate", "D1", inputs, {"reduction": "add"}, versions=[16, 18],
                options={"duplicates": "error"})
    cases.ok("strict_allows_duplicates_with_add", inputs, {"reduction": "add"}, versions=[16, 18],
             options={"strict": True}, out=[6, 13, 2])
    cases.ok("a_dropped_update_is_no_duplicate", [count("int32", [3]), i64([3, 1], 5, 1, 5), count("int32", [3], 7)],
             options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 8, 2])


for _part in (examples, every_type, shapes, empty_tuples, empty, policies, rules, reduction_rules, duplicates):
    _part()
reductions.add_cases(cases, lambda targets: i64([len(targets), 1], *targets))
