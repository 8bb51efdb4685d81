"""Cases of GatherElements-6."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64
from .records import Cases

cases = Cases("GatherElements", [6])
SQUARE = count("float32", [3, 3], 1)
AXIS_1 = {"axis": 1}


def good():
    cases.ok("axis_0", [SQUARE, i32([2, 3], 1, 2, 0, 2, 0, 0)], {"axis": 0}, out=[4.0, 8.0, 3.0, 7.0, 2.0, 3.0])
    cases.ok("negative_indices", [SQUARE, i32([2, 3], -1, -2, 0, -2, 0, 0)], {"axis": 0},
             out=[7.0, 5.0, 3.0, 4.0, 2.0, 3.0])
    data = count("int32", [3, 2, 4])
    for axis in range(-3, 3):
        shape = [3, 2, 4]
        shape[axis] = 2
        size = shape[0] * shape[1] * shape[2]
        cases.ok(f"axis_{axis}_of_3", [data, i64(shape, *[i % 2 for i in range(size)])], {"axis": axis})
    cases.ok("longer_than_data_along_the_axis", [count("int64", [2, 2]), i64([5, 2], 0, 1, 1, 0, -1, -2, 0, 0, 1, 1)],
             {"axis": 0})
    cases.ok("a_vector", [count("uint16", [4]), i32([6], 3, -4, 0, 1, 2, -1)], {"axis": 0})
    cases.ok("rank_32", [count("int32", [1] * 31 + [3]), i64([1] * 31 + [2], 2, -3)], {"axis": -1})
    cases.ok("no_indices", [SQUARE, i64([0, 3])], {"axis": 0}, out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 3]), i64([0, 3])], {"axis": 0}, out=[])
    cases.ok("nothing_off_the_axis", [f32([0, 3]), i64([0, 5])], AXIS_1, out=[])


def policies():
    inputs = [count("int32", [2, 3], 1), i64([2, 4], 3, 2, -4, -1, 0, 100, -100, -3)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, AXIS_1, options={"out_of_range": policy})
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C3", [f32([0, 1]), i64([1, 1], 0)], {"axis": 0},
                    options={"out_of_range": policy}, bad=fault("indices", [0, 0], 0, 0, 0))
    cases.ok("zero_on_an_empty_axis", [f32([0, 1]), i64([1, 1], 0)], {"axis": 0}, options={"out_of_range": "zero"},
             out=[0.0])
    for options in (None, {"out_of_range": "error"}, {"strict": True}):
        name = "_".join(options) if options else "default"
        cases.error(f"bad_indices_{name}", "index", "C3", inputs, AXIS_1, options=options,
                    bad=fault("indices", [0, 0], 3, 1, 3, 4))
    cases.ok("strict_negative_indices", [SQUARE, i64([1, 3], -1, -2, 0)], {"axis": 0}, options={"strict": True})
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, AXIS_1,
                options={"out_of_range": "skip"})


def rules():
    index = i64([1, 3], 0, 0, 0)
    cases.error("axis_is_missing", "argument", "A2", [SQUARE, index])
    cases.error("unknown_attribute", "argument", "A2", [SQUARE, index], {"axis": 0, "batch_dims": 0})
    cases.error("axis_too_large", "argument", "A1", [SQUARE, index], {"axis": 2})
    cases.error("axis_too_small", "argument", "A1", [SQUARE, index], {"axis": -3})
    cases.error("ranks_differ", "shape", "C1", [SQUARE, i64([3], 0, 0, 0)], {"axis": 0})
    cases.error("rank_0", "shape", "C1", [f32([], 1.0), i64([], 0)], {"axis": 0})
    cases.error("narrower_off_the_axis", "shape", "C2", [SQUARE, i64([1, 2], 0, 0)], {"axis": 0},
                note="ONNX allows it")
    cases.error("wider_off_the_axis", "shape", "C2", [SQUARE, i64([1, 4], 0, 0, 0, 0)], {"axis": 0})
    cases.error("index_too_small", "index", "C3", [SQUARE, i32([2, 3], 0, 0, 0, -4, 0, 5)], {"axis": 0},
                bad=fault("indices", [1, 0], -4, 0, 3, 2))
    cases.error("an_axis_input", "argument", "CALL-I1", [SQUARE, index, i64([], 0)], {"axis": 0})


for _part in (good, policies, rules):
    _part()
payloads.add_cases(cases, {6: types.T23}, lambda make: [make([2, 3]), i64([2, 4], 2, -3, 1, 0, 0, -1, -2, 2)],
                   lambda make: [make([3, 3]), i32([3, 5], 2, 1, 0, 0, 2, 1, 1, 1, 0, 2, -1, -2, -3, 0, 1)], AXIS_1)
index_types.add_cases(cases, types.I2, lambda make: [SQUARE, make([1, 3], [2, -3, 1])], {"axis": 0})
