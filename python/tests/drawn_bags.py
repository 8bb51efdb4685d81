"""Random calls of pooled look-ups and of GatherTree, for drawn_calls.py."""

import numpy as np
from call_maker import FROM_FRONT, whole


def _table(make):
    make.call.implied_reduction = "sum"
    make.add_data(most=4, reductions=lambda name, call: ["sum", "mean"])


def _weights(make):
    """Weights, which a mean does not have; None for none."""
    if make.call.reduction == "mean" or make.draw.chance(2):
        return None
    return make.draw.elements(make.call.inputs[1].shape, make.type, True)


def _optional(make, *arrays):
    """Adds inputs of which the last ones may be left out."""
    for array in arrays:
        make.add(array)
    while make.call.inputs[-1] is None:
        make.call.inputs.pop()


def _default_index(make):
    rows = make.shape[0]
    row = make.draw.choice([None, -1, *range(min(rows, 3))])
    return None if row is None else np.array(row, make.call.inputs[1].dtype)


def ascending(make, count, most):
    numbers = sorted(make.draw.count(0, most) for _ in range(count))
    return np.array(numbers, make.call.inputs[1].dtype)


def offsets(make):
    _table(make)
    make.add_indices((make.draw.extent(),), [make.shape[0]], FROM_FRONT)
    make.add(ascending(make, make.draw.count(0, 5), len(make.call.inputs[1])))
    _optional(make, _default_index(make), _weights(make))


def packed(make):
    _table(make)
    make.add_indices((make.draw.count(0, 5), make.draw.count(0, 5)), [make.shape[0]], FROM_FRONT)
    _optional(make, _weights(make))


def segments(make):
    _table(make)
    make.add_indices((make.draw.extent(),), [make.shape[0]], FROM_FRONT)
    samples = len(make.call.inputs[1])
    count = make.draw.count(1 if samples else 0, 6)
    make.add(ascending(make, samples, count - 1))
    make.add(np.array(count, make.call.inputs[1].dtype))
    _optional(make, _default_index(make), _weights(make))


def _poolings(name, call):
    del call  # there is one version
    if name.startswith("complex"):
        return ["sum"]
    return ["sum", "max"] if name == "bool" else ["sum", "mean", "max"]


def embedding_bag(make):
    make.call.implied_reduction = "sum"
    make.add_data(most=4, reductions=_poolings)
    in_matrix, attributes = make.draw.chance(2), make.call.attributes
    shape = (make.draw.count(0, 5), make.draw.count(0, 5)) if in_matrix else (make.draw.extent(),)
    make.add_indices(shape, [make.shape[0]])
    offsets = None
    if not in_matrix:
        offsets = ascending(make, make.draw.count(0, 5), min(shape[0], 127))
        offsets[:1] = 0
        attributes["include_last_offset"] = len(offsets) > 0 and make.draw.chance(2)
    if make.type in ("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2") and make.draw.chance(2):
        attributes["accumulate"] = "float32"
    weights = make.draw.elements(shape, make.type, True) if make.call.reduction == "sum" and make.draw.chance(2) else None
    _optional(make, offsets, weights)


def read_parents(call):
    """Which parents of a GatherTree its walks read."""
    steps, parents, lengths, _ = call.inputs
    values, read = whole(parents), np.zeros(steps.shape, bool)
    time, batches, width = steps.shape
    for entry, start in np.ndindex(batches, width):
        beam = start
        for t in range(min(time, whole(lengths)[entry]) - 1, 0, -1):
            read[t, entry, beam] = True
            parent = values[t, entry, beam]
            beam = parent + width if parent < 0 and call.negative == "from_end" else parent
            if not 0 <= beam < width:
                break
    return read


def _numbers(make, shape, low, high):
    """Whole numbers of the type of the steps; of floats some have a fraction."""
    values = np.clip(make.draw.numbers(shape, "int64", low, high, make.outside), -100, 100)
    dtype = make.call.inputs[0].dtype
    if dtype.kind not in "iu" and make.draw.chance(3):
        values = values + 0.25
    return np.asarray(values).astype(dtype).reshape(shape)


def gather_tree(make):
    make.call.policy = make.draw.choice([None, "error"])
    make.outside = make.draw.chance(4)
    make.add_data(3, 3)
    time, batches, width = make.shape
    make.add(_numbers(make, make.shape, 0, width - 1))
    make.call.lows, make.call.highs, make.call.extents = [0], [width - 1], [width]
    make.call.reads = read_parents
    make.outside = False
    make.add(_numbers(make, (batches,), 0, time + 1))
    tokens = make.call.inputs[0].reshape(-1)
    some = tokens[make.draw.count(0, len(tokens) - 1)] if len(tokens) else 1
    make.add(np.array(some, make.call.inputs[0].dtype))
