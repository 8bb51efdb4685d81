"""Producers of random graphs: arithmetic, comparisons, conversions, and choices by comparison."""

import numpy as np
from onnx.helper import np_dtype_to_tensor_dtype
from random_graphs import Refused
from random_values import BOOL, FLOATS, INT32, INT64, INTEGERS, NUMBERS, SIGNED

COMPARISONS = ("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal")


def clip(g):
    value = g.pick(NUMBERS)
    if g.opset < 11 or g.chance(0.1):
        return g.node("Max", [value, bound(g, value)])
    low, high = (bound(g, value) if g.chance(0.8) else None for _ in range(2))
    if low is not None and high is not None and g.chance(0.7):
        low, high = sorted((low, high), key=lambda end: float(np.nan_to_num(end.arrays[0].astype(np.float64))))
    inputs = [value, low, high]
    while inputs[-1] is None:
        inputs.pop()
    return g.node("Clip", inputs)


def bound(g, value):
    """A bound of a Clip: constant, an extent, an extent minus 1, or anything."""
    choice = g.random.random()
    if choice < 0.45:
        return g.small_constant(value.dtype, ())
    if choice < 0.9:
        extent = g.extent_of(g.pick(ranks=(1, 2, 3)))
        if g.chance(0.6):
            extent = g.node("Sub", [extent, g.int64s(1)])
        return g.cast(extent, value.dtype)
    return g.pick([value.dtype], [0])


def binary(g):
    value = g.pick(NUMBERS)
    both = [value, g.like(value)]
    if g.chance(0.4):
        both.reverse()
    return g.node(g.one_of(["Add", "Sub", "Mul", "Add", "Sub", "Mul", "Div", "Div"]), both)


def minimum(g):
    value = g.pick(NUMBERS)
    values = [value, *(g.like(value) for _ in range(g.below(3)))]
    g.random.shuffle(values)
    return g.node(g.one_of(["Min", "Max"]), values)


def modulo(g):
    value = g.pick(NUMBERS)
    is_float = value.dtype.kind == "f"
    divisor = g.like(value)
    if g.chance(0.3):
        divisor = g.cast(g.extent_of(g.pick(ranks=(1, 2, 3))), value.dtype)
    return g.node("Mod", [value, divisor], fmod=1 if is_float or g.chance(0.4) else 0)


def divide_and_modulo(g):
    """Row and column of a flat index: i / w and i % w."""
    value = g.pick([INT64, INT32])
    width = g.small_constant(value.dtype, ()) if g.chance(0.5) else g.cast(g.extent_of(g.pick(ranks=(2, 3))), value.dtype)
    row = g.node("Div", [value, width])
    column = g.node("Mod", [value, width])
    if g.chance(0.5):
        g.node("Add", [g.node("Mul", [row, width]), column])


def unary(g):
    value = g.pick(NUMBERS)
    of_floats = ["Floor", "Ceil", "Round", "Relu", "Sqrt", "Exp", "Sigmoid", "Tanh", "Reciprocal", "Log", "Softmax"]
    op_type = g.one_of(["Neg", "Abs", "Abs", "Sign", "Identity"] + (of_floats if value.dtype in FLOATS else []))
    if op_type == "Softmax" and value.rank == 0:
        op_type = "Sigmoid"
    return g.node(op_type, [value])


def power(g):
    value = g.pick([*FLOATS, INT32, INT64])
    return g.node("Pow", [value, g.small_constant(value.dtype, (), wild=0)])


def bits(g):
    value = g.pick(INTEGERS)
    if g.opset >= 18 and g.chance(0.7):
        if g.chance(0.2):
            return g.node("BitwiseNot", [value])
        return g.node(g.one_of(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), [value, g.like(value)])
    value = g.pick([np.dtype(np.uint8), np.dtype(np.uint32), np.dtype(np.uint64)])
    amount = g.constant(np.array(g.below(5), value.dtype))
    return g.node("BitShift", [value, amount], direction=g.one_of(["LEFT", "RIGHT"]))


def cast(g):
    value = g.pick(NUMBERS + [BOOL])
    return g.node("Cast", [value], to=np_dtype_to_tensor_dtype(g.one_of(NUMBERS + [INT64] * 5 + [INT32] * 2 + [BOOL])))


def cast_twice(g):
    value = g.cast(g.pick(NUMBERS + [BOOL]), g.one_of(NUMBERS + [BOOL]))
    return g.cast(value, g.one_of([INT64, INT32]))


def compare(g):
    value = g.pick(NUMBERS)
    op_type = g.one_of(COMPARISONS[:1] + COMPARISONS[2:3] + COMPARISONS[-1:] if g.opset < 12 else COMPARISONS)
    both = [value, g.like(value)]
    if g.chance(0.3):
        both.reverse()
    return g.node(op_type, both)


def logic(g):
    value = g.pick([BOOL])
    if g.chance(0.3):
        return g.node("Not", [value])
    return g.node(g.one_of(["And", "Or", "Xor"]), [value, g.like(value)])


def select(g):
    condition = g.pick([BOOL])
    value = g.pick(NUMBERS)
    return g.node("Where", [condition, value, g.like(value)])


def refined_select(g):
    """A choice between values that its own comparison bounds: Where(i < c, f(i), g(i)) and similar forms."""
    value = g.pick([INT64, INT64, INT32, *SIGNED[:2], *FLOATS])
    other = refiner(g, value)
    both = [value, other]
    if g.chance(0.3):
        both.reverse()
    condition = g.node(g.one_of(COMPARISONS if g.opset >= 12 else ("Less", "Greater", "Equal")), both)
    choice = g.random.random()
    if choice < 0.25:
        condition = g.node("Not", [condition])
    elif choice < 0.4:
        second = g.node(g.one_of(["Less", "Greater"]), [value, refiner(g, value)])
        condition = g.node(g.one_of(["And", "Or"]), [condition, second])
    moved = shifted(g, value, other)
    branches = [moved, value] if g.chance(0.6) else [value, shifted(g, value, other)]
    if g.chance(0.2):
        branches.reverse()
    return g.node("Where", [condition, *branches])


def refiner(g, value):
    choice = g.random.random()
    if choice < 0.5:
        return g.constant(np.array(g.one_of([0, 0, 0, -1, 1, 3]), value.dtype))
    if choice < 0.75:
        return g.cast(g.extent_of(g.pick(ranks=(1, 2, 3))), value.dtype)
    return g.like(value)


def shifted(g, value, other):
    """The value plus or minus an extent, a constant or the value that it was compared with."""
    choice = g.random.random()
    if choice < 0.5:
        amount = g.cast(g.extent_of(g.pick(ranks=(1, 2, 3))), value.dtype)
    elif choice < 0.7:
        amount = other
    elif choice < 0.85:
        amount = g.small_constant(value.dtype, ())
    else:
        return amount_only(g, value, other)
    return g.node(g.one_of(["Add", "Add", "Sub"]), [value, amount])


def amount_only(g, value, other):
    return other if g.chance(0.5) else g.small_constant(value.dtype, ())


def wrap_negative(g):
    """What exporters emit: Where(i < 0, i + n, i)."""
    value = g.pick([INT64, INT64, INT32])
    length = g.pick(ranks=(1, 2, 3))
    if g.chance(0.5):
        value = g.node("Clip", [value, *near_extent(g, length, value.dtype)])
    extent = g.cast(g.extent_of(length), value.dtype)
    negative = g.node("Less", [value, g.constant(np.array(0, value.dtype))])
    return g.node("Where", [negative, g.node("Add", [value, extent]), value])


def near_extent(g, length, dtype):
    axis = g.below(length.rank)
    high = g.node("Sub", [g.extent_of(length, axis), g.int64s(1)])
    low = g.node("Neg", [g.extent_of(length, axis)]) if g.chance(0.5) else g.int64s(g.one_of([0, -1, -3]))
    return g.cast(low, dtype), g.cast(high, dtype)


def not_a_number(g):
    value = g.pick(FLOATS)
    if g.chance(0.5):
        return g.node("IsNaN", [value])
    missing = g.node("IsNaN", [value])
    return g.node("Where", [missing, g.small_constant(value.dtype, ()), value])


def sums(g):
    value = g.pick([INT32, INT64, *FLOATS], (1, 2, 3))
    axis = g.int64s(g.axis_of(value))
    return g.node("CumSum", [value, axis], exclusive=g.below(2), reverse=g.below(2))


def mask_positions(g):
    """cumsum(mask) - 1, as in left-padded prompts."""
    mask = g.pick([BOOL, np.dtype(np.uint8), INT64], (1, 2))
    mask = g.cast(mask, INT64)
    counted = g.node("CumSum", [mask, g.int64s(g.axis_of(mask))])
    return g.node("Sub", [counted, g.int64s(1)])


def reduce(g):
    value = g.pick(NUMBERS, (1, 2, 3))
    op_type = g.one_of(["ReduceMin", "ReduceMax", "ReduceSum", "ReduceProd", "ReduceMean"])
    if g.chance(0.2):
        return g.node(op_type, [value], keepdims=g.below(2))
    since = 13 if op_type == "ReduceSum" else 18
    return g.with_axes(op_type, value, [g.axis_of(value)], input_since=since, keepdims=g.below(2))


def multiply_add(g):
    value = g.pick(INTEGERS)
    scaled = g.node("Mul", [value, g.small_constant(value.dtype, ())])
    return g.node(g.one_of(["Add", "Sub"]), [scaled, g.like(value)])


def many(g):
    value = g.pick(FLOATS)
    return g.node(g.one_of(["Sum", "Mean"]), [value, g.like(value), g.like(value)])


PRODUCERS = [
    clip, clip, clip, binary, binary, binary, minimum, minimum, modulo, modulo, divide_and_modulo, unary, unary, power, bits, cast, cast,
    cast_twice, compare, logic, select, refined_select, refined_select, refined_select, wrap_negative, wrap_negative,
    not_a_number, sums, mask_positions, reduce, multiply_add, many,
]
