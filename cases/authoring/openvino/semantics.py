"""The OpenVINO operators, element by element, as ..semantics has those of ONNX.

Written from docs/operators/openvino.md. The calls are legal; `policy` is None where the options name none.
"""

import itertools
import math

from ..arithmetic import combine, divide, identity, neutral
from .. import exact, semantics, types
from ..array import semantics as array
from ..semantics import (BELOW, at, coordinate, element_places, gather_elements, gathered, offset, positions, tensor,
                         tuple_places, whole)


def number(indices, position):
    """An index."""
    return at(indices, position)


def first(source):
    """The element of a tensor of one."""
    assert math.prod(source["shape"]) == 1 and len(source["shape"]) < 2
    return source["data"][0]


def gather(data, indices, axis, batch_dims=0, policy=None, version=8):
    del version
    shape, inner = data["shape"], indices["shape"]
    axis = first(axis) % len(shape)
    batch = batch_dims + len(inner) if batch_dims < 0 else batch_dims
    assert 0 <= batch <= min(len(inner), axis) and shape[:batch] == inner[:batch]
    result = []
    for before in positions(shape[:axis]):
        for own in positions(inner[batch:]):
            place = coordinate(number(indices, (*before[:batch], *own)), shape[axis], policy or "zero")
            for after in positions(shape[axis + 1:]):
                result.append(gathered(data, (*before, place, *after)))
    return tensor(data["dtype"], shape[:axis] + inner[batch:] + shape[axis + 1:], result)


def gather_elements_6(data, indices, axis, policy=None, version=6):
    del version
    return gather_elements(data, indices, axis, policy or "error")


def _repeated(shape, position):
    """A batch position in a tensor of that shape: 0 on the axes that are repeated."""
    return [0 if extent == 1 else i for extent, i in zip(shape, position, strict=False)]


def gather_nd(data, indices, batch_dims=0, policy=None, version=8):
    shape, inner, b = data["shape"], indices["shape"], batch_dims
    length = inner[-1]
    batches = [i if d == 1 else d for d, i in zip(shape[:b], inner[:b], strict=True)]
    assert all(d == i or 1 in (d, i) for d, i in zip(shape[:b], inner[:b], strict=True))
    result = []
    for batch in positions(batches):
        for own in positions(inner[b:-1]):
            outer = (*_repeated(inner[:b], batch), *own)
            place = [coordinate(number(indices, (*outer, k)), shape[b + k], policy or "error") for k in range(length)]
            for after in positions(shape[b + length:]):
                result.append(gathered(data, (*_repeated(shape[:b], batch), *place, *after)))
    if version == 5 and b > 1:
        batches = [math.prod(batches)]
    return tensor(data["dtype"], batches + inner[b:-1] + shape[b + length:], result)


def _scattered(data, updates, places, reduction="none", use_init_val=True):
    """Folds updates, in row-major order, into the cells at `places`; None among a place's coordinates drops it."""
    dtype, result, counts = data["dtype"], list(data["data"]), {}
    for update, place in zip(updates["data"], places, strict=True):
        if None in place:
            continue
        cell = offset(data["shape"], place)
        if cell not in counts and reduction != "none" and not use_init_val:
            result[cell] = neutral(dtype, reduction)
        counts[cell] = counts.get(cell, 0) + 1
        result[cell] = combine(dtype, reduction, result[cell], update)
    if reduction == "mean":
        for cell, count in counts.items():
            result[cell] = divide(dtype, result[cell], count + (1 if use_init_val else 0))
    return tensor(dtype, data["shape"], result)


def _from_the_front(index, extent, policy):
    """As coordinate(), with negative indices outside."""
    if index is None or index >= 0 or policy == "modulo":
        return coordinate(index, extent, policy)
    assert policy in ("skip", "clamp"), (index, policy)
    return 0 if policy == "clamp" else None


def row_places(data, indices, updates, axis, policy):
    """The place in data of each element of updates."""
    shape = data["shape"]
    assert updates["shape"] == shape[:axis] + indices["shape"] + shape[axis + 1:]
    end = axis + len(indices["shape"])
    places = []
    for position in positions(updates["shape"]):
        place = _from_the_front(number(indices, position[axis:end]), shape[axis], policy or "error")
        places.append((*position[:axis], place, *position[end:]))
    return places


def scatter_update(data, indices, updates, axis, policy=None, version=3):
    del version
    return _scattered(data, updates, row_places(data, indices, updates, first(axis) % len(data["shape"]), policy))


def scatter_elements_update(data, indices, updates, axis, reduction="none", use_init_val=True, policy=None,
                            version=12):
    del version
    places = element_places(data, indices, first(axis), policy or "error")
    return _scattered(data, updates, places, reduction, use_init_val)


def scatter_nd_update(data, indices, updates, reduction="none", policy=None, version=15):
    del version
    return _scattered(data, updates, tuple_places(data, indices, policy or "error"), reduction)


def one_hot(indices, depth, on_value, off_value, axis, negative_indices_mode="ignore_negative", policy=None, version=16):
    del version
    assert not on_value["shape"] and not off_value["shape"]
    values = tensor(on_value["dtype"], [2], [off_value["data"][0], on_value["data"][0]])
    return semantics.one_hot(indices, depth, values, axis, policy or "skip", negative_indices_mode == "normalize")


def number_of_segments(segment_ids, num_segments):
    """What num_segments says; without it, there is a segment for each number up to the largest id."""
    if num_segments is None:
        return max(segment_ids["data"], default=-1) + 1
    assert not num_segments["shape"]
    return num_segments["data"][0]


def segment_max(data, segment_ids, num_segments=None, *, fill_mode, policy=None, version=16):
    del version
    assert all(id is None or id >= 0 or id == BELOW for id in segment_ids["data"])
    dtype = data["dtype"]
    shape, cells = array.segment_cells(data, segment_ids, number_of_segments(segment_ids, num_segments), policy or "skip")
    empty = {"ZERO": types.zero(dtype), "LOWEST": neutral(dtype, "max")}[fill_mode.upper()]
    start = tensor(dtype, shape, [empty] * math.prod(shape))
    return array.folded(start, cells, data, "max", fresh=identity(dtype, "max"))


def slice_places(data, updates, start, stop, step, axes):
    """The position in data of each element of the slice, which updates fit."""
    taken = [range(extent) for extent in data["shape"]]
    numbers = [start["data"], stop["data"], step["data"]]
    chosen = range(len(start["data"])) if axes is None else axes["data"]
    for axis, *bounds in zip(chosen, *numbers, strict=True):
        taken[axis] = taken[axis][slice(*bounds)]
    assert list(map(len, taken)) == updates["shape"]
    return itertools.product(*taken)


def slice_scatter(data, updates, start, stop, step, axes=None, policy=None, version=15):
    del policy, version
    return _scattered(data, updates, list(slice_places(data, updates, start, stop, step, axes)))


def bags_of_offsets(indices, offsets):
    """The bag of each sample; None in front of the first bag."""
    begins = offsets["data"]
    assert list(begins) == sorted(begins) and all(0 <= begin <= len(indices["data"]) for begin in begins)
    bags = [sum(begin <= sample for begin in begins) - 1 for sample in range(len(indices["data"]))]
    return [bag if bag >= 0 else None for bag in bags]


def bags_of_rows(indices):
    """The bag of each sample of a matrix, whose rows are bags."""
    return [bag for bag, _ in positions(indices["shape"])]


def bag_updates(table, indices, bags, weights, policy):
    """As those of the array dialect, by rows that count from the front."""
    rows = [_from_the_front(index, table["shape"][0], policy or "error") for index in indices["data"]]
    return array.updates_of_rows(table, rows, bags, weights)


def _folded_bags(table, count, bags, updates, default_index, reduction):
    """The sums or means of `count` bags; one without a sample takes the row of default_index, if it is not -1."""
    dtype, inner = table["dtype"], table["shape"][1:]
    width = math.prod(inner)
    result, counts = [types.zero(dtype)] * (count * width), {}
    for cell, element in updates:
        result[cell] = combine(dtype, "sum", result[cell], element)
        counts[cell] = counts.get(cell, 0) + 1
    if reduction == "mean":
        for cell, number in counts.items():
            result[cell] = divide(dtype, result[cell], number)
    row = first(default_index) if default_index else -1
    assert -1 <= row < table["shape"][0]
    for bag in set(range(count)) - set(bags) if row >= 0 else ():
        result[bag * width:(bag + 1) * width] = table["data"][row * width:(row + 1) * width]
    return tensor(dtype, [count, *inner], result)


def embedding_bag_offsets(table, indices, offsets, default_index=None, weights=None, reduction="sum", policy=None,
                          version=15):
    del version
    bags = bags_of_offsets(indices, offsets)
    updates = bag_updates(table, indices, bags, weights, policy)
    return _folded_bags(table, len(offsets["data"]), bags, updates, default_index, reduction)


def embedding_bag_packed(table, indices, weights=None, reduction="sum", policy=None, version=15):
    del version
    bags = bags_of_rows(indices)
    return _folded_bags(table, indices["shape"][0], bags, bag_updates(table, indices, bags, weights, policy), None, reduction)


def embedding_segments_sum(table, indices, segment_ids, num_segments, default_index=None, weights=None, policy=None,
                           version=3):
    del version
    bags, count = segment_ids["data"], first(num_segments)
    assert list(bags) == sorted(bags) and all(0 <= bag < count for bag in bags)
    return _folded_bags(table, count, bags, bag_updates(table, indices, bags, weights, policy), default_index, "sum")


def beams_of(step_ids, parent_ids, max_seq_len):
    """Of each beam, by its batch entry and number, the beam at each of its steps, from the first one on."""
    time, batches, width = step_ids["shape"]
    result = {}
    for b, w in positions([batches, width]):
        beams, beam = [], w
        for t in reversed(range(min(time, whole(max_seq_len["data"][b])))):
            assert 0 <= beam < width
            beams.insert(0, beam)
            beam = whole(at(parent_ids, (t, b, beam))) if t else beam
        result[b, w] = beams
    return result


def gather_tree(step_ids, parent_ids, max_seq_len, end_token, policy=None, version=1):
    del version
    assert policy in (None, "error")
    end = end_token["data"][0]
    result = [end] * math.prod(step_ids["shape"])
    for (b, w), beams in beams_of(step_ids, parent_ids, max_seq_len).items():
        for t, beam in enumerate(beams):
            step = at(step_ids, (t, b, beam))
            result[offset(step_ids["shape"], (t, b, w))] = step
            if _number(step_ids["dtype"], step) == _number(step_ids["dtype"], end):
                break
    return tensor(step_ids["dtype"], step_ids["shape"], result)


def _number(dtype, value):
    """A token as a number that compares like one."""
    return exact.numbers(dtype, [value])[0]
