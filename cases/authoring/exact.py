"""What a fold of numbers depends on beside the numbers: rounding, the order, overflow, NaN, the sign of a zero.

Each question is about one cell: the list of its operands, the cell of data first if it takes part.
"""

import math
from fractions import Fraction

from . import types

# Significand bits with the hidden one, and the exponents of the smallest
# subnormal and of the first power of two beyond.
FORMATS = {"float16": (11, -24, 16), "bfloat16": (8, -133, 128), "float32": (24, -149, 128),
                       "float64": (53, -1074, 1024), "float8_e4m3fn": (4, -9, 8), "float8_e5m2": (3, -16, 15)}


def numbers(dtype, values):
    """The values as Python numbers; those given as bits too."""
    if dtype in types.FLOAT8_FORMATS:
        return [types.float8_to_float(dtype, value) for value in values]
    if dtype in types.FLOATS:
        return [_from_bits(dtype, value) for value in values]
    return values


def _from_bits(dtype, value):
    if not (isinstance(value, str) and value.startswith("0x")):
        return types.to_float(value)
    return types.float_of_bits(dtype, value)


def has_nan(values):
    return any(value != value for value in values)


def has_infinity(values):
    return any(math.isinf(value) for value in values)


def has_zeros_of_both_signs(values):
    return len({math.copysign(1, value) for value in values if value == 0}) > 1


def has_negative_zero(values):
    return any(value == 0 and math.copysign(1, value) < 0 for value in values)


def _unit(value):
    """The exponent of the lowest set bit of a finite number other than 0."""
    ratio = Fraction(value)
    return ((ratio.numerator & -ratio.numerator).bit_length() - 1) - (ratio.denominator.bit_length() - 1)


def exact_sum(dtype, values):
    """Whether every partial sum, in any order, is a number of the type."""
    digits, lowest, beyond = FORMATS[dtype]
    given = [Fraction(value) for value in values if value]
    if not given:
        return True
    unit = min(map(_unit, given))
    most = sum(map(abs, given))
    return unit >= lowest and most <= Fraction(2) ** (unit + digits) and most < Fraction(2) ** (beyond - 1)


def exact_product(dtype, values):
    """Whether every partial product, in any order, is a normal number of the type."""
    digits, lowest, beyond = FORMATS[dtype]
    given = [Fraction(value) for value in values if value]
    length = sum((abs(value) / Fraction(2) ** _unit(value)).numerator.bit_length() for value in given)
    logarithms = [math.log2(abs(value)) for value in given]
    largest = sum(each for each in logarithms if each > 0)
    smallest = sum(each for each in logarithms if each < 0)
    return length <= digits and largest < beyond - 1 and smallest > lowest + digits


def fits(dtype, values, reduction):
    """Whether integers of the type hold every partial result, in any order."""
    bits, signed = {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype]
    high = 2 ** (bits - signed) - 1
    low = -high - 1 if signed else 0
    if reduction in ("mul", "prod"):
        return math.prod(max(abs(value), 1) for value in values) <= high
    if reduction == "sub":
        values = [*values[:1], *(-value for value in values[1:])]
    return sum(value for value in values if value > 0) <= high and sum(value for value in values if value < 0) >= low
