"""OpenVINO models whose indices are provably in range, in the forms of its model conversion; as patterns.py.

A function gives the parameters and the results of gathers or scatters.
"""

import numpy as np
import openvino as ov
from openvino import opset13 as op

I64, I32, F32 = np.int64, np.int32, np.float32
PATTERNS = {}


def pattern(function):
    PATTERNS[function.__name__] = function
    return function


def model_of(function):
    """The model of a pattern."""
    parameters, *results = function()
    return ov.Model(list(results), parameters, function.__name__)


def parameter(name, dtype, *dims):
    return op.parameter(ov.PartialShape([ov.Dimension(*dim) if isinstance(dim, tuple) else ov.Dimension(dim) for dim in dims]), dtype, name)


def number(value, dtype=I64):
    return op.constant(np.array(value, dtype))


def table(*shape):
    return op.constant(np.arange(np.prod(shape), dtype=F32).reshape(shape))


def extent(value, axis):
    return op.gather(op.shape_of(value), number(axis), number(0))


@pattern
def clamped_ids():
    """Clamp of floats that come from integers, Convert, Gather."""
    ids = parameter("ids", I64, -1, -1)
    return [ids], op.gather(table(100, 4), op.clamp(ids, 0.0, 99.0), number(0))


@pattern
def best_scores():
    """TopK's indices gather elements along its axis."""
    scores = parameter("scores", F32, -1, 20)
    best = op.topk(scores, number(3), 1, "max", "value", "i32")
    return [scores], op.gather_elements(scores, best.output(1), 1)


@pattern
def masked_select():
    """NonZero, Transpose, GatherND of the tensor that was searched."""
    x = parameter("x", F32, -1, 5)
    found = op.transpose(op.non_zero(x, "i64"), number([1, 0]))
    return [x], op.gather_nd(x, found, 0)


@pattern
def rows_in_order():
    """Range up to an extent of the data."""
    x = parameter("x", F32, -1, 5)
    return [x], op.gather(x, op.range(number(0), extent(x, 0), number(1), "i64"), number(0))


@pattern
def hashed_ids():
    """FloorMod by the rows of the table."""
    ids = parameter("ids", I32, -1)
    return [ids], op.gather(table(64, 2), op.floor_mod(ids, number(64, I32)), number(0))


@pattern
def wrapped_ids():
    """Select(i < 0, i + n, i) of clamped indices."""
    ids = op.parameter(ov.PartialShape([-1]), I64, "ids")
    clamped = op.clamp(ids, -16.0, 15.0)
    wrapped = op.select(op.less(clamped, number(0)), op.add(clamped, number(16)), clamped)
    return [ids], op.gather(table(16, 2), wrapped, number(0))


@pattern
def cells_of_a_grid():
    """Row and column of a flat index, joined by Unsqueeze and Concat."""
    image = parameter("image", F32, 6, 7)
    cells = op.range(number(0), number(42), number(1), "i64")
    columns = [op.unsqueeze(part, number(-1)) for part in (op.divide(cells, number(7)), op.floor_mod(cells, number(7)))]
    return [image], op.gather_nd(image, op.concat(columns, 1), 0)


@pattern
def rows_put():
    """ScatterUpdate of rows at a remainder."""
    cache, position = parameter("cache", F32, 8, 4), parameter("position", I64, 1)
    row = op.floor_mod(position, number([8]))
    return [cache, position], op.scatter_update(cache, row, table(1, 4), number(0))


@pattern
def rows_put_in_order():
    """ScatterUpdate of every row, by a Range."""
    x, y = parameter("x", F32, -1, 5), parameter("y", F32, -1, 5)
    return [x, y], op.scatter_update(x, op.range(number(0), extent(x, 0), number(1), "i64"), y, number(0))


@pattern
def short_extent():
    """An index that is less than an extent may ever be."""
    x = parameter("x", F32, (4, 10), 3)
    return [x], op.gather(x, number([0, 3]), number(0))
