"""Cases of ScatterElementsUpdate-3 and -12."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from . import axes, reductions
from .records import Cases, axis

cases = Cases("ScatterElementsUpdate", [3, 12])
ZEROS = f32([3, 3], *[0.0] * 9)
REDUCTIONS = ["sum", "prod", "min", "max", "mean"]
NEW = [12]


def good():
    cases.ok("axis_0", [ZEROS, i64([2, 3], 1, 0, 2, 0, 2, 1), f32([2, 3], 1.0, 1.1, 1.2, 2.0, 2.1, 2.2), axis(0)],
             out=[2.0, 1.1, 0.0, 1.0, 0.0, 2.2, 0.0, 2.1, 1.2])
    cases.ok("axis_1", [f32([1, 5], 1.0, 2.0, 3.0, 4.0, 5.0), i64([1, 2], 1, -2), f32([1, 2], 1.1, 2.1), axis(1)],
             out=[1.0, 1.1, 3.0, 2.1, 5.0])
    data = count("int32", [3, 2, 3])
    indices = i64([1, 2, 2], 0, 1, 1, 0)
    for value in range(-3, 3):
        cases.ok(f"axis_{value}_of_3", [data, indices, count("int32", [1, 2, 2], 100), axis(value)])
    cases.ok("longer_than_data_along_the_axis",
             [count("int64", [2, 1]), i32([5, 1], 0, 1, -1, 0, 1), count("int64", [5, 1], 10), axis(0)], out=[13, 14])
    cases.ok("duplicates_last_wins", [count("int32", [3]), i64([5], 1, 1, -2, 0, 1), count("int32", [5], 10), axis(0)],
             out=[13, 14, 2])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3), count("int32", [1] * 31 + [2], 7),
                         axis(-1)])
    cases.ok("no_updates", [data, i64([3, 0, 3]), tensor("int32", [3, 0, 3], []), axis(1)])
    cases.ok("no_updates_of_empty_data", [f32([0, 3]), i64([0, 3]), f32([0, 3]), axis(0)], out=[])
    for name, value in (("reduction", "none"), ("use_init_val", False)):
        cases.ok(f"{name}_has_no_effect_on_none",
                 [count("int32", [3]), i64([2], 1, 1), count("int32", [2], 10), axis(0)], {name: value}, versions=NEW,
                 out=[0, 11, 2])


def policies():
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -1, 0, 100, -100, -3), count("int32", [2, 4], 10),
              axis(1)]
    for policy in ("skip", "clamp", "modulo"):
        options = {"out_of_range": policy}
        cases.ok(f"out_of_range_{policy}", inputs, options=options)
        for reduction in ("sum", "mean"):
            cases.ok(f"{reduction}_out_of_range_{policy}", inputs, {"reduction": reduction, "use_init_val": False},
                     versions=NEW, options=options)
    nowhere = [f32([0, 1]), i64([1, 1], 0), f32([1, 1], 1.0), axis(0)]
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C4", nowhere, options={"out_of_range": policy},
                    bad=fault("indices", [0, 0], 0, 0, 0))
    cases.ok("skip_on_an_empty_axis", nowhere, options={"out_of_range": "skip"}, out=[])
    cases.error("out_of_range_by_default", "index", "C4", inputs, bad=fault("indices", [0, 0], 3, 1, 3, 4))
    cases.error("out_of_range_error", "index", "C4", inputs, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 3, 1, 3, 4))
    far = [count("int32", [3]), tensor("uint64", [2], [2**64 - 1, 1]), count("int32", [2], 10), axis(0)]
    cases.ok("far_out_of_range_modulo", far, options={"out_of_range": "modulo"})
    cases.error("far_out_of_range_uint64", "index", "C4", far, bad=fault("indices", [0], 2**64 - 1, 0, 3))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    one, index = f32([1, 1], 1.0), i64([1, 1], 0)
    cases.error("index_too_small", "index", "C4", [ZEROS, i32([1, 2], -4, -5), f32([1, 2], 1.0, 2.0), axis(-1)],
                bad=fault("indices", [0, 0], -4, 1, 3, 2))
    cases.error("unknown_attribute", "argument", "A2", [ZEROS, index, one, axis(0)], {"mode": "linear"})
    cases.error("reduction_before_12", "argument", "A2", [ZEROS, index, one, axis(0)], {"reduction": "sum"},
                versions=[3])
    cases.error("use_init_val_before_12", "argument", "A2", [ZEROS, index, one, axis(0)], {"use_init_val": False},
                versions=[3])
    cases.error("use_init_val_is_a_text", "argument", "A2", [ZEROS, index, one, axis(0)], {"use_init_val": "false"},
                versions=NEW)
    for reduction in ("sub", "add", "SUM", ""):
        cases.error(f"reduction_{reduction or 'empty'}_is_unknown", "argument", "A3", [ZEROS, index, one, axis(0)],
                    {"reduction": reduction}, versions=NEW)
    cases.error("ranks_differ", "shape", "C1", [ZEROS, i64([1], 0), f32([1], 1.0), axis(0)])
    cases.error("rank_of_updates_differs", "shape", "C1", [ZEROS, index, f32([1], 1.0), axis(0)])
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0), f32([], 1.0), axis(0)])
    cases.error("updates_of_another_shape", "shape", "C2", [ZEROS, i64([2, 1], 0, 1), f32([1, 2], 1.0, 2.0), axis(0)])
    cases.error("more_indices_than_data_off_the_axis", "shape", "C3",
                [ZEROS, i64([1, 4], 0, 1, 2, 0), f32([1, 4], 1.0, 2.0, 3.0, 4.0), axis(0)])
    cases.error("updates_of_another_type", "type", "T3", [ZEROS, index, tensor("float64", [1, 1], [1.0]), axis(0)])
    text = tensor("string", [1], ["a"])
    cases.error("string_before_12", "type", "T1", [text, i64([1], 0), text, axis(0)], versions=[3])
    # Which of two broken rules is named.
    cases.error("rank_rule_before_the_axis", "shape", "C1", [ZEROS, i64([1], 0), f32([1], 1.0), axis(5)])
    cases.error("reduction_rule_before_the_ranks", "argument", "A3", [ZEROS, i64([1], 0), f32([1], 1.0), axis(0)],
                {"reduction": "add"}, versions=NEW)
    cases.error("axis_before_the_shape_rules", "argument", "A1", [ZEROS, i64([2, 1], 0, 1), one, axis(2)])
    cases.error("option_before_the_reduction", "argument", "CALL-O1", [ZEROS, index, one, axis(0)],
                {"reduction": "add"}, versions=NEW, options={"out_of_range": "zero"})


def strict():
    negative = [ZEROS, i64([1, 3], 0, -1, 1), f32([1, 3], 1.0, 2.0, 3.0), axis(0)]
    cases.ok("strict_negative_index_since_12", negative, versions=NEW, options={"strict": True})
    cases.error("strict_negative_index", "index", "S1", negative, versions=[3], options={"strict": True},
                bad=fault("indices", [0, 1], -1, 0, 3))
    for policy in ("skip", "clamp", "modulo"):
        cases.error(f"strict_negative_index_{policy}", "index", "S1",
                    [count("int32", [3]), i64([3], 7, 1, -1), count("int32", [3]), axis(0)], versions=[3],
                    options={"strict": True, "out_of_range": policy}, bad=fault("indices", [2], -1, 0, 3))


def duplicates():
    inputs = [count("int32", [2, 3]), i64([2, 3], 0, 2, 0, 1, 1, 1), count("int32", [2, 3], 10), axis(1)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        cases.error(f"{name}_with_none", "duplicate", "D1", inputs, options=options)
        cases.ok(f"{name}_only_what_is_double",
                 [inputs[0], i64([2, 2], 0, 1, 1, 0), count("int32", [2, 2], 10), axis(1)], options=options)
    for reduction in REDUCTIONS:
        cases.error(f"duplicates_refused_with_{reduction}", "duplicate", "D1", inputs, {"reduction": reduction},
                    versions=NEW, options={"duplicates": "error"})
        cases.ok(f"strict_allows_duplicates_with_{reduction}", inputs, {"reduction": reduction}, versions=NEW,
                 options={"strict": True})
    cases.error("duplicate_of_a_negative_index", "duplicate", "D1",
                [count("int32", [3]), i64([2], 2, -1), count("int32", [2]), axis(0)], options={"duplicates": "error"})
    cases.ok("a_dropped_update_is_no_duplicate",
             [count("int32", [3]), i64([3], 5, 1, 5), count("int32", [3], 7), axis(0)],
             options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 8, 2])
    cases.error("a_bad_index_comes_before_a_duplicate", "index", "C4",
                [count("int32", [3]), i64([3], 1, 1, 3), count("int32", [3]), axis(0)], options={"duplicates": "error"},
                bad=fault("indices", [2], 3, 0, 3))


# name, type, cells, indices, updates, use_init_val, expected: means and starts without data.
FOLDS = [
    ("mean_int32_goes_down", "int32", [-2], [0], [-1], True, "mean", [-2]),
    ("mean_int32_goes_down_without_data", "int32", [9], [0, 0], [-1, -2], False, "mean", [-2]),
    ("mean_int32_exact_negative", "int32", [-6], [0, 0], [-2, -1], True, "mean", [-3]),
    ("mean_int8_sum_wraps", "int8", [100], [0], [100], True, "mean", [-28]),
    ("mean_uint8_sum_wraps", "uint8", [200], [0], [100], True, "mean", [22]),
    ("mean_int4_goes_down", "int4", [-2], [0], [-1], True, "mean", [-2]),
    ("mean_int4_sum_wraps", "int4", [7], [0], [7], True, "mean", [-1]),
    ("mean_uint4_goes_down", "uint4", [7], [0, 0], [4, 3], True, "mean", [4]),
    ("mean_uint4_of_updates_alone", "uint4", [7], [0, 0], [4, 3], False, "mean", [3]),
    ("mean_int16_goes_down", "int16", [-7], [0, 0, 0], [0, 0, 0], True, "mean", [-2]),
    ("wide_mean_int64", "int64", [2**53], [0], [2**53 + 2], True, "mean", [2**53 + 1]),
    ("wide_mean_int64_goes_down", "int64", [0], [0, 0], [-2**53, -1], False, "mean", [-2**52 - 1]),
    ("wide_mean_uint64", "uint64", [2**63], [0], [2**62], True, "mean", [2**62 + 2**61]),
    ("mean_of_untouched_cells", "int32", [-7, 5, 3], [1], [6], True, "mean", [-7, 5, 3]),
    ("mean_of_one_update_without_data", "float32", [9.0, 2.0], [0], [4.0], False, "mean", [4.0, 2.0]),
    ("mean_float16_rounds_the_sum", "float16", [2048.0], [0, 0], [1.0, 1.0], True, "mean", [682.5]),
    ("mean_float16_rounds_the_quotient", "float16", [1.0], [0, 0], [0.0, 0.0], True, "mean", [0.333251953125]),
    ("mean_bfloat16_rounds_the_quotient", "bfloat16", [1.0], [0, 0], [0.0, 0.0], True, "mean", [0.333984375]),
    ("mean_float8_e4m3fn_rounds_the_quotient", "float8_e4m3fn", ["0x38"], [0, 0], ["0x00", "0x00"], True, "mean",
     ["0x2b"]),
    ("mean_float8_e5m2_rounds_the_quotient", "float8_e5m2", ["0x3c"], [0, 0], ["0x00", "0x00"], True, "mean", ["0x35"]),
    ("mean_float16_overflows_in_the_sum", "float16", [65504.0], [0], [65504.0], True, "mean", ["inf"]),
    ("wide_mean_float64", "float64", [1.0], [0, 0], [1.0, 1.0000000000000002], True, "mean", [1.0]),
    ("mean_float32_third", "float32", [1.0], [0, 0], [0.0, 0.0], True, "mean", [0.3333333432674408]),
    ("nan_mean_of_negative_zero", "float32", [-0.0], [0], [-0.0], True, "mean", [-0.0]),
    ("nan_mean_without_data_of_negative_zero", "float32", [1.0], [0], [-0.0], False, "mean", [0.0]),
    ("nan_sum_without_data_of_negative_zero", "float32", [1.0], [0], [-0.0], False, "sum", [0.0]),
    ("nan_prod_without_data_of_negative_zero", "float32", [5.0], [0], [-0.0], False, "prod", [-0.0]),
    ("nan_max_without_data_of_minus_infinity", "float32", [1.0], [0], ["-inf"], False, "max",
     [-3.4028234663852886e38]),
    ("nan_max_without_data_of_minus_infinity_float64", "float64", [1.0], [0], ["-inf"], False, "max",
     [-1.7976931348623157e308]),
    ("nan_max_without_data_of_minus_infinity_float16", "float16", [1.0], [0], ["-inf"], False, "max", [-65504.0]),
    ("nan_max_without_data_of_minus_infinity_float8_e5m2", "float8_e5m2", ["0x3c"], [0], ["0xfc"], False, "max",
     ["0xfb"]),
    ("nan_min_without_data_of_infinity", "float32", [1.0], [0], ["inf"], False, "min", [3.4028234663852886e38]),
    ("nan_min_without_data_of_infinity_bfloat16", "bfloat16", [1.0], [0], ["inf"], False, "min",
     [3.3895313892515355e38]),
    ("nan_in_data_is_left_out", "float32", ["nan"], [0], [2.0], False, "max", [2.0]),
    ("nan_in_data_is_left_out_of_a_sum", "float32", ["nan"], [0], [2.0], False, "sum", [2.0]),
    ("nan_max_of_the_first_update_without_data", "float32", [1.0], [0, 0], ["nan", 3.0], False, "max", ["nan"]),
    ("nan_min_of_the_last_update_without_data", "float64", [1.0], [0, 0], [3.0, "nan"], False, "min", ["nan"]),
    ("nan_max_of_data_and_updates", "float32", [1.0, "nan", 3.0], [0, 1, 2], ["nan", 5.0, 2.0], True, "max",
     ["nan", "nan", 3.0]),
    ("nan_min_of_data_and_updates", "float32", [1.0, "nan", 3.0], [0, 1, 2], ["nan", 5.0, 2.0], True, "min",
     ["nan", "nan", 2.0]),
    ("max_int32_of_updates_alone", "int32", [9], [0], [-2**31], False, "max", [-2**31]),
    ("min_uint8_of_updates_alone", "uint8", [1], [0], [255], False, "min", [255]),
    ("max_uint4_of_updates_alone", "uint4", [9], [0], [3], False, "max", [3]),
    ("min_int4_of_updates_alone", "int4", [-8], [0], [7], False, "min", [7]),
    ("bool_sum_of_updates_alone", "bool", [True], [0], [False], False, "sum", [False]),
    ("bool_prod_of_updates_alone", "bool", [False], [0], [True], False, "prod", [True]),
    ("bool_min_of_updates_alone", "bool", [False], [0], [True], False, "min", [True]),
    ("bool_max_of_updates_alone", "bool", [True], [0], [False], False, "max", [False]),
]


def folds():
    for name, dtype, cells, indices, updates, use_init_val, reduction, result in FOLDS:
        cases.ok(name, [tensor(dtype, [len(cells)], cells), i64([len(indices)], *indices),
                        tensor(dtype, [len(updates)], updates), axis(0)],
                 {"reduction": reduction, "use_init_val": use_init_val}, versions=NEW, out=result)
    cases.given("nan_mean_is_canonical", [tensor("float32", [1], ["0xffc12345"]), i64([1], 0), f32([1], 1.0), axis(0)],
                tensor("float32", [1], ["0x7fc00000"]), {"reduction": "mean"}, versions=NEW)
    for reduction in REDUCTIONS:
        for value in (True, False):
            cases.ok(f"{reduction}_on_axis_1_use_init_val_{str(value).lower()}",
                     [count("float32", [2, 3], 1), i64([2, 4], 0, 0, 2, -1, 1, 1, 1, 1), count("float32", [2, 4], 1),
                      axis(1, "int32", [1])], {"reduction": reduction, "use_init_val": value}, versions=NEW)


for _part in (good, policies, rules, strict, duplicates, folds):
    _part()
axes.add_cases(cases, [count("float32", [3, 3]), i32([1, 2], 2, -3), count("float32", [1, 2], 10)])
payloads.add_cases(cases, {3: types.T22, 12: types.T23},
                   lambda make: [make([2, 3]), i64([2, 2], 2, -3, 0, -2), make([2, 2], 3), axis(1)],
                   lambda make: [make([3, 3]), i32([1, 3], 2, 1, 2), make([1, 3], 2), axis(0)])
index_types.add_cases(cases, types.I10, lambda make: [count("int32", [3]), make([2], [2, -1]), count("int32", [2], 10),
                                                      axis(0)])
reductions.add_cases(cases, REDUCTIONS, 12, lambda targets: i64([len(targets)], *targets), [axis(0)],
                     [("", {}), ("_without_data", {"use_init_val": False})])
