"""Cases of IndexAdd."""

from .. import index_types, types
from ..records import count, f32, fault, i64
from ..semantics import tensor
from . import reductions
from .records import Cases
from .reductions import row

cases = Cases("IndexAdd")
ROWS = count("int32", [2, 3], 1)


def good():
    cases.ok("example", [row("int32", [1, 2, 3]), i64([3], 0, 2, 0), row("int32", [10, 20, 30])], out=[41, 2, 23])
    cases.ok("rows", [ROWS, i64([3], 1, 1, -1), count("int32", [3, 3], 10)], out=[1, 2, 3, 43, 47, 51])
    data = count("int32", [2, 3, 2])
    for axis in range(-3, 3):
        shape = [2, 3, 2]
        shape[axis] = 4
        cases.ok(f"axis_{axis}_of_3", [data, i64([4], 1, 0, -1, 1), count("int32", shape, 1)], {"axis": axis})
    cases.ok("no_indices", [ROWS, i64([0]), tensor("int32", [0, 3], [])], out=[1, 2, 3, 4, 5, 6])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 2]), i64([0]), f32([0, 2])], out=[])
    cases.ok("rows_of_nothing", [f32([2, 0]), i64([1], 1), f32([1, 0])], out=[])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([2], 2, 2), count("int32", [1] * 31 + [2], 10)],
             {"axis": -1})


def policies():
    inputs = [row("int32", [1, 2, 3]), i64([5], -1, 3, -4, 100, 1), row("int32", [10, 20, 30, 40, 50])]
    cases.ok("out_of_range_clamp", inputs, options={"out_of_range": "clamp"}, out=[41, 52, 63],
             note="a negative index is below the first element")
    cases.ok("out_of_range_modulo", inputs, options={"out_of_range": "modulo"}, out=[21, 92, 43])
    cases.ok("out_of_range_skip", inputs, options={"out_of_range": "skip"}, out=[1, 52, 13])
    nowhere = [f32([0]), i64([1], 0), f32([1], 1.0)]
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C4", nowhere, options={"out_of_range": policy},
                    bad=fault("indices", [0], 0, 0, 0))
    cases.error("bad_indices", "index", "C4", inputs, bad=fault("indices", [1], 3, 0, 3, 3))
    cases.error("bad_index_into_rows_of_nothing", "index", "C4", [f32([2, 0]), i64([1], 2), f32([1, 0])],
                bad=fault("indices", [0], 2, 0, 2))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    index, one = i64([1], 0), count("int32", [1, 3])
    cases.error("axis_too_large", "argument", "A1", [ROWS, index, one], {"axis": 2})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, index, one], {"reduction": "sum"})
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), index, f32([], 1.0)])
    cases.error("indices_of_rank_0", "shape", "C2", [ROWS, i64([], 0), count("int32", [3])])
    cases.error("indices_of_rank_2", "shape", "C2", [ROWS, i64([1, 1], 0), count("int32", [1, 1, 3])])
    cases.error("updates_of_another_length", "shape", "C3", [ROWS, index, count("int32", [2, 3])])
    cases.error("updates_of_another_row", "shape", "C3", [ROWS, index, count("int32", [1, 2])])
    cases.error("updates_of_another_rank", "shape", "C3", [ROWS, index, count("int32", [3])])
    cases.error("updates_do_not_broadcast", "shape", "C3", [ROWS, index, count("int32", [1, 1])])
    cases.error("updates_of_another_type", "type", "T3", [ROWS, index, count("int64", [1, 3])])


def duplicates():
    inputs = [row("int32", [1, 2, 3]), i64([2], 2, -1), row("int32", [1, 2])]
    cases.error("duplicates_refused", "duplicate", "D1", inputs, options={"duplicates": "error"})
    cases.ok("strict_allows_duplicates", inputs, options={"strict": True}, out=[1, 2, 6])


def folds():
    for dtype in types.R19:
        cases.ok(f"sum_{dtype}", [row(dtype, reductions.CELLS[dtype]), i64([6], 0, 1, 2, 3, 0, 1),
                                  row(dtype, reductions.UPDATES[dtype])])
    for dtype in reductions.REFUSED:
        values = types.SAMPLES[dtype][:2]
        cases.error(f"type_{dtype}", "type", "T1", [row(dtype, values), i64([2], 0, 0), row(dtype, values)])
    for name, dtype, start, updates, _, note in reductions.folds(["sum"]):
        cases.ok(name, [row(dtype, [start]), i64([len(updates)], *[0] * len(updates)), row(dtype, updates)], note=note)
    for name, dtype, start, updates, result, _ in reductions.bits(["sum"]):
        cases.given(name, [row(dtype, [start]), i64([len(updates)], *[0] * len(updates)), row(dtype, updates)],
                    row(dtype, [result]))


for _part in (good, policies, rules, duplicates, folds):
    _part()
index_types.add_cases(cases, types.INTEGERS,
                      lambda make: [row("int32", [1, 2, 3]), make([2], [2, -2]), row("int32", [10, 20])])
