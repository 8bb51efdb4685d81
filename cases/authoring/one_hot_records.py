"""Records that OneHot has in every dialect. `inputs(indices, depth, values)` puts a call's inputs in its order."""

from . import payloads, types
from .operators import REQUIRED
from .records import count, f32, fault, i64
from .semantics import tensor

OFF_ON = f32([2], 0.0, 1.0)
FOUR = i64([], 4)
BITS = {**payloads.BITS, "complex64": [["0x7fc00001", "0xff800001"], ["0x80000000", "0x7f800001"]]}


def add_values(cases, dtypes, inputs, refused):
    """`dtypes`: of values, for each version; `refused` some that no version takes."""
    indices, depth = i64([3], 1, 0, 7), i64([], 2)
    for dtype in sorted({dtype for group in dtypes.values() for dtype in group}):
        versions = [version for version in cases.versions if dtype in dtypes[version]]
        pairs = {name: types.SAMPLES[dtype][turn:turn + 2]
                 for turn, name in ((0, "values"), (2, "other_values"), (4, "last_values"))}
        if pairs["last_values"] == pairs["values"]:
            pairs["last_values"] = types.SAMPLES[dtype][3:5]
        pairs["wide_values"] = payloads.WIDE.get(dtype, [])[:2]
        pairs["bits_of_values"] = BITS.get(dtype, [])[:2]
        for name, pair in pairs.items():
            if pair:
                cases.ok(f"{name}_{dtype}", inputs(indices, depth, tensor(dtype, [2], pair)), versions=versions,
                         note="values keep their bits" if name.startswith("bits") else None)
    for dtype in refused:
        cases.error(f"type_{dtype}", "type", "T1",
                    inputs(indices, depth, tensor(dtype, [2], types.SAMPLES[dtype][:2])))
    cases.ok("off_above_on", inputs(indices, depth, f32([2], 5.0, -2.0)), out=[5.0, -2.0, -2.0, 5.0, 5.0, 5.0])
    cases.ok("off_equal_to_on", inputs(indices, depth, f32([2], 7.0, 7.0)), out=[7.0] * 6)


def _axes(cases, inputs):
    for shape in ([], [3], [2, 3], [2, 1, 3]):
        name = "x".join(map(str, shape)) or "scalar"
        indices = count("int64", shape)
        rank = len(shape)
        if (cases.dialect, cases.op) not in REQUIRED:
            cases.ok(f"indices_{name}", inputs(indices, FOUR), note="the new axis is the last one")
        for axis in range(-rank - 1, rank + 1):
            cases.ok(f"indices_{name}_axis_{axis}".replace("-", "minus_"), inputs(indices, FOUR), {"axis": axis})
        for axis in (-rank - 2, rank + 1):
            cases.error(f"indices_{name}_no_axis_{axis}".replace("-", "minus_"), "argument", "A1",
                        inputs(indices, FOUR), {"axis": axis})
    for axis in (2**63 - 1, -2**63):
        cases.error(f"axis_{axis}".replace("-", "minus_"), "argument", "A1", inputs(i64([2], 0, 1), FOUR),
                    {"axis": axis})


def add_shapes(cases, inputs):
    _axes(cases, inputs)
    cases.ok("repeated_indices", inputs(i64([5], 1, 1, 3, 0, 1), FOUR))
    cases.ok("duplicates_refused", inputs(i64([2], 1, 1), FOUR), options={"duplicates": "error"},
             note="no index writes a cell of another one")
    cases.ok("depth_1", inputs(i64([3], 0, 1, 0), i64([], 1)), out=[1.0, 0.0, 1.0])
    cases.ok("depth_0", inputs(i64([2], 0, 5), i64([], 0)), out=[])
    cases.ok("depth_0_axis_0", inputs(i64([], 0), i64([], 0)), {"axis": 0}, out=[])
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"depth_0_{policy}", "index", "C4", inputs(i64([2], 0, 5), i64([], 0)),
                    options={"out_of_range": policy}, bad=fault("indices", [0], 0, 1, 0, 2),
                    note="there is no coordinate to choose")
        cases.ok(f"depth_0_without_indices_{policy}", inputs(i64([0]), i64([], 0)), options={"out_of_range": policy},
                 out=[])
    cases.ok("no_indices", inputs(i64([0]), FOUR), out=[])
    cases.ok("no_indices_of_rank_3", inputs(i64([2, 0, 3]), FOUR), {"axis": 1}, out=[])
    cases.given("no_indices_and_a_large_depth", inputs(i64([0]), i64([], 2**40)),
                tensor("float32", [0, 2**40], []), note="no elements, whatever the other extents are")
    cases.ok("more_than_a_vector_of_depth", inputs(i64([3], 66, 0, 31), i64([], 67)))
    cases.ok("more_than_a_vector_of_indices", inputs(count("int64", [70]), i64([], 3)), {"axis": 0})
    cases.ok("rank_32", inputs(i64([1] * 31, 0), i64([], 2)), {"axis": 7}, out=[1.0, 0.0])
    cases.error("rank_33", "shape", "C2", inputs(i64([1] * 32, 0), i64([], 2)))
    for policy in ("skip", "clamp", "modulo"):
        far = i64([5], 2**32 + 1, 2**31, 2**63 - 1, -2**63, 1)
        cases.ok(f"far_out_of_range_{policy}", inputs(far, FOUR), options={"out_of_range": policy},
                 note="indices are compared in 64 bits")


def _order(cases, inputs):
    """Calls that break two rules: the first one in the page's order is named."""
    index, texts, truths = i64([1], 0), tensor("string", [1], ["a"]), tensor("bool", [], [True])
    bad_values = tensor("float8_e4m3fnuz", [2], ["0x00", "0x01"])
    cases.error("order_setting_before_types", "argument", "A2", inputs(index, FOUR, bad_values), {"depth": 1})
    cases.error("order_values_before_indices", "type", "T1", inputs(texts, FOUR, bad_values))
    cases.error("order_indices_before_depth", "type", "T2", inputs(texts, truths))
    cases.error("order_depth_before_policy", "type", "T4", inputs(index, truths), options={"out_of_range": "zero"})
    cases.error("order_policy_before_values", "argument", "CALL-O1", inputs(index, FOUR, f32([1], 0.0)),
                options={"out_of_range": "zero"})
    cases.error("order_values_before_axis", "shape", "C1", inputs(index, FOUR, f32([1], 0.0)), {"axis": 9})
    cases.error("order_axis_before_rank", "argument", "A1", inputs(i64([1] * 32, 0), FOUR), {"axis": 33})
    cases.error("order_rank_before_depth", "shape", "C2", inputs(i64([1] * 32, 0), i64([], -1)))
    cases.error("order_axis_before_depth", "argument", "A1", inputs(index, i64([], -1)), {"axis": 2})
    cases.error("order_size_before_indices", "shape", "CALL-I2", inputs(i64([2], 0, -2**63), i64([], 2**62)),
                options={"out_of_range": "error"})


def add_rules(cases, inputs):
    index = i64([1], 0)
    scalar = [] if cases.dialect == "openvino" else [("scalar", f32([], 1.0))]
    for name, values in (("one", f32([1], 0.0)), ("three", f32([3], 0.0, 1.0, 2.0)), ("none", f32([0])),
                         ("row", f32([1, 2], 0.0, 1.0)), *scalar):
        cases.error(f"values_{name}", "shape", "C1", inputs(index, FOUR, values))
    for name in ("depth", "mode", "reduction"):
        cases.error(f"unknown_setting_{name}", "argument", "A2", inputs(index, FOUR), {name: 0})
    cases.error("axis_is_no_text", "argument", "A2", inputs(index, FOUR), {"axis": "0"})
    cases.error("zero_is_no_policy", "argument", "CALL-O1", inputs(index, FOUR), options={"out_of_range": "zero"})
    cases.error("result_too_large", "shape", "CALL-I2", inputs(i64([2], 0, 1), i64([], 2**62)))
    cases.error("result_too_large_by_the_largest_depth", "shape", "CALL-I2", inputs(index, i64([], 2**63 - 1)))
    cases.error("third_input_is_missing", "argument", "CALL-I1", inputs(index, FOUR)[:2])
    cases.error("too_many_inputs", "argument", "CALL-I1", [*inputs(index, FOUR), index])
    _order(cases, inputs)
