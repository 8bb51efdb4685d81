"""Cases of SegmentMax-16: data, segment_ids, and num_segments, which may be absent."""

from .. import index_types, types
from ..records import count, f32, fault, i32, i64
from ..semantics import tensor
from . import reductions
from .records import Cases

ROWS = count("float32", [4, 2], 1)
IDS = i64([4], 0, 0, 2, 2)
FOUR = i64([], 4)
ZERO, LOWEST = {"fill_mode": "ZERO"}, {"fill_mode": "LOWEST"}
REFUSED = ["string", "uint1", "uint2", "nf4", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn", "complex64"]


def row(dtype, values):
    return tensor(dtype, [len(values)], values)


class SegmentMaxCases(Cases):
    """Gives each call a fill mode, which is required: ZERO unless the record says otherwise. None: it is missing."""

    def _start(self, name, versions, attrs, inputs, note):
        attrs = {**ZERO, **attrs}
        return super()._start(name, versions, {key: value for key, value in attrs.items() if value is not None}, inputs, note)

    def compute(self, inputs, attrs, policy, version):
        return super().compute(inputs, {**ZERO, **attrs}, policy, version)


cases = SegmentMaxCases("SegmentMax", [16])


def examples():
    data, ids = f32([5], 1.0, -2.0, 3.0, -4.0, -5.0), i32([5], 0, 0, 2, 3, 3)
    cases.ok("specification_example_1", [data, ids, i64([], 2)], out=[1.0, 0.0], note="ids of no segment are left out")
    cases.ok("specification_example_2", [data, ids, i64([], 8)], out=[1.0, 0.0, 3.0, -4.0, 0.0, 0.0, 0.0, 0.0])
    cases.ok("specification_example_3", [count("int32", [3, 4]), i64([3], 0, 1, 1), i64([], 2)], LOWEST,
             out=[0, 1, 2, 3, 8, 9, 10, 11])
    for mode in ("ZERO", "LOWEST"):
        attrs, name = {"fill_mode": mode}, mode.lower()
        cases.ok(f"{name}_of_rows", [ROWS, IDS, FOUR], attrs)
        cases.ok(f"{name}_of_no_rows", [f32([0, 2]), i64([0]), i64([], 2)], attrs)
        cases.ok(f"{name}_into_no_segments", [ROWS, IDS, i64([], 0)], attrs, out=[])
        cases.ok(f"{name}_of_rows_of_nothing", [f32([2, 0]), i64([2], 0, 1), i64([], 3)], attrs, out=[])
        cases.ok(f"{name}_all_rows_left_out", [ROWS, i64([4], 5, 5, 6, 7), i64([], 2)], attrs)
        for dtype in types.T17:
            cases.ok(f"{name}_{dtype}", [row(dtype, reductions.UPDATES[dtype]), i64([6], 0, 0, 1, 1, 3, 3), FOUR], attrs)
    for dtype in ("bfloat16", "uint16"):
        cases.ok(f"into_no_segments_{dtype}", [row(dtype, types.SAMPLES[dtype][:2]), i64([2], 0, 1), i64([], 0)], out=[])
    cases.ok("rank_32", [count("int32", [3] + [1] * 31), i64([3], 0, 1, 1), i64([], 3)], LOWEST)
    for mode in ("zero", "lowest", "Zero", "Lowest"):
        cases.ok(f"mode_{mode}", [ROWS, IDS, FOUR], {"fill_mode": mode}, note="OpenVINO's files have small letters")
    cases.ok("one_segment", [count("int64", [4], -9), i64([4], 0, 0, 0, 0), i64([], 1)], out=[-6],
             note="zero is for segments without rows")
    for dtype in types.I2:
        cases.ok(f"num_segments_of_type_{dtype}", [ROWS, IDS, tensor(dtype, [], [3])])


def left_out():
    """num_segments is the last id plus 1."""
    for mode in ("ZERO", "LOWEST"):
        attrs, name = {"fill_mode": mode}, f"{mode.lower()}_without_num_segments"
        cases.ok(name, [ROWS, IDS], attrs)
        cases.ok(f"{name}_of_no_rows", [f32([0, 2]), i64([0])], attrs, out=[])
        cases.ok(f"{name}_of_rows_of_nothing", [f32([2, 0]), i64([2], 0, 3)], attrs, out=[])
    cases.ok("num_segments_is_null", [ROWS, i32([4], 0, 1, 1, 4), None], LOWEST)
    cases.ok("last_id_decides_the_segments", [count("int64", [2], 7), i64([2], 3, 3)], out=[0, 0, 0, 8])
    cases.ok("last_id_decides_the_segments_error", [count("int16", [3], -9), i64([3], 0, 2, 2)], out=[-9, 0, -7],
             options={"out_of_range": "error"})
    cases.error("ids_fall_without_num_segments", "argument", "C4", [count("int32", [3]), i64([3], 0, 5, 2)])
    cases.error("ids_fall_to_a_negative_one", "argument", "C4", [count("int32", [2]), i64([2], 0, -1)])
    cases.error("id_is_negative_without_num_segments", "index", "C5", [count("int32", [2]), i64([2], -1, 0)],
                bad=fault("segment_ids", [0], -1, 0, 1))
    cases.error("all_ids_are_negative_without_num_segments", "index", "C5", [count("int32", [2]), i64([2], -2**63, -1)],
                bad=fault("segment_ids", [0], -2**63, 0, 0, 2))
    cases.error("last_id_makes_the_result_too_large", "shape", "CALL-I2", [f32([1], 1.0), i64([1], 2**62)])


def extremes():
    one = i64([], 1)
    cases.ok("minus_infinity_is_a_maximum", [row("float32", ["-inf"]), i64([1], 0), one], LOWEST, out=["-inf"],
             note="the lowest number is for segments without rows")
    cases.ok("minus_infinity_is_a_maximum_zero", [row("float64", ["-inf", "-inf"]), i64([2], 0, 0), one], out=["-inf"])
    cases.ok("minus_infinity_float8_e5m2", [row("float8_e5m2", ["0xfc"]), i64([1], 1), i64([], 3)], LOWEST,
             out=["0xfb", "0xfc", "0xfb"])
    cases.ok("nan_is_kept", [row("float32", ["nan", 1.0]), i64([2], 0, 0), one], out=["nan"])
    cases.ok("nan_is_taken", [row("float32", [1.0, "nan"]), i64([2], 0, 0), one], out=["nan"])
    for name, dtype, start, updates, result, reduction in reductions.BITS:
        if reduction == "max":
            values = [start, *updates]
            cases.given(f"{name}_of_rows", [row(dtype, values), i64([len(values)], *[0] * len(values)), one],
                        tensor(dtype, [1], [result]))


def policies():
    data = count("int32", [5], 1)
    outside = i64([5], 0, 1, 2, 100, 2**40)
    two = i64([], 2)
    cases.ok("ids_beyond_are_left_out", [data, outside, two], out=[1, 2])
    cases.ok("ids_beyond_skip", [data, outside, two], options={"out_of_range": "skip"}, out=[1, 2])
    cases.error("ids_beyond_error", "index", "C5", [data, outside, two], options={"out_of_range": "error"},
                bad=fault("segment_ids", [2], 2, 0, 2, 3))
    for name, value in (("minus_one", -1), ("lowest", -2**63)):
        ids = i64([2], value, 0)
        for policy in (None, "skip", "error"):
            cases.error(f"id_{name}_{policy or 'by_default'}", "index", "C5", [count("int32", [2]), ids, two],
                        options={"out_of_range": policy} if policy else None, bad=fault("segment_ids", [0], value, 0, 2))
    cases.error("negative_id_of_a_row_of_nothing", "index", "C5", [f32([1, 0]), i64([1], -5), two],
                bad=fault("segment_ids", [0], -5, 0, 2))
    cases.error("no_segments_error", "index", "C5", [f32([1], 1.0), i64([1], 0), i64([], 0)],
                options={"out_of_range": "error"}, bad=fault("segment_ids", [0], 0, 0, 0))
    for policy in ("clamp", "modulo", "zero"):
        cases.error(f"{policy}_is_no_policy_of_segments", "argument", "CALL-O1", [data, outside, two],
                    options={"out_of_range": policy})


def order():
    three = i64([], 3)
    cases.error("ids_fall", "argument", "C4", [count("int32", [4]), i64([4], 0, 2, 1, 2), three])
    cases.error("ids_fall_among_those_left_out", "argument", "C4", [count("int32", [3]), i64([3], 0, 9, 8), three])
    cases.error("ids_fall_without_elements", "argument", "C4", [f32([2, 0]), i64([2], 1, 0), three])
    cases.error("order_comes_before_the_range", "argument", "C4", [count("int32", [3]), i64([3], -5, 1, 0), three])


def rules():
    cases.error("fill_mode_is_missing", "argument", "A2", [ROWS, IDS, FOUR], {"fill_mode": None})
    cases.error("unknown_attribute", "argument", "A2", [ROWS, IDS, FOUR], {"axis": 0})
    cases.error("fill_mode_is_a_number", "argument", "A2", [ROWS, IDS, FOUR], {"fill_mode": 0})
    for mode in ("zeros", "MIN", "", "MAX"):
        cases.error(f"fill_mode_{mode or 'empty'}_is_unknown", "argument", "A3", [ROWS, IDS, FOUR], {"fill_mode": mode})
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0), FOUR])
    cases.error("ids_of_rank_0", "shape", "C2", [f32([1], 1.0), i64([], 0), FOUR])
    cases.error("ids_of_rank_2", "shape", "C2", [ROWS, i64([4, 1], 0, 0, 2, 2), FOUR])
    cases.error("fewer_ids_than_rows", "shape", "C2", [ROWS, i64([3], 0, 0, 2), FOUR])
    cases.error("num_segments_is_negative", "shape", "C3", [ROWS, IDS, i64([], -1)])
    for name, shape in (("one", [1]), ("two", [2]), ("none", [0]), ("matrix", [1, 1])):
        cases.error(f"num_segments_of_{name}", "shape", "C3", [ROWS, IDS, count("int64", shape, 4)])
    cases.error("segment_ids_are_missing", "argument", "CALL-I1", [ROWS])
    cases.error("policy_before_the_mode", "argument", "CALL-O1", [ROWS, IDS, FOUR], {"fill_mode": "zero"},
                options={"out_of_range": "clamp"})
    for dtype in REFUSED:
        cases.error(f"type_{dtype}", "type", "T1", [row(dtype, types.SAMPLES[dtype][:2]), i64([2], 0, 1), FOUR])
    for dtype in ("uint8", "int16", "uint64", "float32", "bool"):
        one = {"float32": 1.0, "bool": True}.get(dtype, 1)
        cases.error(f"num_segments_of_type_{dtype}", "type", "T4", [ROWS, IDS, tensor(dtype, [], [one])])


def duplicates():
    cases.error("duplicates_refused", "duplicate", "D1", [ROWS, IDS, FOUR], options={"duplicates": "error"})
    cases.ok("duplicates_refused_only_what_is_double", [count("int32", [2], 5), i64([2], 1, 3), FOUR],
             options={"duplicates": "error"}, out=[0, 5, 0, 6])
    cases.ok("strict_changes_nothing", [ROWS, IDS, FOUR], options={"strict": True})


for _part in (examples, left_out, extremes, policies, order, rules, duplicates):
    _part()
index_types.add_cases(cases, types.I2, lambda make: [count("int32", [3]), make([3], [1, 2, 3]), FOUR])
