"""Cases of com.microsoft GatherBlockQuantized-1."""

from . import quantised, types
from .quantised_records import Records, codes, packed, scales
from .records import Cases, count, f32, fault, i64
from .semantics import tensor


class QuantisedCases(Cases):
    def compute(self, inputs, attrs, policy, version):
        del version  # there is one
        return quantised.gathered_blocks(quantised.gather_block_quantized(*inputs, **attrs), policy or "zero")


cases = QuantisedCases("GatherBlockQuantized", [1])


def good():
    data, index = tensor("uint4", [2, 2], [1, 2, 15, 0]), i64([2], 1, 2)
    cases.ok("example", [data, index, f32([2, 1], 1.5, 0.5)], out=[7.5, 0.0, 0.0, 0.0])
    cases.ok("outside_by_default", [codes("uint8", [2, 2]), i64([5], -3, -1, 2, 2**40, 1), scales([2, 1])], {"bits": 8})
    cases.ok("outside_under_strict", [data, index, f32([2, 1], 1.5, 0.5)], options={"strict": True}, out=[7.5, 0.0, 0.0, 0.0])
    cases.ok("defaults", [codes("int4", [2, 3]), i64([1], 1), scales([2, 1])])
    cases.ok("bits_of_bytes_by_default", [packed(4, [2, 3]), i64([1], 1), scales([2, 1])])
    for bits in (0, 3, 8, -1):
        cases.ok(f"bits_{bits}_of_floats".replace("-", "minus_"), [codes("float8_e4m3fn", [2, 3]), i64([1], 1), scales([2, 1])], {"bits": bits},
                 note="bits have no meaning for floats")
    for dtype in ("float8_e4m3fnuz", "float4_e2m1fn"):
        cases.ok(f"one_block_of_{dtype}", [codes(dtype, [2, 19]), i64([1], 1), scales([2, 1])], {"block_size": 0})
        cases.ok(f"one_block_of_rows_of_{dtype}", [codes(dtype, [19, 2]), i64([1], 17), scales([1, 2])],
                 {"block_size": 0, "quantize_axis": 0})
    cases.ok("zero_on_an_empty_axis_by_default", [tensor("int4", [0, 2], []), i64([1], 0), f32([0, 1])], out=[0.0, 0.0])


def bytes_():
    data, index = packed(4, [2, 3, 2]), i64([1], 0)
    for name, attrs, shape in (("gather_axis_1", {"gather_axis": 1, "quantize_axis": 2}, [2, 3, 1]),
                               ("gather_axis_minus_1", {"gather_axis": -1, "quantize_axis": 2}, [2, 3, 1]),
                               ("quantize_axis_1", {}, [2, 1, 4]), ("quantize_axis_minus_3", {"quantize_axis": -3}, [1, 3, 4])):
        cases.error(f"bytes_with_{name}", "argument", "C3", [data, index, scales(shape)], attrs)
    cases.ok("bytes_with_axes_from_the_end", [data, index, scales([2, 3, 1])], {"gather_axis": -3, "quantize_axis": -1})
    cases.error("order_bits_before_axes_of_bytes", "argument", "A5", [data, index, scales([2, 1, 4])], {"bits": 3})
    cases.error("order_axes_of_bytes_before_scales", "argument", "C3", [data, index, scales([2])])
    cases.error("index_error_of_packed_bytes", "index", "C6", [packed(2, [2, 2]), count("int32", [3]), scales([2, 1])], {"bits": 2},
                options={"out_of_range": "error"}, bad=fault("indices", [2], 2, 0, 2))


_records = Records(cases, "gather_axis", {"index": "C6", "scales": "C4", "zeros": "C5"}, types.Q8)
for _part in (good, bytes_, _records.add_values, _records.add_packed, _records.add_blocks, _records.add_empty, _records.add_policies,
              _records.add_shapes, _records.add_order):
    _part()
_records.add_types(types.I2)
_records.add_attributes([0, 1, 8, 15, 24, -16, 2**62 + 16, -2**63],
                        [("uint8", 0), ("uint8", 1), ("uint8", 3), ("uint8", 16), ("uint8", -4), ("int4", 8), ("int4", 0), ("uint4", 2)])
cases.error("data_of_rank_1", "shape", "C1", [codes("int4", [3]), i64([1], 0), scales([1])])
