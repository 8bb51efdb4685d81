"""Cases of IndexReduce."""

from .. import index_types, types
from ..openvino.scatter_elements_update import FOLDS
from ..records import count, f32, fault, i64
from . import reductions
from .records import Cases
from .reductions import REDUCTIONS, row

cases = Cases("IndexReduce")
ROWS = count("float32", [2, 3], 1)


def good():
    inputs = [row("int32", [1, 2, 3]), i64([3], 0, 2, 0), row("int32", [4, 5, 6])]
    cases.ok("example", inputs, {"reduction": "mean", "use_init_val": False}, out=[5, 2, 5])
    cases.ok("sum_by_default", inputs, out=[11, 2, 8])
    for reduction in REDUCTIONS:
        for axis in (0, -1):
            shape = [2, 3]
            shape[axis] = 4
            for value in (True, False):
                cases.ok(f"{reduction}_axis_{axis}_use_init_val_{str(value).lower()}",
                         [ROWS, i64([4], 0, 0, -1, 1), count("float32", shape, 2)],
                         {"axis": axis, "reduction": reduction, "use_init_val": value})
    cases.ok("no_updates_keep_data", [ROWS, i64([0]), f32([0, 3])], {"reduction": "mean", "use_init_val": False},
             out=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    cases.ok("rows_of_nothing", [f32([2, 0]), i64([1], 1), f32([1, 0])], {"reduction": "mean"}, out=[])


def policies():
    inputs = [row("int32", [1, 2, 3]), i64([5], -1, 3, -4, 100, 1), row("int32", [10, 20, 30, 40, 50])]
    for policy in ("clamp", "modulo", "skip"):
        for reduction in ("sum", "mean"):
            cases.ok(f"{reduction}_out_of_range_{policy}", inputs, {"reduction": reduction, "use_init_val": False},
                     options={"out_of_range": policy})
    cases.error("bad_indices", "index", "C4", inputs, {"reduction": "max"}, bad=fault("indices", [1], 3, 0, 3, 3))
    cases.error("clamp_on_an_empty_axis", "index", "C4", [f32([0]), i64([1], 0), f32([1], 1.0)],
                options={"out_of_range": "clamp"}, bad=fault("indices", [0], 0, 0, 0))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})


def rules():
    index, one = i64([1], 0), count("float32", [1, 3])
    cases.error("axis_too_small", "argument", "A1", [ROWS, index, one], {"axis": -3})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, index, one], {"include_self": True})
    cases.error("use_init_val_is_a_text", "argument", "A2", [ROWS, index, one], {"use_init_val": "false"})
    for reduction in ("none", "sub", "add", "SUM", ""):
        cases.error(f"reduction_{reduction or 'empty'}_is_unknown", "argument", "A3", [ROWS, index, one],
                    {"reduction": reduction})
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), index, f32([], 1.0)])
    cases.error("indices_of_rank_0", "shape", "C2", [ROWS, i64([], 0), count("float32", [3])])
    cases.error("updates_of_another_length", "shape", "C3", [ROWS, index, count("float32", [2, 3])])
    cases.error("updates_of_another_type", "type", "T3", [ROWS, index, count("float64", [1, 3])])
    cases.error("reduction_rule_before_the_ranks", "argument", "A3", [f32([], 1.0), index, one], {"reduction": "add"})
    cases.error("axis_before_the_rank_of_indices", "argument", "A1", [ROWS, i64([], 0), one], {"axis": 2})


def duplicates():
    inputs = [row("int32", [1, 2, 3]), i64([2], 2, -1), row("int32", [1, 2])]
    for reduction in REDUCTIONS:
        cases.error(f"duplicates_refused_with_{reduction}", "duplicate", "D1", inputs, {"reduction": reduction},
                    options={"duplicates": "error"})
        cases.ok(f"strict_allows_duplicates_with_{reduction}", inputs, {"reduction": reduction},
                 options={"strict": True})


def folds():
    targets = i64([6], 0, 1, 2, 3, 0, 1)
    for reduction in REDUCTIONS:
        for value in (True, False):
            attrs = {"reduction": reduction} if value else {"reduction": reduction, "use_init_val": False}
            ending = "" if value else "_without_data"
            for dtype in types.R19:
                inputs = [row(dtype, reductions.CELLS[dtype]), targets, row(dtype, reductions.UPDATES[dtype])]
                if reductions.has(dtype, reduction):
                    cases.ok(f"{reduction}_{dtype}{ending}", inputs, attrs)
                elif value:
                    cases.error(f"{reduction}_{dtype}", "type", "A3", inputs, attrs)
    for dtype in reductions.REFUSED:
        values = types.SAMPLES[dtype][:2]
        cases.error(f"type_{dtype}", "type", "T1", [row(dtype, values), i64([2], 0, 0), row(dtype, values)])
    for name, dtype, start, updates, reduction, note in reductions.folds(REDUCTIONS):
        cases.ok(name, [row(dtype, [start]), i64([len(updates)], *[0] * len(updates)), row(dtype, updates)],
                 {"reduction": reduction}, note=note)
    for name, dtype, start, updates, result, reduction in reductions.bits(REDUCTIONS):
        cases.given(name, [row(dtype, [start]), i64([len(updates)], *[0] * len(updates)), row(dtype, updates)],
                    row(dtype, [result]), {"reduction": reduction})
    for name, dtype, cells, indices, updates, use_init_val, reduction, result in FOLDS:
        cases.ok(name, [row(dtype, cells), i64([len(indices)], *indices), row(dtype, updates)],
                 {"reduction": reduction, "use_init_val": use_init_val}, out=result)


for _part in (good, policies, rules, duplicates, folds):
    _part()
index_types.add_cases(cases, types.INTEGERS,
                      lambda make: [row("int32", [1, 2, 3]), make([2], [2, -2]), row("int32", [10, 20])])
