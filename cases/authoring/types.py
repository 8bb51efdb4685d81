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
FLOATS = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
COMPLEX = {"complex64": "float32", "complex128": "float64"}
FLOAT8 = ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]

T15 = [*INTEGERS, "float16", "float32", "float64", "bool", "string", *COMPLEX]
T16 = [*T15, "bfloat16"]
T24 = [*T16, *FLOAT8, "float4_e2m1fn", "int4", "uint4"]
T5 = ["float32", "float64", "int32", "int64", "string"]

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
    return ZERO.get(dtype, "0x00" if dtype.startswith("float") else 0)


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
    bits, signed = INTEGERS[dtype]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def float_bits(dtype, value):
    """The bits of a value from to_float; NaN as the positive quiet one."""
    value = to_float(value)
    if math.isnan(value):
        return {"float16": "0x7e00", "bfloat16": "0x7fc0", "float32": "0x7fc00000",
                "float64": "0x7ff8000000000000"}[dtype]
    if dtype == "bfloat16":
        return f"0x{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04x}"
    code, integer, digits = {"float16": ("e", "H", 4), "float32": ("f", "I", 8),
                             "float64": ("d", "Q", 16)}[dtype]
    return f"0x{struct.unpack('<' + integer, struct.pack('<' + code, value))[0]:0{digits}x}"
