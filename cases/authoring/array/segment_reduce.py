"""Cases of SegmentReduce."""

import math

from .. import types
from ..records import count, f32, fault, i64
from ..semantics import tensor
from . import reductions
from .records import Cases
from .reductions import REDUCTIONS, row

cases = Cases("SegmentReduce")
ROWS = count("float32", [4, 2], 1)
IDS = i64([4], 0, 0, 2, 2)
FOUR = {"num_segments": 4}


def good():
    cases.ok("example", [f32([4], 1.0, 2.0, 3.0, 4.0), IDS], {**FOUR, "reduction": "max"}, out=[2.0, "-inf", 4.0, "-inf"])
    cases.ok("sum_by_default", [ROWS, IDS], FOUR, out=[4.0, 6.0, 0.0, 0.0, 12.0, 14.0, 0.0, 0.0])
    for reduction in REDUCTIONS:
        cases.ok(f"{reduction}_of_rows", [ROWS, IDS], {**FOUR, "reduction": reduction})
        cases.ok(f"{reduction}_of_ids_without_gaps", [count("int32", [5, 1, 3], -4), i64([5], 0, 1, 1, 1, 2)],
                 {"num_segments": 3, "reduction": reduction})
        cases.ok(f"{reduction}_of_no_rows", [f32([0, 2]), i64([0])], {"num_segments": 2, "reduction": reduction})
        cases.ok(f"{reduction}_into_no_segments", [f32([0, 2]), i64([0])], {"num_segments": 0, "reduction": reduction},
                 out=[])
        cases.ok(f"{reduction}_of_rows_of_nothing", [f32([2, 0]), i64([2], 0, 1)],
                 {"num_segments": 3, "reduction": reduction}, out=[])
    cases.ok("one_segment", [count("int64", [4], 1), i64([4], 0, 0, 0, 0)], {"num_segments": 1, "reduction": "prod"},
             out=[24])
    cases.ok("a_segment_for_each_row", [count("int64", [3], 5), i64([3], 0, 1, 2)], {"num_segments": 3}, out=[5, 6, 7])
    cases.ok("rank_32", [count("int32", [3] + [1] * 31), i64([3], 0, 1, 1)], {"num_segments": 2})


def policies():
    inputs = [count("int32", [6], 1), i64([6], -2, -1, 0, 1, 2, 100)]
    attrs = {"num_segments": 2}
    for reduction in REDUCTIONS:
        cases.ok(f"{reduction}_out_of_range_skip", inputs, {**attrs, "reduction": reduction},
                 options={"out_of_range": "skip"})
    cases.error("bad_ids", "index", "C4", inputs, attrs, bad=fault("segment_ids", [0], -2, 0, 2, 4))
    cases.error("a_negative_id_does_not_count_from_the_end", "index", "C4", [count("int32", [2]), i64([2], -1, 0)],
                attrs, bad=fault("segment_ids", [0], -1, 0, 2))
    cases.error("an_id_beyond_the_last", "index", "C4", [count("int32", [2]), i64([2], 0, 2)], attrs,
                options={"out_of_range": "error"}, bad=fault("segment_ids", [1], 2, 0, 2))
    cases.error("bad_id_of_a_row_of_nothing", "index", "C4", [f32([1, 0]), i64([1], 5)], attrs,
                bad=fault("segment_ids", [0], 5, 0, 2))
    cases.error("no_segments_for_rows", "index", "C4", [f32([1], 1.0), i64([1], 0)], {"num_segments": 0},
                bad=fault("segment_ids", [0], 0, 0, 0))
    cases.error("far_out_of_range_uint64", "index", "C4",
                [count("int32", [2]), tensor("uint64", [2], [0, 2**64 - 1])], attrs,
                bad=fault("segment_ids", [1], 2**64 - 1, 0, 2))
    for policy in ("clamp", "modulo", "zero"):
        cases.error(f"{policy}_is_no_policy_of_segments", "argument", "CALL-O1", inputs, attrs,
                    options={"out_of_range": policy})


def order():
    attrs = {"num_segments": 3}
    cases.error("ids_fall", "argument", "C3", [count("int32", [4]), i64([4], 0, 2, 1, 2)], attrs)
    cases.error("ids_fall_among_those_that_skip_drops", "argument", "C3", [count("int32", [3]), i64([3], 0, -1, 2)],
                attrs, options={"out_of_range": "skip"})
    cases.error("ids_fall_without_elements", "argument", "C3", [f32([2, 0]), i64([2], 1, 0)], attrs)
    cases.error("order_comes_before_the_range", "argument", "C3", [count("int32", [3]), i64([3], 5, 0, 1)], attrs)
    cases.error("order_comes_before_duplicates", "argument", "C3", [count("int32", [3]), i64([3], 1, 1, 0)], attrs,
                options={"duplicates": "error"})


def rules():
    cases.error("num_segments_is_missing", "argument", "A2", [ROWS, IDS])
    cases.error("unknown_attribute", "argument", "A2", [ROWS, IDS], {**FOUR, "axis": 0})
    cases.error("num_segments_is_a_text", "argument", "A2", [ROWS, IDS], {"num_segments": "4"})
    cases.error("num_segments_is_negative", "argument", "A4", [ROWS, IDS], {"num_segments": -1})
    for reduction in ("none", "add", ""):
        cases.error(f"reduction_{reduction or 'empty'}_is_unknown", "argument", "A3", [ROWS, IDS],
                    {**FOUR, "reduction": reduction})
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0)], FOUR)
    cases.error("ids_of_rank_0", "shape", "C2", [f32([1], 1.0), i64([], 0)], FOUR)
    cases.error("ids_of_rank_2", "shape", "C2", [ROWS, i64([4, 1], 0, 0, 2, 2)], FOUR)
    cases.error("fewer_ids_than_rows", "shape", "C2", [ROWS, i64([3], 0, 0, 2)], FOUR)
    cases.error("policy_before_the_reduction", "argument", "CALL-O1", [ROWS, IDS], {**FOUR, "reduction": "add"},
                options={"out_of_range": "clamp"})


def duplicates():
    cases.error("duplicates_refused", "duplicate", "D1", [ROWS, IDS], FOUR, options={"duplicates": "error"})
    cases.ok("duplicates_refused_only_what_is_double", [count("int32", [2], 5), i64([2], 1, 3)], FOUR,
             options={"duplicates": "error"}, out=[0, 5, 0, 6])
    cases.ok("strict_changes_nothing", [ROWS, IDS], FOUR, options={"strict": True})


def folds():
    ids = i64([6], 0, 0, 1, 1, 3, 3)
    for reduction in REDUCTIONS:
        for dtype in types.R19:
            inputs, attrs = [row(dtype, reductions.UPDATES[dtype]), ids], {**FOUR, "reduction": reduction}
            if reductions.has(dtype, reduction):
                cases.ok(f"{reduction}_{dtype}", inputs, attrs)
            else:
                cases.error(f"{reduction}_{dtype}", "type", "A3", inputs, attrs)
    for dtype in reductions.REFUSED:
        cases.error(f"type_{dtype}", "type", "T1", [row(dtype, types.SAMPLES[dtype]), ids], FOUR)
    for name, dtype, start, updates, reduction, note in reductions.folds(REDUCTIONS):
        values = [start, *updates]
        cases.ok(name, [row(dtype, values), i64([len(values)], *[0] * len(values))],
                 {"num_segments": 1, "reduction": reduction}, note=note)
    alone = {"num_segments": 1}
    cases.ok("nan_max_of_minus_infinity", [row("float32", ["-inf"]), i64([1], 0)], {**alone, "reduction": "max"},
             out=["-inf"], note="the fold starts with minus infinity, not with the lowest number")
    cases.ok("nan_min_of_infinity_float8_e5m2", [row("float8_e5m2", ["0x7c"]), i64([1], 0)],
             {**alone, "reduction": "min"}, out=["0x7c"])
    cases.ok("nan_sum_of_negative_zero", [f32([1], -0.0), i64([1], 0)], alone, out=[0.0])
    cases.ok("nan_max_of_nan", [row("float32", ["nan", 1.0]), i64([2], 0, 0)], {**alone, "reduction": "max"},
             out=["nan"])
    cases.ok("mean_int32_goes_down", [row("int32", [-2, -1]), i64([2], 0, 0)], {**alone, "reduction": "mean"}, out=[-2])
    cases.ok("mean_of_packed_elements_goes_down", [tensor("int4", [3, 3], [7, -8, 1, 0, -1, 2, -3, 3, 4]),
                                                   i64([3], 0, 0, 1)], {"num_segments": 2, "reduction": "mean"})


def id_types():
    for dtype in types.INTEGERS:
        cases.ok(f"ids_of_type_{dtype}", [ROWS, tensor(dtype, [4], [0, 1, 1, 3])], FOUR)
    for dtype, values in (("int4", [0, 1, 1, 3]), ("float32", [0.0, 1.0, 1.0, 3.0]), ("bool", [False, False, True, True])):
        cases.error(f"ids_of_type_{dtype}", "type", "T2", [ROWS, tensor(dtype, [4], values)], FOUR)


def offsets():
    """Offsets in place of ids, of which the last one is the end where there is one more than segments."""
    rows, three, two = count("float32", [5, 2], 1), {"num_segments": 3}, {"num_segments": 2}

    def bad(place, value, extent=5):
        return fault("offsets", [place], value, 0, extent)

    for reduction in REDUCTIONS:
        cases.ok(f"{reduction}_by_offsets", [rows, None, i64([3], 1, 3, 3)], {**three, "reduction": reduction})
        cases.ok(f"{reduction}_by_offsets_with_an_end", [rows, None, i64([4], 0, 2, 2, 4)], {**three, "reduction": reduction})
    for dtype in types.INTEGERS:
        cases.ok(f"offsets_of_type_{dtype}", [count("int32", [4], -2), None, tensor(dtype, [2], [0, 3])], two)
    cases.ok("mean_of_packed_elements_by_offsets", [tensor("int4", [3, 3], [7, -8, 1, 0, -1, 2, -3, 3, 4]), None, i64([2], 1, 3)],
             {"num_segments": 1, "reduction": "mean"}, out=[-2, 1, 3])
    cases.ok("no_offsets", [rows, None, i64([0])], {"num_segments": 0}, out=[])
    cases.ok("an_end_alone", [rows, None, i64([1], 3)], {"num_segments": 0}, out=[])
    cases.ok("offsets_at_the_end", [rows, None, i64([2], 5, 5)], two, out=[0.0] * 4)
    cases.ok("offsets_of_no_rows", [f32([0, 2]), None, i64([3], 0, 0, 0)], two, out=[0.0] * 4)
    cases.ok("offsets_of_single_rows", [count("int64", [3], 5), None, i64([3], 0, 1, 2)], three,
             options={"duplicates": "error"}, out=[5, 6, 7])
    cases.ok("skip_changes_nothing_of_offsets", [rows, None, i64([2], 4, 5)], two,
             options={"out_of_range": "skip", "negative": "error"}, out=[9.0, 10.0, 0.0, 0.0])
    for name, numbers, place, value in (("above_the_number_of_rows", (0, 6), 1, 6), ("negative", (-1, 2), 0, -1),
                                        ("of_32_bits", (0, 2**32), 1, 2**32), ("end_above_the_number_of_rows", (0, 1, 6), 2, 6)):
        cases.error(f"offset_{name}", "index", "C5", [rows, None, i64([len(numbers)], *numbers)], two, bad=bad(place, value))
    cases.error("offset_far_above_uint64", "index", "C5", [rows, None, tensor("uint64", [2], [0, 2**64 - 1])], two,
                bad=bad(1, 2**64 - 1))
    cases.error("offset_above_under_skip", "index", "C5", [f32([2, 0]), None, i64([1], 3)], {"num_segments": 1},
                options={"out_of_range": "skip"}, bad=bad(0, 3, 2))
    for number, dtype in enumerate(types.R19):
        own = [name for name in REDUCTIONS if reductions.has(dtype, name)]
        cases.error(f"offset_above_for_{dtype}", "index", "C5", [row(dtype, reductions.UPDATES[dtype][:3]), None, i64([1], 4)],
                    {"num_segments": 1, "reduction": own[number % len(own)]}, bad=bad(0, 4, 3))
    cases.error("offsets_fall", "argument", "C5", [rows, None, i64([3], 0, 4, 3)], three)
    cases.error("end_falls", "argument", "C5", [rows, None, i64([3], 0, 4, 3)], two)
    cases.error("offsets_fall_without_elements", "argument", "C5", [f32([2, 0]), None, i64([2], 1, 0)], two)
    for name, shape in (("rank_0", []), ("rank_2", [2, 1]), ("too_few", [1]), ("too_many", [4])):
        cases.error(f"offsets_of_{name}", "shape", "C2", [rows, None, i64(shape, *[0] * math.prod(shape))], two)
    for dtype, values in (("int4", [0, 1]), ("float32", [0.0, 1.0])):
        cases.error(f"offsets_of_type_{dtype}", "type", "T2", [rows, None, tensor(dtype, [2], values)], two)
    cases.error("ids_and_offsets", "argument", "CALL-I1", [ROWS, IDS, i64([4], 0, 2, 2, 4)], FOUR)
    cases.error("neither_ids_nor_offsets", "argument", "CALL-I1", [ROWS, None, None], FOUR)
    cases.error("offsets_refuse_duplicates", "duplicate", "D1", [rows, None, i64([2], 0, 4)], two, options={"duplicates": "error"})
    cases.error("padding_of_offsets", "argument", "CALL-O4", [rows, None, i64([2], 0, 4)], two, options={"padding_index": 0})
    cases.error("offsets_before_padding", "shape", "C2", [rows, None, i64([1], 9)], two, options={"padding_index": 0})


for _part in (good, policies, order, rules, duplicates, folds, id_types, offsets):
    _part()
