"""Cases of EmbeddingBag."""

import itertools

from .. import types
from ..records import count, cycle, f32, fault, i64
from ..semantics import tensor
from . import reductions
from .records import Cases
from .reductions import row

cases = Cases("EmbeddingBag")
REDUCTIONS = ["sum", "mean", "max"]
ROWS = count("float32", [4, 2], 1)
IDS, OFFSETS = i64([5], 0, 3, 1, 1, 2), i64([3], 0, 2, 2)
MATRIX = i64([2, 3], 0, 3, 1, 1, 2, 0)
LAST = {"include_last_offset": True}
FLOAT32 = {"accumulate": "float32"}
SHORT = ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"]
# One and powers of two; a third of the type's largest number, which three of it overflow.
PLAIN = {"float8_e4m3fn": ["0x38", "0x40", "0xb8"], "float8_e5m2": ["0x3c", "0x40", "0xbc"]}


def bags(*sizes):
    """The offsets of bags of so many samples."""
    return i64([len(sizes)], *(sum(sizes[:bag]) for bag in range(len(sizes))))


def padded(name, inputs, padding, attrs=None, **given):
    table, ids, *others = inputs
    read = {**ids, "data": [None if index == padding else index for index in ids["data"]]}
    cases.ok(name, inputs, attrs, options={"padding_index": padding}, read=[table, read, *others], **given)


def good():
    example = [f32([3, 2], 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), i64([3], 0, 2, 1), bags(2, 0, 1)]
    cases.ok("example", example, {"reduction": "mean"}, out=[3.0, 4.0, 0.0, 0.0, 3.0, 4.0])
    cases.ok("sum_by_default", [ROWS, IDS, OFFSETS], out=[8.0, 10.0, 0.0, 0.0, 11.0, 14.0])
    cases.ok("weighted", [ROWS, IDS, OFFSETS, f32([5], 1.0, 2.0, 0.5, -1.0, 0.0)])
    cases.ok("weighted_matrix", [ROWS, MATRIX, None, f32([2, 3], 1.0, 2.0, 0.5, -1.0, 0.0, 4.0)])
    for reduction in REDUCTIONS:
        attrs = {"reduction": reduction}
        cases.ok(f"{reduction}_of_a_matrix", [ROWS, MATRIX], attrs)
        cases.ok(f"{reduction}_of_bags", [ROWS, IDS, OFFSETS], attrs)
        cases.ok(f"{reduction}_of_negative_ids", [ROWS, i64([4], -1, -4, 0, 3), bags(2, 2)], attrs)
        cases.ok(f"{reduction}_of_rank_1", [count("int32", [4], -2), IDS, OFFSETS], attrs)
        cases.ok(f"{reduction}_of_rank_4", [count("int64", [3, 2, 1, 2], -5), i64([3], 2, 2, 0), bags(1, 2)], attrs)
        cases.ok(f"{reduction}_of_long_rows", [count("float32", [3, 67], -99), i64([4], 2, 0, 1, 1), bags(3, 1)], attrs)
    cases.ok("a_large_bag", [count("int32", [7, 3], -9), i64([150], *(i % 7 for i in range(150))), bags(150)])
    cases.ok("rank_32", [count("int32", [3] + [1] * 31), i64([3], 0, 2, 1), bags(1, 2)])
    cases.ok("rank_31_of_a_matrix", [count("int32", [3] + [1] * 30), i64([2, 1], 2, 1)])
    cases.ok("ids_and_offsets_of_two_types", [ROWS, tensor("uint8", [5], IDS["data"]), tensor("int16", [3], OFFSETS["data"])])


def ends():
    """include_last_offset, with samples behind the end."""
    for reduction in REDUCTIONS:
        cases.ok(f"{reduction}_with_an_end", [ROWS, IDS, i64([4], 0, 2, 2, 5)], {**LAST, "reduction": reduction})
        cases.ok(f"{reduction}_with_samples_behind_the_end", [ROWS, IDS, i64([3], 0, 2, 3)], {**LAST, "reduction": reduction})
    cases.ok("an_end_alone", [ROWS, IDS, i64([1], 0)], LAST, out=[])
    cases.ok("an_end_alone_of_float64", [count("float64", [4, 2]), IDS, i64([1], 0)], LAST, out=[])
    cases.error("bad_id_behind_the_end", "index", "C6", [ROWS, i64([3], 0, 1, 4), i64([2], 0, 2)], LAST,
                bad=fault("ids", [2], 4, 0, 4))
    cases.error("end_above_the_number_of_ids", "index", "C5", [ROWS, IDS, i64([2], 0, 6)], LAST, bad=fault("offsets", [1], 6, 0, 5))
    cases.error("end_falls", "argument", "C5", [ROWS, IDS, i64([3], 0, 3, 2)], LAST)
    cases.error("no_end", "shape", "C3", [ROWS, IDS, i64([0])], LAST)
    cases.error("end_of_a_matrix", "shape", "C3", [ROWS, MATRIX], LAST)


def empty():
    """Empty everything; a bag without rows holds zeros."""
    for reduction in REDUCTIONS:
        attrs = {"reduction": reduction}
        cases.ok(f"{reduction}_of_empty_bags", [ROWS, i64([1], 3), bags(0, 1, 0)], attrs, out=[0.0, 0.0, 7.0, 8.0, 0.0, 0.0])
        cases.ok(f"{reduction}_of_no_ids", [ROWS, i64([0]), bags(0, 0)], attrs, out=[0.0] * 4)
        cases.ok(f"{reduction}_of_no_bags", [ROWS, IDS, i64([0])], attrs, out=[])
        cases.ok(f"{reduction}_of_no_bags_of_float64", [count("float64", [4, 2]), IDS, i64([0])], attrs, out=[])
        cases.ok(f"{reduction}_of_rows_of_nothing", [f32([2, 0]), i64([2], 0, 1), bags(1, 1)], attrs, out=[])
        cases.ok(f"{reduction}_of_no_rows", [f32([0, 2]), i64([0]), bags(0)], attrs, out=[0.0, 0.0])
        cases.ok(f"{reduction}_of_a_matrix_without_columns", [ROWS, i64([2, 0])], attrs, out=[0.0] * 4)
        cases.ok(f"{reduction}_of_a_matrix_without_rows", [ROWS, i64([0, 2])], attrs, out=[])
        padded(f"{reduction}_of_padding_alone", [count("int8", [4], -5), i64([3], 1, 1, 0), bags(2, 1)], 1, attrs, out=[0, -5])
    cases.error("bad_id_of_rows_of_nothing", "index", "C6", [f32([2, 0]), i64([2], 0, 2), bags(2)], bad=fault("ids", [1], 2, 0, 2))
    cases.error("bad_id_of_no_bag", "index", "C6", [ROWS, i64([1], 4), i64([0])], bad=fault("ids", [0], 4, 0, 4))
    cases.error("bad_id_of_no_rows", "index", "C6", [f32([0, 2]), i64([1], 0), bags(1)], bad=fault("ids", [0], 0, 0, 0))


def policies():
    ids = i64([9], -9, 1, 3, 4, -1, 100, 2, 2, 0)
    weights = f32([9], *map(float, range(1, 10)))
    for policy, reduction in itertools.product(("skip", "clamp", "modulo"), REDUCTIONS):
        cases.ok(f"{reduction}_out_of_range_{policy}", [ROWS, ids, bags(3, 3, 3)], {"reduction": reduction},
                 options={"out_of_range": policy})
        if reduction == "sum":
            cases.ok(f"weighted_out_of_range_{policy}", [ROWS, ids, bags(3, 3, 3), weights], options={"out_of_range": policy})
    cases.ok("mean_counts_what_takes_a_row", [ROWS, i64([4], 9, 0, 9, 1), bags(4)], {"reduction": "mean"},
             options={"out_of_range": "skip"}, out=[2.0, 3.0])
    padded("padding_has_no_weight", [ROWS, i64([2], 1, 0), bags(2), f32([2], "nan", 2.0)], 1, out=[2.0, 4.0])
    cases.error("id_too_large", "index", "C6", [ROWS, i64([2], 0, 4), bags(2)], bad=fault("ids", [1], 4, 0, 4))
    cases.error("id_too_small", "index", "C6", [ROWS, i64([2, 2], 0, 1, -5, -6)], bad=fault("ids", [1, 0], -5, 0, 4, 2))
    cases.error("id_beyond_32_bits", "index", "C6", [ROWS, i64([1], 2**32 + 1), bags(1)], bad=fault("ids", [0], 2**32 + 1, 0, 4))
    cases.error("far_out_of_range_uint64", "index", "C6", [ROWS, tensor("uint64", [2], [0, 2**64 - 1]), bags(2)],
                options={"out_of_range": "error"}, bad=fault("ids", [1], 2**64 - 1, 0, 4))
    cases.ok("duplicates_refuse_nothing", [ROWS, i64([2], 1, 1), bags(2)], options={"duplicates": "error"}, out=[6.0, 8.0])
    cases.ok("strict_changes_nothing", [ROWS, IDS, OFFSETS], options={"strict": True})


def offsets():
    def bad(place, value):
        return fault("offsets", [place], value, 0, 5)

    for name, begins, place, value in (("above_the_number_of_ids", (0, 6), 1, 6), ("negative", (0, -1), 1, -1),
                                       ("first_negative", (-1, 0), 0, -1), ("of_32_bits", (0, 2**32), 1, 2**32)):
        cases.error(f"offset_{name}", "index", "C5", [ROWS, IDS, i64([2], *begins)], bad=bad(place, value))
    cases.error("offset_far_above_uint64", "index", "C5", [ROWS, IDS, tensor("uint64", [2], [0, 2**64 - 1])], bad=bad(1, 2**64 - 1))
    cases.error("offsets_fall", "argument", "C5", [ROWS, IDS, i64([3], 0, 4, 3)])
    cases.error("offsets_begin_late", "argument", "C5", [ROWS, IDS, i64([2], 1, 3)])
    cases.error("offsets_begin_late_under_skip", "argument", "C5", [ROWS, IDS, i64([1], 5)], options={"out_of_range": "skip"})
    cases.error("offsets_begin_late_without_cells", "argument", "C5", [f32([4, 0]), IDS, i64([1], 1)])
    cases.ok("offset_at_the_end", [ROWS, IDS, i64([2], 0, 5)])
    cases.error("offset_without_ids", "index", "C5", [ROWS, i64([0]), i64([2], 0, 1)], bad=fault("offsets", [1], 1, 0, 0))
    cases.error("inner_offset_without_ids", "index", "C5", [ROWS, i64([0]), i64([3], 0, 2, 0)], bad=fault("offsets", [1], 2, 0, 0),
                note="the first and the last one are legal")
    cases.error("inner_offset_above_the_number_of_ids", "index", "C5", [ROWS, IDS, i64([4], 0, 2, 6, 5)], bad=bad(2, 6))
    cases.error("inner_offset_falls", "argument", "C5", [ROWS, IDS, i64([4], 0, 4, 1, 5)])
    cases.error("offsets_before_ids", "argument", "C5", [ROWS, i64([2], 9, 9), i64([1], 1)])


def rules():
    for dtype in reductions.REFUSED:
        cases.error(f"type_{dtype}", "type", "T1", [row(dtype, types.SAMPLES[dtype]), i64([1], 0), bags(1)])
    for dtype, values in (("int4", [0, 1]), ("float32", [0.0, 1.0]), ("bool", [False, True])):
        cases.error(f"ids_of_type_{dtype}", "type", "T2", [ROWS, tensor(dtype, [2], values), bags(2)])
        cases.error(f"offsets_of_type_{dtype}", "type", "T2", [ROWS, IDS, tensor(dtype, [2], values)])
    for dtype in types.INTEGERS:
        cases.ok(f"ids_of_type_{dtype}", [ROWS, tensor(dtype, [3], [0, 3, 1]), bags(2, 1)])
        cases.ok(f"offsets_of_type_{dtype}", [ROWS, IDS, tensor(dtype, [3], [0, 1, 5])])
    weights = f32([5], 1.0, 2.0, 0.5, -1.0, 0.0)
    cases.error("weights_of_another_type", "type", "T3", [ROWS, IDS, OFFSETS, {**weights, "dtype": "float64"}])
    cases.error("weights_of_float32_without_accumulate", "type", "T3", [count("float16", [4]), IDS, OFFSETS, weights])
    cases.error("weights_of_float16_for_float32", "type", "T3", [ROWS, IDS, OFFSETS, {**weights, "dtype": "float16"}], FLOAT32)
    cases.error("weights_of_float32_for_float64", "type", "T3", [count("float64", [4]), IDS, OFFSETS, weights], FLOAT32)
    cases.error("unknown_attribute", "argument", "A2", [ROWS, IDS, OFFSETS], {"axis": 0})
    cases.error("reduction_is_no_text", "argument", "A2", [ROWS, IDS, OFFSETS], {"reduction": 1})
    cases.error("accumulate_is_no_text", "argument", "A2", [ROWS, IDS, OFFSETS], {"accumulate": True})
    for name in ("prod", "min", "SUM", ""):
        cases.error(f"reduction_{name or 'empty'}_is_unknown", "argument", "A3", [ROWS, IDS, OFFSETS], {"reduction": name})
    for name in ("float64", "FLOAT32", "float16"):
        cases.error(f"accumulate_{name}_is_unknown", "argument", "A4", [ROWS, IDS, OFFSETS], {"accumulate": name})
    for reduction in ("mean", "max"):
        cases.error(f"{reduction}_with_weights", "argument", "A5", [ROWS, IDS, OFFSETS, weights], {"reduction": reduction})
    cases.error("only_a_table", "argument", "CALL-I1", [ROWS])
    cases.error("ids_are_left_out", "argument", "CALL-I1", [ROWS, None, OFFSETS])
    cases.error("too_many_inputs", "argument", "CALL-I1", [ROWS, IDS, OFFSETS, weights, IDS])
    cases.error("zero_is_no_policy", "argument", "CALL-O1", [ROWS, IDS, OFFSETS], options={"out_of_range": "zero"})


def shapes():
    weights = f32([5], 1.0, 2.0, 0.5, -1.0, 0.0)
    cases.error("table_of_rank_0", "shape", "C1", [f32([], 1.0), IDS, OFFSETS])
    cases.error("rank_32_of_a_matrix", "shape", "C1", [count("int32", [3] + [1] * 31), i64([2, 1], 2, 1)])
    cases.error("ids_of_rank_0", "shape", "C2", [ROWS, i64([], 1), OFFSETS])
    cases.error("ids_of_rank_3", "shape", "C2", [ROWS, i64([1, 1, 1], 1)])
    cases.error("ids_of_rank_1_without_offsets", "shape", "C2", [ROWS, IDS])
    cases.error("a_matrix_with_offsets", "shape", "C2", [ROWS, MATRIX, bags(2, 4)])
    cases.error("offsets_of_rank_0", "shape", "C2", [ROWS, IDS, i64([], 0)])
    cases.error("offsets_of_rank_2", "shape", "C2", [ROWS, IDS, i64([1, 2], 0, 2)])
    for name, shape in (("rank_0", []), ("another_extent", [4]), ("another_rank", [1, 5])):
        data = weights["data"][:{"rank_0": 1, "another_extent": 4}.get(name, 5)]
        cases.error(f"weights_of_{name}", "shape", "C4", [ROWS, IDS, OFFSETS, f32(shape, *data)])
    cases.error("weights_of_a_matrix_in_a_row", "shape", "C4", [ROWS, MATRIX, None, f32([6], *[1.0] * 6)])


def order():
    """Calls that break two rules: the first one in the page's order is named."""
    wrong = {**f32([5], *[1.0] * 5), "dtype": "float64"}
    cases.error("order_policy_before_weights", "argument", "CALL-O1", [ROWS, IDS, OFFSETS, wrong], options={"out_of_range": "zero"})
    cases.error("order_weights_before_reduction", "type", "T3", [ROWS, IDS, OFFSETS, wrong], {"reduction": "min"})
    cases.error("order_reduction_before_accumulate", "argument", "A3", [ROWS, IDS, OFFSETS], {"reduction": "min", "accumulate": "int"})
    cases.error("order_accumulate_before_weights", "argument", "A4", [ROWS, IDS, OFFSETS, f32([5], *[1.0] * 5)],
                {"reduction": "max", "accumulate": "int"})
    cases.error("order_weights_before_table", "argument", "A5", [f32([], 1.0), IDS, OFFSETS, f32([5], *[1.0] * 5)], {"reduction": "max"})
    cases.error("order_table_before_ids", "shape", "C1", [f32([], 1.0), i64([], 1), OFFSETS])
    cases.error("order_ids_before_end", "shape", "C2", [ROWS, IDS], LAST)
    cases.error("order_end_before_shape_of_weights", "shape", "C3", [ROWS, IDS, i64([0]), f32([], 1.0)], LAST)
    cases.error("order_shape_of_weights_before_offsets", "shape", "C4", [ROWS, IDS, i64([1], 9), f32([], 1.0)])
    huge = f32([0, 2**60])
    cases.error("result_too_large", "shape", "CALL-I2", [huge, i64([0]), bags(0, 0)])
    cases.error("result_too_large_by_an_end", "shape", "CALL-I2", [huge, i64([0]), bags(0, 0, 0)], LAST)
    cases.error("order_size_before_offsets", "shape", "CALL-I2", [huge, i64([0]), i64([2], 5, 5)])


def folds():
    ids, offsets_ = i64([9], 0, 1, 4, 2, 2, 5, 3, 5, 1), bags(3, 3, 3)
    for reduction in REDUCTIONS:
        for dtype in types.R19:
            inputs = [row(dtype, reductions.UPDATES[dtype]), ids, offsets_]
            if reductions.has(dtype, reduction):
                cases.ok(f"{reduction}_{dtype}", inputs, {"reduction": reduction})
            else:
                cases.error(f"{reduction}_{dtype}", "type", "A3", inputs, {"reduction": reduction})
    for dtype in types.R19:
        values = reductions.UPDATES[dtype]
        cases.ok(f"weighted_{dtype}", [row(dtype, values), ids, offsets_, row(dtype, [values[i] for i in (1, 5, 0, 4, 3, 3, 2, 0, 1)])])
    for name, dtype, start, updates, reduction, note in reductions.folds(["sum", "max"]):
        values = [start, *updates]
        cases.ok(name, [row(dtype, values), i64([1, len(values)], *range(len(values)))], {"reduction": reduction}, note=note)
    cases.ok("max_of_minus_infinity", [row("float32", ["-inf"]), i64([1, 1], 0)], {"reduction": "max"}, out=["-inf"],
             note="it is no empty bag")
    cases.ok("max_of_nan", [row("float32", ["nan", 1.0]), i64([1, 2], 1, 0)], {"reduction": "max"}, out=["nan"])
    cases.ok("negative_zero_alone", [f32([1], -0.0), i64([1, 1], 0)], out=[0.0], note="0 + -0 is +0")
    cases.ok("mean_int32_goes_down", [row("int32", [-2, -1]), i64([1, 2], 0, 1)], {"reduction": "mean"}, out=[-2])


def in_float32():
    """Sums of 16- and 8-bit floats that are rounded once."""
    ids, offsets_ = i64([9], 0, 1, 4, 2, 2, 5, 3, 5, 1), bags(3, 3, 3)
    for dtype in [*SHORT, "float32"]:
        values = reductions.UPDATES[dtype]
        plain = PLAIN.get(dtype) or [1.0, 2.0, -1.5]
        for reduction in REDUCTIONS:
            cases.ok(f"in_float32_{reduction}_{dtype}", [row(dtype, values), ids, offsets_], {**FLOAT32, "reduction": reduction})
        cases.ok(f"in_float32_plain_{dtype}", [cycle(dtype, [6, 2], plain), ids, offsets_], FLOAT32)
        cases.ok(f"in_float32_weighted_{dtype}", [cycle(dtype, [6], plain), ids, offsets_, cycle(dtype, [9], plain)], FLOAT32)
        cases.ok(f"in_float32_weighted_by_float32_{dtype}",
                 [cycle(dtype, [6], plain), ids, offsets_, cycle("float32", [9], [0.5, 3.0, -0.125])], FLOAT32)
        cases.ok(f"in_float32_of_a_matrix_{dtype}", [cycle(dtype, [6, 3], plain), i64([2, 2], 0, 1, 2, -1)], {**FLOAT32, "reduction": "mean"})
    cases.ok("in_float32_of_many_small_numbers", [row("float16", [2048.0, 1.0]), i64([1, 5], 0, 1, 1, 1, 1)], FLOAT32, out=[2052.0],
             note="in float16 each 1 is lost")
    cases.ok("in_float16_of_many_small_numbers", [row("float16", [2048.0, 1.0]), i64([1, 5], 0, 1, 1, 1, 1)], out=[2048.0])
    cases.ok("in_float32_does_not_overflow_on_the_way", [row("float16", [65504.0, -65504.0]), i64([1, 3], 0, 0, 1)], FLOAT32, out=[65504.0])
    cases.ok("in_float32_overflows_at_the_end", [row("float16", [65504.0]), i64([1, 2], 0, 0)], FLOAT32, out=["inf"])
    cases.ok("in_float32_mean_does_not_overflow", [row("float16", [65504.0]), i64([1, 2], 0, 0)], {**FLOAT32, "reduction": "mean"}, out=[65504.0])
    cases.ok("in_float32_product_is_rounded", [row("float16", [1.0009765625]), i64([1, 1], 0), None, f32([1, 1], 1.0 + 2.0**-23)], FLOAT32)
    for dtype in ("float64", "int8", "bool", "complex64"):
        cases.error(f"in_float32_{dtype}", "type", "A4", [row(dtype, types.SAMPLES[dtype][:1]), i64([1, 1], 0)], FLOAT32)


for _part in (good, ends, empty, policies, offsets, rules, shapes, order, folds, in_float32):
    _part()
