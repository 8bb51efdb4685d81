"""Cases of Take."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from .records import REFUSED, Cases

cases = Cases("Take")
ROWS = count("float32", [3, 2], 1)
VECTOR = count("int32", [5], 10)


def good():
    cases.ok("example", [count("int32", [2, 3], 1), i64([1, 2], 2, 0)], {"axis": 1}, out=[3, 1, 6, 4])
    cases.ok("axis_is_0_by_default", [ROWS, i64([2], 2, 0)], out=[5.0, 6.0, 1.0, 2.0])
    data = count("int32", [2, 3, 4])
    for axis in range(-3, 3):
        cases.ok(f"axis_{axis}_of_3", [data, i32([2, 2], 1, 0, -1, 1)], {"axis": axis})
    cases.ok("a_scalar_removes_the_axis", [ROWS, i64([], 1)], out=[3.0, 4.0])
    cases.ok("a_scalar_from_a_vector", [VECTOR, i64([], -1)], out=[14])
    cases.ok("indices_of_rank_3", [VECTOR, i64([2, 1, 2], 4, 0, -5, 2)], out=[14, 10, 10, 12])
    cases.ok("negative_indices", [VECTOR, i64([3], -1, -5, -2)], out=[14, 10, 13])
    cases.ok("repeated_indices", [VECTOR, i64([4], 1, 1, 1, -4)], out=[11, 11, 11, 11])
    cases.ok("no_indices", [ROWS, i64([0])], out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 2]), i64([0])], out=[])
    cases.ok("rows_of_nothing", [f32([3, 0]), i64([2], 0, 2)], out=[])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([2], 2, -3)], {"axis": -1})
    cases.ok("many_axes_of_indices", [VECTOR, i64([1] * 31 + [2], 4, 3)], out=[14, 13])
    cases.ok("strict_changes_nothing", [VECTOR, i64([2], -1, -1)], options={"strict": True}, out=[14, 14])


def policies():
    inputs = [VECTOR, i64([8], -1, -5, -6, -100, 0, 4, 5, 100)]
    cases.ok("out_of_range_clamp", inputs, options={"out_of_range": "clamp"}, out=[10, 10, 10, 10, 10, 14, 14, 14],
             note="as numpy.take's mode clip: a negative index is below the first element")
    cases.ok("out_of_range_modulo", inputs, options={"out_of_range": "modulo"}, out=[14, 10, 14, 10, 10, 14, 10, 10],
             note="as numpy.take's mode wrap")
    cases.ok("out_of_range_zero", inputs, options={"out_of_range": "zero"}, out=[14, 10, 0, 0, 10, 14, 0, 0])
    for policy in ("clamp", "modulo", "zero"):
        options = {"out_of_range": policy}
        cases.ok(f"far_out_of_range_{policy}", [VECTOR, tensor("int64", [3], [2**63 - 1, -2**63, 2])],
                 options=options)
        cases.ok(f"far_out_of_range_uint64_{policy}", [VECTOR, tensor("uint64", [3], [2**64 - 1, 2**63, 2])],
                 options=options, note="a uint64 above 2^63-1 counts as 2^63-1")
        cases.ok(f"axis_1_{policy}", [count("int32", [2, 3]), i32([2, 2], -1, 3, 2, -4)], {"axis": 1}, options=options)
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C3", [f32([0, 2]), i64([1], 0)],
                    options={"out_of_range": policy}, bad=fault("indices", [0], 0, 0, 0))
    cases.ok("zero_on_an_empty_axis", [f32([0, 2]), i64([1], 0)], options={"out_of_range": "zero"}, out=[0.0, 0.0])
    for options in (None, {"out_of_range": "error"}, {"strict": True}):
        name = "_".join(options) if options else "default"
        cases.error(f"bad_indices_{name}", "index", "C3", inputs, options=options,
                    bad=fault("indices", [2], -6, 0, 5, 4))
    cases.error("bad_index_into_rows_of_nothing", "index", "C3", [f32([3, 0]), i64([1], 3)],
                bad=fault("indices", [0], 3, 0, 3))
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, options={"out_of_range": "skip"})


def rules():
    index = i64([1], 0)
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), index], note="NumPy flattens: reshape first")
    cases.error("axis_too_large", "argument", "A1", [ROWS, index], {"axis": 2})
    cases.error("axis_too_small", "argument", "A1", [ROWS, index], {"axis": -3})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, index], {"mode": "clip"})
    cases.error("axis_is_a_text", "argument", "A2", [ROWS, index], {"axis": "0"})
    cases.error("result_of_rank_33", "shape", "C2", [count("int32", [1] * 32), i64([1, 1], 0)])
    cases.error("an_input_too_many", "argument", "CALL-I1", [ROWS, index, index])


for _part in (good, policies, rules):
    _part()
payloads.add_cases(cases, {1: types.T24}, lambda make: [make([3, 2]), i64([4], 2, -3, 1, 0)],
                   lambda make: [make([3, 3]), i32([4], 2, 1, 0, -1)], refused=REFUSED)
index_types.add_cases(cases, types.INTEGERS, lambda make: [ROWS, make([3], [2, -2, 1])])
