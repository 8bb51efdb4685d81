"""Cases of ScatterElements-11, -13, -16, -18 and of the operator that it replaced, Scatter-9 and -11."""

from . import reductions, types
from .records import Cases, count, f32, fault, i32, i64
from .semantics import tensor

cases = Cases("ScatterElements", [11, 13, 16, 18])
scatter = Cases("Scatter", [9, 11])
ZEROS = f32([3, 3], *[0.0] * 9)
EXAMPLE_1 = [ZEROS, i64([2, 3], 1, 0, 2, 0, 2, 1), f32([2, 3], 1.0, 1.1, 1.2, 2.0, 2.1, 2.2)]
EXAMPLE_2 = [f32([1, 5], 1.0, 2.0, 3.0, 4.0, 5.0), i64([1, 2], 1, 3), f32([1, 2], 1.1, 2.1)]


def examples(to):
    to.ok("example_axis_0", EXAMPLE_1, {"axis": 0}, out=[2.0, 1.1, 0.0, 1.0, 0.0, 2.2, 0.0, 2.1, 1.2],
          note="the operator page's example 1")
    to.ok("example_axis_1", EXAMPLE_2, {"axis": 1}, out=[1.0, 1.1, 3.0, 2.1, 5.0],
          note="the operator page's example 2")
    to.ok("negative_indices", [EXAMPLE_2[0], i64([1, 2], 1, -3), EXAMPLE_2[2]], {"axis": 1},
          out=[1.0, 1.1, 2.1, 4.0, 5.0])


def every_type(to, dtypes):
    for dtype in dtypes:
        for index_type in ("int32", "int64"):
            samples = types.SAMPLES[dtype]
            to.ok(f"{dtype}_{index_type}",
                  [tensor(dtype, [2, 3], samples), tensor(index_type, [2, 2], [2, -3, 0, -2]),
                   tensor(dtype, [2, 2], samples[:1:-1])],
                  {"axis": 1}, versions=to.since(13 if dtype == "bfloat16" else 0))


def shapes(to):
    data = count("int32", [3, 2, 3])
    indices = i64([1, 2, 2], 0, 1, 1, 0)
    updates = count("int32", [1, 2, 2], 100)
    for axis in range(-3, 3):
        to.ok(f"axis_{axis}", [data, indices, updates], {"axis": axis},
              note="the last of two updates of one cell wins" if axis in (0, -3) else None)
    to.ok("longer_than_data_along_the_axis",
          [count("int64", [2, 1]), i32([5, 1], 0, 1, -1, 0, 1), count("int64", [5, 1], 10)], out=[13, 14])
    to.ok("duplicates_last_wins", [count("int32", [3]), i64([5], 1, 1, -2, 0, 1), count("int32", [5], 10)],
          out=[13, 14, 2])
    to.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3), count("int32", [1] * 31 + [2], 7)],
          {"axis": -1})
    to.ok("no_updates", [data, i64([3, 0, 3]), tensor("int32", [3, 0, 3], [])], {"axis": 1})
    to.ok("no_updates_of_empty_data", [f32([0, 3]), i64([0, 3]), f32([0, 3])], out=[])
    to.error("empty_axis", "index", "C4", [f32([0, 1]), i64([1, 1], 0), f32([1, 1], 1.0)],
             bad=fault("indices", [0, 0], 0, 0, 0))


def policies(to):
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -1, 0, 100, -100, -3), count("int32", [2, 4], 10)]
    for policy in ("skip", "clamp", "modulo"):
        to.ok(f"out_of_range_{policy}", inputs, {"axis": 1}, options={"out_of_range": policy})
    to.error("out_of_range_error", "index", "C4", inputs, {"axis": 1}, options={"out_of_range": "error"},
             bad=fault("indices", [0, 0], 3, 1, 3, 4))
    to.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, {"axis": 1},
             options={"out_of_range": "zero"})
    to.ok("skip_on_an_empty_axis", [f32([0, 1]), i64([1, 1], 0), f32([1, 1], 1.0)],
          options={"out_of_range": "skip"}, out=[])
    for policy in ("clamp", "modulo"):
        to.error(f"{policy}_on_an_empty_axis", "index", "C4", [f32([0, 1]), i64([1, 1], 0), f32([1, 1], 1.0)],
                 options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 0, 0))


def rules(to):
    one = f32([1, 1], 1.0)
    index = i64([1, 1], 0)
    to.error("index_too_large", "index", "C4", [ZEROS, i64([2, 1], 2, 3), f32([2, 1], 1.0, 2.0)],
             bad=fault("indices", [1, 0], 3, 0, 3))
    to.error("index_too_small", "index", "C4", [ZEROS, i32([1, 2], -4, -5), f32([1, 2], 1.0, 2.0)], {"axis": -1},
             bad=fault("indices", [0, 0], -4, 1, 3, 2))
    to.error("axis_too_large", "argument", "A1", [ZEROS, index, one], {"axis": 2})
    to.error("axis_too_small", "argument", "A1", [ZEROS, index, one], {"axis": -3})
    to.error("unknown_attribute", "argument", "A2", [ZEROS, index, one], {"mode": "linear"})
    to.error("ranks_differ", "shape", "C1", [ZEROS, i64([1], 0), f32([1], 1.0)])
    to.error("rank_of_updates_differs", "shape", "C1", [ZEROS, index, f32([1], 1.0)])
    to.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0), f32([], 1.0)])
    to.error("updates_of_another_shape", "shape", "C2", [ZEROS, i64([2, 1], 0, 1), f32([1, 2], 1.0, 2.0)])
    to.error("more_indices_than_data_off_the_axis", "shape", "C3",
             [ZEROS, i64([1, 4], 0, 1, 2, 0), f32([1, 4], 1.0, 2.0, 3.0, 4.0)])
    to.error("indices_of_type_uint32", "type", "T2", [ZEROS, count("uint32", [1, 1]), one])
    to.error("updates_of_another_type", "type", "T3", [ZEROS, index, tensor("float64", [1, 1], [1.0])])
    to.error("updates_are_missing", "argument", "CALL-I1", [ZEROS, index])
    to.error("type_float8", "type", "T1", [tensor("float8_e5m2", [1, 1], ["0x00"]), index,
                                           tensor("float8_e5m2", [1, 1], ["0x00"])])
    to.error("type_uint2", "type", "T1", [tensor("uint2", [1, 1], [0]), index, tensor("uint2", [1, 1], [3])])
    bf16 = [tensor("bfloat16", [1, 1], [0.0]), index, tensor("bfloat16", [1, 1], [1.0])]
    to.error("bfloat16_before_13", "type", "T1", bf16, versions=to.since(0, 11))


def duplicates(to):
    inputs = [count("int32", [2, 3]), i64([2, 3], 0, 2, 0, 1, 1, 1), count("int32", [2, 3], 10)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        to.error(f"{name}_with_none", "duplicate", "D1", inputs, {"axis": 1}, options=options)
        to.ok(f"{name}_only_what_is_double", [inputs[0], i64([2, 2], 0, 1, 1, 0), count("int32", [2, 2], 10)],
              {"axis": 1}, options=options)
    to.error("duplicate_of_a_negative_index", "duplicate", "D1",
             [count("int32", [3]), i64([2], 2, -1), count("int32", [2])], options={"duplicates": "error"})
    to.ok("a_dropped_update_is_no_duplicate", [count("int32", [3]), i64([3], 5, 1, 5), count("int32", [3], 7)],
          options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 8, 2])
    to.error("clamp_makes_a_duplicate", "duplicate", "D1", [count("int32", [3]), i64([2], 5, 2), count("int32", [2])],
             options={"duplicates": "error", "out_of_range": "clamp"})
    to.error("a_bad_index_comes_before_a_duplicate", "index", "C4",
             [count("int32", [3]), i64([3], 1, 1, 3), count("int32", [3])], options={"duplicates": "error"},
             bad=fault("indices", [2], 3, 0, 3))


def reduction_rules():
    inputs = [count("int32", [3]), i64([3], 1, 1, 0), count("int32", [3], 5)]
    add = {"reduction": "add"}
    cases.error("reduction_before_16", "argument", "A2", inputs, add, versions=[11, 13])
    for reduction in ("max", "min"):
        cases.error(f"{reduction}_before_18", "argument", "A3", inputs, {"reduction": reduction}, versions=[16])
    for reduction in ("mean", "ADD", ""):
        cases.error(f"reduction_{reduction or 'empty'}_is_unknown", "argument", "A3", inputs, {"reduction": reduction},
                    versions=[16, 18])
    cases.ok("none_by_name", inputs, {"reduction": "none"}, versions=[16, 18], out=[7, 6, 2])
    cases.error("duplicates_refused_with_add", "duplicate", "D1", inputs, add, versions=[16, 18],
                options={"duplicates": "error"})
    cases.ok("strict_allows_duplicates_with_add", inputs, add, versions=[16, 18], options={"strict": True},
             out=[7, 12, 2])
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"add_out_of_range_{policy}", [count("int32", [3]), i64([5], 3, -4, 1, 7, 2), count("int32", [5], 1)],
                 add, versions=[16, 18], options={"out_of_range": policy})
    cases.ok("add_on_axis_1", [count("float32", [2, 3]), i64([2, 4], 0, 0, 2, -1, 1, 1, 1, 1),
                               count("float32", [2, 4], 1)], {"axis": 1, "reduction": "add"}, versions=[16, 18])


def scatter_strict():
    inputs = [ZEROS, i64([1, 3], 0, -1, 1), f32([1, 3], 1.0, 2.0, 3.0)]
    scatter.ok("strict_from_11_on", inputs, versions=[11], options={"strict": True})
    scatter.error("strict_negative_index", "index", "S1", inputs, versions=[9], options={"strict": True},
                  bad=fault("indices", [0, 1], -1, 0, 3), note="the text of Scatter-9 does not speak of negative indices")
    scatter.error("strict_negative_index_skip", "index", "S1", inputs, versions=[9],
                  options={"strict": True, "out_of_range": "skip"}, bad=fault("indices", [0, 1], -1, 0, 3))
    scatter.error("reduction_is_no_attribute", "argument", "A2", inputs, {"reduction": "none"})


for _to, _dtypes in ((cases, types.T16), (scatter, types.T15)):
    examples(_to)
    every_type(_to, _dtypes)
    for _part in (shapes, policies, rules, duplicates):
        _part(_to)
reduction_rules()
scatter_strict()
reductions.add_cases(cases, lambda targets: i64([len(targets)], *targets))
