"""Random calls of every operator: shapes, types, indices inside and outside, policies.

CALLS has an entry per operator. Every call keeps all rules but, some of them, the one about indices.
"""

import drawn_array
import drawn_bags
import drawn_quantised
import numpy as np
from call_maker import FROM_FRONT, Drawer, Maker, Options
from case_data import CODES, numpy_dtype
from element_types import integer_limits


def _onnx_reductions(name, call):
    if name == "string":
        names = ["none", "add", "max", "min"]
    elif name.startswith("complex"):
        names = ["none", "add", "mul"]
    else:
        names = ["none", "add", "mul", "max", "min"]
    return names if call.version >= 18 else [each for each in names if each not in ("max", "min")]


# Types without arithmetic in OpenVINO's operators.
COPIED = {"string", "float4_e2m1fn", "float8_e8m0fnu", "uint2", *CODES}


def _openvino_reductions(name, call):
    if name in COPIED:
        return ["none"]
    if call.operator.name == "ScatterNDUpdate":
        return ["none", "sum", "sub", "prod", "min", "max"]
    names = ["none", "sum", "prod", "min", "max"]
    return names if name == "bool" else [*names, "mean"]


def _gather_onnx(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(make.index_shape([make.at]), [make.shape[make.at]])


def _window(make, other=None):
    """A shape of indices: any extent on the axis, elsewhere at most that of data (or exactly, if `other`)."""
    shape = [extent if other or make.draw.chance(2) else make.draw.count(0, extent) for extent in make.shape]
    shape[make.at] = make.draw.extent(make.rank)
    return tuple(shape)


def _gather_elements_onnx(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_window(make), [make.shape[make.at]])


def _tuples(make, least=1, batch=0):
    """The extents that index tuples address after the batch axes, and a shape of tuples without batch axes."""
    length = make.draw.count(min(least, make.rank - batch), make.rank - batch)
    return make.shape[batch:batch + length], make.index_shape(range(batch, batch + length), 2)


def _gather_nd_onnx(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.has("batch_dims") and make.draw.chance(2) else 0
    extents, shape = _tuples(make, 1, batch)
    make.add_indices((*make.shape[:batch], *shape, len(extents)), extents, tuples=True)
    if batch:
        make.call.attributes["batch_dims"] = batch


def _scatter_elements_onnx(make):
    make.add_data(reductions=_onnx_reductions)
    make.call.attributes["axis"] = make.axis()
    shape = _window(make)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_updates(shape)


def _scatter_nd_onnx(make):
    make.add_data(reductions=_onnx_reductions)
    extents, shape = _tuples(make, 0)
    make.add_indices((*shape, len(extents)), extents, tuples=True)
    make.add_updates(shape + make.shape[len(extents):])


def _cache(make, axis, circular):
    """update and write_indices of a cache; the axis of the sequence is `axis`."""
    length = make.draw.count(0, make.shape[axis])
    make.add_updates(make.shape[:axis] + (length,) + make.shape[axis + 1:])
    make.add_indices(make.shape[:1], [max(make.shape[axis] - length + 1, 1)], FROM_FRONT)
    make.call.empty_axis_fails = False
    if circular:
        make.call.highs = [2**63 - 1]


def _tensor_scatter(make):
    make.add_data(2, 4)
    make.call.attributes["axis"] = make.axis(low=1)
    mode = make.draw.choice(["linear", "circular"])
    make.call.attributes["mode"] = mode
    _cache(make, make.at, mode == "circular")
    # Cells that two updates reach are for the policies that allow it.
    if make.draw.chance(8):
        make.call.inputs[2] = None


def _one_hot(make, version):
    """indices, depth and values, in the order of make.rows; before version 11 indices begin at 0."""
    indices_row, depth_row, values_row = make.rows
    depth = make.draw.count(0, 9)
    shape = make.draw.shape(0, 3)
    make.rank = len(shape) + 1
    make.call.extents = [depth]
    make.call.lows, make.call.highs = [-depth if version >= 11 else 0], [depth - 1]
    index_type, depth_type, type_ = (make.draw.type_of(make.call.row, row) for row in
                                     (indices_row, depth_row, values_row))
    make.call.type = type_
    low = 0 if index_type.startswith("uint") else make.call.lows[0]
    given = {
        indices_row: make.draw.numbers(shape, index_type, low, depth - 1, make.outside),
        depth_row: np.array(depth).astype(numpy_dtype(depth_type)),
        values_row: make.draw.elements((2,), type_),
    }
    make.call.index_input = indices_row
    make.call.inputs = [given[row] for row in range(3)]
    make.call.attributes["axis"] = make.axis()


def _one_hot_openvino(make):
    """The last input is off_value, in the place of values on_value."""
    make.rows = (0, 1, 2)
    mode = make.draw.choice(["ignore_negative", "normalize"]) if make.has("negative_indices_mode") else None
    _one_hot(make, 11 if mode == "normalize" else 9)
    pair = make.call.inputs.pop()
    make.call.inputs += [pair[1:].reshape(()), pair[:1].reshape(())]
    if mode is not None:
        make.call.attributes["negative_indices_mode"] = mode


def _segment_max(make):
    make.call.implied_reduction = "max"
    make.add_data(most=4)
    segments = make.draw.count(0 if make.draw.chance(9) else 1, 9)
    make.add_indices(make.shape[:1], [segments], FROM_FRONT)
    # A negative id is an error under every policy, unless the option `negative` says what it means.
    make.call.negative_fails = True
    make.call.inputs[1] = np.sort(make.call.inputs[1])
    ids = make.call.inputs[1]
    if make.draw.chance(3) and (not ids.size or ids[-1] < 64):
        segments = max(int(ids[-1]) + 1, 0) if ids.size else 0
        make.call.extents, make.call.highs = [segments], [segments - 1]
    else:
        make.add(np.array(segments, make.draw.type_of(make.call.row, 2)))
    make.call.attributes["fill_mode"] = make.draw.choice(["ZERO", "LOWEST", "zero", "lowest"])


def _other_way_round(bounds, types):
    """The bounds of a slice with its ends swapped, if the types hold them."""
    swapped = [bounds[1], bounds[0], bounds[2]]
    fits = all(integer_limits(type_)[0] <= number <= integer_limits(type_)[1] for type_, number in zip(types, swapped, strict=False))
    return swapped if fits else bounds


def _slice_scatter(make):
    make.add_data()
    make.call.index_input = None
    draw, shape = make.draw, list(make.shape)
    order = list(range(make.rank))
    if has_axes := draw.chance(2):
        draw.rng.shuffle(order)
    vectors = [[], [], [], order[:draw.count(0, make.rank)]]
    types = [numpy_dtype(draw.type_of(make.call.row, position)) for position in range(2, 6)]
    for axis in vectors[3]:
        extent = shape[axis]
        reaches = [extent + 2, extent + 2, 4]
        bounds = [draw.bounded(type_, reach) for type_, reach in zip(types, reaches, strict=False)]
        bounds[2] = bounds[2] or 1
        if not len(range(*slice(*bounds).indices(extent))) and not draw.chance(4):
            bounds = _other_way_round(bounds, types)
        shape[axis] = len(range(*slice(*bounds).indices(extent)))
        for vector, number in zip(vectors, bounds, strict=False):
            vector.append(number)
    if integer_limits(types[3])[0] < 0 and draw.chance(2):
        vectors[3] = [axis - make.rank for axis in vectors[3]]
    make.add_updates(tuple(shape))
    for vector, type_ in list(zip(vectors, types, strict=True))[:4 if has_axes else 3]:
        make.add(np.array(vector, object).astype(type_))


def _one_hot_onnx(make):
    make.rows = (0, 1, 2)
    _one_hot(make, make.call.version)


def _one_hot_tensorrt(make):
    make.rows = (0, 2, 1)
    _one_hot(make, 11)


def _array_feature_extractor(make):
    make.add_data(1, 4)
    count = make.draw.count(1, 9)
    make.add_indices((1,) * make.draw.count(0, 1) + (count,), [make.shape[-1]], FROM_FRONT)


def _gather_openvino(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.has("batch_dims") and make.draw.chance(2) else 0
    axis = make.axis(low=batch)
    shape = make.shape[:batch] + make.index_shape([make.at], 2)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_axis(axis)
    if batch:
        from_end = batch < len(shape) <= batch + make.rank and make.draw.chance(3)
        make.call.attributes["batch_dims"] = batch - len(shape) if from_end else batch


def _gather_elements_openvino(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_window(make, other=True), [make.shape[make.at]])


def _gather_nd_openvino(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.draw.chance(2) else 0
    extents, shape = _tuples(make, 0, batch)
    batches = list(make.shape[:batch])
    if batch and make.call.version == 8 and make.draw.chance(3):
        batches[make.draw.count(0, batch - 1)] = 1
    make.add_indices((*batches, *shape, len(extents)), extents, tuples=True)
    if batch:
        make.call.attributes["batch_dims"] = batch


def _scatter_update_openvino(make):
    make.add_data(most=4)
    axis = make.axis()
    shape = make.index_shape([make.at], 2)
    make.add_indices(shape, [make.shape[make.at]], FROM_FRONT)
    make.add_updates(make.shape[:make.at] + shape + make.shape[make.at + 1:])
    make.add_axis(axis)


def _scatter_elements_openvino(make):
    make.add_data(reductions=_openvino_reductions)
    axis = make.axis()
    shape = _window(make)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_updates(shape)
    make.add_axis(axis)
    if make.has("use_init_val"):
        make.call.attributes["use_init_val"] = make.draw.chance(2)


def _scatter_nd_openvino(make):
    make.add_data(reductions=_openvino_reductions)
    extents, shape = _tuples(make, 0)
    make.add_indices((*shape, len(extents)), extents, tuples=True)
    make.add_updates(shape + make.shape[len(extents):])


def _gather_tensorrt(make):
    mode = make.draw.choice(["DEFAULT", "ELEMENT", "ND"])
    if mode == "ND":
        _gather_nd_tensorrt(make)
    else:
        make.add_data()
        elementwise = int(mode == "DEFAULT" and make.rank > 1 and make.draw.chance(2))
        make.call.attributes["axis"] = make.axis(from_end=False, low=elementwise)
        shape = _window(make) if mode == "ELEMENT" else make.index_shape([make.at])
        if elementwise:
            leading = 1 if make.draw.chance(3) else make.shape[0]
            shape = (leading, *shape[1:])
            make.call.attributes["num_elementwise_dims"] = 1
        make.add_indices(shape, [make.shape[make.at]])
    make.call.attributes["mode"] = mode


def _gather_nd_tensorrt(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1)
    extents, shape = _tuples(make, 1, batch)
    make.add_indices((*make.shape[:batch], *shape, len(extents)), extents, tuples=True)
    make.call.attributes["num_elementwise_dims"] = batch


def _scatter_tensorrt(make):
    mode = make.draw.choice(["ELEMENT", "ND"])
    make.add_data()
    if mode == "ELEMENT":
        make.call.attributes["axis"] = make.axis(from_end=False)
        shape = _window(make)
        make.add_indices(shape, [make.shape[make.at]])
        make.add_updates(shape)
    else:
        extents, shape = _tuples(make, 1)
        make.add_indices((*shape, len(extents)), extents, tuples=True)
        make.add_updates(shape + make.shape[len(extents):])
    make.call.attributes["mode"] = mode


def _kv_cache_update(make):
    make.add_data(4, 4)
    _cache(make, 2, circular=False)


CALLS = {
    ("array", "Take"): _gather_onnx,
    ("array", "TakeAlongAxis"): drawn_array.take_along_axis,
    ("array", "PutAlongAxis"): drawn_array.put_along_axis,
    ("array", "IndexAdd"): drawn_array.index_add,
    ("array", "IndexReduce"): drawn_array.index_reduce,
    ("array", "SegmentReduce"): drawn_array.segment_reduce,
    ("array", "EmbeddingBag"): drawn_bags.embedding_bag,
    ("array", "TakeQuantized"): drawn_quantised.look_up,
    ("onnx", "Gather"): _gather_onnx,
    ("onnx", "GatherElements"): _gather_elements_onnx,
    ("onnx", "GatherND"): _gather_nd_onnx,
    ("onnx", "Scatter"): _scatter_elements_onnx,
    ("onnx", "ScatterElements"): _scatter_elements_onnx,
    ("onnx", "ScatterND"): _scatter_nd_onnx,
    ("onnx", "TensorScatter"): _tensor_scatter,
    ("onnx", "OneHot"): _one_hot_onnx,
    ("onnx", "ArrayFeatureExtractor"): _array_feature_extractor,
    ("onnx", "GatherBlockQuantized"): drawn_quantised.look_up,
    ("openvino", "Gather"): _gather_openvino,
    ("openvino", "GatherElements"): _gather_elements_openvino,
    ("openvino", "GatherND"): _gather_nd_openvino,
    ("openvino", "ScatterUpdate"): _scatter_update_openvino,
    ("openvino", "ScatterElementsUpdate"): _scatter_elements_openvino,
    ("openvino", "ScatterNDUpdate"): _scatter_nd_openvino,
    ("openvino", "OneHot"): _one_hot_openvino,
    ("openvino", "SegmentMax"): _segment_max,
    ("openvino", "SliceScatter"): _slice_scatter,
    ("openvino", "EmbeddingBagOffsetsSum"): drawn_bags.offsets,
    ("openvino", "EmbeddingBagOffsets"): drawn_bags.offsets,
    ("openvino", "EmbeddingBagPackedSum"): drawn_bags.packed,
    ("openvino", "EmbeddingBagPacked"): drawn_bags.packed,
    ("openvino", "EmbeddingSegmentsSum"): drawn_bags.segments,
    ("openvino", "GatherTree"): drawn_bags.gather_tree,
    ("tensorrt", "Gather"): _gather_tensorrt,
    ("tensorrt", "Scatter"): _scatter_tensorrt,
    ("tensorrt", "OneHot"): _one_hot_tensorrt,
    ("tensorrt", "KVCacheUpdate"): _kv_cache_update,
}


def draw_call(data, operator, **options):
    """options: fields of call_maker.Options."""
    make = Maker(Drawer(data, Options(**options)), operator)
    CALLS[operator.dialect, operator.name](make)
    return make.call
