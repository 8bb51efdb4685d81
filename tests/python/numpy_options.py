"""The options `negative` and `padding_index` in NumPy: data get one more cell along each indexed axis, of zeros, where
indices go that have no coordinate. Every index is then a legal one, and what the operators make of others has no part.
"""

import numpy as np
import numpy_models
from numpy_onnx import as_int64, with_room

OPTIONS = {"negative", "padding_index"}
CACHES = ("TensorScatter", "KVCacheUpdate")
GATHERS = ("Gather", "GatherElements", "GatherND", "ArrayFeatureExtractor", "Take", "TakeAlongAxis")
# Whose tables of codes do not get another cell: what goes beyond their end is zero.
QUANTISED = ("GatherBlockQuantized", "TakeQuantized")
# Where an index below 0 is outside, unless the option says otherwise.
BAGS = [("openvino", op) for op in ("EmbeddingBagOffsetsSum", "EmbeddingBagOffsets", "EmbeddingBagPackedSum", "EmbeddingBagPacked",
                                    "EmbeddingSegmentsSum")]
POOLED = [*BAGS, ("array", "EmbeddingBag")]
FROM_FRONT = [("onnx", "ArrayFeatureExtractor"), ("array", "SegmentReduce"), ("openvino", "ScatterUpdate"),
              ("openvino", "SegmentMax"), ("openvino", "GatherTree"), *BAGS]
DEFAULTS = {("openvino", "Gather"): "zero", ("onnx", "GatherBlockQuantized"): "zero", ("tensorrt", "Gather"): "zero", ("tensorrt", "Scatter"): "skip", ("openvino", "SegmentMax"): "skip"}
AXES = {"ArrayFeatureExtractor": -1, "TakeAlongAxis": -1, "PutAlongAxis": -1, "OneHot": -1, "GatherTree": 2}


def counts_from_end(key, version, attributes, options):
    negative, policy = options.get("negative"), options.get("out_of_range")
    if negative:
        return negative == "from_end"
    if key == ("openvino", "OneHot"):
        return attributes.get("negative_indices_mode") == "normalize"
    if key == ("onnx", "OneHot"):
        return version >= 11
    return key not in FROM_FRONT and not (key[0] == "array" and policy == "clamp")


def placed(index, extent, policy, from_end, padding):
    """The coordinate of an index; the extent where it has none."""
    if index == padding:
        return extent
    if policy == "modulo":
        return index % extent
    place = index + extent if index < 0 and from_end else index
    if policy == "clamp":
        return min(max(place, 0), extent - 1)
    return place if 0 <= place < extent else extent


def indexed_axes(key, attributes, inputs):
    """The axes of the addressed tensor that indices address."""
    _, op = key
    if op in ("GatherND", "ScatterND", "ScatterNDUpdate") or attributes.get("mode") == "ND":
        first = attributes.get("batch_dims", attributes.get("num_elementwise_dims", 0))
        return list(range(first, first + inputs[1].shape[-1]))
    if key in (("openvino", "Gather"), ("openvino", "ScatterUpdate"), ("openvino", "ScatterElementsUpdate")):
        return [int(inputs[-1].item()) % inputs[0].ndim]
    rank = inputs[0].ndim + (op == "OneHot")
    return [attributes.get("gather_axis" if op == "GatherBlockQuantized" else "axis", AXES.get(op, 0)) % rank]


def quantised_look_up(key, version, inputs, attributes, options):
    data, indices, *others = inputs
    (axis,) = indexed_axes(key, attributes, inputs)
    bits = attributes.get("bits", 4 if key[0] == "onnx" else 8) or 8
    each = 8 // bits if data.dtype == np.uint8 and axis == data.ndim - 1 else 1
    policy = options.get("out_of_range") or DEFAULTS.get(key, "error")
    from_end = counts_from_end(key, version, attributes, options)
    places = [placed(index, data.shape[axis] * each, policy, from_end, options.get("padding_index")) for index in indices.reshape(-1).tolist()]
    return numpy_models.compute(*key, version, [data, np.array(places, np.int64).reshape(indices.shape), *others], attributes, "zero")


def widened(data, axes):
    for axis in axes:
        cell = np.take(with_room(data, axis), [0], axis=axis)
        cell[...] = "" if data.dtype == object else np.zeros((), data.dtype)
        data = np.concatenate([data, cell], axis=axis)
    return data


def cut(result, axes):
    return result[tuple(slice(-1) if axis in axes else slice(None) for axis in range(result.ndim))]


def cache_update(key, version, inputs, attributes, options):
    cache, update, written = inputs
    extent = cache.shape[2 if key[1] == "KVCacheUpdate" else attributes.get("axis", -2)]
    padded = written == options.get("padding_index")
    starts = np.where(written < 0, written + extent, written) if options.get("negative") == "from_end" else written
    starts = np.where(padded, 0, starts)
    result = numpy_models.compute(*key, version, [cache, update, starts], attributes, options.get("out_of_range"))
    result[padded] = cache[padded]
    return result


def compute(key, version, inputs, attributes, options):
    """The result of a legal call with either option."""
    if key[1] in CACHES:
        return cache_update(key, version, inputs, attributes, options)
    if key[1] in QUANTISED:
        return quantised_look_up(key, version, inputs, attributes, options)
    if key[1] == "SegmentReduce" and inputs[1] is None:  # offsets are no indices
        return numpy_models.compute(*key, version, inputs, attributes, options.get("out_of_range"))
    inputs, attributes, axes = list(inputs), dict(attributes), indexed_axes(key, attributes, inputs)
    place = 0 if key[1] == "OneHot" else 1
    depth = 2 if key[0] == "tensorrt" else 1
    if key[1] == "OneHot":
        extents = [int(inputs[depth].item())]
        inputs[0] = as_int64(inputs[0])
        inputs[depth] = inputs[depth] + 1
    elif key[1] == "SegmentReduce":
        extents = [attributes["num_segments"]]
        attributes["num_segments"] += 1
    elif key[1] == "SegmentMax":
        given = inputs[2] if len(inputs) > 2 and inputs[2] is not None else max([-1, *inputs[1]]) + 1
        extents = [int(given)]
        inputs[2:] = [np.array(extents[0] + 1)]
    else:
        extents = [inputs[0].shape[axis] for axis in axes]
        # A bag leaves out what is outside; a parent of a beam that no walk reaches is not read.
        inputs[0] = inputs[0] if key in POOLED or key[1] == "GatherTree" else widened(inputs[0], axes)
    policy = options.get("out_of_range") or DEFAULTS.get(key, "error")
    from_end = counts_from_end(key, version, attributes, options)
    # The last axis of index tuples has an element for each of the axes.
    shape = inputs[place].shape
    columns = inputs[place].astype(object).reshape(-1, len(axes))
    places = [[placed(index, extent, policy, from_end, options.get("padding_index"))
               for index, extent in zip(row, extents, strict=True)] for row in columns]
    inputs[place] = np.array(places, np.int64).reshape(shape)
    result = numpy_models.compute(*key, version, inputs, attributes, "skip" if key in POOLED else None)
    return result if key[1] in (*GATHERS, "GatherTree") or key in POOLED else cut(result, axes)
