"""Cases of TakeAlongAxis."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from .records import REFUSED, Cases

cases = Cases("TakeAlongAxis")
ROWS = count("int32", [2, 3], 1)


def good():
    cases.ok("example", [ROWS, i64([1, 2], 2, 0)], {"axis": 1}, out=[3, 1, 6, 4])
    cases.ok("axis_is_the_last_by_default", [ROWS, i64([2, 2], 2, 0, -1, 1)], out=[3, 1, 6, 5])
    cases.ok("axis_0", [ROWS, i64([3, 3], 0, 1, 0, 1, -2, -1, 1, 1, 1)], {"axis": 0},
             out=[1, 5, 3, 4, 2, 6, 4, 5, 6])
    data = count("int32", [3, 2, 4])
    for axis in range(-3, 3):
        shape = [3, 2, 4]
        shape[axis] = 2
        size = shape[0] * shape[1] * shape[2]
        cases.ok(f"axis_{axis}_of_3", [data, i64(shape, *[i % 2 for i in range(size)])], {"axis": axis})
    cases.ok("a_vector", [count("uint16", [4]), i32([6], 3, -4, 0, 1, 2, -1)], out=[3, 0, 0, 1, 2, 3])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3)])
    cases.ok("strict_changes_nothing", [ROWS, i64([1, 2], -1, -1)], options={"strict": True}, out=[3, 3, 6, 6])


def broadcasts():
    cases.ok("data_is_repeated", [count("int32", [1, 3], 1), i64([2, 2], 0, 1, 2, -1)], out=[1, 2, 3, 3])
    cases.ok("indices_are_repeated", [ROWS, i64([1, 1], -1)], out=[3, 6])
    cases.ok("both_are_repeated", [count("int32", [1, 3, 2], 1), i64([4, 2, 1], 0, 1, 2, 0, -1, 1, 2, 2)], {"axis": 1},
             out=[1, 2, 3, 4, 5, 6, 1, 2, 5, 6, 3, 4, 5, 6, 5, 6])
    cases.ok("an_axis_of_extent_1_is_indexed", [count("int32", [2, 1], 5), i64([2, 3], 0, -1, 0, 0, 0, -1)],
             out=[5, 5, 5, 6, 6, 6])
    cases.ok("one_index_everywhere", [count("int32", [2, 3, 2]), i64([1, 1, 1], 1)], {"axis": 1}, out=[2, 3, 8, 9])
    cases.ok("no_data_and_one_row_of_indices", [f32([0, 3]), i64([1, 2], 0, 1)], out=[])
    cases.ok("one_row_of_data_and_no_indices", [f32([1, 3], 1.0, 2.0, 3.0), i64([0, 2])], out=[])
    cases.ok("no_indices", [ROWS, i64([2, 0])], out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([2, 0]), i64([2, 0])], out=[])
    cases.error("extents_differ", "shape", "C2", [ROWS, i64([3, 1], 0, 0, 0)])
    cases.error("fewer_indices_off_the_axis", "shape", "C2", [ROWS, i64([1, 2], 0, 0)], {"axis": 0},
                note="ONNX's GatherElements takes it")
    cases.error("none_and_two", "shape", "C2", [f32([0, 3]), i64([2, 1], 0, 0)])


def policies():
    inputs = [ROWS, i64([1, 6], -1, -3, -4, 3, 100, 1)]
    cases.ok("out_of_range_clamp", inputs, options={"out_of_range": "clamp"},
             out=[1, 1, 1, 3, 3, 2, 4, 4, 4, 6, 6, 5], note="a negative index is below the first element")
    cases.ok("out_of_range_modulo", inputs, options={"out_of_range": "modulo"},
             out=[3, 1, 3, 1, 2, 2, 6, 4, 6, 4, 5, 5])
    cases.ok("out_of_range_zero", inputs, options={"out_of_range": "zero"}, out=[3, 1, 0, 0, 0, 2, 6, 4, 0, 0, 0, 5])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C3", [f32([1, 0]), i64([2, 1], 0, 0)],
                    options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 1, 0, 2))
    for options in (None, {"out_of_range": "error"}, {"strict": True}):
        name = "_".join(options) if options else "default"
        cases.error(f"bad_indices_{name}", "index", "C3", inputs, options=options,
                    bad=fault("indices", [0, 2], -4, 1, 3, 3))
    cases.error("bad_index_for_an_empty_result", "index", "C3", [f32([0, 3]), i64([1, 1], 3)],
                bad=fault("indices", [0, 0], 3, 1, 3), note="NumPy does not look at it")
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, options={"out_of_range": "skip"})


def rules():
    index = i64([1, 3], 0, 0, 0)
    cases.error("axis_too_large", "argument", "A1", [ROWS, index], {"axis": 2})
    cases.error("axis_too_small", "argument", "A1", [ROWS, index], {"axis": -3})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, index], {"batch_dims": 1})
    cases.error("ranks_differ", "shape", "C1", [ROWS, i64([3], 0, 0, 0)])
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0)])
    cases.error("indices_are_missing", "argument", "CALL-I1", [ROWS])


for _part in (good, broadcasts, policies, rules):
    _part()
payloads.add_cases(cases, {1: types.T24}, lambda make: [make([2, 3]), i64([2, 2], 2, -3, 1, 0)],
                   lambda make: [make([3, 3]), i32([1, 3], 2, 1, -1)], refused=REFUSED)
cases.ok("whole_bytes_of_int4", [count("int4", [3, 2], -3), i64([2, 1], 2, 0)], {"axis": 0}, out=[1, 2, -3, -2])
index_types.add_cases(cases, types.INTEGERS, lambda make: [ROWS, make([1, 3], [2, -2, 1])])
