"""Cases of ScatterNDUpdate-3 and -15."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from . import reductions
from .records import Cases

cases = Cases("ScatterNDUpdate", [3, 15])
VECTOR = count("float32", [8], 1)
BLOCKS = tensor("int32", [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8])
REDUCTIONS = ["sum", "sub", "prod", "min", "max"]
NEW = [15]


def shapes():
    data = count("int32", [2, 3, 4])
    cases.ok("points_of_a_vector", [VECTOR, i64([4, 1], 4, 3, 1, 7), f32([4], 9.0, 10.0, 11.0, 12.0)],
             out=[1.0, 11.0, 3.0, 10.0, 9.0, 6.0, 7.0, 12.0])
    cases.ok("slices", [count("int32", [4, 2, 2]), i64([2, 1], 0, 2), count("int32", [2, 2, 2], 50)])
    cases.ok("rows", [data, i64([2, 2], 1, 2, 0, -3), count("int32", [2, 4], 100)])
    cases.ok("points", [data, i64([2, 3], 1, 2, 3, -2, -3, -4), tensor("int32", [2], [100, 101])])
    cases.ok("one_tuple", [data, i64([2], 1, 0), count("int32", [4], 100)])
    cases.ok("one_point", [data, i64([3], 1, 0, 3), tensor("int32", [], [100])])
    for rank in (1, 2, 5):
        cases.ok(f"one_point_updates_of_rank_{rank}", [data, i64([3], 1, 0, -1), tensor("int32", [1] * rank, [100])],
                 note="where one element is expected, its rank is free")
    cases.ok("one_point_of_a_vector", [count("int32", [3]), i32([1], -1), tensor("int32", [1], [9])], out=[0, 1, 9])
    cases.ok("indices_of_rank_3", [count("int32", [5]), i64([2, 2, 1], 4, 0, 1, 2), count("int32", [2, 2], 10)])
    cases.ok("duplicates_last_wins", [count("int32", [3]), i64([4, 1], 1, 1, 0, -2), count("int32", [4], 10)],
             out=[12, 13, 2])
    cases.ok("duplicate_rows_last_wins", [BLOCKS, i64([3, 1], 1, 0, -1), count("int32", [3, 2, 2], 10)])
    cases.ok("rank_32", [count("int32", [1] * 31 + [2]), i64([1, 32], *[0] * 31, -1), tensor("int32", [1], [9])])
    cases.ok("no_tuples", [VECTOR, i64([0, 1]), f32([0])])
    cases.ok("empty_tail", [f32([2, 0]), i64([1, 1], 1), f32([1, 0])], out=[])
    pair = count("int32", [2, 2])
    cases.ok("empty_tuple", [pair, i64([0]), count("int32", [2, 2], 10)], out=[10, 11, 12, 13],
             note="a tuple of no coordinates addresses the whole tensor")
    cases.ok("empty_tuples_last_wins", [pair, i64([3, 0]), count("int32", [3, 2, 2], 10)], out=[18, 19, 20, 21])
    cases.ok("empty_tuples_sum", [pair, i64([2, 0]), count("int32", [2, 2, 2], 10)], {"reduction": "sum"}, versions=NEW,
             out=[24, 27, 30, 33])
    cases.ok("no_empty_tuples", [pair, i64([0, 0]), tensor("int32", [0, 2, 2], [])], out=[0, 1, 2, 3])
    cases.error("empty_tuples_are_duplicates", "duplicate", "D1", [pair, i64([2, 0]), count("int32", [2, 2, 2])],
                options={"duplicates": "error"})


def policies():
    inputs = [count("int32", [2, 3], 1), i64([5, 2], 2, 0, 0, 3, -3, -4, 1, -1, 7, -9), count("int32", [5], 10)]
    rows = [count("int32", [2, 3], 1), i64([3, 1], 2, -3, 1), count("int32", [3, 3], 10)]
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy})
        cases.ok(f"out_of_range_{policy}_rows", rows, options={"out_of_range": policy})
        cases.ok(f"sub_out_of_range_{policy}", rows, {"reduction": "sub"}, versions=NEW,
                 options={"out_of_range": policy})
    for name, options in (("by_default", None), ("error", {"out_of_range": "error"})):
        cases.error(f"out_of_range_{name}", "index", "C4", inputs, options=options,
                    bad=fault("indices", [0, 0], 2, 0, 2, 6))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C4", [f32([0]), i64([1, 1], 0), f32([1], 1.0)],
                    options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 0, 0))
    cases.error("bad_index_without_updates", "index", "C4", [f32([2, 0]), i64([1, 1], 2), f32([1, 0])],
                bad=fault("indices", [0, 0], 2, 0, 2), note="every index is checked")
    cases.error("index_inside_the_flattened_tensor", "index", "C4",
                [count("int32", [3, 4]), i64([1, 2], 0, 5), tensor("int32", [1], [9])],
                bad=fault("indices", [0, 1], 5, 1, 4), note="every coordinate is checked against its own axis")


def rules():
    one = tensor("int32", [1], [1])
    cases.error("index_too_large", "index", "C4", [BLOCKS, i64([1, 3], 0, 1, 2), one],
                bad=fault("indices", [0, 2], 2, 2, 2))
    cases.error("index_too_small", "index", "C4", [VECTOR, i64([2, 1], -8, -9), f32([2], 1.0, 2.0)],
                bad=fault("indices", [1, 0], -9, 0, 8))
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1, 0]), f32([1], 1.0)])
    cases.error("indices_of_rank_0", "shape", "C1", [VECTOR, i64([], 0), f32([], 1.0)])
    cases.error("tuples_too_long", "shape", "C2", [VECTOR, i64([1, 2], 0, 0), f32([1], 1.0)])
    cases.error("two_updates_of_one_point", "shape", "C3", [VECTOR, i64([1], 0), f32([2], 1.0, 2.0)])
    cases.error("no_update_of_one_point", "shape", "C3", [VECTOR, i64([1], 0), f32([0])])
    cases.error("a_scalar_for_a_tuple_list", "shape", "C3", [VECTOR, i64([1, 1], 0), f32([], 1.0)],
                note="the expected shape is [1]")
    cases.error("updates_too_short", "shape", "C3", [VECTOR, i64([2, 1], 0, 1), f32([1], 1.0)])
    cases.error("updates_with_another_tail", "shape", "C3",
                [BLOCKS, i64([1, 1], 0), tensor("int32", [1, 2, 1], [1, 2])])
    cases.error("axis_is_no_attribute", "argument", "A2", [VECTOR, i64([1, 1], 0), f32([1], 1.0)], {"axis": 0})
    cases.error("an_axis_input", "argument", "CALL-I1", [VECTOR, i64([1, 1], 0), f32([1], 1.0), i64([], 0)])
    cases.error("updates_of_another_type", "type", "T3", [VECTOR, i64([1, 1], 0), one])
    text = tensor("string", [1], ["a"])
    cases.error("string_before_15", "type", "T1", [text, i64([1, 1], 0), text], versions=[3])
    cases.error("reduction_before_15", "argument", "A2", [VECTOR, i64([1, 1], 0), f32([1], 1.0)], {"reduction": "sum"},
                versions=[3])
    cases.error("use_init_val_is_no_attribute", "argument", "A2", [VECTOR, i64([1, 1], 0), f32([1], 1.0)],
                {"use_init_val": True})
    for reduction in ("mean", "add", "Sum"):
        cases.error(f"reduction_{reduction}_is_unknown", "argument", "A3", [VECTOR, i64([1, 1], 0), f32([1], 1.0)],
                    {"reduction": reduction}, versions=NEW)


def strict():
    negative = [VECTOR, i64([2, 1], 1, -1), f32([2], 5.0, 6.0)]
    cases.error("strict_negative_index", "index", "S1", negative, versions=[3], options={"strict": True},
                bad=fault("indices", [1, 0], -1, 0, 8))
    cases.ok("strict_negative_index_since_15", negative, versions=NEW, options={"strict": True})
    for policy in ("skip", "clamp", "modulo"):
        cases.error(f"strict_negative_index_{policy}", "index", "S1", [VECTOR, i64([2, 1], 9, -1), f32([2], 5.0, 6.0)],
                    versions=[3], options={"strict": True, "out_of_range": policy},
                    bad=fault("indices", [1, 0], -1, 0, 8))


def reduced_rows():
    updates = tensor("int32", [3, 2, 2], [2, -1, 3, 9, 4, 4, 4, 4, 7, 1, -5, 8])
    for reduction in REDUCTIONS:
        cases.ok(f"rows_{reduction}", [BLOCKS, i64([3, 1], 1, 0, 1), updates], {"reduction": reduction}, versions=NEW)
        for dtype in ("int4", "uint4"):
            values = types.SAMPLES[dtype]
            cases.ok(f"small_rows_{reduction}_{dtype}", [tensor(dtype, [3, 3], (values * 2)[:9]), i32([2, 1], 1, 2),
                                                         tensor(dtype, [2, 3], values[::-1])],
                     {"reduction": reduction}, versions=NEW)
    cases.ok("one_point_of_rank_2_sum", [VECTOR, i64([1], 3), f32([1, 1], 0.5)], {"reduction": "sum"}, versions=NEW)
    cases.ok("wide_uint64_sub_wraps", [tensor("uint64", [1], [0]), i64([1, 1], 0), tensor("uint64", [1], [1])],
             {"reduction": "sub"}, versions=NEW, out=[2**64 - 1])
    cases.ok("wide_int64_sub", [tensor("int64", [1], [-2**53]), i64([2, 1], 0, 0), tensor("int64", [2], [1, 2**62])],
             {"reduction": "sub"}, versions=NEW, out=[-2**53 - 1 - 2**62])
    cases.ok("bool_sub_is_xor", [tensor("bool", [4], [True, True, False, False]), i64([4, 1], 0, 1, 2, 3),
                                 tensor("bool", [4], [True, False, True, False])], {"reduction": "sub"}, versions=NEW,
             out=[False, True, True, False])
    cases.given("bool_sub_of_bytes", [tensor("bool", [2], ["0x02", "0x40"]), i64([2, 1], 0, 1),
                                      tensor("bool", [2], ["0x01", "0x00"])],
                tensor("bool", [2], ["0x00", "0x01"]), {"reduction": "sub"}, versions=NEW)
    cases.ok("nan_free_sub_of_zeros", [f32([2], 0.0, -0.0), i64([2, 1], 0, 1), f32([2], 0.0, 0.0)],
             {"reduction": "sub"}, versions=NEW, out=[0.0, -0.0])
    cases.given("nan_of_infinity_sub_infinity", [tensor("float16", [1], ["inf"]), i64([1, 1], 0),
                                                 tensor("float16", [1], ["inf"])],
                tensor("float16", [1], ["0x7e00"]), {"reduction": "sub"}, versions=NEW)


def duplicates():
    inputs = [count("int32", [3]), i64([3, 1], 1, 0, -2), count("int32", [3], 5)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        cases.error(f"{name}_with_none", "duplicate", "D1", inputs, versions=None if name[0] == "d" else NEW,
                    options=options)
        cases.ok(f"{name}_only_what_is_double", [inputs[0], i64([2, 1], 2, 0), count("int32", [2], 5)],
                 options=options)
    cases.error("strict_refuses_with_none_in_3", "duplicate", "D1",
                [count("int32", [3]), i64([3, 1], 1, 0, 1), count("int32", [3], 5)], versions=[3],
                options={"strict": True})
    for reduction in REDUCTIONS:
        cases.error(f"duplicates_refused_with_{reduction}", "duplicate", "D1", inputs, {"reduction": reduction},
                    versions=NEW, options={"duplicates": "error"})
        cases.ok(f"strict_allows_duplicates_with_{reduction}", inputs, {"reduction": reduction}, versions=NEW,
                 options={"strict": True})
    cases.ok("a_dropped_update_is_no_duplicate", [count("int32", [3]), i64([3, 1], 5, 1, 5), count("int32", [3], 7)],
             options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 8, 2])


for _part in (shapes, policies, rules, strict, reduced_rows, duplicates):
    _part()
payloads.add_cases(cases, {3: types.T22, 15: types.T23},
                   lambda make: [make([3, 2]), i64([3, 2], 0, 1, -1, 0, 1, -2), make([3], 3)],
                   lambda make: [make([3, 3]), i32([2, 1], 2, 1), make([2, 3], 2)])
index_types.add_cases(cases, types.I2,
                      lambda make: [count("int32", [3]), make([2, 1], [2, -1]), count("int32", [2], 10)])
reductions.add_cases(cases, REDUCTIONS, 15, lambda targets: i64([len(targets), 1], *targets), [], [("", {})])
