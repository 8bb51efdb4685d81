"""Producers of random graphs: operators that move elements, gathers and scatters among them."""

import numpy as np
from onnx import numpy_helper
from random_graphs import MOST_RANK, Refused, broadcasts
from random_values import BOOL, FLOATS, INT64, NUMBERS, random_array


def any_value(g, ranks=None):
    return g.pick(NUMBERS + [BOOL] + [INT64] * 8, ranks)


def concat(g):
    value = any_value(g, (1, 2, 3))
    fits = [other for other in g.values if other.dtype == value.dtype and other.rank == value.rank]
    return g.node("Concat", [value, *(g.one_of(fits) for _ in range(g.below(3)))], axis=g.axis_of(value))


def concat_scalars(g):
    parts = [g.unsqueeze(g.pick([INT64], [0]), [0]) for _ in range(g.between(1, 3))]
    return g.node("Concat", parts, axis=0)


def reshape(g):
    value = any_value(g)
    size = max(int(np.prod(value.shape)), 0)
    choices = [[-1], [1, -1], [-1, 1], [*value.shape, 1], [1, *value.shape], [0] * min(value.rank, 2) + [-1]]
    for factor in (2, 3, 4):
        if size % factor == 0:
            choices += [[factor, -1], [-1, factor]]
    if g.chance(0.2):
        return g.node("Reshape", [value, g.node("Shape", [g.pick()])])
    return g.node("Reshape", [value, g.int64s(g.one_of(choices))])


def squeeze(g):
    value = any_value(g, (1, 2, 3))
    ones = [axis for axis, extent in enumerate(value.shape) if extent == 1]
    return g.squeeze(value, [g.one_of(ones) - g.one_of([0, value.rank])])


def unsqueeze(g):
    value = any_value(g, (0, 1, 2))
    return g.unsqueeze(value, [g.between(-value.rank - 1, value.rank)])


def expand(g):
    value = any_value(g, (0, 1, 2))
    if g.chance(0.5):
        other = g.one_of(other for other in g.values if broadcasts(other, value))
        return g.node("Expand", [value, g.node("Shape", [other])])
    return g.node("Expand", [value, g.int64s([g.between(1, 3), *([1] * value.rank)])])


def tile(g):
    value = any_value(g, (1, 2))
    return g.node("Tile", [value, g.int64s([g.between(0, 3) for _ in range(value.rank)])])


def cut(g):
    value = any_value(g, (1, 2, 3))
    axis = g.axis_of(value)
    step = g.one_of([1, 1, 1, 2, -1, -2])
    start, end = (g.one_of([g.between(-5, 5), g.between(-5, 5), np.iinfo(np.int64).max, -np.iinfo(np.int64).max]) for _ in range(2))
    if g.chance(0.2):
        ends = g.unsqueeze(g.extent_of(g.pick(ranks=(1, 2, 3))), [0])
    else:
        ends = g.int64s([end])
    return g.node("Slice", [value, g.int64s([start]), ends, g.int64s([axis]), g.int64s([step])])


def split(g):
    value = any_value(g, (1, 2, 3))
    axis = g.axis_of(value)
    extent = value.shape[axis]
    if extent < 2:
        raise Refused("nothing to split")
    first = g.between(1, extent - 1)
    parts = [first, extent - first]
    if g.opset >= 13:
        return g.node("Split", [value, g.int64s(parts)], outputs=2, axis=axis)
    return g.node("Split", [value], outputs=2, axis=axis, split=parts)


def transpose(g):
    value = any_value(g, (2, 3))
    if g.chance(0.3):
        return g.node("Transpose", [value])
    return g.node("Transpose", [value], perm=[int(axis) for axis in g.random.permutation(value.rank)])


def flatten(g):
    value = any_value(g, (1, 2, 3))
    return g.node("Flatten", [value], axis=g.between(-value.rank, value.rank))


def fill(g):
    dims = g.int64s([g.between(0, 4) for _ in range(g.below(3))]) if g.chance(0.4) else g.node("Shape", [g.pick()])
    dtype = g.one_of([INT64, INT64, *NUMBERS, BOOL])
    return g.node("ConstantOfShape", [dims], value=numpy_helper.from_array(random_array(g.random, dtype, [1], 0.1)))


def legal_indices(g, extent, shape):
    """Indices of an axis for the first run: a constant, or a value that fits."""
    if extent == 0:
        shape = (0,) * len(shape)
    if g.chance(0.5):
        fits = [value for value in g.values if value.dtype == INT64 and value.rank == len(shape)
                and (value.arrays[0] < extent).all() and (value.arrays[0] >= -extent).all()]
        if fits:
            return g.one_of(fits)
    return g.constant(g.random.integers(-extent, max(extent, 1), shape))


def gather(g):
    value = any_value(g, (1, 2, 3))
    axis = g.axis_of(value)
    rank = g.one_of([0, 1, 1, 2])
    if value.rank + rank - 1 > MOST_RANK:
        raise Refused("too many axes")
    return g.node("Gather", [value, legal_indices(g, value.shape[axis], [g.between(1, 3)] * rank)], axis=axis)


def gather_elements(g):
    value = any_value(g, (1, 2, 3))
    axis = g.axis_of(value)
    shape = list(value.shape)
    shape[axis] = g.between(1, 3)
    return g.node("GatherElements", [value, legal_indices(g, value.shape[axis], shape)], axis=axis)


def gather_nd(g):
    value = any_value(g, (1, 2, 3))
    length = g.between(1, value.rank)
    columns = [g.random.integers(-extent, max(extent, 1), [g.between(1, 3)] if extent else [0])
               for extent in value.shape[:length]]
    count = min(len(column) for column in columns)
    indices = np.stack([column[:count] for column in columns], axis=-1).astype(np.int64)
    return g.node("GatherND", [value, g.constant(indices)])


def reduction(g):
    if g.opset < 16 or g.chance(0.5):
        return {}
    return {"reduction": g.one_of(["none", "add", "mul", *(["min", "max"] if g.opset >= 18 else [])])}


def scatter_elements(g):
    value = any_value(g, (1, 2))
    axis = g.axis_of(value)
    shape = list(value.shape)
    shape[axis] = g.between(1, 3)
    indices = legal_indices(g, value.shape[axis], shape)
    updates = updates_of(g, value, indices.shape)
    return g.node("ScatterElements", [value, indices, updates], axis=axis, **reduction(g))


def updates_of(g, value, shape):
    fits = [other for other in g.values if other.dtype == value.dtype and other.shape == tuple(shape)]
    return g.one_of(fits) if fits and g.chance(0.5) else g.small_constant(value.dtype, shape)


def scatter_nd(g):
    value = any_value(g, (1, 2))
    if 0 in value.shape:
        raise Refused("nothing to scatter into")
    length = g.between(1, value.rank)
    count = g.between(1, 3)
    indices = np.stack([g.random.integers(-extent, extent, [count]) for extent in value.shape[:length]], axis=-1)
    updates = updates_of(g, value, [count, *value.shape[length:]])
    return g.node("ScatterND", [value, g.constant(indices), updates], **reduction(g))


def pad(g):
    value = any_value(g, (1, 2))
    pads = [g.between(0, 2) for _ in range(2 * value.rank)]
    mode = g.one_of(["constant", "constant", "edge", "reflect"])
    inputs = [value, g.int64s(pads)]
    if mode == "constant" and g.chance(0.7):
        inputs.append(g.small_constant(value.dtype, ()))
    return g.node("Pad", inputs, mode=mode)


def triangle(g):
    return g.node("Trilu", [any_value(g, (2, 3))], upper=g.below(2))


def grid(g):
    """Index tuples of advanced indexing: each index unsqueezed, expanded and joined."""
    first = g.pick([INT64], [1])
    second = g.pick([INT64], [1])
    rows, columns = g.unsqueeze(first, [1]), g.unsqueeze(second, [0])
    shape = g.node("Concat", [g.node("Shape", [first]), g.node("Shape", [second])], axis=0)
    parts = [g.unsqueeze(g.node("Expand", [part, shape]), [2]) for part in (rows, columns)]
    return g.node("Concat", parts, axis=-1)


def tuples(g):
    """Columns of single indices, joined."""
    value = g.pick([INT64], [1, 2])
    columns = [value if value.rank == 2 else g.unsqueeze(value, [1])]
    fits = [other for other in g.values if other.dtype == INT64 and other.rank == 1 and other.shape == value.shape[:1]]
    columns += [g.unsqueeze(g.one_of(fits), [1]) for _ in range(g.below(3)) if fits]
    return g.node("Concat", columns, axis=1)


def pass_on(g):
    value = any_value(g)
    return g.node(g.one_of(["Identity", "Dropout"] if value.dtype in FLOATS else ["Identity"]), [value])


PRODUCERS = [
    concat, concat, concat_scalars, reshape, reshape, squeeze, unsqueeze, expand, expand, tile, cut, cut, split, transpose, transpose, flatten,
    fill, gather, gather, gather_elements, gather_nd, scatter_elements, scatter_nd, pad, triangle, grid, grid, tuples, tuples, pass_on,
]
