"""The operators of the array dialect by NumPy's own functions; legal calls only. `policy` is None where a call names none."""

import numpy as np
import numpy_quantised
from numpy_onnx import normalised, with_room, zeros_outside
from numpy_openvino import BOOL_STEPS, STEPS, divided, fresh, is_integer, numbers

FAR = 1 << 20
MODES = {None: "raise", "error": "raise", "clamp": "clip", "modulo": "wrap"}


def places_of(indices, extent, policy):
    """Coordinates, and which of them are inside; clamp takes a negative index as below the first element."""
    indices = numbers(indices)
    if policy == "clamp":
        return np.clip(indices, 0, extent - 1).astype(np.int64), np.ones(indices.shape, bool)
    return normalised(indices, extent, policy or "error")


def take(data, indices, axis=0, policy=None):
    axis %= data.ndim
    # NumPy's wrap steps to the axis one extent at a time, so an index far away takes for ever.
    far = indices.size and max(abs(int(index)) for index in indices.reshape(-1)) > FAR
    if policy in MODES and not (far and policy == "modulo"):
        # Beyond every axis in any case.
        nearest = np.minimum(numbers(indices), 2**63 - 1).astype(np.int64)
        return np.take(data, nearest, axis=axis, mode=MODES[policy])
    places, inside = places_of(indices, data.shape[axis], policy)
    result = np.take(with_room(data, axis), places, axis=axis)
    return zeros_outside(result, inside.reshape(inside.shape + (1,) * (data.ndim - axis - 1)))


def take_along_axis(data, indices, axis=-1, policy=None):
    axis %= data.ndim
    places, inside = places_of(indices, data.shape[axis], policy)
    return zeros_outside(np.take_along_axis(with_room(data, axis), places, axis=axis), inside)


def put_along_axis(data, indices, values, axis=-1, policy=None):
    output = data.copy()
    axis %= data.ndim
    places, inside = places_of(indices, data.shape[axis], policy)
    if inside.all():
        np.put_along_axis(output, places, values, axis=axis)
        return output
    # One more coordinate takes what is dropped.
    wide = np.concatenate([output, np.take(with_room(output, axis), [0], axis=axis)], axis=axis)
    np.put_along_axis(wide, np.where(inside, places, data.shape[axis]), values, axis=axis)
    return np.take(wide, np.arange(data.shape[axis]), axis=axis)


def fold_at(output, places, updates, reduction):
    """Folds updates[i] into output[places[i]]; types of ml_dtypes and strings have no ufunc.at."""
    steps = BOOL_STEPS if output.dtype.kind == "b" else STEPS
    with np.errstate(all="ignore"):
        if output.dtype.kind in "biufc":
            steps[reduction].at(output, places, updates)
            return
        for place, update in zip(places, updates, strict=True):
            output[place] = steps[reduction](output[place], update)


def means(sums, counts):
    """Sums divided by row, where there is something to divide."""
    for row, count in enumerate(counts):
        if count:
            with np.errstate(all="ignore"):
                sums[row] = np.array([divided(np.asarray(total), int(count)) for total in sums[row].reshape(-1)],
                                     dtype=sums.dtype).reshape(sums[row].shape)


def index_reduce(data, indices, updates, axis=0, reduction="sum", use_init_val=True, policy=None):
    axis %= data.ndim
    places, inside = places_of(indices, data.shape[axis], policy)
    places = places[inside]
    output = np.moveaxis(data, axis, 0).copy()
    counts = np.bincount(places, minlength=data.shape[axis])
    if not use_init_val:
        output[counts > 0] = fresh(data.dtype, reduction)
    fold_at(output, places, np.moveaxis(updates, axis, 0)[inside], reduction)
    if reduction == "mean":
        means(output, np.where(counts > 0, counts + use_init_val, 0))
    return np.moveaxis(output, 0, axis)


def index_add(data, indices, updates, axis=0, policy=None):
    return index_reduce(data, indices, updates, axis, policy=policy)


def identity(dtype, reduction):
    """What an empty segment holds."""
    if reduction in ("min", "max") and dtype.kind != "b" and not is_integer(dtype):
        infinity = np.asarray(np.inf if reduction == "min" else -np.inf, np.float32).astype(dtype)
        return infinity if np.isinf(infinity.astype(np.float32)) else fresh(dtype, reduction)
    return fresh(dtype, reduction)


def segment_reduce(data, segment_ids=None, offsets=None, num_segments=0, reduction="sum", policy=None):
    del policy
    if segment_ids is None:
        begins = numbers(offsets).astype(np.int64)
        ends = [*begins, len(data)] if len(begins) == num_segments else begins
        ids = np.repeat(np.arange(-1, num_segments + 1), np.diff(ends, prepend=0, append=len(data)))
    else:
        ids = numbers(segment_ids)
    inside = (ids >= 0) & (ids < num_segments)
    output = np.full((num_segments, *data.shape[1:]), identity(data.dtype, reduction), data.dtype)
    fold_at(output, ids[inside], data[inside], reduction)
    if reduction == "mean":
        means(output, np.bincount(ids[inside], minlength=num_segments))
    return output


def bags_of(ids, offsets, include_last_offset):
    """The bag of each sample, in row-major order of ids, and the number of bags; -1 for samples of no bag."""
    if offsets is None:
        return np.repeat(np.arange(ids.shape[0]), ids.shape[1]), ids.shape[0]
    begins = numbers(offsets).astype(np.int64)
    samples, end = np.arange(len(ids)), len(ids)
    if include_last_offset:
        begins, end = begins[:-1], begins[-1]
    bags = np.searchsorted(begins, samples, side="right") - 1
    return np.where(samples < end, bags, -1), len(begins)


def embedding_bag(table, ids, offsets=None, weights=None, reduction="sum", include_last_offset=False, accumulate="",
                  policy=None):
    bags, count = bags_of(ids, offsets, include_last_offset)
    places, inside = places_of(ids, len(table), policy)
    taken = np.flatnonzero(inside.reshape(-1) & (bags >= 0))
    bags, rows = bags[taken], table[places.reshape(-1)[taken]]
    steps = BOOL_STEPS if table.dtype.kind == "b" else STEPS
    if accumulate and reduction != "max":
        rows = rows.astype(np.float32)
    with np.errstate(all="ignore"):
        if weights is not None:
            factors = weights.reshape(-1)[taken].astype(rows.dtype)
            rows = steps["prod"](rows, factors.reshape(-1, *[1] * (table.ndim - 1)))
        totals = np.full((count, *table.shape[1:]), identity(rows.dtype, reduction), rows.dtype)
        fold_at(totals, bags, rows, reduction)
        sizes = np.bincount(bags, minlength=count)
        totals[sizes == 0] = np.zeros((), rows.dtype)
        if reduction == "mean":
            means(totals, sizes)
        return totals.astype(table.dtype)


def take_quantized(data, indices, scales, zero_points=None, axis=0, quantize_axis=-1, block_size=0, bits=0, dtype="", policy=None):
    def pick(table, places):
        return take(table, places, axis=axis, policy=policy)

    return numpy_quantised.look_up(data, indices, scales, zero_points, pick, quantize_axis, block_size, bits or 8, dtype)


OPERATORS = {
    "EmbeddingBag": embedding_bag,
    "Take": take,
    "TakeAlongAxis": take_along_axis,
    "PutAlongAxis": put_along_axis,
    "IndexAdd": index_add,
    "IndexReduce": index_reduce,
    "SegmentReduce": segment_reduce,
    "TakeQuantized": take_quantized,
}
