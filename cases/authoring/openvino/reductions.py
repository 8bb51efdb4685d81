"""What every reduction does to every type: cells and updates, shared by the scatters."""

from .. import types
from ..semantics import tensor

# Cells, and updates of which each goes to the cell of its position in TARGETS; cell 4 gets none.
SPECIAL = [1.0, -0.0, "inf", "nan", 7.0]
SPECIAL_UPDATES = [2.5, 0.0, "-inf", 1.0, "nan", -3.0]
CELLS = {
    "bool": [True, False, True, False, True],
    "int4": [7, -8, 3, 1, -2],
    "uint4": [15, 0, 9, 1, 6],
    "float8_e4m3fn": ["0x38", "0x80", "0x7e", "0x7f", "0x4e"],
    "float8_e5m2": ["0x3c", "0x80", "0x7c", "0x7e", "0x47"],
    **{name: SPECIAL for name in types.FLOATS},
    **{name: [types.SAMPLES[name][2], types.SAMPLES[name][3], 3, 1, 9] for name in types.INTEGERS},
}
UPDATES = {
    "bool": [False, False, True, True, True, False],
    "int4": [2, -1, 4, -8, 1, -3],
    "uint4": [2, 3, 4, 14, 1, 1],
    "float8_e4m3fn": ["0x42", "0x00", "0xfe", "0x38", "0x7f", "0xc4"],
    "float8_e5m2": ["0x41", "0x00", "0xfc", "0x3c", "0x7f", "0xc2"],
    **{name: SPECIAL_UPDATES for name in types.FLOATS},
    **{name: [2, 3, 4, 100, 1, 1] if name.startswith("u") else [2, -3, 4, -100, 1, -2] for name in types.INTEGERS},
}
TARGETS = [0, 1, 2, 3, 0, 1]

# name, type, cell, updates, reduction, note: results of rounding at every step, and of wrapping.
FOLDS = [
    ("float16_rounds_every_step", "float16", 2048.0, [1.0, 1.0, 1.0], "sum", "2048 + 1 is a tie that goes to 2048"),
    ("bfloat16_rounds_every_step", "bfloat16", 256.0, [1.0, 1.0, 1.0], "sum", None),
    ("float8_e4m3fn_rounds_every_step", "float8_e4m3fn", "0x58", ["0x38", "0x38", "0x38"], "sum",
     "16 + 1 is a tie that goes to 16"),
    ("float8_e5m2_rounds_every_step", "float8_e5m2", "0x48", ["0x3c", "0x3c"], "sum", "8 + 1 is a tie that goes to 8"),
    ("float8_e4m3fn_overflows_to_nan", "float8_e4m3fn", "0x7e", ["0x40"], "prod", "448 * 2; there is no infinity"),
    ("float8_e4m3fn_keeps_the_sign_of_an_overflow", "float8_e4m3fn", "0xfe", ["0x40"], "prod", None),
    ("float8_e4m3fn_largest_stays", "float8_e4m3fn", "0x7e", ["0x50"], "sum", "448 + 8 rounds to 448"),
    ("float8_e4m3fn_tie_above_the_largest", "float8_e4m3fn", "0x7e", ["0x58"], "sum",
     "448 + 16 is halfway to 480, which is no number; 448 is the even one"),
    ("float8_e5m2_overflows_to_infinity", "float8_e5m2", "0x7b", ["0x40"], "prod", None),
    ("float8_e4m3fn_subnormal_product", "float8_e4m3fn", "0x08", ["0x30"], "prod", None),
    ("float8_e5m2_subnormal_sum", "float8_e5m2", "0x01", ["0x01"], "sum", None),
    ("float32_folds_from_the_left", "float32", 1.0, [1e8, -1e8, 1.0], "sum", "another order of the updates gives 2"),
    ("float64_rounds_every_step", "float64", 9007199254740992.0, [1.0, 1.0, 1.0], "sum", None),
    ("float16_prod_rounds", "float16", 1.0009765625, [1.0009765625, 1.0009765625], "prod", None),
    ("float16_sum_overflows", "float16", 65504.0, [16.0], "sum", "65520 is a tie that goes to infinity"),
    ("float32_subnormal_product", "float32", 1.1754943508222875e-38, [0.5, 0.5], "prod",
     "subnormal results are not flushed to zero"),
    ("int4_sum_wraps", "int4", 7, [1], "sum", None),
    ("int4_prod_wraps", "int4", -8, [-1], "prod", None),
    ("uint4_prod_wraps", "uint4", 15, [15], "prod", None),
    ("int8_sum_wraps", "int8", 127, [1], "sum", None),
    ("uint8_prod_wraps", "uint8", 200, [3], "prod", None),
    ("int16_prod_wraps", "int16", 300, [300], "prod", None),
    ("int32_prod_wraps", "int32", 65536, [65537], "prod", None),
    ("wide_int64_sum", "int64", 2**53, [1, 1, 2**40], "sum", "a double loses the ones"),
    ("wide_int64_sum_wraps", "int64", 2**63 - 1, [1], "sum", None),
    ("wide_int64_prod", "int64", 2**31 + 1, [2**31 - 1], "prod", None),
    ("wide_int64_max", "int64", 2**53, [2**53 + 1], "max", "equal as doubles"),
    ("wide_int64_min", "int64", -2**53, [-2**53 - 1], "min", None),
    ("wide_uint64_sum_wraps", "uint64", 2**64 - 1, [2], "sum", None),
    ("wide_uint64_max", "uint64", 2**63 - 1, [2**63], "max", "negative as int64"),
    ("wide_uint64_min", "uint64", 2**63, [2**63 - 1], "min", None),
    ("wide_float64_sum", "float64", 1.0, [2.0**-52, 2.0**-52], "sum", None),
    ("wide_float64_prod", "float64", 1e200, [1e100], "prod", None),
    ("bool_sum_is_or", "bool", False, [True, True], "sum", "not a sum modulo 2"),
    ("bool_prod_is_and", "bool", True, [True, False], "prod", None),
]

# name, type, cell, updates, result, reduction: bits decide.
BITS = [
    ("nan_max_of_equal_zeros_takes_the_update", "float32", "0x80000000", ["0x00000000"], "0x00000000", "max"),
    ("nan_max_of_equal_zeros_takes_the_negative", "float32", "0x00000000", ["0x80000000"], "0x80000000", "max"),
    ("nan_min_of_equal_zeros_takes_the_update", "float64", "0x8000000000000000", ["0x0000000000000000"],
     "0x0000000000000000", "min"),
    ("nan_min_of_equal_zeros_float8", "float8_e5m2", "0x00", ["0x80"], "0x80", "min"),
    ("nan_max_keeps_the_first", "float32", "0x7fc00011", ["0x7fc00022", "0x3f800000"], "0x7fc00011", "max"),
    ("nan_max_takes_that_of_an_update", "float32", "0x3f800000", ["0xffc00033", "0x40000000"], "0xffc00033", "max"),
    ("nan_min_takes_that_of_an_update", "float32", "0x3f800000", ["0x7f800044", "0xff800000"], "0x7f800044", "min"),
    ("nan_min_keeps_that_of_the_cell_float64", "float64", "0xfff8000000000005", ["0x3ff0000000000000"],
     "0xfff8000000000005", "min"),
    ("nan_max_keeps_that_of_the_cell_float16", "float16", "0xfe07", ["0x3c00"], "0xfe07", "max"),
    ("nan_max_keeps_that_of_the_cell_bfloat16", "bfloat16", "0xffc7", ["0x3f80"], "0xffc7", "max"),
    ("nan_max_keeps_that_of_the_cell_float8_e4m3fn", "float8_e4m3fn", "0xff", ["0x38"], "0xff", "max"),
    ("nan_min_takes_that_of_an_update_float8_e5m2", "float8_e5m2", "0x3c", ["0xfd"], "0xfd", "min"),
    ("nan_sum_is_canonical_float32", "float32", "0xffc00123", ["0x3f800000"], "0x7fc00000", "sum"),
    ("nan_sum_is_canonical_float64", "float64", "0x3ff0000000000000", ["0xfff8000000000123"],
     "0x7ff8000000000000", "sum"),
    ("nan_sum_is_canonical_float16", "float16", "0xfe12", ["0x3c00"], "0x7e00", "sum"),
    ("nan_prod_is_canonical_bfloat16", "bfloat16", "0x3f80", ["0xffd2"], "0x7fc0", "prod"),
    ("nan_sum_is_canonical_float8_e4m3fn", "float8_e4m3fn", "0xff", ["0x38"], "0x7f", "sum"),
    ("nan_prod_is_canonical_float8_e5m2", "float8_e5m2", "0xff", ["0x3c"], "0x7e", "prod"),
    ("nan_of_infinity_minus_infinity", "float32", "0x7f800000", ["0xff800000"], "0x7fc00000", "sum"),
    ("nan_of_infinity_minus_infinity_float8", "float8_e5m2", "0x7c", ["0xfc"], "0x7e", "sum"),
    ("nan_of_zero_times_infinity", "float64", "0x8000000000000000", ["0x7ff0000000000000"],
     "0x7ff8000000000000", "prod"),
    ("nan_free_zeros_of_both_signs_sum", "float32", "0x80000000", ["0x00000000"], "0x00000000", "sum"),
    ("nan_free_negative_zeros_sum", "float32", "0x80000000", ["0x80000000"], "0x80000000", "sum"),
    ("bool_bytes_are_true", "bool", "0x02", ["0x00"], "0x01", "sum"),
    ("bool_bytes_become_one", "bool", "0xff", ["0x40"], "0x01", "prod"),
    ("bool_max_of_bytes", "bool", "0x00", ["0x80"], "0x01", "max"),
    ("bool_min_of_bytes", "bool", "0x80", ["0x00"], "0x00", "min"),
    ("none_copies_bool_bytes", "bool", "0x01", ["0x40"], "0x40", "none"),
    ("none_copies_nan_bits", "float32", "0x3f800000", ["0xffc00123"], "0xffc00123", "none"),
]


def has(dtype, reduction):
    """Whether a type has a reduction."""
    return dtype in types.T17 and (dtype != "bool" or reduction != "mean")


def _inputs(dtype, cells, targets, updates, indices_of, rest):
    return [tensor(dtype, [len(cells)], cells), indices_of(targets), tensor(dtype, [len(updates)], updates), *rest]


def add_cases(cases, reductions, newest, indices_of, rest, variants):
    """The cases of one scatter; `indices_of` makes its index tensor, of a list of coordinates of a vector.

    `rest` are the inputs after updates, `variants` pairs of what a name ends with and the attributes besides reduction.
    """
    for ending, more in variants:
        for reduction in reductions:
            for dtype in types.T17:
                inputs = _inputs(dtype, CELLS[dtype], TARGETS, UPDATES[dtype], indices_of, rest)
                attrs = {"reduction": reduction, **more}
                if has(dtype, reduction):
                    cases.ok(f"{reduction}_{dtype}{ending}", inputs, attrs, versions=[newest])
                else:
                    cases.error(f"{reduction}_{dtype}{ending}", "type", "A3", inputs, attrs, versions=[newest])
    for reduction in reductions:
        for dtype in ("string", "uint1", "uint2", "nf4", "float4_e2m1fn", "float8_e8m0fnu"):
            values = types.SAMPLES[dtype]
            inputs = _inputs(dtype, values, [0, 0], values[:2], indices_of, rest)
            cases.error(f"{reduction}_{dtype}", "type", "A3", inputs, {"reduction": reduction}, versions=[newest])
    for name, dtype, start, updates, reduction, note in FOLDS:
        cases.ok(name, _inputs(dtype, [start], [0] * len(updates), updates, indices_of, rest),
                 {"reduction": reduction}, versions=[newest], note=note)
    for name, dtype, start, updates, result, reduction in BITS:
        cases.given(name, _inputs(dtype, [start], [0] * len(updates), updates, indices_of, rest),
                    tensor(dtype, [1], [result]), {"reduction": reduction}, versions=[newest])
