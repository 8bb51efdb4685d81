"""Cases of Gather-1, -11 and -13."""

from . import types
from .records import Cases, count, f32, fault, i32, i64
from .semantics import tensor

cases = Cases("Gather", [1, 11, 13])
SQUARE = f32([3, 3], 1.0, 1.2, 1.9, 2.3, 3.4, 3.9, 4.5, 5.7, 5.9)


def examples():
    cases.ok("example_axis_0", [f32([3, 2], 1.0, 1.2, 2.3, 3.4, 4.5, 5.7), i64([2, 2], 0, 1, 1, 2)],
             {"axis": 0}, out=[1.0, 1.2, 2.3, 3.4, 2.3, 3.4, 4.5, 5.7],
             note="the operator page's example 1")
    cases.ok("example_axis_1", [SQUARE, i64([1, 2], 0, 2)], {"axis": 1},
             out=[1.0, 1.9, 2.3, 3.9, 4.5, 5.9], note="the operator page's example 2")
    cases.ok("default_axis", [SQUARE, i64([2], 2, 0)], out=[4.5, 5.7, 5.9, 1.0, 1.2, 1.9])


def every_type():
    for dtype in types.T16:
        for index_type in ("int32", "int64"):
            cases.ok(f"{dtype}_{index_type}",
                     [tensor(dtype, [3, 2], types.SAMPLES[dtype]), tensor(index_type, [3], [2, -3, 1])],
                     {"axis": 0}, versions=cases.since(13 if dtype == "bfloat16" else 1))
    for dtype, bits in {"float16": ["0x7e01", "0xfd55", "0x7c01"],
                        "bfloat16": ["0x7fc1", "0xffd5", "0x7f81"],
                        "float32": ["0x7fc00001", "0xffaaaaaa", "0x7f800001"],
                        "float64": ["0x7ff8000000000001", "0xfff2aaaaaaaaaaaa", "0x7ff0000000000001"],
                        "bool": ["0x02", "0xff", "0x00"]}.items():
        cases.ok(f"copies_bits_{dtype}", [tensor(dtype, [3], bits), i64([4], 2, 1, 0, 1)],
                 versions=cases.since(13 if dtype == "bfloat16" else 1),
                 note="elements that are copied keep their bits: NaN payloads, bool bytes")


def axes_and_ranks():
    data = count("int32", [2, 3, 4])
    indices = i64([2], 1, 0)
    for axis in range(-3, 3):
        cases.ok(f"axis_{axis}", [data, indices], {"axis": axis})
    cases.ok("negative_indices", [count("uint8", [4, 2]), i32([5], -1, -4, 3, 0, -2)])
    cases.ok("scalar_index_removes_the_axis", [data, i64([], 2)], {"axis": 1})
    cases.ok("scalar_index_of_a_vector", [count("float32", [5]), i64([], -2)], out=[3.0])
    cases.ok("indices_of_rank_3", [count("int16", [3, 2]), i64([1, 2, 3], 0, 1, 2, 2, 1, 0)])
    cases.ok("a_vector_of_one", [count("int8", [1]), i32([3], 0, -1, 0)])
    cases.ok("axis_between_others_of_extent_1", [count("int32", [1, 5, 1]), i64([2], 4, 4)], {"axis": 1})
    shape = [1] * 30 + [2, 3]
    cases.ok("rank_32", [count("int32", shape), i64([2], 2, 0)], {"axis": 31})
    cases.ok("result_of_rank_32", [count("int32", [2] + [1] * 15), i64([1] * 16 + [2], 1, 0)])


def empty():
    cases.ok("no_indices", [count("float32", [2, 3, 4]), i64([2, 0])], {"axis": 1}, out=[])
    cases.ok("no_rows_elsewhere", [f32([0, 3]), i64([2], 2, -3)], {"axis": 1}, out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([0, 3]), i64([0])], out=[])
    cases.error("empty_axis", "index", "C3", [f32([0, 3]), i64([2], 0, -1)],
                bad=fault("indices", [0], 0, 0, 0, 2), note="no index is legal on an axis of extent 0")
    cases.error("bad_index_of_an_empty_result", "index", "C3", [f32([2, 0]), i64([1], 5)],
                bad=fault("indices", [0], 5, 0, 2), note="every index is checked")


def policies():
    data = count("int32", [2, 3], 1)
    indices = i64([7], 3, 2, -1, -3, -4, 9, -9)
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", [data, indices], {"axis": 1}, options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C3", [data, indices], {"axis": 1},
                options={"out_of_range": "error"}, bad=fault("indices", [0], 3, 1, 3, 4))
    far = i64([4], 2**63 - 1, -2**63, 2**32, -2**32)
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"far_out_of_range_{policy}", [data, far], {"axis": 1}, options={"out_of_range": policy})
    near = i32([2], 2**31 - 1, -2**31)
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"far_out_of_range_int32_{policy}", [data, near], options={"out_of_range": policy})
    for dtype in ("string", "bool", "complex64", "float16", "uint64"):
        cases.ok(f"out_of_range_zero_{dtype}", [tensor(dtype, [6], types.SAMPLES[dtype]), i64([3], 6, 1, -7)],
                 options={"out_of_range": "zero"})
    cases.ok("zero_on_an_empty_axis", [f32([0, 2]), i64([2], 0, -1)], options={"out_of_range": "zero"},
             out=[0.0] * 4)
    for policy in ("clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C3", [f32([0, 2]), i64([2], 7, 1)],
                    options={"out_of_range": policy}, bad=fault("indices", [0], 7, 0, 0, 2))
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", [data, indices],
                options={"out_of_range": "skip"})


def rules():
    cases.error("index_too_large", "index", "C3", [SQUARE, i64([2, 2], 0, 1, 3, 4)],
                bad=fault("indices", [1, 0], 3, 0, 3, 2))
    cases.error("index_too_small", "index", "C3", [SQUARE, i32([2], -3, -4)], {"axis": 1},
                bad=fault("indices", [1], -4, 1, 3))
    cases.error("scalar_index_out_of_range", "index", "C3", [SQUARE, i64([], 3)],
                bad=fault("indices", [], 3, 0, 3))
    cases.error("axis_too_large", "argument", "A1", [SQUARE, i64([1], 0)], {"axis": 2})
    cases.error("axis_too_small", "argument", "A1", [SQUARE, i64([1], 0)], {"axis": -3})
    cases.error("unknown_attribute", "argument", "A2", [SQUARE, i64([1], 0)], {"batch_dims": 0})
    cases.error("data_without_an_axis", "shape", "C1", [f32([], 1.0), i64([1], 0)])
    cases.error("result_of_rank_33", "shape", "C2", [f32([1] * 17, 1.0), i64([1] * 17, 0)])
    cases.error("bfloat16_before_13", "type", "T1", [tensor("bfloat16", [1], [1.0]), i64([1], 0)],
                versions=cases.since(1, 11))
    for dtype in ("float8_e4m3fn", "int4", "uint2"):
        cases.error(f"type_{dtype}", "type", "T1", [tensor(dtype, [2], types.SAMPLES[dtype][:2]), i64([1], 0)])
    for dtype in ("uint8", "int16", "uint64", "float32"):
        cases.error(f"indices_of_type_{dtype}", "type", "T2", [SQUARE, count(dtype, [1])])
    cases.error("indices_are_missing", "argument", "CALL-I1", [SQUARE])
    cases.error("too_many_inputs", "argument", "CALL-I1", [SQUARE, i64([1], 0), SQUARE])


def strict():
    inputs = [SQUARE, i64([3], 1, -1, -2)]
    cases.ok("strict_without_negative_indices", [SQUARE, i64([2], 2, 0)], options={"strict": True})
    cases.ok("strict_from_11_on", inputs, versions=cases.since(11), options={"strict": True})
    cases.error("strict_negative_index", "index", "S1", inputs, versions=[1], options={"strict": True},
                bad=fault("indices", [1], -1, 0, 3, 2),
                note="the text of Gather-1 does not speak of negative indices")
    for policy in ("zero", "clamp", "modulo"):
        cases.error(f"strict_negative_index_{policy}", "index", "S1", [SQUARE, i64([3], 7, 0, -1)],
                    versions=[1], options={"strict": True, "out_of_range": policy},
                    bad=fault("indices", [2], -1, 0, 3))


for _part in (examples, every_type, axes_and_ranks, empty, policies, rules, strict):
    _part()
