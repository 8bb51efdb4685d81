"""The operators of the array dialect, element by element, as ..semantics has those of ONNX.

Written from docs/operators/array.md. The calls are legal; `policy` is None where the options name none.
"""

import math

from .. import quantised, types
from ..arithmetic import combine, divide, identity, neutral
from ..exact import numbers
from ..semantics import at, coordinate, gathered, offset, positions, tensor


def place_of(indices, position, extent, policy):
    """The coordinate that an index means, None for outside; clamp takes a negative one as below the first element."""
    index = at(indices, position)
    if policy == "clamp" and index is not None:
        return min(max(index, 0), extent - 1)
    return coordinate(index, extent, policy or "error")


def take(data, indices, axis=0, policy=None):
    shape, inner = data["shape"], indices["shape"]
    axis %= len(shape)
    result = []
    for before in positions(shape[:axis]):
        for position in positions(inner):
            place = place_of(indices, position, shape[axis], policy)
            for after in positions(shape[axis + 1:]):
                result.append(gathered(data, (*before, place, *after)))
    return tensor(data["dtype"], shape[:axis] + inner + shape[axis + 1:], result)


def repeated(shape, position):
    """A position in a tensor of that shape, whose axes of extent 1 are repeated."""
    return [0 if extent == 1 else i for extent, i in zip(shape, position, strict=True)]


def addressed(data, indices, axis, policy):
    """The shape that data and indices have together, and the place in data of each of its positions."""
    shape, inner = data["shape"], indices["shape"]
    axis %= len(shape)
    result = []
    for d, (mine, other) in enumerate(zip(shape, inner, strict=True)):
        assert d == axis or mine == other or 1 in (mine, other)
        result.append(other if d == axis or mine == 1 else mine)
    places = []
    for position in positions(result):
        place = repeated(shape, position)
        place[axis] = place_of(indices, repeated(inner, position), shape[axis], policy)
        places.append(place)
    return result, places


def take_along_axis(data, indices, axis=-1, policy=None):
    shape, places = addressed(data, indices, axis, policy)
    return tensor(data["dtype"], shape, [gathered(data, place) for place in places])


def put_along_axis(data, indices, values, axis=-1, policy=None):
    shape, places = addressed(data, indices, axis, policy)
    own = values["shape"]
    while len(own) > len(shape):
        assert own[0] == 1
        own = own[1:]
    source = {**values, "shape": own}
    first = len(shape) - len(own)
    result = list(data["data"])
    for position, place in zip(positions(shape), places, strict=True):
        assert all(extent in (1, whole) for extent, whole in zip(own, shape[first:], strict=True))
        if None not in place:
            result[offset(data["shape"], place)] = at(source, repeated(own, position[first:]))
    return tensor(data["dtype"], data["shape"], result)


def folded(start, cells, updates, reduction, *, fresh=None, own=0):
    """Folds updates into the cells of `start` (flat; None drops one); the first one of a cell into `fresh`, if given.

    `own`: how many summands of a mean each cell has of itself.
    """
    dtype, result, counts = start["dtype"], list(start["data"]), {}
    for update, cell in zip(updates["data"], cells, strict=True):
        if cell is None:
            continue
        if cell not in counts and fresh is not None:
            result[cell] = fresh
        counts[cell] = counts.get(cell, 0) + 1
        result[cell] = combine(dtype, reduction, result[cell], update)
    if reduction == "mean":
        for cell, count in counts.items():
            result[cell] = divide(dtype, result[cell], count + own)
    return tensor(dtype, start["shape"], result)


def row_cells(data, indices, updates, axis, policy):
    """The cell of data that each element of updates goes to; None drops it."""
    shape = data["shape"]
    axis %= len(shape)
    assert updates["shape"] == shape[:axis] + indices["shape"] + shape[axis + 1:] and len(indices["shape"]) == 1
    cells = []
    for position in positions(updates["shape"]):
        place = place_of(indices, position[axis:axis + 1], shape[axis], policy)
        inside = place is not None
        cells.append(offset(shape, (*position[:axis], place, *position[axis + 1:])) if inside else None)
    return cells


def index_reduce(data, indices, updates, axis=0, reduction="sum", use_init_val=True, policy=None):
    cells = row_cells(data, indices, updates, axis, policy)
    fresh = None if use_init_val else neutral(data["dtype"], reduction)
    return folded(data, cells, updates, reduction, fresh=fresh, own=int(use_init_val))


def index_add(data, indices, updates, axis=0, policy=None):
    return index_reduce(data, indices, updates, axis, policy=policy)


def segment_cells(data, segment_ids, num_segments, policy):
    """The shape of the result and the cell that each element of data goes to; None drops it."""
    ids = segment_ids["data"]
    assert segment_ids["shape"] == data["shape"][:1]
    shape = [num_segments, *data["shape"][1:]]
    cells = []
    for row, *rest in positions(data["shape"]):
        inside = ids[row] is not None and 0 <= ids[row] < num_segments
        assert inside or ids[row] is None or policy == "skip"
        cells.append(offset(shape, (ids[row], *rest)) if inside else None)
    return shape, cells


def ids_by_offsets(data, offsets, num_segments):
    """The segment of each row of data; None of those that belong to none."""
    rows, ends = data["shape"][0], list(offsets["data"])
    ends += [rows] * (len(ends) == num_segments)
    assert ends == sorted(ends) and len(ends) == num_segments + 1 and all(0 <= end <= rows for end in ends)
    segments = [[segment for segment in range(num_segments) if ends[segment] <= row < ends[segment + 1]] for row in range(rows)]
    return tensor("int64", [rows], [each[0] if each else None for each in segments])


def segment_reduce(data, segment_ids=None, offsets=None, num_segments=0, reduction="sum", policy=None):
    ids = segment_ids or ids_by_offsets(data, offsets, num_segments)
    shape, cells = segment_cells(data, ids, num_segments, policy)
    start = tensor(data["dtype"], shape, [identity(data["dtype"], reduction)] * math.prod(shape))
    return folded(start, cells, data, reduction)


def bags_of(ids, offsets, include_last_offset):
    """The bag of each sample, in the order of ids; None for those that belong to none."""
    if offsets is None:
        return [bag for bag, _ in positions(ids["shape"])]
    count, begins = len(ids["data"]), list(offsets["data"])
    assert begins == sorted(begins) and begins[:1] in ([], [0]) and all(0 <= begin <= count for begin in begins)
    end = begins.pop() if include_last_offset else count
    return [sum(begin <= sample for begin in begins) - 1 if sample < end and begins else None for sample in range(count)]


def updates_of_rows(table, rows, bags, weights):
    """Of each element that is folded into a bag its cell of the result and its value, in the order of the samples.

    rows, bags: of each sample, None where it takes no row or belongs to no bag.
    """
    width = math.prod(table["shape"][1:])
    result = []
    for sample, (row, bag) in enumerate(zip(rows, bags, strict=True)):
        if bag is None or row is None:
            continue
        for column in range(width):
            element = table["data"][row * width + column]
            if weights:
                element = combine(table["dtype"], "prod", element, weights["data"][sample])
            result.append((bag * width + column, element))
    return result


def bag_updates(table, ids, bags, weights, policy):
    rows = [place_of(ids, position, table["shape"][0], policy) for position in positions(ids["shape"])]
    return updates_of_rows(table, rows, bags, weights)


def _as_float32(source):
    """The same numbers as float32; None of none."""
    if source is None:
        return None
    values = [types.from_float(value) for value in numbers(source["dtype"], source["data"])]
    return tensor("float32", source["shape"], values)


def _rounded(dtype, value):
    number = types.to_float(value)
    return types.float_to_float8(dtype, number) if dtype in types.FLOAT8_FORMATS else types.from_float(types.round_to(dtype, number))


def embedding_bag(table, ids, offsets=None, weights=None, reduction="sum", include_last_offset=False, accumulate="",
                  policy=None):
    dtype, inner = table["dtype"], table["shape"][1:]
    widens = accumulate == "float32" and reduction != "max"
    if widens:
        table, weights = _as_float32(table), _as_float32(weights)
    count = ids["shape"][0] if offsets is None else len(offsets["data"]) - include_last_offset
    updates = bag_updates(table, ids, bags_of(ids, offsets, include_last_offset), weights, policy)
    cells, counts = {}, {}
    for cell, element in updates:
        before = cells.get(cell, identity(table["dtype"], reduction))
        cells[cell] = combine(table["dtype"], reduction, before, element)
        counts[cell] = counts.get(cell, 0) + 1
    if reduction == "mean":
        cells = {cell: divide(table["dtype"], total, counts[cell]) for cell, total in cells.items()}
    if widens:
        cells = {cell: _rounded(dtype, total) for cell, total in cells.items()}
    return tensor(dtype, [count, *inner], [cells.get(cell, types.zero(dtype)) for cell in range(count * math.prod(inner))])


def take_quantized(*inputs, policy=None, **attrs):
    look_up = quantised.take_quantized(*inputs, **attrs)
    return look_up.result(lambda position, extent: place_of(look_up.indices, position, extent, policy))
