"""Cases of TensorScatter-24."""

from . import types
from .records import Cases, count, f32, fault, i64
from .semantics import tensor

cases = Cases("TensorScatter", [24])
CACHE = count("int32", [2, 4, 2])
UPDATE = count("int32", [2, 2, 2], 100)
CIRCULAR = {"mode": "circular"}


def modes():
    cases.ok("linear", [CACHE, UPDATE, i64([2], 1, 2)],
             out=[0, 1, 100, 101, 102, 103, 6, 7, 8, 9, 10, 11, 104, 105, 106, 107])
    cases.ok("linear_by_name", [CACHE, UPDATE, i64([2], 0, 2)], {"mode": "linear"})
    cases.ok("without_write_indices", [CACHE, UPDATE],
             out=[100, 101, 102, 103, 4, 5, 6, 7, 104, 105, 106, 107, 12, 13, 14, 15])
    cases.ok("omitted_write_indices", [CACHE, UPDATE, None])
    cases.ok("circular", [CACHE, UPDATE, i64([2], 3, 1)], CIRCULAR,
             out=[102, 103, 2, 3, 4, 5, 100, 101, 8, 9, 104, 105, 106, 107, 14, 15])
    cases.ok("circular_without_write_indices", [CACHE, UPDATE], CIRCULAR)
    cases.ok("circular_many_times_around", [CACHE, UPDATE, i64([2], 4 * 10**6 + 3, 2**63 - 1)], CIRCULAR,
             note="write indices are taken modulo the extent before anything is added to them")
    cases.ok("whole_cache_linear", [CACHE, count("int32", [2, 4, 2], 100), i64([2], 0, 0)])
    cases.ok("whole_cache_circular", [CACHE, count("int32", [2, 4, 2], 100), i64([2], 1, 3)], CIRCULAR)
    cases.ok("batch_longer_than_the_sequence", [count("int32", [5, 2, 1]), count("int32", [5, 1, 1], 100),
                                                i64([5], 0, 1, 2, 3, 4)], CIRCULAR,
             note="only the sequence coordinate is taken modulo")


def axes():
    cases.ok("axis_1_of_4", [count("int32", [2, 3, 2, 2]), count("int32", [2, 1, 2, 2], 100), i64([2], 2, 0)],
             {"axis": 1})
    cases.ok("axis_minus_1", [count("int32", [2, 1, 3]), count("int32", [2, 1, 2], 100), i64([2], 1, 0)],
             {"axis": -1})
    cases.ok("axis_2_of_3", [count("int32", [2, 2, 3]), count("int32", [2, 2, 2], 100), i64([2], 2, 1)],
             {"axis": 2, "mode": "circular"})
    cases.ok("rank_4", [count("float32", [2, 2, 3, 2]), count("float32", [2, 2, 1, 2], 100), i64([2], 2, 1)])
    cases.ok("rank_2", [count("int32", [2, 3]), count("int32", [2, 1], 100), i64([2], 2, 0)], {"axis": 1})


def every_type():
    for dtype in types.T24:
        samples = types.SAMPLES[dtype]
        for mode in ("linear", "circular"):
            cases.ok(f"{mode}_{dtype}",
                     [tensor(dtype, [1, 5, 1], samples[:5]), tensor(dtype, [1, 2, 1], samples[:3:-1]),
                      i64([1], 3 if mode == "linear" else 4)], {"mode": mode})
    for dtype in ("int4", "uint4", "float4_e2m1fn"):
        samples = types.SAMPLES[dtype]
        cases.ok(f"odd_row_{dtype}", [tensor(dtype, [2, 3, 1], samples), tensor(dtype, [2, 1, 1], samples[1:3]),
                                      i64([2], 2, 0)], note="rows that begin in the middle of a byte")


def empty():
    cases.ok("no_update", [CACHE, tensor("int32", [2, 0, 2], []), i64([2], 4, 0)],
             note="a write index may be as large as the extent where nothing is written")
    cases.ok("no_batch", [tensor("int32", [0, 3, 2], []), tensor("int32", [0, 1, 2], []), i64([0])], out=[])
    cases.ok("no_features", [tensor("int32", [1, 3, 0], []), tensor("int32", [1, 2, 0], []), i64([1], 1)], out=[])
    cases.ok("empty_cache", [tensor("int32", [1, 0, 2], []), tensor("int32", [1, 0, 2], []), i64([1], 0)], out=[])
    cases.error("bad_index_without_update", "index", "C5", [CACHE, tensor("int32", [2, 0, 2], []), i64([2], 0, 5)],
                bad=fault("write_indices", [1], 5, 1, 4))
    cases.error("negative_index_without_features", "index", "C5",
                [tensor("int32", [1, 3, 0], []), tensor("int32", [1, 2, 0], []), i64([1], -1)], CIRCULAR,
                bad=fault("write_indices", [0], -1, 1, 3))


def policies():
    far = i64([2], 3, -1)
    for policy in ("skip", "clamp", "modulo"):
        cases.ok(f"linear_out_of_range_{policy}", [CACHE, UPDATE, far], options={"out_of_range": policy})
        cases.ok(f"linear_far_out_of_range_{policy}", [CACHE, UPDATE, i64([2], 2**63 - 1, -2**63)],
                 options={"out_of_range": policy}, note="no overflow where a coordinate leaves 64 bits")
        cases.ok(f"circular_out_of_range_{policy}", [CACHE, UPDATE, i64([2], -3, -2**63)], CIRCULAR,
                 options={"out_of_range": policy})
    cases.error("linear_out_of_range_error", "index", "C5", [CACHE, UPDATE, far], options={"out_of_range": "error"},
                bad=fault("write_indices", [0], 3, 1, 4, 2))
    cases.error("zero_is_no_policy_of_a_scatter", "argument", "CALL-O1", [CACHE, UPDATE, far],
                options={"out_of_range": "zero"})
    for name, options in (("duplicates_refused", {"duplicates": "error"}), ("strict", {"strict": True})):
        cases.ok(f"{name}_without_any", [CACHE, UPDATE, i64([2], 3, 2)], CIRCULAR, options=options)
        cases.error(f"{name}_under_clamp", "duplicate", "D1", [CACHE, UPDATE, far],
                    options={**options, "out_of_range": "clamp"})


def rules():
    good = i64([2], 0, 0)
    cases.error("linear_negative_index", "index", "C5", [CACHE, UPDATE, i64([2], 0, -1)],
                bad=fault("write_indices", [1], -1, 1, 4))
    cases.error("linear_index_too_large", "index", "C5", [CACHE, UPDATE, i64([2], 3, 2)],
                bad=fault("write_indices", [0], 3, 1, 4))
    cases.error("linear_index_plus_length_overflows", "index", "C5", [CACHE, UPDATE, i64([2], 0, 2**63 - 1)],
                bad=fault("write_indices", [1], 2**63 - 1, 1, 4))
    cases.error("circular_negative_index", "index", "C5", [CACHE, UPDATE, i64([2], 7, -1)], CIRCULAR,
                bad=fault("write_indices", [1], -1, 1, 4))
    for name, axis in (("batch", 0), ("batch_from_the_end", -3), ("too_large", 3), ("too_small", -4)):
        cases.error(f"axis_{name}", "argument", "A1", [CACHE, UPDATE, good], {"axis": axis})
    cases.error("default_axis_is_the_batch", "argument", "A1", [count("int32", [2, 3]), count("int32", [2, 1])],
                note="axis -2 of rank 2")
    cases.error("unknown_attribute", "argument", "A2", [CACHE, UPDATE], {"reduction": "none"})
    cases.error("unknown_mode", "argument", "A3", [CACHE, UPDATE], {"mode": "ring"})
    cases.error("rank_1", "shape", "C1", [f32([2], 0.0, 0.0), f32([2], 1.0, 1.0)], {"axis": -1})
    cases.error("ranks_differ", "shape", "C1", [CACHE, count("int32", [2, 2])])
    cases.error("extents_off_the_axis_differ", "shape", "C2", [CACHE, count("int32", [2, 2, 1]), good])
    cases.error("update_too_long", "shape", "C3", [CACHE, count("int32", [2, 5, 2]), good], CIRCULAR)
    for name, indices in (("short", i64([1], 0)), ("matrix", i64([2, 1], 0, 0)), ("scalar", i64([], 0))):
        cases.error(f"write_indices_{name}", "shape", "C4", [CACHE, UPDATE, indices])
    for dtype in ("uint1", "uint2"):
        cases.error(f"type_{dtype}", "type", "T1",
                    [tensor(dtype, [1, 2], [0, 0]), tensor(dtype, [1, 1], [1]), i64([1], 0)], {"axis": 1})
    cases.error("write_indices_of_type_int32", "type", "T2", [CACHE, UPDATE, tensor("int32", [2], [0, 0])])
    cases.error("update_of_another_type", "type", "T3", [CACHE, count("int64", [2, 2, 2]), good])
    cases.error("update_is_missing", "argument", "CALL-I1", [CACHE])


for _part in (modes, axes, every_type, empty, policies, rules):
    _part()
