"""The operators, element by element: what the expected outputs of the cases are made with.

Written from docs/operators/onnx.md. A tensor is a dict {dtype, shape, data} as in the files; results are such
dicts. The cases are legal calls; nothing is checked but that indices under "error" are.
"""

import itertools
import math

from . import types
from .arithmetic import combine

# Below the first element of every axis, from whichever end it is counted.
BELOW = -2**62


def tensor(dtype, shape, data):
    assert math.prod(shape) == len(data), (dtype, shape, data)
    return {"dtype": dtype, "shape": list(shape), "data": list(data)}


def positions(shape):
    return itertools.product(*(range(extent) for extent in shape))


def offset(shape, position):
    result = 0
    for extent, coordinate in zip(shape, position, strict=True):
        result = result * extent + coordinate
    return result


def at(source, position):
    return source["data"][offset(source["shape"], position)]


def coordinate(index, extent, policy):
    """The coordinate that an index means, or None for outside, as where the index is None."""
    if index is None:
        return None
    if policy == "modulo":
        return index % extent
    wrapped = index + extent if index < 0 else index
    if policy == "clamp":
        return min(max(wrapped, 0), extent - 1)
    inside = 0 <= wrapped < extent
    assert inside or policy != "error", (index, extent)
    return wrapped if inside else None


def gathered(data, position):
    return types.zero(data["dtype"]) if None in position else at(data, position)


def gather(data, indices, axis=0, policy="error"):
    shape = data["shape"]
    axis %= len(shape)
    result = []
    for before in positions(shape[:axis]):
        for index in indices["data"]:
            for after in positions(shape[axis + 1:]):
                place = coordinate(index, shape[axis], policy)
                result.append(gathered(data, (*before, place, *after)))
    return tensor(data["dtype"], shape[:axis] + indices["shape"] + shape[axis + 1:], result)


def gather_elements(data, indices, axis=0, policy="error"):
    axis %= len(data["shape"])
    result = []
    for position in positions(indices["shape"]):
        place = list(position)
        place[axis] = coordinate(at(indices, position), data["shape"][axis], policy)
        result.append(gathered(data, place))
    return tensor(data["dtype"], indices["shape"], result)


def gather_nd(data, indices, batch_dims=0, policy="error"):
    shape, length = data["shape"], indices["shape"][-1]
    tail = shape[batch_dims + length:]
    result = []
    for outer in positions(indices["shape"][:-1]):
        place = [coordinate(at(indices, (*outer, k)), shape[batch_dims + k], policy)
                 for k in range(length)]
        for after in positions(tail):
            result.append(gathered(data, (*outer[:batch_dims], *place, *after)))
    return tensor(data["dtype"], indices["shape"][:-1] + tail, result)


def _scattered(data, updates, places, reduction):
    """Folds updates, in row-major order, into the cells at `places`; None among a place's coordinates drops it."""
    result = list(data["data"])
    for update, place in zip(updates["data"], places, strict=True):
        if None not in place:
            cell = offset(data["shape"], place)
            result[cell] = combine(data["dtype"], reduction, result[cell], update)
    return tensor(data["dtype"], data["shape"], result)


def element_places(data, indices, axis, policy):
    """The place of each element of indices with its own coordinate on the axis replaced by the index."""
    axis %= len(data["shape"])
    places = []
    for position in positions(indices["shape"]):
        place = list(position)
        place[axis] = coordinate(at(indices, position), data["shape"][axis], policy)
        places.append(place)
    return places


def scatter_elements(data, indices, updates, axis=0, reduction="none", policy="error"):
    return _scattered(data, updates, element_places(data, indices, axis, policy), reduction)


def tuple_places(data, indices, policy):
    """The places that the index tuples name, slice by slice."""
    length = indices["shape"][-1]
    places = []
    for outer in positions(indices["shape"][:-1]):
        place = [coordinate(at(indices, (*outer, k)), data["shape"][k], policy)
                 for k in range(length)]
        places += [(*place, *after) for after in positions(data["shape"][length:])]
    return places


def scatter_nd(data, indices, updates, reduction="none", policy="error"):
    return _scattered(data, updates, tuple_places(data, indices, policy), reduction)


def _cache_coordinate(write_index, step, extent, mode, policy):
    if write_index is None:
        return None
    place = write_index + step
    if mode == "circular" or policy == "modulo":
        return place % extent
    if policy == "clamp":
        return min(max(place, 0), extent - 1)
    inside = 0 <= place < extent
    assert inside or policy == "skip"
    return place if inside else None


def cache_places(past_cache, update, write_indices, axis, mode, policy):
    """The place in the cache of each element of update."""
    axis %= len(past_cache["shape"])
    starts = write_indices["data"] if write_indices else [0] * past_cache["shape"][0]
    places = []
    for position in positions(update["shape"]):
        place = list(position)
        place[axis] = _cache_coordinate(starts[position[0]], position[axis],
                                        past_cache["shape"][axis], mode, policy)
        places.append(place)
    return places


def tensor_scatter(past_cache, update, write_indices=None, axis=-2, mode="linear", policy="error"):
    places = cache_places(past_cache, update, write_indices, axis, mode, policy)
    return _scattered(past_cache, update, places, "none")


def array_feature_extractor(x, y, policy="error"):
    shape = x["shape"]
    result = []
    for before in positions(shape[:-1]):
        for index in y["data"]:
            place = coordinate(index, shape[-1], policy)
            is_negative = index is not None and index < 0
            outside = is_negative and policy in ("error", "zero")
            assert not (outside and policy == "error")
            if is_negative and policy == "clamp":
                place = 0
            result.append(gathered(x, (*before, None if outside else place)))
    return tensor(x["dtype"], (shape[:-1] or [1]) + [len(y["data"])], result)


def whole(value):
    """A number of any type as the int64 that counts for it."""
    if isinstance(value, int):
        return min(value, 2**63 - 1)
    number = types.to_float(value)
    return int(number) if -2.0**63 <= number < 2.0**63 else -2**63


def one_hot(indices, depth, values, axis=-1, policy="skip", from_end=True):
    extent = whole(depth["data"][0])
    axis %= len(indices["shape"]) + 1
    shape = [*indices["shape"][:axis], extent, *indices["shape"][axis:]]
    result = []
    for position in positions(shape):
        index = at(indices, position[:axis] + position[axis + 1:])
        index = None if index is None else whole(index)
        if index is not None and index < 0 and not from_end and policy != "modulo":
            place = 0 if policy == "clamp" else None
        else:
            place = coordinate(index, extent, policy)
        result.append(values["data"][1 if place == position[axis] else 0])
    return tensor(values["dtype"], shape, result)
