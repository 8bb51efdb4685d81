"""Which axes of a call's inputs belong together: where one gets shorter, or goes, so must the others."""

import copy

from . import quantised
from .operators import INPUTS, POOLED, QUANTISED, SEGMENTS
from .results import axis_of, is_of_tuples

AXIS_INPUTS = ("Gather", "ScatterUpdate", "ScatterElementsUpdate")


def _family(record):
    op = record["op"]
    if is_of_tuples(record):
        return "tuples"
    if op in POOLED:
        return "bags"
    if op in QUANTISED:
        return "quantised"
    if op in ("SliceScatter", "GatherTree", "TensorScatter", "KVCacheUpdate", "OneHot", "ArrayFeatureExtractor", *SEGMENTS):
        return op
    elements = "Elements" in op or "AlongAxis" in op or op == "Scatter" or record["attrs"].get("mode") == "ELEMENT"
    return "elements" if elements else "rows"


def _batches(record):
    given = record["attrs"].get("batch_dims", record["attrs"].get("num_elementwise_dims", 0))
    return given + len(record["inputs"][1]["shape"]) if given < 0 else given


def _has_updates(record):
    return "Scatter" in record["op"] or record["op"] in ("PutAlongAxis", "IndexAdd", "IndexReduce")


def _rows(record):
    """data, indices, updates: data[:axis] ++ indices[b:] ++ data[axis + 1:]."""
    axis, b = axis_of(record), _batches(record)
    data, indices = (len(tensor["shape"]) for tensor in record["inputs"][:2])
    updates = _has_updates(record)
    for d in range(data):
        shift = d if d < axis else d - 1 + indices
        tied = [(1, d)] if d < b else []
        yield [(0, d), *tied, *([(2, shift)] if updates and d != axis else [])]
    for d in range(b, indices):
        yield [(1, d), *([(2, axis + d)] if updates else [])]


def _elements(record):
    axis, shapes = axis_of(record), [tensor["shape"] for tensor in record["inputs"][:3 if _has_updates(record) else 2]]
    if record["op"] == "PutAlongAxis" and len(shapes[2]) != len(shapes[0]):
        return
    for d in range(len(shapes[0])):
        together = [(place, d) for place, shape in enumerate(shapes) if place or d != axis]
        if d == axis:
            yield [(0, d)]
            yield [each for each in together if shapes[each[0]][d] == shapes[1][d]]
        elif len({shape[d] for shape in shapes}) == 1:
            yield together
        else:
            longest = max(shape[d] for shape in shapes)
            yield [each for each in together if shapes[each[0]][d] == longest]


def _tuples(record):
    b, length = _batches(record), record["inputs"][1]["shape"][-1]
    data, indices = (len(tensor["shape"]) for tensor in record["inputs"][:2])
    updates = _has_updates(record)
    for d in range(indices - 1):
        yield [(1, d), *([(0, d)] if d < b else []), *([(2, d)] if updates else [])]
    for d in range(b, data):
        tail = d >= b + length
        yield [(0, d), *([(2, indices - 1 + d - length)] if tail and updates else [])]


def _cache(record):
    axis = axis_of(record)
    for d in range(len(record["inputs"][0]["shape"])):
        if d == axis:
            yield [(0, d)]
            yield [(1, d)]
        else:
            yield [(0, d), (1, d), *([(2, 0)] if d == 0 and len(record["inputs"]) > 2 else [])]


def _one_hot(record):
    for d in range(len(record["inputs"][0]["shape"])):
        yield [(0, d)]


def _features(record):
    for place in (0, 1):
        for d in range(len(record["inputs"][place]["shape"])):
            yield [(place, d)]


def _segments(record):
    if record["inputs"][1]:
        yield [(0, 0), (1, 0)]
    for d in range(1, len(record["inputs"][0]["shape"])):
        yield [(0, d)]


def _bags(record):
    names = INPUTS[record["op"]]
    for d in range(len(record["inputs"][0]["shape"])):
        yield [(0, d)]
    for d in range(len(record["inputs"][1]["shape"])):
        yield [(place, d) for place, tensor in enumerate(record["inputs"])
               if tensor and names[place] in ("indices", "ids", "segment_ids", "per_sample_weights", "weights")]
    if "offsets" in names and len(record["inputs"]) > 2 and record["inputs"][2]:
        yield [(2, 0)]


def _quantised(record):
    """The quantised axis is cut where it is one block."""
    scales, look_up = record["inputs"][2]["shape"], quantised.of_record(record)
    last = len(scales) - 1
    for d in range(last + 1):
        if d == look_up.places()[1]:
            if scales[d] == 1:
                yield [(0, d)]
        elif look_up.each == 1 or d < last:
            yield [(place, d) for place, tensor in enumerate(record["inputs"])
                   if tensor and place != 1 and (place == 0 or tensor["shape"][d] > 1 or record["inputs"][0]["shape"][d] == 1)]
    for d in range(len(record["inputs"][1]["shape"])):
        yield [(1, d)]


def _tree(record):
    del record
    yield [(0, 0), (1, 0)]
    yield [(0, 1), (1, 1), (2, 0)]
    yield [(0, 2), (1, 2)]


def _slices(record):
    """The axes that are not sliced."""
    data, _, start, *vectors = record["inputs"]
    rank = len(data["shape"])
    sliced = [axis % rank for axis in vectors[2]["data"]] if len(vectors) > 2 else range(len(start["data"]))
    for d in set(range(rank)) - set(sliced):
        yield [(0, d), (1, d)]


FAMILIES = {"rows": _rows, "elements": _elements, "tuples": _tuples, "TensorScatter": _cache, "KVCacheUpdate": _cache,
            "OneHot": _one_hot, "ArrayFeatureExtractor": _features, "SegmentReduce": _segments,
            "SegmentMax": _segments, "bags": _bags, "quantised": _quantised, "GatherTree": _tree, "SliceScatter": _slices}


def groups(record):
    """Lists of (input, axis) that have one extent, each list cut by itself."""
    for group in FAMILIES[_family(record)](record):
        if group and len({record["inputs"][place]["shape"][axis] for place, axis in group}) == 1:
            yield group


def may_go(record, group):
    """Whether the axis may go altogether: off the addressed axis, where operators of elements have it in every input."""
    family = _family(record)
    if family not in ("rows", "elements"):
        return False
    axis = axis_of(record)
    if family == "elements":
        return all(d != axis for _, d in group) and len(group) == (3 if _has_updates(record) else 2)
    return group[0][0] == 0 and group[0][1] != axis and not any(place == 1 for place, _ in group)


def without_axis(record, group):
    """The record without the axis, and the addressed axis named by its new number."""
    smaller, axis = copy.deepcopy(record), axis_of(record)
    for place, d in group:
        del smaller["inputs"][place]["shape"][d]
    axis -= group[0][1] < axis
    if record["dialect"] == "openvino" and record["op"] in AXIS_INPUTS:
        smaller["inputs"][-1]["data"] = [axis]
    else:
        smaller["attrs"]["axis"] = axis
    return smaller
