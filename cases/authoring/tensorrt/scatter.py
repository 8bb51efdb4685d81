"""Cases of Scatter: what both modes share, and the records of both."""

from .. import index_types, payloads, types
from ..records import count, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases, scatter_element, scatter_nd
from .records import RELEASES, Cases, digits

cases = Cases("Scatter", RELEASES)
VECTOR = count("int32", [3])


def recorded():
    """Like the runs that NVIDIA has printed, with data, places and updates of our own."""
    data = digits([2, 3, 4, 5])
    updates = f32([6], -0.0, -1.0, -2.0, -3.0, -4.0, -5.0)
    places = [(0, 2, 1, 1), (1, 0, 3, 2), (0, 1, 2, 3), (1, 2, 1, 1), (0, 0, 3, 2), (1, 1, 2, 3)]
    cases.ok("recorded_scatter_nd",
             [data, i32([2, 3, 4], *[part for place in places for part in place]), {**updates, "shape": [2, 3]}],
             {"mode": "ND"}, note="the first update is -0.0 and its sign is kept")
    rows = f32([6, 5], *[-float(k) for k in range(30)])
    cases.ok("recorded_scatter_nd_rows",
             [data, i32([6, 3], *[part for place in places for part in place[:3]]), rows], {"mode": "ND"})
    turned = i32([1, 3, 4, 5], *[(b + c + d) % 4 for b in range(3) for c in range(4) for d in range(5)])
    cases.ok("recorded_scatter_element_axis_2",
             [digits([1, 3, 4, 5]), turned, f32([1, 3, 4, 5], *[-float(k) for k in range(60)])],
             {"mode": "ELEMENT", "axis": 2}, note="every index once in its column")


def corrections():
    data = count("int32", [2, 3, 4])
    cases.ok("correction_10_updates_of_nd", [data, i32([2, 2, 1], 1, 0, 1, 0), count("int32", [2, 2, 3, 4], 100)],
             {"mode": "ND"}, note="n = 2, m = 2, i_m = 1: updates of rank n + m - i_m + 1 = 4, the last slices win")
    cases.error("correction_10_updates_of_nd_error", "shape", "C3",
                [data, i32([2, 2, 1], 1, 0, 1, 0), count("int32", [2, 3, 4], 100)], {"mode": "ND"})


def rules():
    index, update = i64([1, 1], 0), count("int32", [1, 1])
    inputs = [count("int32", [3, 4]), index, update]
    cases.ok("without_settings", inputs, note="mode ELEMENT, axis 0")
    for mode in ("DEFAULT", "element", "ELEMENTS", ""):
        cases.error(f"mode_{mode or 'of_no_name'}", "argument", "A3", inputs, {"mode": mode})
    for axis in (-1, -2, 2, 2**40):
        cases.error(f"axis_{axis}".replace("-", "minus_"), "argument", "A1", inputs, {"axis": axis})
    for name in ("reduction", "num_elementwise_dims", "batch_dims"):
        cases.error(f"unknown_setting_{name}", "argument", "A2", inputs, {name: 0})
    cases.error("mode_is_no_number", "argument", "A2", inputs, {"mode": 1})
    cases.error("updates_of_another_type", "type", "T3", [inputs[0], index, count("float32", [1, 1])])
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", inputs, options={"out_of_range": "zero"})
    cases.error("updates_are_missing", "argument", "CALL-I1", inputs[:2])


def strict():
    """What TensorRT does not define: indices that are no coordinates, and cells that are written twice."""
    for mode, shape in (("ELEMENT", [2]), ("ND", [2, 1])):
        for name, value in (("negative", -1), ("large", 3), ("beyond_32_bits", 2**32 + 1)):
            inputs = [VECTOR, i64(shape, 0, value), count("int32", [2], 7)]
            later = {"mode": mode}
            position = [1] if mode == "ELEMENT" else [1, 0]
            for policy in (None, "error", "skip", "clamp", "modulo"):
                options = {"strict": True, **({"out_of_range": policy} if policy else {})}
                cases.error(f"strict_{name}_index_{mode}_{policy or 'by_default'}", "index", "S3", inputs, later,
                            versions=[9, 10, 11], options=options, bad=fault("indices", position, value, 0, 3))
        legal = [VECTOR, i32(shape, 2, 0), count("int32", [2], 7)]
        twice = [VECTOR, i32([3, *shape[1:]], 1, 2, 1), count("int32", [3], 7)]
        cases.ok(f"duplicates_{mode}", twice, {"mode": mode}, out=[0, 9, 8], note="the last one wins")
        for name, options in (("strict", {"strict": True}), ("duplicates_refused", {"duplicates": "error"})):
            cases.ok(f"{name}_with_legal_indices_{mode}", legal, {"mode": mode}, options=options)
            cases.error(f"{name}_duplicate_{mode}", "duplicate", "D1", twice, {"mode": mode}, options=options)
        dropped = [VECTOR, i32([3, *shape[1:]], 5, 1, 5), count("int32", [3], 7)]
        cases.ok(f"a_dropped_update_is_no_duplicate_{mode}", dropped, {"mode": mode}, out=[0, 8, 2],
                 options={"duplicates": "error"})
        same = [VECTOR, i32([2, *shape[1:]], -1, 2), count("int32", [2], 7)]
        cases.error(f"an_index_and_its_negative_are_duplicates_{mode}", "duplicate", "D1", same, {"mode": mode},
                    options={"duplicates": "error"})
    cases.error("clamp_makes_a_duplicate", "duplicate", "D1", [VECTOR, i32([2], 7, 2), count("int32", [2], 7)],
                options={"duplicates": "error", "out_of_range": "clamp"})


def order():
    refuse = {"strict": True}
    wide = f32([1] * 9, 1.0)
    cases.error("order_release_before_mode", "type", "S2", [sample("uint8", [2]), i32([1], 0), sample("uint8", [1])],
                {"mode": "OTHER"}, options=refuse)
    cases.error("order_mode_before_ranks", "argument", "A3", [f32([], 1.0), i32([1], 0), f32([1], 1.0)],
                {"mode": "OTHER"})
    cases.error("order_ranks_before_axis", "shape", "C1", [VECTOR, i32([1, 1], 0), count("int32", [1])], {"axis": 7})
    cases.error("order_axis_before_shapes", "argument", "A1", [VECTOR, i32([1], 0), count("int32", [2])], {"axis": 7})
    cases.error("order_shapes_before_rank_8", "shape", "C2", [wide, i32([1] * 9, 0), f32([1] * 8 + [2], 1.0, 2.0)],
                options=refuse)
    cases.error("order_rank_8_before_indices", "shape", "S1", [wide, i32([1] * 9, 7), wide], options=refuse)
    cases.error("order_indices_before_duplicates", "index", "S3", [VECTOR, i32([3], 1, 1, 7), count("int32", [3])],
                options=refuse, bad=fault("indices", [2], 7, 0, 3))


for _part in (recorded, corrections, rules, strict, order):
    _part()
for _module in (scatter_element, scatter_nd):
    _module.add_cases(cases)
_EVERY = dict.fromkeys(RELEASES, types.T10)
_REFUSED = ["float8_e4m3fnuz", "float4_e2m1fn", "complex64", "float8_e5m2", "float64", "int16", "uint4", "string"]
payloads.add_cases(cases, _EVERY, lambda make: [make([3, 2]), i64([3, 2], 0, -1, 1, 0, 5, 2), make([3, 2], 1)],
                   lambda make: [make([3, 5]), i32([2, 3], 2, 1, 0, 1, 2, 1), make([2, 3], 2)],
                   {"mode": "ELEMENT", "axis": 0}, prefix="element_", refused=_REFUSED)
payloads.add_cases(cases, _EVERY, lambda make: [make([3, 2]), i64([3, 2], 0, 1, -1, 0, 1, -2), make([3], 3)],
                   lambda make: [make([3, 3]), i32([2, 1], 2, 1), make([2, 3], 2)], {"mode": "ND"}, prefix="nd_",
                   refused=_REFUSED[:1])
index_types.add_cases(cases, types.I2, lambda make: [VECTOR, make([2], [2, -3]), count("int32", [2], 10)])
releases.add_types(
    cases, releases.TYPES["Scatter"], types.T10, lambda dtype, index: [
        sample(
            dtype, [3]), tensor(
                index, [2], [
                    2, 0]), sample(
                        dtype, [2])])
