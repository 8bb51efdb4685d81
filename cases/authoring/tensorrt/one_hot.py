"""Cases of OneHot: indices, values, depth."""

from .. import index_types, one_hot_records, types
from ..one_hot_records import FOUR, OFF_ON
from ..records import cycle, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases
from .records import RELEASES, Cases

cases = Cases("OneHot", RELEASES)
STRICT = {"strict": True}
REFUSED = ["int4", "float8_e5m2", "float8_e4m3fnuz", "float4_e2m1fn", "complex64", "float64", "int16", "uint16",
           "string"]


def inputs(indices, depth=FOUR, values=OFF_ON):
    return [indices, values, depth]


def depths():
    for dtype in types.I2:
        cases.ok(f"depth_{dtype}", inputs(i32([2], 2, 0), tensor(dtype, [], [3])))
        for name, value in (("minus_1", -1), ("lowest", -2**31)):
            cases.error(f"depth_{dtype}_{name}", "shape", "C3", inputs(i32([1], 0), tensor(dtype, [], [value])))
        for name, shape in (("of_one", [1]), ("of_two", [2]), ("of_none", [0]), ("matrix", [1, 1])):
            cases.error(f"depth_{dtype}_{name}", "shape", "C3", inputs(i32([1], 0), cycle(dtype, shape, [3])),
                        note="rank 0 alone")
    for dtype in [*types.N11, "bool"]:
        if dtype not in types.I2:
            cases.error(f"depth_of_type_{dtype}", "type", "T4",
                        inputs(i32([1], 0), tensor(dtype, [], types.SAMPLES[dtype][:1])))


def policies():
    for dtype in types.I2:
        far = tensor(dtype, [6], [4, -1, -4, -5, 100, 1])
        for policy in (None, "skip", "clamp", "modulo"):
            cases.ok(f"out_of_range_{dtype}_{policy or 'by_default'}", inputs(far),
                     options={"out_of_range": policy} if policy else None)
        cases.error(f"out_of_range_{dtype}_error", "index", "C4", inputs(far), {"axis": 0},
                    options={"out_of_range": "error"}, bad=fault("indices", [0], 4, 0, 4, 3))
        cases.ok(f"legal_{dtype}_error", inputs(tensor(dtype, [3], [-4, 3, -1])), options={"out_of_range": "error"})
    cases.ok("index_beyond_32_bits", inputs(i64([3], 2**32 + 1, 1, -2**32 + 1)),
             note="an engine that narrows indices to 32 bits would turn element 1 on")


def strict():
    """What TensorRT does not define: indices that are no coordinates."""
    for name, value in (("negative", -1), ("large", 4), ("lowest", -2**31)):
        for policy in (None, "error", "skip", "clamp", "modulo"):
            options = {**STRICT, **({"out_of_range": policy} if policy else {})}
            cases.error(f"strict_{name}_index_{policy or 'by_default'}", "index", "S3", inputs(i32([2], 0, value)),
                        options=options, bad=fault("indices", [1], value, 1, 4))
    for policy in (None, "error", "skip", "clamp", "modulo"):
        cases.ok(f"strict_legal_{policy or 'by_default'}", inputs(i32([3], 3, 0, 3)),
                 options={**STRICT, **({"out_of_range": policy} if policy else {})})
    cases.error("strict_depth_0", "index", "S3", inputs(i32([1], 0), i32([], 0)), options=STRICT,
                bad=fault("indices", [0], 0, 1, 0))


def release_types():
    for dtype in types.T9:
        good = [release for release in RELEASES if dtype in releases.TYPES["OneHot"][release]]
        bad = [release for release in RELEASES if dtype not in releases.TYPES["OneHot"][release]]
        call = inputs(i32([2], 1, 3), FOUR, sample(dtype, [2]))
        if good:
            cases.ok(f"strict_type_{dtype}", call, versions=good, options=STRICT)
        if bad:
            cases.error(f"strict_refuses_type_{dtype}", "type", "S2", call, versions=bad, options=STRICT,
                        note=None if good else "an extension: no release has this type here")
    cases.error("strict_refuses_indices_of_type_int64", "type", "S2", inputs(i64([1], 0)), options=STRICT,
                note="an extension: every release has int32 alone")
    for dtype in types.I2:
        cases.ok(f"strict_depth_of_type_{dtype}", inputs(i32([1], 0), tensor(dtype, [], [2])), options=STRICT)


def ranks():
    for rank in (7, 8, 9, 31):
        call = inputs(i32([1] * rank, 0), i32([], 1), f32([2], 0.0, 1.0))
        cases.ok(f"indices_of_rank_{rank}", call)
        if rank == 7:
            cases.ok(f"indices_of_rank_{rank}_strict", call, options=STRICT)
        else:
            cases.error(f"indices_of_rank_{rank}_strict", "shape", "S1", call, options=STRICT,
                        note=f"the result has a rank above {releases.MOST}")


def order():
    wide = i32([1] * 8, 9)
    cases.error("order_policy_before_release", "argument", "CALL-O1", inputs(i64([1], 0)),
                options={**STRICT, "out_of_range": "zero"})
    cases.error("order_release_before_values", "type", "S2", inputs(i64([1], 0), FOUR, f32([1], 0.0)), options=STRICT)
    cases.error("order_depth_before_rank_8", "shape", "C3", inputs(wide, i32([], -1)), options=STRICT)
    cases.error("order_rank_8_before_size", "shape", "S1", inputs(i32([2] * 8, *[9] * 256), i64([], 2**62)),
                options=STRICT)
    cases.error("order_rank_8_before_indices", "shape", "S1", inputs(wide), options=STRICT)


for _part in (depths, policies, strict, release_types, ranks, order):
    _part()
one_hot_records.add_values(cases, dict.fromkeys(RELEASES, types.T9), inputs, REFUSED)
one_hot_records.add_shapes(cases, inputs)
one_hot_records.add_rules(cases, inputs)
index_types.add_cases(cases, types.I2, lambda make: inputs(make([3], [2, -1, 3])))
