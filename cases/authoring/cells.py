"""Which cell each update of a scatter goes to: what tells whether cells meet several updates, and which."""

from . import exact, semantics, types
from .array import semantics as array
from .openvino import semantics as openvino
from .semantics import offset, positions, tensor

# The policy of a scatter whose options name none; all others refuse.
DEFAULTS = {("tensorrt", "Scatter"): "skip", ("tensorrt", "KVCacheUpdate"): "skip", ("openvino", "SegmentMax"): "skip"}


def _offsets(shape, places):
    return [None if None in place else offset(shape, place) for place in places]


def _elements(data, indices, updates, policy, axis=0, **_):
    return _offsets(data["shape"], semantics.element_places(data, indices, axis, policy)), updates["data"]


def _tuples(data, indices, updates, policy, **_):
    return _offsets(data["shape"], semantics.tuple_places(data, indices, policy)), updates["data"]


def _cache(cache, update, write_indices, policy, axis=-2, mode="linear", **_):
    places = semantics.cache_places(cache, update, write_indices, axis, mode.lower(), policy)
    return _offsets(cache["shape"], places), update["data"]


def _layer(data, indices, updates, policy, mode="ELEMENT", axis=0, **_):
    return _tuples(data, indices, updates, policy) if mode == "ND" else _elements(data, indices, updates, policy, axis)


def _rows(data, indices, updates, axis, policy, **_):
    place = openvino.first(axis) % len(data["shape"])
    return _offsets(data["shape"], openvino.row_places(data, indices, updates, place, policy)), updates["data"]


def _elements_by_input(data, indices, updates, axis, policy, **_):
    return _elements(data, indices, updates, policy, openvino.first(axis))


def _along_axis(data, indices, values, policy, axis=-1, **_):
    shape, places = array.addressed(data, indices, axis, policy)
    own = values["shape"][max(0, len(values["shape"]) - len(shape)):]
    first = len(shape) - len(own)
    source = tensor(values["dtype"], own, values["data"])
    updates = [semantics.at(source, array.repeated(own, position[first:])) for position in positions(shape)]
    return _offsets(data["shape"], places), updates


def _indexed_rows(data, indices, updates, policy, axis=0, **_):
    return array.row_cells(data, indices, updates, axis, policy), updates["data"]


def _segments(data, segment_ids, policy, num_segments, **_):
    return array.segment_cells(data, segment_ids, num_segments, policy)[1], data["data"]


def _array_segments(data, segment_ids=None, offsets=None, *, policy, num_segments, **_):
    return _segments(data, segment_ids or array.ids_by_offsets(data, offsets, num_segments), policy, num_segments)


def _slices(data, updates, start, stop, step, axes=None):
    return _offsets(data["shape"], openvino.slice_places(data, updates, start, stop, step, axes)), updates["data"]


def _offset_bags(table, indices, offsets, default_index=None, weights=None, policy=None, **_):
    return _bags(table, indices, openvino.bags_of_offsets(indices, offsets), weights, policy)


def _row_bags(table, indices, weights=None, policy=None, **_):
    return _bags(table, indices, openvino.bags_of_rows(indices), weights, policy)


def _segment_bags(table, indices, segment_ids, num_segments, default_index=None, weights=None, policy=None, **_):
    return _bags(table, indices, segment_ids["data"], weights, policy)


def _array_bags(table, ids, offsets=None, weights=None, policy=None, include_last_offset=False, accumulate="", **_):
    weights = None if accumulate else _without_bits(weights)
    updates = array.bag_updates(_without_bits(table), ids, array.bags_of(ids, offsets, include_last_offset), weights, policy)
    return [cell for cell, _ in updates], [element for _, element in updates]


def _without_bits(source):
    """The tensor with numbers in place of bits; payloads of NaN are lost."""
    if source is None or source["dtype"] not in types.FLOATS:
        return source
    return {**source, "data": [types.from_float(value) for value in exact.numbers(source["dtype"], source["data"])]}


def _bags(table, indices, bags, weights, policy):
    updates = openvino.bag_updates(_without_bits(table), indices, bags, _without_bits(weights), policy)
    return [cell for cell, _ in updates], [element for _, element in updates]


CELLS = {
    ("onnx", "Scatter"): _elements, ("onnx", "ScatterElements"): _elements, ("onnx", "ScatterND"): _tuples,
    ("onnx", "TensorScatter"): lambda cache, update, write_indices=None, **given: _cache(
        cache, update, write_indices, **given),
    ("openvino", "ScatterUpdate"): _rows, ("openvino", "ScatterElementsUpdate"): _elements_by_input,
    ("openvino", "ScatterNDUpdate"): _tuples,
    ("openvino", "EmbeddingBagOffsetsSum"): _offset_bags, ("openvino", "EmbeddingBagOffsets"): _offset_bags,
    ("openvino", "EmbeddingBagPackedSum"): _row_bags, ("openvino", "EmbeddingBagPacked"): _row_bags,
    ("openvino", "EmbeddingSegmentsSum"): _segment_bags,
    ("openvino", "SegmentMax"): lambda data, ids, count=None, policy=None, **_: _segments(
        data, ids, policy, openvino.number_of_segments(ids, count)),
    ("openvino", "SliceScatter"): lambda data, updates, *vectors, **_: _slices(data, updates, *vectors),
    ("tensorrt", "Scatter"): _layer,
    ("tensorrt", "KVCacheUpdate"): lambda *inputs, **given: _cache(*inputs, **given, axis=2),
    ("array", "PutAlongAxis"): _along_axis, ("array", "IndexAdd"): _indexed_rows,
    ("array", "IndexReduce"): _indexed_rows, ("array", "SegmentReduce"): _array_segments,
    ("array", "EmbeddingBag"): _array_bags,
}


def updates_by_cell(record):
    """{cell: its updates in row-major order} of a legal scatter; None of a gather."""
    key = record["dialect"], record["op"]
    if key not in CELLS:
        return None
    policy = record.get("options", {}).get("out_of_range") or DEFAULTS.get(key, "error")
    cells, updates = CELLS[key](*record["inputs"], policy=policy, **record["attrs"])
    result = {}
    for cell, update in zip(cells, updates, strict=True):
        if cell is not None:
            result.setdefault(cell, []).append(update)
    return result
