"""Records that quantised look-ups have in both dialects."""

import itertools

from . import index_types, types
from .records import count, cycle, f32, fault, i64
from .semantics import tensor

# Of each type of codes: the smallest, the largest, zeros and others.
CODES = {"int4": [-8, 7, 0, -1, 3, -4], "uint4": [0, 15, 8, 1, 7, 9], "int8": [-128, 127, 0, -1, 77, 5],
         "uint8": [0, 255, 128, 127, 33, 198],
         **{dtype: ["0x00", "0x38", "0xb8", "0x01", "0x77", "0xf5"] for dtype in types.Q8 if dtype.startswith("float8")},
         "float4_e2m1fn": ["0x0", "0x7", "0xf", "0x1", "0xa", "0x3"]}
# Codes of the 8-bit floats that are no finite numbers, and zeros.
ODD = ["0x7f", "0xff", "0x80", "0x00", "0x7c", "0xfc", "0x7e", "0x7d"]
PLAIN = [0.5, 1.0, 2.0, 0.25]
# Numbers whose products are rounded, overflow, underflow, or are none.
TENTH, THIRD = types.round_to("float32", 0.1), types.round_to("float32", -1 / 3)
ROUGH = {"float32": [TENTH, 3.4028234663852886e38, 1.401298464324817e-45, "inf", "nan", THIRD],
         "float16": [0.0999755859375, 65504.0, 5.960464477539063e-08, "-inf", "nan", -0.0],
         "bfloat16": [0.10009765625, 3.3895313892515355e38, 9.183549615799121e-41, "inf", "nan", -0.333984375]}
ROWS = i64([4], 2, -3, 1, 0)
TWO = i64([2], 0, 1)


def codes(dtype, shape):
    return cycle(dtype, shape, CODES[dtype])


def scales(shape, dtype="float32"):
    return cycle(dtype, shape, PLAIN)


def packed(bits, shape):
    """Bytes of which each code has another value than its neighbours."""
    return cycle("uint8", shape, {2: [0xE4, 0x1B, 0x93], 4: [0x21, 0xF0, 0x87], 8: [0, 255, 128]}[bits])


class Records:
    """Adds records. `axis`: the attribute of the gathered axis. `labels`: those that the dialects number differently."""

    def __init__(self, cases, axis, labels, code_types):
        self.cases, self.axis, self.labels, self.code_types = cases, axis, labels, code_types
        self.is_onnx = cases.dialect == "onnx"
        self.table = [codes("int4", [3, 2]), ROWS, scales([3, 1])]

    def attrs(self, dtype="int4", **given):
        """The attributes of a call along axis 0, quantised along the last one."""
        return {"bits": given.pop("bits", 8)} | given if dtype == "uint8" else given

    def add_values(self):
        for dtype in self.code_types:
            attrs = self.attrs(dtype)
            self.cases.ok(f"codes_{dtype}", [codes(dtype, [3, 3]), ROWS, scales([3, 1])], attrs)
            for name in types.S3:
                rough = cycle(name, [6, 1], ROUGH[name])
                self.cases.ok(f"codes_{dtype}_by_rough_{name}", [codes(dtype, [6, 2]), i64([6], *range(6)), rough], attrs)
                self.cases.ok(f"codes_{dtype}_by_{name}", [codes(dtype, [2, 5]), TWO, scales([2, 1], name)], attrs)
            if dtype.startswith("float8"):
                self.cases.ok(f"odd_codes_{dtype}", [cycle(dtype, [1, 8], ODD), i64([1], 0), scales([1, 1])], attrs)
                negative = f32([1, 1], -1.0)
                self.cases.ok(f"odd_codes_{dtype}_by_minus_1", [cycle(dtype, [1, 8], ODD), i64([1], 0), negative], attrs)
            if not dtype.startswith("float"):
                points = cycle(dtype, [3, 1], CODES[dtype][3:])
                self.cases.ok(f"zero_points_{dtype}", [codes(dtype, [3, 3]), ROWS, scales([3, 1]), points], attrs)
                far = [codes(dtype, [2, 3]), TWO, f32([2, 1], TENTH, THIRD), cycle(dtype, [2, 1], CODES[dtype][:2])]
                self.cases.ok(f"far_zero_points_{dtype}", far, attrs)
        self.cases.ok("no_difference_and_a_negative_scale", [tensor("uint8", [1, 1], [128]), i64([1], 0), f32([1, 1], -2.0)],
                      {"bits": 8}, out=[-0.0])
        self.cases.ok("product_is_rounded_once", [tensor("int4", [1, 2], [7, 3]), i64([1], 0), tensor("float16", [1, 1], [0.0999755859375])],
                      note="in float32, and then to float16")
        # 3 * 2049/2^11: between two numbers of float16, and just so in float32.
        self.cases.ok("ties_to_even", [tensor("int4", [1, 4], [3, 5, 7, -3]), i64([1], 0), tensor("float16", [1, 1], [1.0009765625])])
        self.cases.ok("overflows_float16", [tensor("int4", [1, 3], [7, -8, 1]), i64([1], 0), tensor("float16", [1, 1], [65504.0])],
                      out=["inf", "-inf", 65504.0])

    def add_packed(self):
        for bits in (2, 4, 8):
            each = 8 // bits
            attrs = {"bits": bits}
            data = packed(bits, [3, 2])
            self.cases.ok(f"bytes_of_{bits}_bits", [data, ROWS, scales([3, 1])], attrs)
            self.cases.ok(f"bytes_of_{bits}_bits_with_zero_points", [data, ROWS, scales([3, 1]), packed(bits, [3, 1])], attrs)
            # 17 bytes or more: several blocks of 16, the last one short, whose zero points share a byte.
            many = packed(bits, [2, 40 // each + 1])
            blocks = -(-(40 // each + 1) * each // 16)
            points = packed(bits, [2, -(-blocks // each)])
            for name, rest in (("", []), ("_with_zero_points", [points])):
                inputs = [many, i64([3], 1, 0, -1), scales([2, blocks]), *rest]
                self.cases.ok(f"blocks_of_{bits}_bits{name}", inputs, {**attrs, "block_size": 16})
            step = 1 if bits == 8 else 17
            for dtype in types.S3[1:]:
                self.cases.ok(f"bytes_of_{bits}_bits_by_{dtype}", [data, ROWS, scales([3, 1], dtype)], attrs)
            self.cases.ok(f"every_code_of_{bits}_bits", [tensor("uint8", [1, 255 // step + 1], range(0, 256, step)), i64([1], 0), f32([1, 1], 1.0)],
                          {**attrs, "block_size": 1024})
            self.cases.ok(f"bytes_of_{bits}_bits_of_rank_3", [packed(bits, [2, 3, 1]), i64([2, 1], 1, 0), scales([2, 3, 1])],
                          {**attrs, "quantize_axis": 2})

    def add_blocks(self):
        for dtype, extent in itertools.product(("int4", "uint4", "float8_e4m3fn", "float4_e2m1fn"), (16, 17, 32, 35)):
            blocks = -(-extent // 16)
            along_columns = [codes(dtype, [2, extent]), TWO, scales([2, blocks])]
            self.cases.ok(f"blocks_of_16_in_{extent}_of_{dtype}", along_columns, {"block_size": 16})
            along_rows = [codes(dtype, [extent, 2]), i64([3], 0, 15, extent - 1), scales([blocks, 2])]
            self.cases.ok(f"blocks_of_16_of_rows_in_{extent}_of_{dtype}", along_rows, {"block_size": 16, "quantize_axis": 0})
        self.cases.ok("a_block_above_the_extent", self.table, {"block_size": 2**62})
        for axis, along in itertools.product(range(-3, 3), (0, 1, 2)):
            shape = [2, 3, 2]
            shape[along] = 1
            name = f"axis_{axis}_quantised_{along}".replace("-", "minus_")
            self.cases.ok(name, [codes("uint4", [2, 3, 2]), i64([2], 1, -1), scales(shape)], {self.axis: axis, "quantize_axis": along})
            self.cases.ok(f"{name}_with_zero_points", [codes("int4", [2, 3, 2]), i64([], 0), scales(shape), codes("int4", shape)],
                          {self.axis: axis, "quantize_axis": along - 3})
        for shape in ([1, 1], [1, 3], [2, 1]):
            name = "x".join(map(str, shape))
            data = codes("float8_e5m2", [2, 3])
            self.cases.ok(f"scales_{name}_for_floats", [data, TWO, scales(shape)], {"quantize_axis": 1 if shape[1] == 1 else 0,
                                                                                  "block_size": 32})
        long = codes("int4", [3, 131])
        self.cases.ok("more_than_a_vector_of_codes", [long, ROWS, scales([3, 3])], {"block_size": 64})
        self.cases.ok("more_than_a_vector_of_indices", [codes("uint4", [3, 2]), cycle("int64", [70], [2, 0, 1, -1]), scales([3, 1])])
        self.cases.ok("indices_of_rank_3", [codes("int4", [3, 2]), i64([2, 1, 2], 2, 0, -3, 1), scales([3, 1])])
        self.cases.ok("a_scalar_removes_the_axis", [codes("int4", [3, 2]), i64([], 1), scales([3, 1])])
        self.cases.ok("rank_32", [codes("int4", [2] + [1] * 30 + [3]), i64([2], 1, 0), scales([2] + [1] * 31)], {"quantize_axis": 31})

    def add_empty(self):
        attrs = {"block_size": 16}
        for dtype in ("int4", "uint8", "float8_e5m2"):
            own = self.attrs(dtype, **attrs)
            self.cases.ok(f"no_indices_of_{dtype}", [codes(dtype, [3, 2]), i64([0]), scales([3, 1])], own, out=[])
            self.cases.ok(f"rows_of_nothing_of_{dtype}", [tensor(dtype, [3, 0], []), i64([2], 2, 0), f32([3, 0])], own, out=[])
            self.cases.ok(f"no_rows_and_no_indices_of_{dtype}", [tensor(dtype, [0, 2], []), i64([0]), f32([0, 1])], own, out=[])
            self.cases.ok(f"no_rows_of_{dtype}", [tensor(dtype, [0, 2], []), i64([2], 0, -1), f32([0, 1])], own,
                          options={"out_of_range": "zero"}, out=[0.0] * 4)
        empty = [tensor("int4", [0, 2], []), i64([1], 0), f32([0, 1]), tensor("int4", [0, 1], [])]
        for policy in ("error", "clamp", "modulo"):
            self.cases.error(f"{policy}_on_an_empty_axis", "index", self.labels["index"], empty, options={"out_of_range": policy},
                             bad=fault("indices", [0], 0, 0, 0))
        self.cases.error("bad_index_into_rows_of_nothing", "index", self.labels["index"],
                         [tensor("int4", [3, 0], []), i64([2], 0, 3), f32([3, 0])], attrs, options={"out_of_range": "error"},
                         bad=fault("indices", [1], 3, 0, 3))

    def add_policies(self):
        # The code 0 of uint8 stands for a number other than 0, which nothing outside has.
        forms = {"": ([codes("uint8", [4, 2]), scales([4, 1])], {"bits": 8}),
                 "packed_": ([packed(2, [4, 1]), scales([4, 1])], {"bits": 2})}
        for name, (table, attrs) in forms.items():
            inputs = [table[0], i64([8], -1, -4, -5, -100, 0, 3, 4, 100), table[1]]
            for policy in ("zero", "clamp", "modulo"):
                self.cases.ok(f"{name}out_of_range_{policy}", inputs, attrs, options={"out_of_range": policy})
                for dtype, values in (("int64", [2**63 - 1, -2**63, 2]), ("int32", [2**31 - 1, -2**31, 1])):
                    far = [table[0], tensor(dtype, [3], values), table[1]]
                    self.cases.ok(f"{name}far_out_of_range_{dtype}_{policy}", far, attrs, options={"out_of_range": policy})
            self.cases.error(f"{name}out_of_range_error", "index", self.labels["index"], inputs, attrs,
                             options={"out_of_range": "error"}, bad=fault("indices", [2], -5, 0, 4, 4))
        self.cases.error("skip_is_no_policy_of_a_gather", "argument", "CALL-O1", self.table, options={"out_of_range": "skip"})
        self.cases.ok("duplicates_refuse_nothing", self.table, options={"duplicates": "error"})
        self.cases.ok("strict_changes_nothing", self.table, options={"strict": True})

    def add_types(self, indices):
        index_types.add_cases(self.cases, indices, lambda make: [codes("int4", [3, 2]), make([3], [2, -2, 1]), scales([3, 1])])
        for dtype in ("int16", "uint16", "int32", "float16", "float32", "bool", "float8_e8m0fnu", "uint2",
                      "int8" if self.is_onnx else "nf4"):
            self.cases.error(f"type_{dtype}", "type", "T1", [cycle(dtype, [3, 2], types.SAMPLES[dtype]), ROWS, scales([3, 1])])
        for dtype in ("float64", "int8", "uint8", "float8_e4m3fn"):
            self.cases.error(f"scales_of_type_{dtype}", "type", "T1",
                             [codes("int4", [3, 2]), ROWS, cycle(dtype, [3, 1], types.SAMPLES[dtype])])
        for dtype, other in (("int4", "uint4"), ("uint4", "uint8"), ("uint8", "float32"), ("float8_e5m2", "float8_e4m3fn")):
            self.cases.error(f"zero_points_{other}_of_{dtype}", "type", "T3",
                             [codes(dtype, [3, 2]), ROWS, scales([3, 1]), cycle(other, [3, 1], types.SAMPLES[other])], self.attrs(dtype))

    def add_attributes(self, blocks, bits):
        """`blocks`: sizes that are refused; `bits`: (type, number of bits that are refused)."""
        table = self.table
        for name, label in ((self.axis, "A1"), ("quantize_axis", "A3")):
            for value in (2, -3, 2**63 - 1, -2**63):
                self.cases.error(f"{name}_{value}".replace("-", "minus_"), "argument", label, table, {name: value})
        for size in blocks:
            self.cases.error(f"block_size_{size}".replace("-", "minus_"), "argument", "A4", table, {"block_size": size})
        for dtype, number in bits:
            self.cases.error(f"bits_{number}_of_{dtype}".replace("-", "minus_"), "argument", "A5",
                             [codes(dtype, [3, 2]), ROWS, scales([3, 1])], {"bits": number})
        self.cases.error("unknown_attribute", "argument", "A2", table, {"keepdims": 1})
        self.cases.error("axis_of_the_other_operator", "argument", "A2", table, {"axis" if self.is_onnx else "gather_axis": 0})
        for name in (self.axis, "quantize_axis", "block_size", "bits"):
            self.cases.error(f"{name}_is_a_text", "argument", "A2", table, {name: "0"})

    def add_shapes(self):
        data, index = codes("int4", [3, 2]), ROWS
        for name, shape in (("of_rank_1", [3]), ("of_rank_3", [3, 1, 1]), ("for_two_rows", [2, 1]), ("with_a_block_too_many", [3, 2]),
                            ("without_a_block", [3, 0]), ("for_every_row", [1, 1]), ("of_rank_0", [])):
            self.cases.error(f"scales_{name}", "shape", self.labels["scales"], [data, index, scales(shape)])
        self.cases.error("scales_for_no_row_of_floats", "shape", self.labels["scales"], [codes("float8_e5m2", [3, 2]), index, f32([0, 1])])
        wide = codes("int4", [3, 33])
        self.cases.error("scales_without_the_last_block", "shape", self.labels["scales"], [wide, index, scales([3, 2])], {"block_size": 16})
        self.cases.error("scales_of_bytes_that_are_counted_once", "shape", self.labels["scales"],
                         [packed(4, [3, 16]), index, scales([3, 1])], {"bits": 4, "block_size": 16})
        for name, shape in (("of_rank_1", [3]), ("of_rank_3", [3, 1, 1]), ("for_two_rows", [2, 1]), ("with_a_block_too_many", [3, 2]),
                            ("of_rank_0", [])):
            self.cases.error(f"zero_points_{name}", "shape", self.labels["zeros"], [data, index, scales([3, 1]), codes("int4", shape)])
        self.cases.error("zero_points_that_are_not_packed", "shape", self.labels["zeros"],
                         [packed(4, [3, 16]), index, scales([3, 2]), packed(4, [3, 2])], {"bits": 4, "block_size": 16})
        for dtype in ("float8_e4m3fn", "float4_e2m1fn"):
            self.cases.error(f"zero_points_of_{dtype}", "argument", self.labels["zeros"],
                             [codes(dtype, [3, 2]), index, scales([3, 1]), codes(dtype, [3, 1])])
        self.cases.error("data_of_rank_0", "shape", "C1", [codes("int4", []), index, scales([])])
        self.cases.error("result_of_rank_33", "shape", "C2", [codes("int4", [2] + [1] * 31), i64([1, 1], 0), scales([2] + [1] * 31)],
                         {"quantize_axis": 31})
        self.cases.error("more_values_than_an_extent_counts", "shape", "C2", [tensor("uint8", [0, 2**62], []), i64([0]), f32([0, 1])],
                         {"bits": 2})
        huge = [tensor("int4", [0, 2**60], []), i64([2], 0, 0), f32([0, 2**50])]
        self.cases.error("result_too_large", "shape", "CALL-I2", huge, {"block_size": 1024})
        self.cases.error("only_data", "argument", "CALL-I1", [data])
        self.cases.error("no_scales", "argument", "CALL-I1", [data, index])
        self.cases.error("scales_are_left_out", "argument", "CALL-I1", [data, index, None, codes("int4", [3, 1])])
        self.cases.error("too_many_inputs", "argument", "CALL-I1", [data, index, scales([3, 1]), codes("int4", [3, 1]), index])
        self.cases.ok("zero_points_are_left_out", [data, i64([1], 1), scales([3, 1]), None])

    def add_order(self):
        """Calls that break two rules: the first one in the page's order is named."""
        data, index, wrong = codes("int4", [3, 2]), ROWS, scales([2, 2])
        float_index = cycle("float32", [1], [0.0])
        self.cases.error("order_scales_before_indices", "type", "T1", [data, float_index, cycle("float64", [3, 1], PLAIN)])
        self.cases.error("order_indices_before_zero_points", "type", "T2", [data, float_index, scales([3, 1]), codes("uint4", [3, 1])])
        self.cases.error("order_zero_points_before_policy", "type", "T3", [data, index, scales([3, 1]), codes("uint4", [3, 1])],
                         options={"out_of_range": "skip"})
        self.cases.error("order_policy_before_axis", "argument", "CALL-O1", self.table, {self.axis: 2}, options={"out_of_range": "skip"})
        self.cases.error("order_rank_before_axis", "shape", "C1", [codes("int4", []), index, scales([])], {self.axis: 2})
        self.cases.error("order_axis_before_the_quantised_one", "argument", "A1", self.table, {self.axis: 2, "quantize_axis": 2})
        self.cases.error("order_axes_before_blocks", "argument", "A3", self.table, {"quantize_axis": 2, "block_size": -1})
        self.cases.error("order_blocks_before_bits", "argument", "A4", self.table, {"block_size": -1, "bits": 8})
        self.cases.error("order_bits_before_scales", "argument", "A5", [data, index, wrong], {"bits": 8})
        self.cases.error("order_scales_before_zero_points", "shape", self.labels["scales"], [data, index, wrong, codes("int4", [1])])
        high = i64([1] * 32, 0)
        self.cases.error("order_zero_points_before_rank", "shape", self.labels["zeros"], [data, high, scales([3, 1]), codes("int4", [1])])
        self.cases.error("order_rank_before_indices", "shape", "C2", [data, {**high, "data": [9]}, scales([3, 1])],
                         options={"out_of_range": "error"})
