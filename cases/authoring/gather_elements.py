"""Cases of GatherElements-11 and -13."""

from . import types
from .records import Cases, count, f32, fault, i32, i64
from .semantics import tensor

cases = Cases("GatherElements", [11, 13])
SQUARE = count("float32", [3, 3], 1)


def examples():
    cases.ok("example_axis_1", [f32([2, 2], 1.0, 2.0, 3.0, 4.0), i64([2, 2], 0, 0, 1, 0)], {"axis": 1},
             out=[1.0, 1.0, 4.0, 3.0], note="the operator page's example 1")
    cases.ok("example_axis_0", [SQUARE, i64([2, 3], 1, 2, 0, 2, 0, 0)], {"axis": 0},
             out=[4.0, 8.0, 3.0, 7.0, 2.0, 3.0], note="the operator page's example 2")
    cases.ok("negative_indices", [SQUARE, i64([2, 3], -1, -2, 0, -2, 0, 0)], {"axis": 0},
             out=[7.0, 5.0, 3.0, 4.0, 2.0, 3.0])


def every_type():
    for dtype in types.T16:
        for index_type in ("int32", "int64"):
            cases.ok(f"{dtype}_{index_type}",
                     [tensor(dtype, [2, 3], types.SAMPLES[dtype]),
                      tensor(index_type, [2, 4], [2, -3, 1, 0, 0, -1, -2, 2])],
                     {"axis": 1}, versions=cases.since(13 if dtype == "bfloat16" else 11))


def shapes():
    data = count("int32", [3, 2, 4])
    indices = i64([1, 2, 3], 0, 1, 1, 0, 0, 1)
    for axis in range(-3, 3):
        cases.ok(f"axis_{axis}", [data, indices], {"axis": axis})
    cases.ok("default_axis", [data, indices])
    cases.ok("longer_than_data_along_the_axis", [count("int64", [2, 2]), i64([5, 2], 0, 1, 1, 0, -1, -2, 0, 0, 1, 1)])
    cases.ok("shorter_than_data_off_the_axis", [count("int64", [2, 4]), i64([3, 2], 0, 1, 1, 0, 1, 1)])
    cases.ok("a_vector", [count("uint16", [4]), i32([6], 3, -4, 0, 1, 2, -1)])
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3)], {"axis": -1})


def empty():
    cases.ok("no_indices", [SQUARE, i64([0, 3])], out=[])
    cases.ok("no_indices_of_empty_data", [f32([0, 3]), i64([0, 3])], out=[])
    cases.ok("nothing_off_the_axis", [count("float32", [3, 4]), i64([5, 0])],
             out=[])
    cases.error("empty_axis", "index", "C3", [f32([0, 2]), i64([1, 2], 0, 0)],
                bad=fault("indices", [0, 0], 0, 0, 0, 2))


def policies():
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -1, 0, 100, -100, -3)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, {"axis": 1}, options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C3", inputs, {"axis": 1}, options={"out_of_range": "error"},
                bad=fault("indices", [0, 0], 3, 1, 3, 4))
    cases.ok("out_of_range_zero_string", [tensor("string", [2], ["a", "b"]), i64([3], 2, 1, -3)],
             options={"out_of_range": "zero"}, out=["", "b", ""])
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, {"axis": 1},
                options={"out_of_range": "skip"})


def rules():
    index = i64([1, 1], 0)
    cases.error("index_too_large", "index", "C3", [SQUARE, i64([1, 2], 3, -4)],
                bad=fault("indices", [0, 0], 3, 0, 3, 2))
    cases.error("index_too_small", "index", "C3", [SQUARE, i32([2, 2], 0, 0, 0, -4)], {"axis": -1},
                bad=fault("indices", [1, 1], -4, 1, 3))
    cases.error("axis_too_large", "argument", "A1", [SQUARE, index], {"axis": 2})
    cases.error("axis_too_small", "argument", "A1", [SQUARE, index], {"axis": -3})
    cases.error("unknown_attribute", "argument", "A2", [SQUARE, index], {"reduction": "none"})
    cases.error("ranks_differ", "shape", "C1", [SQUARE, i64([1], 0)])
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0)])
    cases.error("more_indices_than_data_off_the_axis", "shape", "C2", [SQUARE, i64([1, 4], 0, 0, 0, 0)])
    cases.error("bfloat16_before_13", "type", "T1", [tensor("bfloat16", [1], [1.0]), i64([1], 0)], versions=[11])
    for dtype in ("uint4", "uint2"):
        cases.error(f"type_{dtype}", "type", "T1", [tensor(dtype, [2], [1, 2]), i64([1], 0)])
    for dtype in ("uint32", "int8", "float64"):
        cases.error(f"indices_of_type_{dtype}", "type", "T2", [SQUARE, count(dtype, [1, 1])])
    cases.ok("strict_has_nothing_to_refuse", [SQUARE, i64([1, 2], -1, 2)], options={"strict": True})


for _part in (examples, every_type, shapes, empty, policies, rules):
    _part()
