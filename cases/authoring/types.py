"""Element types: which operator versions take them, sample values, and arithmetic in each.

A value is what stands in a case file: a number, "nan", "inf", "-inf", bits as "0x..", a bool, a text, or a pair
[real, imaginary] of a complex type.
"""

import math
import struct

INTEGERS = {
    "int8": (8, True), "int16": (16, True), "int32": (32, True), "int64": (64, True),
    "uint8": (8, False), "uint16": (16, False), "uint32": (32, False), "uint64": (64, False),
}
SMALL_INTEGERS = {"int4": (4, True), "uint4": (4, False)}
FLOATS = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38,
           "float64": 1.7976931348623157e308}
COMPLEX = {"complex64": "float32", "complex128": "float64"}
FLOAT8 = ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]

T15 = [*INTEGERS, "float16", "float32", "float64", "bool", "string", *COMPLEX]
T16 = [*T15, "bfloat16"]
T24 = [*T16, *FLOAT8, "float4_e2m1fn", "int4", "uint4"]
T17 = ["bool", *INTEGERS, *SMALL_INTEGERS, "float8_e4m3fn", "float8_e5m2", *FLOATS]
T22 = [*T17, "uint1", "nf4", "uint2", "float4_e2m1fn", "float8_e8m0fnu"]
T23 = [*T22, "string"]
T10 = ["bool", "int4", "int8", "int32", "int64", "uint8", "float8_e4m3fn", "float16", "bfloat16", "float32"]
T9 = [dtype for dtype in T10 if dtype != "int4"]
T8 = ["int4", "int8", "int32", "uint8", "float8_e4m3fn", "float16", "bfloat16", "float32"]
# What is drawn follows from this order: a later type stands last, so that the records of the others stay.
ALL = [*T17, "uint1", "nf4", "string", *(dtype for dtype in T24 if dtype not in [*T17, "string"]), "uint2"]
R19 = [*T17, *COMPLEX]
M16 = [dtype for dtype in T17 if dtype != "bool"]
N12 = [*INTEGERS, *FLOATS]
I10 = [*INTEGERS, *SMALL_INTEGERS]
I2 = ["int32", "int64"]
N11 = [*INTEGERS, "float16", "float32", "float64"]
T5 = ["float32", "float64", "int32", "int64", "string"]
# The codes of quantised tables, of ONNX Runtime and of the array dialect, and the types of their scales.
Q8 = ["int4", "uint4", "uint8", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn"]
Q9 = ["int4", "uint4", "int8", *Q8[2:]]
S3 = ["float32", "float16", "bfloat16"]

SAMPLES = {
    "bool": [True, False, False, True, True, False],
    "string": ["", "a", "gather", "é", "line\nbreak", "nul\u0000inside"],
    "float16": [0.5, -0.0, 65504.0, "inf", "nan", 5.960464477539063e-08],
    "bfloat16": [0.5, -0.0, 3.3895313892515355e38, "-inf", "nan", 9.183549615799121e-41],
    "float32": [0.5, -0.0, 3.4028234663852886e38, "inf", "nan", 1.401298464324817e-45],
    "float64": [0.5, -0.0, 1.7976931348623157e308, "-inf", "nan", 5e-324],
    "complex64": [[1.0, 2.0], [-0.0, 0.0], ["inf", "nan"], [0.5, -3.0], [7.0, 0.0], [0.0, 8.0]],
    "complex128": [[1.0, 2.0], [-0.0, 0.0], ["inf", "nan"], [0.1, -3.0], [7.0, 0.0], [0.0, 8.0]],
    "int4": [-8, 7, 0, -1, 3, -4],
    "uint4": [0, 15, 1, 8, 7, 2],
    "uint1": [1, 0, 1, 1, 0, 1],
    "uint2": [3, 0, 1, 2, 0, 3],
    "nf4": ["0x0", "0x7", "0xf", "0x8", "0x3", "0xc"],
    "float4_e2m1fn": ["0x0", "0x1", "0x7", "0x8", "0xf", "0x5"],
    **{name: ["0x00", "0x01", "0x38", "0x7f", "0x80", "0xff"] for name in FLOAT8},
}
for _name, (_bits, _signed) in INTEGERS.items():
    _high = 2 ** (_bits - _signed) - 1
    SAMPLES[_name] = [0, 1, _high, -_high - 1 if _signed else _high - 1, 5, 77]

ZERO = {"bool": False, "string": "", **{name: [0.0, 0.0] for name in COMPLEX}}


def zero(dtype):
    """The value that out_of_range "zero" gives."""
    if dtype in FLOATS:
        return 0.0
    return ZERO.get(dtype, "0x00" if dtype.startswith(("float", "nf4")) else 0)


def to_float(value):
    """A float's value as a Python float (NaN payloads are lost)."""
    if isinstance(value, str) and not value.startswith("0x"):
        return float(value)
    assert not isinstance(value, str), "bits have no value here"
    return float(value)


def from_float(value):
    """A Python float as it stands in a file."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _pack(value, code):
    try:
        return struct.unpack("<" + code, struct.pack("<" + code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def round_to(dtype, value):
    """The number of that type nearest to a Python float, ties to even."""
    if dtype == "float64" or math.isnan(value) or math.isinf(value):
        return value
    value = _pack(value, "f")
    if dtype == "float16":
        return _pack(value, "e")
    if dtype == "bfloat16" and math.isfinite(value):
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def wrap(dtype, value):
    """An integer modulo 2^bits."""
    bits, signed = {**INTEGERS, **SMALL_INTEGERS}[dtype]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def float_of_bits(dtype, text):
    """The value of a float that is given as its bits."""
    bits = int(text, 16)
    if dtype == "bfloat16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    code, integer = {"float16": ("e", "H"), "float32": ("f", "I"), "float64": ("d", "Q")}[dtype]
    return struct.unpack("<" + code, struct.pack("<" + integer, bits))[0]


# Exponent bits, mantissa bits, and whether the largest exponent holds infinity and NaN.
FLOAT8_FORMATS = {"float8_e4m3fn": (4, 3, False), "float8_e5m2": (5, 2, True)}


def _float8_value(dtype, code):
    """The number of a code without its sign, or None for infinity and NaN."""
    exponent_bits, mantissa_bits, has_infinity = FLOAT8_FORMATS[dtype]
    exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
    if has_infinity and exponent == (1 << exponent_bits) - 1 or not has_infinity and code == 0x7F:
        return None
    bias = (1 << (exponent_bits - 1)) - 1
    fraction = mantissa + (1 << mantissa_bits if exponent else 0)
    return math.ldexp(fraction, max(exponent, 1) - bias - mantissa_bits)


def float8_to_float(dtype, text):
    """The value of an 8-bit float, given as its bits."""
    code = int(text, 16)
    value = _float8_value(dtype, code & 0x7F)
    if value is None:
        value = math.inf if FLOAT8_FORMATS[dtype][2] and code & 0x7F == 0x7C else math.nan
    return -value if code & 0x80 else value


# Exponent bits, mantissa bits and bias of the formats that have no infinity, and whether they have a NaN, 0x80.
_OTHER_FORMATS = {"float8_e4m3fnuz": (4, 3, 8, True), "float8_e5m2fnuz": (5, 2, 16, True), "float4_e2m1fn": (2, 1, 1, False)}


def code_to_float(dtype, text):
    """The value of an 8-bit or 4-bit float of a quantised table, given as its bits."""
    if dtype in FLOAT8_FORMATS:
        return float8_to_float(dtype, text)
    exponent_bits, mantissa_bits, bias, has_nan = _OTHER_FORMATS[dtype]
    code, sign = int(text, 16), 1 << (exponent_bits + mantissa_bits)
    if has_nan and code == sign:
        return math.nan
    exponent, mantissa = (code & (sign - 1)) >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
    value = math.ldexp(mantissa + (1 << mantissa_bits if exponent else 0), max(exponent, 1) - bias - mantissa_bits)
    return -value if code & sign else value


def float_to_float8(dtype, value):
    """The bits of the 8-bit float nearest to a Python float, ties to even."""
    has_infinity = FLOAT8_FORMATS[dtype][2]
    if math.isnan(value):
        return "0x7e" if has_infinity else "0x7f"
    codes = [code for code in range(0x80) if _float8_value(dtype, code) is not None]
    above = 2 * _float8_value(dtype, codes[-1]) - _float8_value(dtype, codes[-2])
    places = [_float8_value(dtype, code) for code in codes] + [above]
    distances = [abs(abs(value) - place) for place in places]
    nearest = [code for code, distance in enumerate(distances) if distance == min(distances)]
    code = next((code for code in nearest if code % 2 == 0), nearest[0])
    if abs(value) > above or code == len(codes):
        code = 0x7C if has_infinity else 0x7F
    return f"0x{code | (0x80 if math.copysign(1, value) < 0 else 0):02x}"
