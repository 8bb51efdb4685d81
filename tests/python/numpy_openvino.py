"""The OpenVINO operators in terms of NumPy's indexing; legal calls only. `policy` is None where a call names none."""

import functools

import ml_dtypes
import numpy as np
import numpy_onnx
from numpy_onnx import gather_elements, normalised, tuple_places, with_room, zeros_outside

STEPS = {"sum": np.add, "mean": np.add, "sub": np.subtract, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
BOOL_STEPS = {"sum": np.logical_or, "sub": np.logical_xor, "prod": np.logical_and, "max": np.logical_or,
              "min": np.logical_and}


def numbers(indices):
    """Indices as int64, or as uint64 where only that holds them."""
    wide = np.asarray(indices).astype(object)
    fits = wide.size == 0 or wide.max() < 2**63
    return wide.astype(np.int64 if fits else np.uint64)


def gather(data, indices, axis, batch_dims=0, policy=None, version=8):
    axis = int(axis.item()) % data.ndim
    batch = batch_dims % indices.ndim if batch_dims < 0 else batch_dims
    if batch:
        parts = [gather(d, i, np.array(axis - 1), batch - 1, policy, version)
                 for d, i in zip(data, indices, strict=True)]
        tail = data.shape[1:axis] + indices.shape[batch:] + data.shape[axis + 1:]
        return np.stack(parts) if parts else np.empty((0, *tail), data.dtype)
    places, inside = normalised(numbers(indices), data.shape[axis], policy or "zero")
    result = np.take(with_room(data, axis), places, axis=axis)
    return zeros_outside(result, inside.reshape(inside.shape + (1,) * (data.ndim - axis - 1)))


def gather_elements_6(data, indices, axis, policy=None, version=6):
    del version
    return gather_elements(data, indices, axis, policy or "error")


def gather_nd(data, indices, batch_dims=0, policy=None, version=8):
    b, length = batch_dims, indices.shape[-1]
    batches = np.broadcast_shapes(data.shape[:b], indices.shape[:b])
    wide = np.broadcast_to(indices, batches + indices.shape[b:])
    places, inside = tuple_places(numbers(wide), data.shape[b:b + length], policy or "error")
    for axis in range(b, b + length):
        data = with_room(data, axis)
    own = inside.ndim - b
    grid = [np.minimum(np.arange(n), data.shape[i] - 1).reshape([-1 if a == i else 1 for a in range(b + own)])
            for i, n in enumerate(batches)]
    if length == 0 and b == 0:
        result = np.broadcast_to(data, inside.shape + data.shape)
    elif length == 0:
        result = data[tuple(np.broadcast_to(line, inside.shape) for line in grid)]
    else:
        result = data[(*grid, *places)]
    result = zeros_outside(result, inside.reshape(inside.shape + (1,) * (data.ndim - b - length)))
    if version == 5 and b > 1:
        result = result.reshape((int(np.prod(batches)), *result.shape[b:]))
    return result


def is_integer(dtype):
    return dtype.kind in "iu" or dtype.name in ("int4", "uint4", "uint2")


def limits(dtype):
    """The lowest and the largest finite value."""
    if dtype.kind == "b":
        return False, True
    info = (ml_dtypes.iinfo if is_integer(dtype) else ml_dtypes.finfo)(dtype)
    return info.min, info.max


def fresh(dtype, reduction):
    """What a cell starts with under use_init_val false."""
    if reduction in ("min", "max"):
        return dtype.type(limits(dtype)[reduction == "min"])
    return dtype.type(reduction == "prod")


def divided(total, count):
    dtype = total.dtype
    if is_integer(dtype):
        return np.array(int(total) // count).astype(dtype)
    wide = np.float64 if dtype == np.float64 else np.float32
    return (total.astype(wide) / wide(count)).astype(dtype)


def folded(data, places, updates, reduction, use_init_val=True):
    """Folds updates[i] into the cell places[i], where that is not None."""
    output, counts = data.copy(), {}
    steps = BOOL_STEPS if data.dtype.kind == "b" else STEPS
    for place, update in zip(places, updates, strict=True):
        if place is None:
            continue
        if place not in counts and reduction != "none" and not use_init_val:
            output[place] = fresh(data.dtype, reduction)
        counts[place] = counts.get(place, 0) + 1
        with np.errstate(all="ignore"):
            output[place] = update if reduction == "none" else steps[reduction](output[place], update)
    for place, count in counts.items() if reduction == "mean" else ():
        with np.errstate(all="ignore"):
            output[place] = divided(output[place], count + use_init_val)
    return output


def scatter_update(data, indices, updates, axis, policy=None, version=3):
    del version
    axis = int(axis.item()) % data.ndim
    output, extent = data.copy(), data.shape[axis]
    rows = np.moveaxis(updates.reshape(data.shape[:axis] + (-1,) + data.shape[axis + 1:]), axis, 0) \
        if updates.size else []
    for index, row in zip(numbers(indices).reshape(-1).astype(object), rows, strict=len(rows) > 0):
        place = index % extent if policy == "modulo" else index
        if policy == "clamp":
            place = min(max(index, 0), extent - 1)
        if 0 <= place < extent:
            np.moveaxis(output, axis, 0)[place] = row
    return output


def scatter_elements_update(data, indices, updates, axis, reduction="none", use_init_val=True, policy=None,
                            version=12):
    del version
    axis = int(axis.item()) % data.ndim
    coordinates, inside = normalised(numbers(indices), data.shape[axis], policy or "error")
    places = [position[:axis] + (int(coordinates[position]),) + position[axis + 1:] if inside[position] else None
              for position in np.ndindex(indices.shape)]
    return folded(data, places, updates.reshape(-1), reduction, use_init_val)


def scatter_nd_update(data, indices, updates, reduction="none", policy=None, version=15):
    del version
    length = indices.shape[-1]
    columns, inside = tuple_places(numbers(indices), data.shape[:length], policy or "error")
    places = [(*(int(column[position]) for column in columns), *rest) if inside[position] else None
              for position in np.ndindex(indices.shape[:-1]) for rest in np.ndindex(data.shape[length:])]
    return folded(data, places, updates.reshape(-1), reduction)


def one_hot(indices, depth, on_value, off_value, axis, negative_indices_mode="ignore_negative", policy=None,
            version=16):
    del version
    values = np.stack([off_value, on_value])
    counts_from_end = negative_indices_mode == "normalize"
    return numpy_onnx.one_hot(indices, depth, values, axis, policy, version=11 if counts_from_end else 9)


def segment_max(data, segment_ids, num_segments=None, *, fill_mode, policy=None, version=16):
    del policy, version  # rows of ids beyond are left out
    if num_segments is None:
        num_segments = max(segment_ids, default=-1) + 1
    lowest = False if data.dtype.kind == "b" else limits(data.dtype)[0]
    result = np.full((int(num_segments), *data.shape[1:]), lowest if fill_mode.upper() == "LOWEST" else 0, data.dtype)
    step = BOOL_STEPS["max"] if data.dtype.kind == "b" else STEPS["max"]
    for segment in range(int(num_segments)):
        rows = data[segment_ids == segment]
        if len(rows):
            result[segment] = functools.reduce(step, rows)
    return result


def slice_scatter(data, updates, start, stop, step, axes=None, policy=None, version=15):
    del policy, version
    result, chosen = data.copy(), [slice(None)] * data.ndim
    for number, bounds in enumerate(zip(start, stop, step, strict=True)):
        chosen[number if axes is None else int(axes[number])] = slice(*map(int, bounds))
    result[tuple(chosen)] = updates
    return result


def sample_rows(table, indices, policy):
    """The rows of a table, as it lies in memory, that samples take, and which of them count."""
    given = numbers(indices).reshape(-1)
    extent = len(table)
    if policy == "modulo" and extent:
        given = given % extent
    elif policy == "clamp":
        given = np.clip(given, 0, max(extent - 1, 0))
    counts = (given >= 0) & (given < extent)
    return np.where(counts, given, 0).astype(np.int64), counts


def pooled(table, indices, bag_of_sample, bags, default_index, weights, reduction, policy):
    """`bag_of_sample`: -1 for a sample of no bag."""
    output = np.zeros((bags, *table.shape[1:]), table.dtype)
    rows, counts = sample_rows(table, indices, policy)
    factors = None if weights is None else weights.reshape(-1)
    for bag in range(bags):
        samples = np.flatnonzero(bag_of_sample == bag)
        if not len(samples) and default_index is not None and default_index.item() >= 0:
            output[bag] = table[default_index.item()]
        taken = samples[counts[samples]]
        with np.errstate(all="ignore"):
            for sample in taken:
                row = table[rows[sample]]
                output[bag] = output[bag] + (row if factors is None else row * factors[sample])
        if reduction == "mean" and len(taken):
            for cell in np.ndindex(output.shape[1:]):
                with np.errstate(all="ignore"):
                    output[(bag, *cell)] = divided(output[(bag, *cell)], len(taken))
    return output


def embedding_bag_offsets(table, indices, offsets, default_index=None, weights=None, reduction="sum", policy=None,
                          version=15):
    del version
    bag_of_sample = np.searchsorted(offsets, np.arange(len(indices)), side="right") - 1
    return pooled(table, indices, bag_of_sample, len(offsets), default_index, weights, reduction, policy)


def embedding_bag_packed(table, indices, weights=None, reduction="sum", policy=None, version=15):
    del version
    bag_of_sample = np.repeat(np.arange(len(indices)), indices.shape[1])
    return pooled(table, indices, bag_of_sample, len(indices), None, weights, reduction, policy)


def embedding_segments_sum(table, indices, segment_ids, num_segments, default_index=None, weights=None, policy=None,
                           version=3):
    del version
    return pooled(table, indices, segment_ids, num_segments.item(), default_index, weights, "sum", policy)


def gather_tree(step_ids, parent_ids, max_seq_len, end_token, policy=None, version=1):
    """All beams of an entry go back together; end tokens are found by a cumulative maximum."""
    del policy, version
    time, batches, width = step_ids.shape
    output = np.full_like(step_ids, end_token)
    for entry in range(batches):
        length = min(int(max_seq_len[entry]), time)
        beams = np.arange(width)
        for t in range(length - 1, -1, -1):
            output[t, entry] = step_ids[t, entry, beams]
            beams = parent_ids[t, entry, beams].astype(np.float64 if parent_ids.dtype.kind not in "iu" else np.int64).astype(np.int64) \
                if t else beams
    finished = np.logical_or.accumulate(output == end_token, axis=0)
    output[1:][finished[:-1]] = end_token
    return output


OPERATORS = {
    "Gather": gather,
    "GatherElements": gather_elements_6,
    "GatherND": gather_nd,
    "ScatterUpdate": scatter_update,
    "ScatterElementsUpdate": scatter_elements_update,
    "ScatterNDUpdate": scatter_nd_update,
    "OneHot": one_hot,
    "SegmentMax": segment_max,
    "SliceScatter": slice_scatter,
    "EmbeddingBagOffsetsSum": embedding_bag_offsets,
    "EmbeddingBagOffsets": embedding_bag_offsets,
    "EmbeddingBagPackedSum": embedding_bag_packed,
    "EmbeddingBagPacked": embedding_bag_packed,
    "EmbeddingSegmentsSum": embedding_segments_sum,
    "GatherTree": gather_tree,
}
