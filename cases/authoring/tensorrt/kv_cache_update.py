"""Cases of KVCacheUpdate, which exists since release 10."""

from .. import index_types, payloads, types
from ..records import count, cycle, f32, fault, i32, i64, sample
from ..semantics import tensor
from . import releases
from .records import Cases

cases = Cases("KVCacheUpdate", [10, 11])
CACHE = count("float32", [2, 1, 4, 2])
UPDATE = count("float32", [2, 1, 2, 2], 100)


def writes():
    cases.ok("linear", [CACHE, UPDATE, i32([2], 0, 2)], {"mode": "LINEAR"},
             out=[100.0, 101.0, 102.0, 103.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 104.0, 105.0, 106.0, 107.0])
    cases.ok("without_settings", [CACHE, UPDATE, i64([2], 1, 0)])
    cases.ok("recorded_kv_cache_update",
             [cycle("float16", [1, 2, 8, 8], [0.0]),
              tensor("float16", [1, 2, 2, 8], [number / 16 for number in range(32)]), i32([1], 0)],
             {"mode": "LINEAR"}, note="like the run that NVIDIA has printed: a fresh cache")
    cases.ok("several_heads", [count("float32", [2, 3, 4, 2]), count("float32", [2, 3, 1, 2], 100), i32([2], 3, 1)])
    cases.ok("whole_cache", [CACHE, count("float32", [2, 1, 4, 2], 100), i32([2], 0, 0)])
    cases.ok("one_token", [CACHE, count("float32", [2, 1, 1, 2], 100), i32([2], 3, 0)])


def outside():
    """Out-of-bounds updates are ignored, each position by itself."""
    for name, first, second in (("partly_above", 3, 2), ("wholly_above", 4, 100), ("partly_below", -1, 0),
                                ("wholly_below", -2, -100), ("both_sides", -1, 3)):
        for policy in (None, "skip", "clamp", "modulo"):
            cases.ok(f"{name}_{policy or 'by_default'}", [CACHE, UPDATE, i64([2], first, second)],
                     options={"out_of_range": policy} if policy else None)
    cases.ok("negative_write_index_does_not_count_from_the_end", [CACHE, UPDATE, i32([2], -1, -2)],
             out=[102.0, 103.0, *map(float, range(2, 16))])
    cases.ok("strict_drops_too", [CACHE, UPDATE, i64([2], 3, -1)], options={"strict": True},
             note="that is what TensorRT documents")
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"far_{policy}", [CACHE, UPDATE, i64([2], 2**63 - 1, -2**63)], options={"out_of_range": policy},
                 note="no overflow where a position leaves 64 bits")
        cases.ok(f"beyond_32_bits_{policy}", [CACHE, UPDATE, i64([2], 2**32 + 1, -2**32)],
                 options={"out_of_range": policy})
    longer = count("float32", [1, 1, 3, 1], 100)
    small = count("float32", [1, 1, 2, 1])
    for name, first in (("0", 0), ("minus_1", -1), ("1", 1), ("minus_2", -2)):
        cases.ok(f"update_longer_than_the_cache_at_{name}", [small, longer, i32([1], first)])
    for policy in ("clamp", "modulo"):
        cases.ok(f"update_longer_than_the_cache_{policy}", [small, longer, i32([1], 1)],
                 options={"out_of_range": policy}, note="positions meet; the last update wins")


def errors():
    refuse = {"out_of_range": "error"}
    for name, values, position, bad in (("above", [3, 2], [0], 1), ("below", [0, -1], [1], 1),
                                        ("far", [2**63 - 1, -2**63], [0], 2)):
        cases.error(f"error_{name}", "index", "C4", [CACHE, UPDATE, i64([2], *values)], options=refuse,
                    bad=fault("write_indices", position, values[position[0]], 2, 4, bad))
    cases.ok("error_with_legal_indices", [CACHE, UPDATE, i32([2], 2, 0)], options=refuse)
    cases.ok("error_with_no_update", [CACHE, f32([2, 1, 0, 2]), i32([2], 4, 0)], options=refuse)
    cases.error("error_update_longer_than_the_cache", "index", "C4",
                [count("float32", [1, 1, 2, 1]), count("float32", [1, 1, 3, 1]), i32([1], 0)], options=refuse,
                bad=fault("write_indices", [0], 0, 2, 2))
    for name, options in (("strict", {"strict": True}), ("duplicates_refused", {"duplicates": "error"})):
        cases.ok(f"{name}_without_any", [CACHE, UPDATE, i32([2], 1, 2)], options=options)
        cases.error(f"{name}_under_clamp", "duplicate", "D1", [CACHE, UPDATE, i32([2], 3, 0)],
                    options={**options, "out_of_range": "clamp"})
    cases.error("duplicates_refused_under_modulo", "duplicate", "D1",
                [count("float32", [1, 1, 2, 1]), count("float32", [1, 1, 3, 1]), i32([1], 0)],
                options={"duplicates": "error", "out_of_range": "modulo"})
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", [CACHE, UPDATE, i32([2], 0, 0)],
                options={"out_of_range": "zero"})


def empty():
    for name, cache, update in (("no_tokens", [2, 1, 4, 2], [2, 1, 0, 2]), ("no_batch", [0, 1, 4, 2], [0, 1, 2, 2]),
                                ("no_heads", [2, 0, 4, 2], [2, 0, 2, 2]), ("no_features", [2, 1, 4, 0], [2, 1, 2, 0]),
                                ("no_cache", [2, 1, 0, 2], [2, 1, 2, 2])):
        cases.ok(name, [count("float32", cache), count("float32", update, 100), i32([cache[0]], *[0] * cache[0])])
    nowhere = [f32([1, 1, 0, 1]), f32([1, 1, 1, 1], 9.0), i32([1], 0)]
    for policy in ("error", "clamp", "modulo"):
        cases.error(f"{policy}_on_an_empty_cache", "index", "C4", nowhere, options={"out_of_range": policy},
                    bad=fault("write_indices", [0], 0, 2, 0))
    for policy in ("error", "skip", "clamp", "modulo"):
        cases.ok(f"{policy}_on_an_empty_cache_without_update", [f32([1, 1, 0, 1]), f32([1, 1, 0, 1]), i32([1], 0)],
                 options={"out_of_range": policy}, note="nothing asks for a position")


def packed():
    for shape, length, starts in (([1, 1, 3, 1], 1, [2]), ([1, 1, 5, 3], 2, [4]), ([2, 3, 3, 1], 2, [-1, 1]),
                                  ([3, 1, 5, 1], 3, [0, 3, -2]), ([1, 3, 1, 5], 1, [0]), ([2, 1, 3, 5], 2, [1, 2])):
        inner = [*shape[:2], length, shape[3]]
        cases.ok(f"int4_{'x'.join(map(str, shape))}_by_{length}",
                 [sample("int4", shape), cycle("int4", inner, [7, -8, 5, -1, 0]), i32([shape[0]], *starts)])


def rules():
    index = i32([2], 0, 0)
    for mode in ("linear", "CIRCULAR", ""):
        cases.error(f"mode_{mode or 'of_no_name'}", "argument", "A3", [CACHE, UPDATE, index], {"mode": mode})
    cases.error("unknown_setting_axis", "argument", "A2", [CACHE, UPDATE, index], {"axis": 2})
    for name, cache, update in (("cache_of_rank_3", [2, 4, 2], [2, 1, 2, 2]),
                                ("update_of_rank_3", [2, 1, 4, 2], [2, 2, 2]),
                                ("rank_5", [2, 1, 1, 4, 2], [2, 1, 1, 2, 2]), ("rank_0", [], [])):
        cases.error(name, "shape", "C1", [count("float32", cache), count("float32", update), index])
    for name, shape in (("batches", [1, 1, 2, 2]), ("heads", [2, 2, 2, 2]), ("features", [2, 1, 2, 1])):
        cases.error(f"other_{name}", "shape", "C2", [CACHE, count("float32", shape), index])
    for name, indices in (("short", i32([1], 0)), ("matrix", i32([2, 1], 0, 0)), ("scalar", i32([], 0))):
        cases.error(f"write_indices_{name}", "shape", "C3", [CACHE, UPDATE, indices])
    cases.error("update_of_another_type", "type", "T3", [CACHE, sample("float16", [2, 1, 2, 2]), index])
    cases.error("write_indices_are_missing", "argument", "CALL-I1", [CACHE, UPDATE])
    cases.error("order_release_before_mode", "type", "S2", [sample("int8", [1, 1, 2, 1])] * 2 + [i32([1], 0)],
                {"mode": "OTHER"}, options={"strict": True})
    cases.error("order_mode_before_ranks", "argument", "A3", [f32([], 1.0), f32([], 1.0), i32([1], 0)],
                {"mode": "OTHER"})


for _part in (writes, outside, errors, empty, packed, rules):
    _part()
_REFUSED = ["float8_e4m3fnuz", "float4_e2m1fn", "complex64", "bool", "int64", "float64", "uint4", "string"]
payloads.add_cases(cases, dict.fromkeys(cases.versions, types.T8),
                   lambda make: [make([1, 2, 3, 2]), make([1, 2, 2, 2], 1), i32([1], 2)],
                   lambda make: [make([1, 1, 3, 3]), make([1, 1, 1, 3], 2), i32([1], 1)], refused=_REFUSED)
index_types.add_cases(cases, types.I2, lambda make: [CACHE, UPDATE, make([2], [3, -1])])
releases.add_types(cases, releases.TYPES["KVCacheUpdate"], types.T8, lambda dtype, index: [sample(dtype, [1, 1, 3, 1]),
                                                                sample(dtype, [1, 1, 1, 1]), tensor(index, [1], [2])])
