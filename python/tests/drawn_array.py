"""Random calls of the operators of the array dialect."""

import numpy as np
from call_maker import FROM_FRONT
from drawn_bags import ascending


def _array_reductions(name, call):
    del call  # there is one version
    if name.startswith("complex"):
        return ["sum", "prod"]
    names = ["sum", "prod", "min", "max"]
    return names if name == "bool" else [*names, "mean"]


def _broadcast_window(make):
    """A shape of indices that broadcasts against data off the axis; extents of data may become 1 for it."""
    shape = [1 if make.draw.chance(4) else extent for extent in make.shape]
    shape[make.at] = make.draw.extent(make.rank)
    narrow = tuple(slice(0, 1) if axis != make.at and make.draw.chance(6) else slice(None)
                   for axis in range(make.rank))
    make.call.inputs[0] = make.call.inputs[0][narrow]
    make.shape = make.call.inputs[0].shape
    return tuple(shape)


def take_along_axis(make):
    make.add_data(most=4)
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_broadcast_window(make), [make.shape[make.at]])


def put_along_axis(make):
    take_along_axis(make)
    indices = make.call.inputs[1]
    shape = [max(pair) if 0 not in pair else 0 for pair in zip(indices.shape, make.shape, strict=True)]
    shape[make.at] = indices.shape[make.at]
    values = [1 if make.draw.chance(5) else extent for extent in shape]
    make.add_updates(tuple(values[make.draw.count(0, make.rank) if make.draw.chance(3) else 0:]))


def index_add(make):
    make.call.implied_reduction = "sum"
    index_reduce(make)


def index_reduce(make):
    make.add_data(most=4, reductions=_array_reductions)
    make.call.attributes["axis"] = make.axis()
    make.add_indices((make.draw.extent(make.rank),), [make.shape[make.at]])
    make.add_updates(make.shape[:make.at] + make.call.inputs[1].shape + make.shape[make.at + 1:])
    if make.has("use_init_val"):
        make.call.attributes["use_init_val"] = make.draw.chance(2)


def segment_reduce(make):
    make.add_data(most=4, reductions=_array_reductions)
    segments = make.draw.count(0 if make.draw.chance(9) else 1, 9)
    make.call.attributes["num_segments"] = segments
    make.add_indices(make.shape[:1], [segments], FROM_FRONT)
    make.call.inputs[1] = np.sort(make.call.inputs[1])
    if make.draw.chance(2):
        offsets = ascending(make, segments + make.draw.count(0, 1), min(make.shape[0], 127))
        make.call.index_input, make.call.inputs[1:] = None, [None, offsets]
