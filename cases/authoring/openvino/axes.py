"""The axis as an input: cases shared by the operators that have one."""

from .. import types
from ..semantics import tensor
from .records import axis


def add_cases(cases, inputs):
    """`inputs` are an operator's without the axis, for data of rank 2 and axis 1."""
    for dtype in types.I10:
        name = f"axis_of_type_{dtype}"
        cases.ok(f"{name}_scalar", [*inputs, axis(1, dtype)])
        cases.ok(f"{name}_one_element", [*inputs, axis(1, dtype, [1])])
        if dtype.startswith("int"):
            cases.ok(f"{name}_negative", [*inputs, axis(-1, dtype)])
            cases.ok(f"{name}_negative_one_element", [*inputs, axis(-1, dtype, [1])])
            cases.error(f"{name}_too_small", "argument", "A1", [*inputs, axis(-3, dtype)])
        cases.error(f"{name}_too_large", "argument", "A1", [*inputs, axis(2, dtype, [1])])
    for value in (2**63, 2**64 - 1):
        cases.error(f"axis_{value}", "argument", "A1", [*inputs, axis(value, "uint64")])
    cases.error("axis_far_below", "argument", "A1", [*inputs, axis(-2**63)])
    for name, shape in (("two_elements", [2]), ("no_element", [0]), ("rank_2", [1, 1])):
        size = {"two_elements": 2, "no_element": 0, "rank_2": 1}[name]
        cases.error(f"axis_of_{name}", "argument", "A1", [*inputs, tensor("int64", shape, [0] * size)])
    for dtype, value in (("float32", 1.0), ("bool", True), ("uint1", 1), ("uint2", 1), ("string", "1"), ("nf4", "0x1")):
        cases.error(f"axis_of_type_{dtype}", "type", "T4", [*inputs, axis(value, dtype)])
    cases.error("axis_is_missing", "argument", "CALL-I1", inputs)
    cases.error("an_input_after_the_axis", "argument", "CALL-I1", [*inputs, axis(1), axis(1)])
    cases.error("axis_is_no_attribute", "argument", "A2", [*inputs, axis(1)], {"axis": 1})
