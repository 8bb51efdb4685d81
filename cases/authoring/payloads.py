"""What is moved: every type, odd numbers of packed elements, and 64-bit values that 32 bits or a double lose."""

from . import types
from .records import cycle, sample

SMALL = ["int4", "uint4", "uint1", "uint2", "nf4", "float4_e2m1fn", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]
WIDE = {
    "int64": [2**40 + 5, -2**40 - 5, 2**53 + 1, -2**53 - 1, 2**63 - 1, -2**63],
    "uint64": [2**40 + 5, 2**53 + 1, 2**63, 2**64 - 1, 2**63 + 2**31 + 1, 2**32],
    "float64": [0.1, 1.7976931348623157e308, 2.0**53 + 2, 5e-324, 1.0000000000000002, -2.0**33 - 1],
}
BITS = {"float16": ["0x7e01", "0xfd55", "0x7c01"], "bfloat16": ["0x7fc1", "0xffd5", "0x7f81"],
        "float32": ["0x7fc00001", "0xffaaaaaa", "0x7f800001"],
        "float64": ["0x7ff8000000000001", "0xfff2aaaaaaaaaaaa", "0x7ff0000000000001"],
        "float8_e4m3fn": ["0xff", "0x7f", "0x80"], "float8_e5m2": ["0xff", "0x7d", "0xfc"],
        "bool": ["0x02", "0xff", "0x00"]}
REFUSED = ["float8_e4m3fnuz", "float8_e5m2fnuz", "complex64"]


def add_cases(cases, dtypes, inputs, odd, attrs=None, *, prefix="", refused=REFUSED):
    """`inputs(make)` and `odd(make)` are the inputs of a call; make(shape, turn) makes data and, with turn 1, updates.

    In the calls of `odd`, rows have an odd number of elements, so that packed ones begin inside a byte. `dtypes`: of
    each version; `refused` some that no version takes; `prefix` begins the names.
    """
    def maker(dtype, values):
        return lambda shape, turn=0: cycle(dtype, shape, values[turn:] + values[:turn])

    def versions(dtype):
        return [version for version in cases.versions if dtype in dtypes[version]]

    def known(table):
        return [dtype for dtype in table if versions(dtype)]

    every = sorted({dtype for group in dtypes.values() for dtype in group}, key=types.ALL.index)
    for dtype in every:
        cases.ok(f"{prefix}moves_{dtype}", inputs(maker(dtype, types.SAMPLES[dtype])), attrs, versions=versions(dtype))
    for dtype in known(SMALL):
        cases.ok(f"{prefix}small_{dtype}_odd", odd(maker(dtype, types.SAMPLES[dtype])), attrs, versions=versions(dtype))
    for dtype in known(WIDE):
        values = WIDE[dtype]
        cases.ok(f"{prefix}wide_{dtype}", inputs(maker(dtype, values)), attrs, versions=versions(dtype),
                 note="values that 32 bits or a double do not hold")
        cases.ok(f"{prefix}wide_{dtype}_odd", odd(maker(dtype, values)), attrs, versions=versions(dtype))
    for dtype in known(BITS):
        cases.ok(f"{prefix}copies_bits_{dtype}", inputs(maker(dtype, BITS[dtype])), attrs, versions=versions(dtype),
                 note="elements that are copied keep their bits: NaN payloads, bool bytes")
    for dtype in refused:
        cases.error(f"{prefix}type_{dtype}", "type", "T1", inputs(maker(dtype, types.SAMPLES[dtype])), attrs)


def add_odd_cases(cases, inputs, attrs, *, versions, name):
    """One more call with the small types."""
    for dtype in SMALL:
        cases.ok(f"small_{dtype}_{name}", inputs(lambda shape, dtype=dtype: sample(dtype, shape)), attrs,
                 versions=versions)
