"""What every reduction does to every type: pairs of cells and updates, shared by the scatters."""

from . import types
from .semantics import tensor

REDUCTIONS = ["add", "mul", "max", "min"]

# Cells, and updates of which each goes to the cell of its position; the last two go to cells 0 and 1 again.
CELLS = {
    "bool": [True, False, True, False],
    "string": ["a", "b", "", "é"],
    "complex64": [[1.0, 2.0], [-0.0, 0.0], ["inf", 1.0], [3.0, "nan"]],
    "complex128": [[1.0, 2.0], [-0.0, 0.0], ["inf", 1.0], [3.0, "nan"]],
    **{name: [1.0, -0.0, "inf", "nan"] for name in types.FLOATS},
    **{name: [types.SAMPLES[name][2], types.SAMPLES[name][3], 3, 1] for name in types.INTEGERS},
}
UPDATES = {
    "bool": [False, False, True, True, True, False],
    "string": ["b", "ab", "x", "z", "c", "a"],
    "complex64": [[0.5, -1.0], [0.0, -0.0], ["-inf", 2.0], [1.0, 1.0], [2.0, 0.5], [-1.0, -1.0]],
    "complex128": [[0.1, -1.0], [0.0, -0.0], ["-inf", 2.0], [1.0, 1.0], [2.0, 0.5], [-1.0, -1.0]],
    **{name: [2.5, 0.0, "-inf", 1.0, "nan", -3.0] for name in types.FLOATS},
    **{name: [2, 3, 4, 100, 1, 1] for name in types.INTEGERS},
}
TARGETS = [0, 1, 2, 3, 0, 1]

# name, type, data of one cell, updates of it, reduction, note. Cells hold results of rounding at every step.
FOLDS = [
    ("float16_rounds_every_step", "float16", 2048.0, [1.0, 1.0, 1.0], "add",
     "2048 + 1 is a tie that goes to 2048 each time; the exact sum would be 2051, rounded 2052"),
    ("bfloat16_rounds_every_step", "bfloat16", 256.0, [1.0, 1.0, 1.0], "add",
     "256 + 1 is a tie that goes to 256 each time"),
    ("float32_rounds_every_step", "float32", 16777216.0, [1.0, 1.0, 1.0], "add", None),
    ("float64_rounds_every_step", "float64", 9007199254740992.0, [1.0, 1.0, 1.0], "add", None),
    ("float32_folds_from_the_left", "float32", 1.0, [1e8, -1e8, 1.0], "add",
     "another order of the updates gives 2"),
    ("float16_mul_rounds", "float16", 1.0009765625, [1.0009765625, 1.0009765625], "mul", None),
    ("bfloat16_mul_rounds", "bfloat16", 1.0078125, [1.0078125, 1.0078125], "mul", None),
    ("float16_add_overflows", "float16", 65504.0, [16.0], "add", "65520 is a tie that goes to infinity"),
    ("float16_add_stays_finite", "float16", 65504.0, [15.0], "add", None),
    ("float16_subnormal_sum", "float16", 5.960464477539063e-08, [5.960464477539063e-08], "add", None),
    ("float32_subnormal_product", "float32", 1.1754943508222875e-38, [0.5, 0.5], "mul",
     "subnormal results are not flushed to zero"),
    ("float64_subnormal_sum", "float64", 5e-324, [5e-324], "add", None),
    ("float32_subnormal_max", "float32", 0.0, [1.401298464324817e-45], "max", None),
    ("int8_add_wraps", "int8", 127, [1], "add", None),
    ("int8_mul_wraps", "int8", -128, [-1], "mul", None),
    ("uint8_mul_wraps", "uint8", 200, [3], "mul", None),
    ("int16_mul_wraps", "int16", 300, [300], "mul", None),
    ("uint16_mul_wraps", "uint16", 65535, [65535], "mul", None),
    ("int32_mul_wraps", "int32", 65536, [65537], "mul", None),
    ("int64_add_wraps", "int64", 2**63 - 1, [1], "add", None),
    ("int64_mul_wraps", "int64", -2**63, [-1], "mul", None),
    ("uint64_add_wraps", "uint64", 2**64 - 1, [2], "add", None),
    ("string_concatenates_in_order", "string", "0", ["1", "2", "3"], "add", None),
    ("string_max_by_bytes", "string", "z", ["é", "Z", "zz"], "max", None),
    ("string_min_by_bytes", "string", "b", ["B", "a", ""], "min", None),
    ("bool_counts_to_true", "bool", False, [True, True], "add", "or, not a sum modulo 2"),
    ("complex64_products", "complex64", [1.0, 1.0], [[1.0, 1.0], [0.5, -2.0]], "mul", None),
    ("complex64_infinite_product", "complex64", ["inf", 0.0], [[0.0, 1.0]], "mul",
     "the four-product formula, no correction of infinities: both parts are NaN or infinite by it"),
]

# name, type, cell, updates, result, reduction: bits decide.
BITS = [
    ("max_of_equal_zeros_takes_the_update", "float32", "0x80000000", ["0x00000000"], "0x00000000", "max"),
    ("max_of_equal_zeros_takes_the_negative_update", "float32", "0x00000000", ["0x80000000"], "0x80000000", "max"),
    ("min_of_equal_zeros_takes_the_update", "float32", "0x80000000", ["0x00000000"], "0x00000000", "min"),
    ("max_keeps_the_first_nan", "float32", "0x7fc00011", ["0x7fc00022", "0x3f800000"], "0x7fc00011", "max"),
    ("max_takes_the_nan_of_an_update", "float32", "0x3f800000", ["0xffc00033", "0x40000000"], "0xffc00033", "max"),
    ("min_takes_the_nan_of_an_update", "float32", "0x3f800000", ["0x7f800044", "0xff800000"], "0x7f800044", "min"),
    ("min_keeps_the_nan_of_the_cell_float64", "float64", "0xfff8000000000005", ["0x3ff0000000000000"],
     "0xfff8000000000005", "min"),
    ("max_keeps_the_nan_of_the_cell_float16", "float16", "0xfe07", ["0x3c00"], "0xfe07", "max"),
    ("max_keeps_the_nan_of_the_cell_bfloat16", "bfloat16", "0xffc7", ["0x3f80"], "0xffc7", "max"),
    ("add_of_nan_is_canonical_float32", "float32", "0xffc00123", ["0x3f800000"], "0x7fc00000", "add"),
    ("add_of_nan_is_canonical_float64", "float64", "0x3ff0000000000000", ["0xfff8000000000123"],
     "0x7ff8000000000000", "add"),
    ("add_of_nan_is_canonical_float16", "float16", "0xfe12", ["0x3c00"], "0x7e00", "add"),
    ("mul_of_nan_is_canonical_bfloat16", "bfloat16", "0x3f80", ["0xffd2"], "0x7fc0", "mul"),
    ("infinity_minus_infinity_is_canonical", "float32", "0x7f800000", ["0xff800000"], "0x7fc00000", "add"),
    ("zero_times_infinity_is_canonical", "float64", "0x8000000000000000", ["0x7ff0000000000000"],
     "0x7ff8000000000000", "mul"),
    ("zeros_of_both_signs_add_to_plus_zero", "float32", "0x80000000", ["0x00000000"], "0x00000000", "add"),
    ("negative_zeros_add_to_negative_zero", "float32", "0x80000000", ["0x80000000"], "0x80000000", "add"),
    ("bool_bytes_are_true", "bool", "0x02", ["0x00"], "0x01", "add"),
    ("bool_bytes_become_one", "bool", "0xff", ["0x40"], "0x01", "mul"),
    ("bool_max_of_bytes", "bool", "0x00", ["0x80"], "0x01", "max"),
    ("bool_min_of_bytes", "bool", "0x80", ["0x00"], "0x00", "min"),
    ("none_copies_bool_bytes", "bool", "0x01", ["0x40"], "0x40", "none"),
    ("none_copies_nan_bits", "float32", "0x3f800000", ["0xffc00123"], "0xffc00123", "none"),
]


def has(dtype, reduction):
    """Whether a type has a reduction."""
    if dtype == "string":
        return reduction != "mul"
    return dtype not in types.COMPLEX or reduction in ("add", "mul")


def first_version(reduction):
    return {"none": 11, "add": 16, "mul": 16}.get(reduction, 18)


def cell(dtype, value):
    return tensor(dtype, [1], [value])


def add_cases(cases, indices_of):
    """The cases of one scatter; `indices_of` makes its index tensor, of a list of coordinates of a vector."""
    for reduction in REDUCTIONS:
        for dtype in types.T16:
            inputs = [tensor(dtype, [4], CELLS[dtype]), indices_of(TARGETS), tensor(dtype, [6], UPDATES[dtype])]
            versions = cases.since(first_version(reduction))
            if has(dtype, reduction):
                cases.ok(f"{reduction}_{dtype}", inputs, {"reduction": reduction}, versions=versions)
            else:
                cases.error(f"{reduction}_{dtype}", "type", "A3", inputs, {"reduction": reduction},
                            versions=versions)
    for name, dtype, start, updates, reduction, note in FOLDS:
        cases.ok(name, [cell(dtype, start), indices_of([0] * len(updates)), tensor(dtype, [len(updates)], updates)],
                 {"reduction": reduction}, versions=cases.since(first_version(reduction)), note=note)
    for name, dtype, start, updates, result, reduction in BITS:
        attrs = {} if reduction == "none" else {"reduction": reduction}
        first = max(first_version(reduction), 13 if dtype == "bfloat16" else 0)
        cases.given(name, [cell(dtype, start), indices_of([0] * len(updates)),
                           tensor(dtype, [len(updates)], updates)],
                    cell(dtype, result), attrs, versions=cases.since(first))
