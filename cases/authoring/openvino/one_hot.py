"""Cases of OneHot-1, -16: indices, depth, on_value, off_value."""

from .. import index_types, one_hot_records, types
from ..one_hot_records import FOUR, OFF_ON
from ..records import cycle, f32, fault, i32, i64
from ..semantics import tensor
from .records import Cases

STRICT = {"strict": True}
NORMALIZE = {"negative_indices_mode": "normalize"}
IGNORE = {"negative_indices_mode": "ignore_negative"}
REFUSED = ["float8_e4m3fnuz", "float8_e5m2fnuz", "complex64"]


class OneHotCases(Cases):
    """Gives each call an axis, which is required: the last one unless the record says otherwise. None: it is missing."""

    def _start(self, name, versions, attrs, inputs, note):
        attrs = {"axis": -1, **attrs}
        return super()._start(name, versions, {key: value for key, value in attrs.items() if value is not None}, inputs, note)

    def compute(self, inputs, attrs, policy, version):
        return super().compute(inputs, {"axis": -1, **attrs}, policy, version)


cases = OneHotCases("OneHot", [1, 16])


def inputs(indices, depth=FOUR, values=OFF_ON):
    """`values`: [off, on], as the other dialects have them; of another shape they are on_value."""
    if values["shape"] != [2]:
        return [indices, depth, values, tensor(values["dtype"], [], types.SAMPLES[values["dtype"]][:1])]
    off, on = (tensor(values["dtype"], [], [value]) for value in values["data"])
    return [indices, depth, on, off]


def examples():
    """Those of OpenVINO's pages."""
    two_one = f32([2], 2.0, 1.0)
    cases.ok("example_1_of_the_text", inputs(i64([4], 0, 3, 1, 2), i64([], 3), two_one), versions=[1, 16],
             out=[1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 1.0])
    cases.ok("example_2_of_the_text", inputs(i64([2, 3], 0, 3, 1, 1, 2, 4), i64([], 3)), {"axis": 1},
             out=[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    cases.ok("example_of_normalize", inputs(i64([4], 0, -5, -2, 2), i64([], 3), two_one), NORMALIZE, versions=[16],
             out=[1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 1.0])


def depths():
    for dtype in types.I2:
        cases.ok(f"depth_{dtype}", inputs(tensor(dtype, [2], [2, 0]), tensor(dtype, [], [3])))
        for name, value in (("minus_1", -1), ("lowest", -2**31)):
            cases.error(f"depth_{dtype}_{name}", "shape", "C3", inputs(i32([1], 0), tensor(dtype, [], [value])))
        for name, shape in (("of_one", [1]), ("of_two", [2]), ("of_none", [0]), ("matrix", [1, 1])):
            cases.error(f"depth_{dtype}_{name}", "shape", "C3", inputs(i32([1], 0), cycle(dtype, shape, [3])),
                        note="rank 0 alone")
    for dtype in [*types.I10, "float32", "bool", "string"]:
        if dtype not in types.I2:
            cases.error(f"depth_of_type_{dtype}", "type", "T4",
                        inputs(i32([1], 0), tensor(dtype, [], types.SAMPLES[dtype][:1])))
    cases.ok("depth_int32_of_indices_int64", inputs(i64([2], 2, 0), i32([], 3)), note="the text has one type for both")
    cases.ok("depth_int64_of_indices_int32", inputs(i32([2], 2, 0), i64([], 3)), note="the text has one type for both")


def modes():
    for dtype in types.I2:
        far = tensor(dtype, [7], [4, -1, -4, -5, 100, 1, 3])
        four = tensor(dtype, [], [4])
        for name, mode, versions in (("by_default", {}, [1, 16]), ("ignored", IGNORE, [16]), ("counted", NORMALIZE, [16])):
            for policy in (None, "skip", "clamp", "modulo"):
                cases.ok(f"negative_indices_{name}_{dtype}_{policy or 'no_policy'}", inputs(far, four), mode,
                         versions=versions, options={"out_of_range": policy} if policy else None)
            bad = 3 if mode == NORMALIZE else 5
            cases.error(f"negative_indices_{name}_{dtype}_error", "index", "C4", inputs(far, four), {"axis": 0, **mode},
                        versions=versions, options={"out_of_range": "error"}, bad=fault("indices", [0], 4, 0, 4, bad))
        cases.ok(f"counted_from_the_end_{dtype}", inputs(tensor(dtype, [3], [-4, 3, -1]), four), NORMALIZE, versions=[16])
        cases.ok(f"ignored_{dtype}", inputs(tensor(dtype, [3], [-4, 3, -1]), four), IGNORE, versions=[16])
        cases.ok(f"counted_{dtype}_error", inputs(tensor(dtype, [3], [-4, 3, -1]), four), NORMALIZE, versions=[16],
                 options={"out_of_range": "error"})
    for name in ("ignore-negative", "NORMALIZE", "none", ""):
        cases.error(f"mode_{name or 'empty'}", "argument", "A3", inputs(i64([1], 0)), {"negative_indices_mode": name},
                    versions=[16])
    cases.error("mode_is_no_text", "argument", "A2", inputs(i64([1], 0)), {"negative_indices_mode": 1}, versions=[16])
    cases.error("mode_before_version_16", "argument", "A2", inputs(i64([1], 0)), NORMALIZE, versions=[1])
    cases.error("default_mode_before_version_16", "argument", "A2", inputs(i64([1], 0)), IGNORE, versions=[1])
    cases.error("order_mode_before_values", "argument", "A3", inputs(i64([1], 0), FOUR, f32([1], 0.0)),
                {"negative_indices_mode": "none"}, versions=[16])
    cases.ok("indices_beyond_32_bits", inputs(i64([4], 2**32 + 1, 1, -2**32 + 1, 2**63 - 1)),
             note="an engine that narrows indices to 32 bits would turn elements 1 and 3 on")
    cases.ok("indices_beyond_32_bits_counted", inputs(i64([3], -2**32 + 1, -1, -2**63)), NORMALIZE, versions=[16])


def strict():
    """What the text of OneHot-1 leaves undefined; indices of depth and more it defines."""
    for name, value in (("negative", -1), ("lowest", -2**31)):
        for policy in (None, "error", "skip", "clamp", "modulo"):
            options = {**STRICT, **({"out_of_range": policy} if policy else {})}
            cases.error(f"strict_{name}_index_{policy or 'by_default'}", "index", "S1", inputs(i32([2], 0, value)),
                        versions=[1], options=options, bad=fault("indices", [1], value, 1, 4))
    for policy in (None, "skip", "clamp", "modulo"):
        cases.ok(f"strict_large_index_{policy or 'by_default'}", inputs(i32([3], 3, 4, 100)),
                 options={**STRICT, **({"out_of_range": policy} if policy else {})})
    cases.error("strict_large_index_error", "index", "C4", inputs(i32([3], 3, 4, 100)), versions=[16],
                options={**STRICT, "out_of_range": "error"}, bad=fault("indices", [1], 4, 1, 4, 2))
    cases.ok("strict_negative_index_in_16", inputs(i32([2], 0, -1)), versions=[16], options=STRICT)
    cases.ok("strict_negative_index_counted", inputs(i32([2], 0, -1)), NORMALIZE, versions=[16], options=STRICT)


def values():
    scalar, one, pair = f32([], 1.0), f32([1], 1.0), f32([2], 1.0, 2.0)
    for name, off in (("one", one), ("two", pair), ("none", f32([0])), ("matrix", f32([1, 1], 1.0))):
        cases.error(f"off_value_of_{name}", "shape", "C1", [i64([1], 0), FOUR, scalar, off])
    cases.error("both_values_of_one", "shape", "C1", [i64([1], 0), FOUR, one, pair])
    for on, off in (("float32", "float64"), ("int32", "int64"), ("string", "float32"), ("int4", "uint4")):
        cases.error(f"on_value_{on}_off_value_{off}", "type", "T3",
                    [i64([1], 0), FOUR, *(tensor(dtype, [], types.SAMPLES[dtype][:1]) for dtype in (on, off))])
    cases.error("order_types_of_values_before_depth", "type", "T3",
                [i64([1], 0), tensor("bool", [], [True]), scalar, i32([], 0)])
    cases.error("off_value_is_missing", "argument", "CALL-I1", inputs(i64([1], 0))[:3])
    cases.error("axis_is_missing", "argument", "A2", inputs(i64([1], 0)), {"axis": None})


for _part in (examples, depths, modes, strict, values):
    _part()
one_hot_records.add_values(cases, dict.fromkeys([1, 16], types.T23), inputs, REFUSED)
one_hot_records.add_shapes(cases, inputs)
one_hot_records.add_rules(cases, inputs)
index_types.add_cases(cases, types.I2, lambda make: inputs(make([3], [2, -1, 3])))
