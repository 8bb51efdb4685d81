"""Cases of ai.onnx.ml ArrayFeatureExtractor-1."""

from . import types
from .records import Cases, count, f32, fault, i64
from .semantics import tensor

cases = Cases("ArrayFeatureExtractor", [1])
TABLE = count("float32", [3, 4])


def good():
    cases.ok("columns", [TABLE, i64([1, 2], 0, 2)], out=[0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    cases.ok("a_vector_gives_a_row", [count("int64", [4]), i64([3], 3, 0, 3)], out=[3, 0, 3],
             note="X of rank 1 gives [1, N]")
    cases.ok("repeated_columns", [TABLE, i64([5], 1, 1, 3, 0, 1)])
    cases.ok("x_of_rank_3", [count("int32", [2, 2, 3]), i64([2], 2, 0)])
    cases.ok("y_of_rank_0", [TABLE, i64([], 3)], out=[3.0, 7.0, 11.0])
    cases.ok("y_of_rank_2", [TABLE, i64([2, 2], 3, 2, 1, 0)])
    for dtype in types.T5:
        cases.ok(f"{dtype}", [tensor(dtype, [2, 3], types.SAMPLES[dtype]), i64([2], 2, 1)])
    cases.ok("no_indices", [TABLE, i64([0])], out=[])
    cases.ok("no_rows", [f32([0, 4]), i64([2], 1, 3)], out=[])
    cases.ok("no_indices_on_an_empty_axis", [f32([2, 0]), i64([0])], out=[])


def policies():
    inputs = [TABLE, i64([6], 4, 3, -1, 100, -100, 0)]
    for policy in ("zero", "clamp", "modulo"):
        cases.ok(f"out_of_range_{policy}", inputs, options={"out_of_range": policy})
    cases.error("out_of_range_error", "index", "C2", inputs, options={"out_of_range": "error"},
                bad=fault("Y", [0], 4, 1, 4, 4))
    cases.ok("out_of_range_zero_string", [tensor("string", [2], ["a", "b"]), i64([3], 2, 1, -1)],
             options={"out_of_range": "zero"}, out=["", "b", ""])
    cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", inputs, options={"out_of_range": "skip"})


def rules():
    cases.error("negative_index", "index", "C2", [TABLE, i64([2], 1, -1)], bad=fault("Y", [1], -1, 1, 4),
                note="negative indices do not count from the end")
    cases.error("index_too_large", "index", "C2", [TABLE, i64([1, 2], 4, 1)], bad=fault("Y", [0, 0], 4, 1, 4))
    cases.error("empty_axis", "index", "C2", [f32([2, 0]), i64([1], 0)], bad=fault("Y", [0], 0, 1, 0))
    for policy in ("clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_axis", "index", "C2", [f32([2, 0]), i64([1], 0)],
                    options={"out_of_range": policy}, bad=fault("Y", [0], 0, 1, 0))
    cases.error("x_of_rank_0", "shape", "C1", [f32([], 1.0), i64([1], 0)])
    cases.error("unknown_attribute", "argument", "A2", [TABLE, i64([1], 0)], {"axis": 1})
    for dtype in ("float16", "uint8", "bool"):
        cases.error(f"type_{dtype}", "type", "T1", [tensor(dtype, [6], types.SAMPLES[dtype]), i64([1], 0)])
    cases.error("indices_of_type_int32", "type", "T2", [TABLE, tensor("int32", [1], [0])])


for _part in (good, policies, rules):
    _part()
