"""Cases of TakeQuantized."""

from .. import types
from ..quantised_records import Records, codes, packed, scales
from ..records import f32, fault, i64
from ..semantics import tensor
from .records import Cases

cases = Cases("TakeQuantized")
TABLE = codes("int8", [3, 4])


def good():
    cases.ok("example", [tensor("int8", [2, 2], [1, 2, -3, 4]), i64([1], 1), f32([2, 1], 0.5, 0.25)], out=[-0.75, 1.0])
    cases.ok("a_vector", [codes("int8", [5]), i64([3], 4, -5, 1), scales([1])])
    cases.ok("a_vector_of_bytes", [packed(2, [2]), i64([4], 0, 3, 4, -1), scales([1])], {"bits": 2})
    cases.ok("a_scalar_from_a_vector", [codes("uint4", [5]), i64([], 1), scales([1])])
    for size in (0, 1, 2, 3, 4, 5, 2**62):
        blocks = -(-4 // (size or 4))
        inputs = [TABLE, i64([2], 2, 0), scales([3, blocks])]
        cases.ok(f"blocks_of_{size}", inputs, {"block_size": size})
        cases.ok(f"blocks_of_{size}_with_zero_points", [*inputs, codes("int8", [3, blocks])], {"block_size": size})
        cases.ok(f"blocks_of_{size}_along_the_gathered_axis", [TABLE, i64([3], 3, 0, -1), scales([3, blocks])], {"axis": 1, "block_size": size})
    for bits, axis in ((2, 0), (2, 1), (4, 0), (4, 1)):
        each = 8 // bits
        for along in (0, 1):
            shape = [3, 2 * each]
            shape[along] = -(-shape[along] // 3)
            points = packed(bits, [shape[0], -(-shape[1] // each)])
            for name, rest in (("", []), ("_with_zero_points", [points])):
                cases.ok(f"bytes_of_{bits}_bits_axis_{axis}_quantised_{along}{name}", [packed(bits, [3, 2]), i64([2], 2, -1), scales(shape), *rest],
                         {"bits": bits, "axis": axis, "quantize_axis": along, "block_size": 3})
    cases.ok("bytes_are_codes_by_default", [codes("uint8", [2, 3]), i64([1], 1), scales([2, 1])])
    for dtype, bits in (("int8", 8), ("int4", 4), ("uint4", 4), ("float8_e5m2", 8), ("float4_e2m1fn", 4)):
        cases.ok(f"bits_{bits}_of_{dtype}", [codes(dtype, [2, 3]), i64([1], 1), scales([2, 1])], {"bits": bits})
        cases.ok(f"bits_0_of_{dtype}", [codes(dtype, [2, 3]), i64([1], 1), scales([2, 1])], {"bits": 0})
    cases.ok("one_block_of_no_values", [tensor("int8", [2, 0], []), i64([1], 1), f32([2, 0])], out=[])
    cases.ok("last_short_block_of_bytes", [packed(4, [2, 2]), i64([1], 1), scales([2, 2]), packed(4, [2, 1])], {"bits": 4, "block_size": 3})


def results():
    for given in types.S3:
        for dtype in ("", *types.S3):
            name = f"{given}_to_{dtype or 'itself'}"
            cases.ok(f"result_{name}", [TABLE, i64([2], 1, 2), scales([3, 1], given)], {"dtype": dtype})
            rough = tensor(given, [3, 1], [types.round_to(given, value) for value in (0.1, 3.0e38, 1e-7)])
            rough["data"] = [types.from_float(value) for value in rough["data"]]
            cases.ok(f"rounded_result_{name}", [TABLE, i64([3], 0, 1, 2), rough], {"dtype": dtype})
    for dtype in ("float64", "int8", "FLOAT16", "half", "float8_e5m2"):
        cases.error(f"result_{dtype}", "argument", "A6", [TABLE, i64([1], 1), scales([3, 1])], {"dtype": dtype})
    cases.error("dtype_is_no_text", "argument", "A2", [TABLE, i64([1], 1), scales([3, 1])], {"dtype": 1})
    cases.error("order_result_before_rank", "argument", "A6", [codes("int8", []), i64([1], 1), scales([])], {"dtype": "int8"})


def policies():
    inputs = [codes("uint8", [4, 2]), i64([4], -1, -5, 0, 4), scales([4, 1])]
    for options in (None, {"strict": True}):
        cases.error(f"bad_indices_{'_'.join(options) if options else 'default'}", "index", "C5", inputs, options=options,
                    bad=fault("indices", [1], -5, 0, 4, 2))
    cases.error("bad_index_of_packed_columns", "index", "C5", [packed(4, [2, 2]), i64([2], 3, 4), scales([2, 1])], {"bits": 4, "axis": 1},
                bad=fault("indices", [1], 4, 1, 4))
    for policy in ("clamp", "modulo", "zero"):
        far = tensor("uint64", [3], [2**64 - 1, 2**63, 2])
        cases.ok(f"far_out_of_range_uint64_{policy}", [inputs[0], far, inputs[2]], options={"out_of_range": policy},
                 note="a uint64 above 2^63-1 counts as 2^63-1")


_records = Records(cases, "axis", {"index": "C5", "scales": "C3", "zeros": "C4"}, types.Q9)
for _part in (good, results, policies, _records.add_values, _records.add_packed, _records.add_blocks, _records.add_empty,
              _records.add_policies, _records.add_shapes, _records.add_order):
    _part()
_records.add_types(list(types.INTEGERS))
_records.add_attributes([-1, -16, -2**63], [("uint8", 1), ("uint8", 3), ("uint8", 16), ("uint8", -4), ("int4", 8), ("int8", 4), ("uint4", 2),
                                            ("float8_e4m3fn", 4), ("float4_e2m1fn", 8)])
