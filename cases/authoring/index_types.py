"""Index tensors of every type and of the types that are refused."""

from . import types
from .semantics import tensor


def add_cases(cases, good, inputs, attrs=None, *, prefix=""):
    """`inputs(make)` are a call's; make(shape, values) makes its indices, of small numbers that may change sign."""
    def maker(dtype):
        def make(shape, values):
            return tensor(dtype, shape, [abs(value) if dtype.startswith("u") else value for value in values])
        return make

    for dtype in types.I10:
        if dtype in good:
            cases.ok(f"{prefix}indices_of_type_{dtype}", inputs(maker(dtype)), attrs)
        else:
            cases.error(f"{prefix}indices_of_type_{dtype}", "type", "T2", inputs(maker(dtype)), attrs)
    for dtype in ("float32", "bool", "string"):
        def make(shape, values, dtype=dtype):
            convert = {"float32": float, "bool": bool, "string": str}[dtype]
            return tensor(dtype, shape, [convert(value) for value in values])
        cases.error(f"{prefix}indices_of_type_{dtype}", "type", "T2", inputs(make), attrs)
