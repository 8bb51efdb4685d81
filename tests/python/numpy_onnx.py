"""The ONNX operators in terms of NumPy's indexing; legal calls only."""

import numpy as np
import numpy_quantised

REDUCTIONS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def normalised(indices, extent, policy):
    """Coordinates, and which of them are inside."""
    places, inside = _normalised(indices.astype(object).reshape(-1), extent, policy)
    return places.astype(np.int64).reshape(indices.shape), inside.astype(bool).reshape(indices.shape)


def _normalised(indices, extent, policy):
    if policy == "modulo":
        return indices % extent, np.ones(indices.shape)
    wrapped = np.where(indices < 0, indices + extent, indices)
    if policy == "clamp":
        return np.clip(wrapped, 0, extent - 1), np.ones(indices.shape)
    inside = ((wrapped >= 0) & (wrapped < extent)).astype(bool)
    return np.where(inside, wrapped, 0), inside


def zeros_outside(result, inside):
    result = np.array(result, dtype=object if isinstance(result, str) else None)
    # Zero bits: float8_e8m0fnu has no zero.
    zero = "" if result.dtype == object else np.zeros((), result.dtype)
    result[~np.broadcast_to(inside, result.shape)] = zero
    return result


def with_room(data, axis):
    """Data whose axis has at least one coordinate to read where all are outside."""
    if data.shape[axis]:
        return data
    shape = [1 if i == axis else n for i, n in enumerate(data.shape)]
    return np.full(shape, "" if data.dtype == object else 0, data.dtype)


def gather(data, indices, axis=0, policy="error"):
    axis %= data.ndim
    places, inside = normalised(indices, data.shape[axis], policy)
    result = np.take(with_room(data, axis), places, axis=axis)
    return zeros_outside(result, inside.reshape(inside.shape + (1,) * (data.ndim - axis - 1)))


def gather_elements(data, indices, axis=0, policy="error"):
    axis %= data.ndim
    places, inside = normalised(indices, data.shape[axis], policy)
    window = tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(indices.shape))
    return zeros_outside(np.take_along_axis(with_room(data[window], axis), places, axis=axis), inside)


def tuple_places(indices, extents, policy):
    columns = [normalised(indices[..., k], extent, policy) for k, extent in enumerate(extents)]
    inside = np.ones(indices.shape[:-1], bool)
    for _, column in columns:
        inside &= column
    return tuple(places for places, _ in columns), inside


def gather_nd(data, indices, batch_dims=0, policy="error"):
    if batch_dims:
        parts = [gather_nd(d, i, batch_dims - 1, policy) for d, i in zip(data, indices, strict=True)]
        tail = indices.shape[1:-1] + data.shape[batch_dims + indices.shape[-1]:]
        return np.stack(parts) if parts else np.empty((0, *tail), data.dtype)
    length = indices.shape[-1]
    places, inside = tuple_places(indices, data.shape[:length], policy)
    for axis in range(length):
        data = with_room(data, axis)
    return zeros_outside(data[places], inside.reshape(inside.shape + (1,) * (data.ndim - length)))


def fold(output, place, update, reduction):
    if reduction == "none":
        output[place] = update
    elif output.dtype == object:
        chosen = {"add": lambda a, u: a + u, "max": lambda a, u: max(u, a, key=str.encode),
                  "min": lambda a, u: min(u, a, key=str.encode)}[reduction]
        output[place] = np.frompyfunc(chosen, 2, 1)(output[place], update)
    else:
        with np.errstate(all="ignore"):
            output[place] = REDUCTIONS[reduction](output[place], update)


def scatter_elements(data, indices, updates, axis=0, reduction="none", policy="error"):
    output = data.copy()
    axis %= data.ndim
    places, inside = normalised(indices, data.shape[axis], policy)
    for position in np.ndindex(indices.shape):
        if inside[position]:
            place = position[:axis] + (places[position],) + position[axis + 1:]
            fold(output, place, updates[position], reduction)
    return output


def scatter_nd(data, indices, updates, reduction="none", policy="error"):
    output = data.copy()
    places, inside = tuple_places(indices, data.shape[:indices.shape[-1]], policy)
    for position in np.ndindex(indices.shape[:-1]):
        if inside[position]:
            place = (*(column[position] for column in places), ...)
            fold(output, place, updates[position], reduction)
    return output


def tensor_scatter(cache, update, write_indices=None, axis=-2, mode="linear", policy="error"):
    extent, length = cache.shape[axis], update.shape[axis]
    output = cache.copy()
    for batch in range(cache.shape[0]):
        start = int(write_indices[batch]) if write_indices is not None else 0
        for step in range(length):
            place = start + step
            if mode == "circular" or policy == "modulo":
                place %= extent
            elif policy == "clamp":
                place = min(max(place, 0), extent - 1)
            if 0 <= place < extent:
                np.moveaxis(output, axis, 1)[batch, place] = np.moveaxis(update, axis, 1)[batch, step]
    return output


def array_feature_extractor(x, y, policy="error"):
    x = np.atleast_2d(x)
    x, extent = with_room(x, x.ndim - 1), x.shape[-1]
    places = y.reshape(-1).astype(object)
    inside = ((places >= 0) & (places < extent)).astype(bool)
    if policy == "clamp":
        places, inside = np.clip(places, 0, extent - 1), np.ones(len(places), bool)
    elif policy == "modulo":
        places, inside = places % max(extent, 1), np.ones(len(places), bool)
    return zeros_outside(x[..., np.where(inside, places, 0).astype(np.int64)], inside)


def as_int64(numbers):
    """Integers, or floats cut toward zero; -2^63 for a float that no int64 holds."""
    if numbers.dtype.kind != "f":
        return numbers
    wide = numbers.astype(np.float64)
    return np.where((wide >= -2.0**63) & (wide < 2.0**63), wide, -2.0**63).astype(np.int64)


def one_hot(indices, depth, values, axis=-1, policy=None, version=11):
    extent = int(as_int64(depth).item())
    policy = policy or "skip"
    indices = as_int64(indices).astype(object)
    places, inside = normalised(indices, extent, policy)
    if version < 11 and policy != "modulo":
        below = (indices < 0).astype(bool)
        places, inside = np.where(below, 0, places), inside & (~below | (policy == "clamp"))
    axis %= indices.ndim + 1
    result = np.full(indices.shape[:axis] + (extent,) + indices.shape[axis:], values[0], values.dtype)
    moved = np.moveaxis(result, axis, -1)
    for position in np.ndindex(indices.shape):
        if inside[position]:
            moved[(*position, places[position])] = values[1]
    return result


def gather_block_quantized(data, indices, scales, zero_points=None, bits=4, block_size=128, gather_axis=0, quantize_axis=1,
                           policy="error"):
    def take(table, places):
        return gather(table, places, axis=gather_axis, policy=policy)

    return numpy_quantised.look_up(data, indices, scales, zero_points, take, quantize_axis, block_size, bits, "")


OPERATORS = {
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "Scatter": scatter_elements,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
    "TensorScatter": tensor_scatter,
    "ArrayFeatureExtractor": array_feature_extractor,
    "GatherBlockQuantized": gather_block_quantized,
}
