"""Producers of random graphs: operators with conditions on shapes, narrow types, approximated functions, and extents that pass through them."""

import numpy as np
from onnx import numpy_helper
from onnx.helper import make_function, make_node, make_opsetid, np_dtype_to_tensor_dtype
from random_graphs import Refused
from random_values import BOOL, FLOAT32, FLOATS, INT32, INT64, INTEGERS, NIBBLES, NUMBERS, SHORT_FLOATS

LONG_EXTENTS = (7, 127, 128, 129, 255, 256, 257, 300, 1000, 2049)
AUTO_PADS = ("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET")


def used(g, value):
    """Perhaps an extent of the value, or positions along an axis of it."""
    if value.rank == 0 or g.chance(0.3):
        return value
    extent = g.extent_of(value)
    if g.chance(0.5):
        return g.node("Range", [g.int64s(0), extent, g.int64s(1)])
    return g.node("Sub", [extent, g.int64s(1)]) if g.chance(0.5) else extent


def image(g, dtype=FLOAT32, channels=None, spatial=None):
    """A new input or a value of the form batch, channels, spatial axes."""
    spatial = spatial or g.between(1, 2)
    if channels is None and g.chance(0.25):
        return g.pick([dtype], [spatial + 2])
    shape = [1, channels or g.between(1, 3), *(g.between(1, 9) for _ in range(spatial))]
    return g.input(dtype, len(shape), numbers=[np.asarray(g.random.standard_normal(shape), dtype) for _ in g.extents], has_default=False)


def windows(g, spatial, kernel):
    """Attributes of a sliding window."""
    attributes = {"strides": [g.between(1, 4) for _ in range(spatial)]}
    if g.chance(0.4):
        attributes["auto_pad"] = g.one_of(AUTO_PADS)
    if g.chance(0.6) and attributes.get("auto_pad", "NOTSET") == "NOTSET":
        attributes["pads"] = [g.between(0, extent - 1) if g.chance(0.7) else 0 for extent in kernel * 2]
    return attributes


def pool(g):
    op_type = g.one_of(["MaxPool", "MaxPool", "AveragePool", "LpPool"])
    value = image(g)
    kernel = [g.between(1, 3) for _ in range(value.rank - 2)]
    attributes = windows(g, len(kernel), kernel)
    since = {"MaxPool": 10, "AveragePool": 10, "LpPool": 18}[op_type]
    if g.opset >= since and g.chance(0.6):
        attributes["ceil_mode"] = 1
    if g.opset >= {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[op_type] and g.chance(0.3):
        attributes["dilations"] = [g.between(1, 2) for _ in kernel]
    if op_type == "MaxPool" and g.chance(0.3):
        values, positions = g.node(op_type, [value], outputs=2, kernel_shape=kernel, **attributes)
        return used(g, g.one_of([values, positions]))
    return used(g, g.node(op_type, [value], kernel_shape=kernel, **attributes))


def convolve(g):
    value = image(g)
    kernel = [g.between(1, 3) for _ in range(value.rank - 2)]
    weights = g.constant(g.random.standard_normal([g.between(1, 3), value.shape[1], *kernel]).astype(np.float32))
    return used(g, g.node("Conv", [value, weights], **windows(g, len(kernel), kernel)))


def convolve_back(g):
    value = image(g)
    kernel = [g.between(1, 3) for _ in range(value.rank - 2)]
    weights = g.constant(g.random.standard_normal([value.shape[1], g.between(1, 3), *kernel]).astype(np.float32))
    attributes = windows(g, len(kernel), kernel)
    if g.chance(0.3):
        attributes["output_padding"] = [g.between(0, stride - 1) for stride in attributes["strides"]]
    if g.chance(0.2):
        attributes["output_shape"] = [g.between(1, 12) for _ in kernel]
    return used(g, g.node("ConvTranspose", [value, weights], **attributes))


EQUATIONS = ("ij,jk->ik", "ij->ji", "ii->i", "...i,...i->...", "i,j->ij", "bij,bjk->bik", "ij->", "ij", "i,i->", "...ij->...ji", "a b,b->a", "ij,ij->ij")


def einsum(g):
    value = g.pick([FLOAT32, np.dtype(np.float64), INT64, INT32], (1, 2, 3))
    equation = g.one_of(EQUATIONS)
    return used(g, g.node("Einsum", [value, g.like(value)][: equation.split("->")[0].count(",") + 1], equation=equation))


def prelu(g):
    value = g.pick([FLOAT32], (1, 2, 3))
    shapes = [(1,), value.shape, (value.shape[-1],), (g.between(1, 4), *([1] * value.rank)), (1,) * (value.rank + 1)]
    return used(g, g.node("PRelu", [value, g.small_constant(FLOAT32, g.one_of(shapes), wild=0)]))


def scales_of(g, rank):
    return [1.0] * (rank - 1) + [float(g.one_of([0.5, 0.6, 1.5, 2, 1.0, 2.3, 1 / 3, 0.999999]))]


def resize(g):
    value = g.pick([FLOAT32, np.dtype(np.uint8), np.dtype(np.int8), INT32], (1, 2, 3, 4))
    scales = g.constant(np.array(scales_of(g, value.rank), np.float32))
    if g.opset < 10:
        return used(g, g.node("Upsample", [value, scales] if g.opset >= 9 else [value], mode=g.one_of(["nearest", "linear"]),
                              **({} if g.opset >= 9 else {"scales": scales_of(g, value.rank)})))
    if g.opset == 10:
        return used(g, g.node("Resize", [value, scales]))
    region = g.constant(np.zeros(0, np.float32)) if g.opset < 13 else None
    attributes = {"mode": g.one_of(["nearest", "linear"])}
    if g.chance(0.4):
        attributes["coordinate_transformation_mode"] = g.one_of(["asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel"])
    if g.opset >= 18 and g.chance(0.4):
        sizes = g.int64s([g.between(1, 7) for _ in range(value.rank)])
        return used(g, g.node("Resize", [value, None, None, sizes], keep_aspect_ratio_policy=g.one_of(
            ["stretch", "not_larger", "not_smaller"]), **attributes))
    return used(g, g.node("Resize", [value, region, scales], **attributes))


def long_value(g):
    """A new input one of whose extents is near the end of a narrow type."""
    shape = g.one_of([[g.one_of(LONG_EXTENTS)], [g.one_of(LONG_EXTENTS), 1], [1, g.one_of(LONG_EXTENTS)]])
    return g.input(np.dtype(np.uint8), len(shape), numbers=[np.zeros(shape, np.uint8) for _ in g.extents], has_default=False)


def convert(g, value, dtype):
    attributes = {"saturate": g.below(2)} if dtype in SHORT_FLOATS[1:] and g.opset >= 19 and g.chance(0.5) else {}
    return g.node("Cast", [value], to=np_dtype_to_tensor_dtype(dtype), **attributes)


def shape_chain(g):
    """An extent that passes through narrow types and arithmetic in them, and what is made of it."""
    value = long_value(g)
    extents = g.node("Shape", [value])
    dtype = g.one_of([*NUMBERS[:8], *FLOATS, *SHORT_FLOATS[:3], BOOL])
    narrow = convert(g, extents, dtype)
    if dtype in NUMBERS and g.chance(0.5):
        narrow = g.node(g.one_of(["Add", "Mul", "Sub", "Div"]), [narrow, g.constant(np.array(g.one_of([1, 2, 100, 127]), dtype))])
    back = convert(g, narrow, INT64)
    choice = g.random.random()
    if choice < 0.3:
        return used(g, g.node("ConstantOfShape", [back], value=numpy_helper.from_array(np.zeros(1, np.int64))))
    if choice < 0.6:
        count = g.squeeze(g.node("Slice", [back, g.int64s([0]), g.int64s([1])]), [0])
        return g.node("Range", [g.int64s(0), count, g.int64s(1)])
    if choice < 0.7:
        return used(g, g.node("Expand", [g.int64s(0), back]))
    return back


def convert_often(g):
    """Casts of casts through any type, and an integer in the end."""
    value = g.pick(NUMBERS + [BOOL])
    for _ in range(g.between(1, 3)):
        choices = [*NUMBERS, BOOL, *SHORT_FLOATS, *(NIBBLES if g.opset >= 21 else [])]
        value = convert(g, value, g.one_of(choices))
    return g.cast(value, g.one_of([INT64, INT64, INT32]))


def narrow_arithmetic(g):
    """Arithmetic of narrow integers that wraps, or that a wider type keeps from wrapping."""
    dtype = g.one_of([np.dtype(name) for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32")])
    value = convert(g, g.pick(NUMBERS), dtype)
    op_type = g.one_of(["Add", "Sub", "Mul", "Div", "Max", "Min", "Mod", "Neg", "Abs"])
    if op_type in ("Neg", "Abs"):
        return g.cast(g.node(op_type, [value]), INT64)
    number = int(g.one_of([1, 2, 7, 100, np.iinfo(dtype).max]))
    return g.cast(g.node(op_type, [value, g.constant(np.array(number, dtype))]), INT64)


APPROXIMATED = ("Sigmoid", "Tanh", "HardSigmoid", "Erf", "Softmax", "Softsign", "Sin", "Cos", "Atan", "Exp", "Sqrt", "Reciprocal", "HardSwish",
                "LogSoftmax", "Hardmax", "Elu", "Celu", "Softplus", "Log", "Asin", "Acos", "Round", "Gelu", "Mish", "Sign", "ThresholdedRelu",
                "Selu", "LeakyRelu", "Shrink", "Sinh", "Cosh", "LpNormalization", "MeanVarianceNormalization")


def quantise(g):
    """A function of floats, scaled and rounded to an index: Cast(Floor(f(x) * n))."""
    value = g.pick(FLOATS[1:] if g.chance(0.8) else FLOATS, (1, 2, 3))
    result = g.node(g.one_of(APPROXIMATED), [value])
    if g.chance(0.7):
        factor = g.one_of([1, 2, 7, 8, 255, 2**24, 8388609])
        result = g.node("Mul", [result, g.constant(np.array(factor, value.dtype))])
    if g.chance(0.6):
        result = g.node(g.one_of(["Floor", "Ceil", "Round"]), [result])
    return g.cast(result, INT64)


def wide_arithmetic(g):
    """Arithmetic of 32-bit and 64-bit integers with the numbers at which 32 bits and float32 end."""
    value = g.pick([INT64, INT64, INT32, np.dtype(np.uint32), np.dtype(np.uint64)])
    edge = g.one_of([7, 24, 27, 30, 31, 32, 53])
    limits = np.iinfo(value.dtype)
    edge = min((1 << edge) + g.between(-1, 3), limits.max)
    number = g.constant(np.array(edge, value.dtype))
    result = g.node(g.one_of(["Mul", "Div", "Mod", "Add", "Sub", "Min", "Max"]), [value, number])
    if g.chance(0.5):
        result = g.node(g.one_of(["Div", "Mod", "Sub"]), [result, g.one_of([number, g.constant(np.array(g.between(1, 9), value.dtype))])])
    return result


def bounded(g):
    """A value of integers made to fit an axis in a usual way: Clip, Mod, Max and Min, a bit mask."""
    value = g.pick([INT64, INT64, INT32, *INTEGERS])
    end = g.one_of([1, 2, 4, 8, 15, 2**24 + 3, 2**31 - 1])
    limits = np.iinfo(value.dtype)
    end = g.constant(np.array(min(end, limits.max), value.dtype))
    zero = g.constant(np.array(0, value.dtype))
    choice = g.below(4)
    if choice == 0 and g.opset >= 11:
        return g.node("Clip", [value, zero, end])
    if choice == 1 and g.opset >= 10:
        return g.node("Mod", [value, end])
    if choice == 2 and g.opset >= 18:
        return g.node("BitwiseAnd", [value, end])
    return g.node("Min", [g.node("Max", [value, zero]), end])


def sequences(g):
    """A part of a split, through a sequence. A function holds both nodes: a graph has no values that are sequences."""
    value = g.pick(ranks=(1, 2, 3))
    name = f"Function{len(g.functions)}"
    split = {"axis": g.axis_of(value), "keepdims": g.below(2)}
    nodes = [
        make_node("SplitToSequence", ["given"], ["parts"], **split),
        make_node("Constant", [], ["number"], value=numpy_helper.from_array(np.array(g.between(-2, 1), np.int64))),
        make_node("SequenceAt", ["parts", "number"], ["result"]),
    ]
    if g.chance(0.3):
        nodes = [nodes[0], make_node("ConcatFromSequence", ["parts"], ["result"], axis=g.axis_of(value))]
    g.functions.append(make_function("local", name, ["given"], ["result"], nodes, [make_opsetid("", g.opset)]))
    try:
        return used(g, g.node(name, [value], domain="local"))
    except Refused:
        if g.functions[-1].name == name and not any(node.op_type == name for node in g.nodes):
            g.functions.pop()
        raise


def blocks(g):
    value = image(g, g.one_of([FLOAT32, np.dtype(np.int8)]), channels=4, spatial=2)
    return used(g, g.node(g.one_of(["DepthToSpace", "SpaceToDepth"]), [value], blocksize=2))


def shift(g):
    value = g.pick([np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")])
    amount = g.constant(np.array(g.one_of([0, 1, 7, 8, 31, 32, 63]), value.dtype))
    return g.cast(g.node("BitShift", [value, amount], direction=g.one_of(["LEFT", "RIGHT"])), INT64)


PRODUCERS = [
    pool, pool, pool, convolve, convolve_back, convolve_back, einsum, prelu, resize, resize, shape_chain, shape_chain, shape_chain, convert_often,
    convert_often, convert_often, narrow_arithmetic, narrow_arithmetic, quantise, quantise, wide_arithmetic, wide_arithmetic, wide_arithmetic,
    bounded, bounded, bounded, sequences, blocks, shift,
]
