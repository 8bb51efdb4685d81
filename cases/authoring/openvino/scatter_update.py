"""Cases of ScatterUpdate-3."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from . import axes
from .records import Cases, axis

cases = Cases("ScatterUpdate", [3])
TABLE = count("int32", [3, 4])


def updates(shape, dtype="int32"):
    return count(dtype, shape, 100)


def slices():
    cases.ok("rows", [TABLE, i64([2], 2, 0), updates([2, 4]), axis(0)],
             out=[104, 105, 106, 107, 4, 5, 6, 7, 100, 101, 102, 103])
    cases.ok("columns", [TABLE, i64([2], 3, 1), updates([3, 2]), axis(1)])
    cases.ok("scalar_index", [TABLE, i64([], 1), updates([4]), axis(0)],
             out=[0, 1, 2, 3, 100, 101, 102, 103, 8, 9, 10, 11], note="updates have one axis less than data")
    cases.ok("scalar_index_of_a_column", [TABLE, i64([], 2), updates([3]), axis(1)])
    cases.ok("scalar_index_of_a_vector", [count("float32", [4]), i64([], 3), f32([], 9.0), axis(0)],
             out=[0.0, 1.0, 2.0, 9.0])
    cases.ok("indices_of_rank_2", [TABLE, i64([2, 2], 3, 0, 1, 2), updates([3, 2, 2]), axis(1)])
    cases.ok("indices_of_rank_3",
             [count("int16", [5]), i64([1, 2, 2], 3, 0, 1, 4), updates([1, 2, 2], "int16"), axis(0)])
    cases.ok("indices_of_rank_3_between", [count("int32", [2, 4, 2]), i64([1, 2, 1], 3, 0), updates([2, 1, 2, 1, 2]),
                                           axis(1)])
    data = count("int32", [2, 3, 4])
    for value in range(-3, 3):
        shape = [2, 3, 4]
        shape[value] = 2
        cases.ok(f"axis_{value}_of_3", [data, i64([2], 1, 0), updates(shape), axis(value)])
    cases.ok("every_row_in_another_order", [TABLE, i64([3], 1, 2, 0), updates([3, 4]), axis(0)])
    cases.ok("duplicates_last_wins", [count("int32", [3]), i64([4], 1, 1, 0, 1), updates([4]), axis(0)],
             out=[102, 103, 2])
    cases.ok("duplicate_rows_last_wins", [TABLE, i64([3], 1, 2, 1), updates([3, 4]), axis(0)])
    cases.ok("duplicate_columns_last_wins", [TABLE, i64([2, 2], 1, 1, 0, 1), updates([3, 2, 2]), axis(1)])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([2], 2, 0), updates([1] * 31 + [2]), axis(-1)])
    cases.ok("updates_of_rank_32", [count("int32", [3]), i64([1] * 31 + [2], 2, 0), updates([1] * 31 + [2]), axis(0)])
    cases.ok("extent_1", [count("int32", [1, 5, 1]), i64([2], 4, 0), updates([1, 2, 1]), axis(1)])


def empty():
    cases.ok("no_indices", [TABLE, i64([0]), updates([0, 4]), axis(0)])
    cases.ok("no_indices_of_rank_2", [TABLE, i64([2, 0]), updates([3, 2, 0]), axis(1)])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 3]), i64([0]), f32([0, 3]), axis(0)], out=[])
    cases.ok("rows_of_nothing", [f32([2, 0]), i64([1], 1), f32([1, 0]), axis(0)], out=[])
    cases.error("bad_index_of_rows_of_nothing", "index", "C3", [f32([2, 0]), i64([1], 2), f32([1, 0]), axis(0)],
                bad=fault("indices", [0], 2, 0, 2), note="every index is checked")
    nowhere = [f32([0]), i64([2], 0, -1), f32([2], 1.0, 2.0), axis(0)]
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C3", nowhere, options={"out_of_range": policy},
                    bad=fault("indices", [0], 0, 0, 0, 2))
    cases.ok("skip_on_an_empty_axis", nowhere, options={"out_of_range": "skip"}, out=[])


def policies():
    inputs = [TABLE, i64([6], 4, 3, -1, -4, 100, -100), updates([3, 6]), axis(1)]
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy},
                 note="a negative index is outside" if policy != "modulo" else None)
    cases.error("out_of_range_by_default", "index", "C3", inputs, bad=fault("indices", [0], 4, 1, 4, 5))
    cases.error("out_of_range_error", "index", "C3", inputs, options={"out_of_range": "error"},
                bad=fault("indices", [0], 4, 1, 4, 5))
    cases.error("negative_index", "index", "C3", [TABLE, i64([1, 2], 0, -1), updates([1, 2, 4]), axis(0)],
                bad=fault("indices", [0, 1], -1, 0, 3), note="negative indices do not count from the end")
    cases.error("negative_index_int4", "index", "C3", [TABLE, tensor("int4", [], [-1]), updates([4]), axis(0)],
                bad=fault("indices", [], -1, 0, 3))
    cases.error("strict_negative_index", "index", "C3", [TABLE, i64([1], -3), updates([1, 4]), axis(0)],
                options={"strict": True}, bad=fault("indices", [0], -3, 0, 3))
    far = tensor("uint64", [2], [2**64 - 1, 2**63])
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"far_out_of_range_uint64_{policy}", [TABLE, far, updates([2, 4]), axis(0)],
                 options={"out_of_range": policy})
        cases.ok(f"far_out_of_range_{policy}", [TABLE, i64([2], -2**63, 2**63 - 1), updates([2, 4]), axis(0)],
                 options={"out_of_range": policy})
    cases.error("far_out_of_range_uint64_error", "index", "C3", [TABLE, far, updates([2, 4]), axis(0)],
                bad=fault("indices", [0], 2**64 - 1, 0, 3, 2))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    index = i64([1], 0)
    cases.error("data_of_rank_0", "shape", "C1", [f32([], 1.0), index, f32([1], 1.0), axis(0)])
    for name, shape in (("transposed", [2, 3]), ("of_too_many_rows", [4, 2]), ("of_rank_1", [6]),
                        ("of_rank_3", [3, 1, 2]), ("of_one_element", [1, 1])):
        cases.error(f"updates_{name}", "shape", "C2", [TABLE, i64([2], 0, 1), updates(shape), axis(1)])
    cases.error("updates_for_a_scalar_index", "shape", "C2", [TABLE, i64([], 0), updates([1, 4]), axis(0)])
    cases.error("updates_of_rank_33", "shape", "C2",
                [count("int32", [1, 3]), i64([1] * 32, 0), updates([1, 3]), axis(0)])
    cases.error("updates_of_another_type", "type", "T3", [TABLE, index, updates([1, 4], "int64"), axis(0)])
    text = tensor("string", [1], ["a"])
    cases.error("type_string", "type", "T1", [text, index, text, axis(0)])
    cases.error("reduction_is_no_attribute", "argument", "A2", [TABLE, index, updates([1, 4]), axis(0)],
                {"reduction": "none"})


def duplicates():
    twice = [TABLE, i64([3], 1, 0, 1), updates([3, 4]), axis(0)]
    once = [TABLE, i64([2], 1, 0), updates([2, 4]), axis(0)]
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict_refuses", {"strict": True})):
        cases.error(f"{name}", "duplicate", "D1", twice, options=options)
        cases.ok(f"{name}_only_what_is_double", once, options=options)
    cases.ok("a_dropped_update_is_no_duplicate", [count("int32", [3]), i64([3], -1, 1, -1), updates([3]), axis(0)],
             options={"duplicates": "error", "out_of_range": "skip"}, out=[0, 101, 2])
    cases.error("clamp_makes_a_duplicate", "duplicate", "D1",
                [count("int32", [3]), i64([2], -7, 0), updates([2]), axis(0)],
                options={"duplicates": "error", "out_of_range": "clamp"})
    cases.ok("duplicate_rows_of_nothing", [f32([2, 0]), i64([2], 1, 1), f32([2, 0]), axis(0)],
             options={"duplicates": "error"}, out=[])


for _part in (slices, empty, policies, rules, duplicates):
    _part()
axes.add_cases(cases, [count("float32", [3, 3]), i32([2], 2, 0), count("float32", [3, 2], 10)])
payloads.add_cases(cases, {3: types.T22}, lambda make: [make([3, 2]), i64([2], 2, 0), make([2, 2], 1), axis(0)],
                   lambda make: [make([3, 3]), i32([2], 2, 1), make([2, 3], 2), axis(0)])
payloads.add_odd_cases(cases, lambda make: [make([3, 5]), i64([3], 4, 0, 1), make([3, 3]), axis(1)], None,
                       versions=[3], name="columns")
index_types.add_cases(cases, types.I10, lambda make: [TABLE, make([2], [0, 2]), updates([2, 4]), axis(0)])
