"""Cases of OneHot-9, -11, -28."""

from . import one_hot_records, types
from .one_hot_records import OFF_ON
from .records import Cases, count, f32, fault, i64
from .semantics import one_hot, tensor


class OneHotCases(Cases):
    def compute(self, inputs, attrs, policy, version):
        return one_hot(*inputs, **attrs, policy=policy or "skip", from_end=version >= 11)


cases = OneHotCases("OneHot", [9, 11, 28])
NEWER = [11, 28]
THREE = i64([], 3)


def inputs(indices, depth=THREE, values=OFF_ON):
    return [indices, depth, values]


def depths():
    for dtype in types.N11:
        value = 3.0 if dtype.startswith("float") else 3
        for name, shape in (("scalar", []), ("vector", [1])):
            cases.ok(f"depth_{dtype}_{name}", inputs(i64([2], 2, 0), tensor(dtype, shape, [value])))
    for name, value in (("2_9", 2.9), ("minus_0_9", -0.9), ("0_25", 0.25)):
        for dtype in ("float32", "float64"):
            cases.ok(f"depth_{name}_{dtype}", inputs(i64([2], 1, 0), tensor(dtype, [], [value])),
                     note="cut toward zero")
    for name, value in (("nan", "nan"), ("inf", "inf"), ("minus_inf", "-inf"), ("1e30", 1e30), ("minus_1", -1.0)):
        cases.error(f"depth_{name}", "shape", "C3", inputs(i64([1], 0), f32([], value)))
    cases.error("depth_negative_float16", "shape", "C3", inputs(i64([1], 0), tensor("float16", [1], [-2.5])))
    for name, depth in (("negative", i64([], -1)), ("lowest", i64([1], -2**63)), ("of_two", i64([2], 3, 3)),
                        ("of_none", i64([0])), ("matrix", i64([1, 1], 3))):
        cases.error(f"depth_{name}", "shape", "C3", inputs(i64([1], 0), depth))
    for dtype in ("bfloat16", "bool", "string"):
        cases.error(f"depth_of_type_{dtype}", "type", "T4",
                    inputs(i64([1], 0), tensor(dtype, [], types.SAMPLES[dtype][:1])))


def index_types():
    for dtype in types.N11:
        convert = float if dtype.startswith("float") else int
        indices = tensor(dtype, [4], [convert(value) for value in (2, 0, 5, 2)])
        cases.ok(f"indices_{dtype}", inputs(indices))
        if not dtype.startswith("u"):
            signed = tensor(dtype, [4], [convert(value) for value in (-1, -3, -4, 1)])
            cases.ok(f"negative_indices_{dtype}", inputs(signed), versions=NEWER)
            cases.ok(f"negative_indices_{dtype}_version_9", inputs(signed), versions=[9])
    cases.ok("indices_uint64_beyond_int64", inputs(tensor("uint64", [3], [2**64 - 1, 2**63, 1])),
             out=[0.0] * 6 + [0.0, 1.0, 0.0], note="no negative numbers")
    for dtype in ("bfloat16", "bool", "string", "int4"):
        cases.error(f"indices_of_type_{dtype}", "type", "T2",
                    inputs(tensor(dtype, [1], types.SAMPLES[dtype][:1])))


def floats():
    for dtype in ("float16", "float32", "float64"):
        cut = tensor(dtype, [5], [2.9, -0.5, 0.99, -0.0, 1.0])
        cases.ok(f"fractions_{dtype}", inputs(cut), note="cut toward zero")
        below = tensor(dtype, [3], [-1.5, -2.9, -3.9])
        cases.ok(f"negative_fractions_{dtype}", inputs(below), versions=NEWER)
        cases.ok(f"negative_fractions_{dtype}_version_9", inputs(below), versions=[9])
        large = [1e30, -1e30] if dtype != "float16" else []
        far = tensor(dtype, [4 + len(large)], ["nan", "inf", "-inf", 1.0, *large])
        for policy in (None, "skip", "clamp", "modulo"):
            cases.ok(f"no_numbers_{dtype}_{policy or 'by_default'}", inputs(far),
                     options={"out_of_range": policy} if policy else None,
                     note="what no int64 holds is -2^63" if policy in ("clamp", "modulo") else None)
        cases.error(f"no_numbers_{dtype}_error", "index", "C4", inputs(far), options={"out_of_range": "error"},
                    bad=fault("indices", [0], -2**63, 1, 3, 3 + len(large)))
    edge = tensor("float64", [4], [9223372036854774784.0, 2.0**63, -2.0**63, 2.0**53 + 2])
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"edge_of_int64_{policy}", inputs(edge), options={"out_of_range": policy})


def policies():
    far = i64([6], 3, -1, -3, -4, 100, 1)
    for policy in (None, "skip", "clamp", "modulo"):
        for name, versions in (("", NEWER), ("_version_9", [9])):
            cases.ok(f"out_of_range_{policy or 'by_default'}{name}", inputs(far), versions=versions,
                     options={"out_of_range": policy} if policy else None)
    error = {"out_of_range": "error"}
    cases.error("out_of_range_error", "index", "C4", inputs(far), versions=NEWER, options=error,
                bad=fault("indices", [0], 3, 1, 3, 3))
    cases.error("out_of_range_error_version_9", "index", "C4", inputs(far), versions=[9], options=error,
                bad=fault("indices", [0], 3, 1, 3, 5))
    cases.error("negative_index_error_version_9", "index", "C4", inputs(i64([2], 0, -1)), versions=[9], options=error,
                bad=fault("indices", [1], -1, 1, 3), note="outside before version 11")
    cases.ok("negative_index_error_version_11", inputs(i64([2], 0, -3)), versions=NEWER, options=error)
    cases.ok("strict", inputs(far), versions=NEWER, options={"strict": True},
             note="the text defines what an index outside means")


for _part in (depths, index_types, floats, policies):
    _part()
one_hot_records.add_values(cases, {9: types.T15, 11: types.T15, 28: types.T16}, inputs,
                           ["float8_e4m3fn", "int4", "uint2", "float4_e2m1fn"])
one_hot_records.add_shapes(cases, inputs)
one_hot_records.add_rules(cases, inputs)
cases.ok("bool_values_of_version_9", inputs(i64([1], 1), values=tensor("bool", [2], [True, False])), versions=[9],
         out=[True, False, True])
cases.error("bfloat16_values_before_28", "type", "T1", inputs(i64([1], 0), values=tensor("bfloat16", [2], [0.0, 1.0])),
            versions=[9, 11])
cases.ok("example_of_the_text", inputs(count("int64", [3], 1), i64([1], 10), f32([2], 1.0, 3.0)), {"axis": 1},
         note="depth of shape [1]")
