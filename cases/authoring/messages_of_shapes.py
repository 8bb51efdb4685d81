"""What Windrow says of a call whose shapes break a rule: the text behind the rule's label."""

import itertools

from . import quantised
from .array import semantics as array
from .operators import BAGS, BY_INPUT, CACHES, GATHERS, INPUTS, ONE_HOT, POOLED, QUANTISED, SEGMENTS
from .results import axis_of, data_of, is_of_tuples, key_of, whole

MOST_AXES = 32


def names_of(record):
    if record["op"] == "OneHot":
        return ONE_HOT[record["dialect"]]
    names = INPUTS.get(record["op"], ["data", "indices", "updates"])
    given = len(names) - (record["op"] in GATHERS and len(names) == 3)
    return names[:given] + ["axis"] * (key_of(record) in BY_INPUT)


def _plural(name):
    plural = ("indices", "updates", "values", "segment_ids", "offsets", "step_ids", "parent_ids", "per_sample_weights",
              "ids", "weights", "scales", "zero_points", "axes")
    return "have" if name in plural else "has"


def shape_of(record, place):
    return record["inputs"][place]["shape"]


def ranks(record):
    return [len(given["shape"]) for given in record["inputs"] if given]


def _is_elements(record):
    op, mode = record["op"], record["attrs"].get("mode")
    return "Elements" in op or key_of(record) == ("onnx", "Scatter") or mode == "ELEMENT" or \
        key_of(record) == ("tensorrt", "Scatter") and mode is None


def _rank_rule(record):
    """C1 of most operators."""
    (name, second, *_), of = names_of(record), ranks(record)
    two = f"{name} has rank {of[0]} and {second} {_plural(second)} rank {of[1]}"
    if record["op"] in CACHES:
        return f"{two}, must be {'equal and at least 2' if record['op'] == 'TensorScatter' else 4}"
    if is_of_tuples(record):
        return f"{two}, both must be 1 or more"
    if _is_elements(record) or "AlongAxis" in record["op"]:
        if len(of) > 2 and record["op"] != "PutAlongAxis":
            return f"data, indices and updates have ranks {of[0]}, {of[1]} and {of[2]}, must be equal and at least 1"
        return f"{two}, must be equal and at least 1"
    return f"{name} has rank {of[0]}, must have rank 1 or more"


def _pairs(record, first, second, differ, what, leave=None):
    """Two shapes and the first axis, but `leave`, in which they differ."""
    names = names_of(record)
    mine, own = shape_of(record, first), shape_of(record, second)
    axis = next(d for d, pair in enumerate(zip(mine, own)) if d != leave and differ(*pair))
    return f"{names[first]} {_plural(names[first])} shape {mine} and {names[second]} {_plural(names[second])} shape {own}: " \
        f"{what} axis {axis}"


def _unequal(mine, own):
    return mine != own


def _unlike(mine, own):
    return mine != own and 1 not in (mine, own)


def _longer(mine, own):
    return mine > own


def _off_axis(record):
    """The rule on extents off the axis."""
    axis, key = axis_of(record), key_of(record)
    if record["op"] in CACHES:
        return _pairs(record, 1, 0, _unequal, "they differ in", axis)
    if "AlongAxis" in record["op"]:
        return _pairs(record, 0, 1, _unlike, "they differ in", axis) + " and none is 1"
    if key == ("openvino", "GatherElements"):
        return _pairs(record, 1, 0, _unequal, "they differ in", axis)
    return _pairs(record, 1, 0, _longer, "indices are longer in", axis)


def _batches(record, version):
    """The rule on the extents of batch axes."""
    repeats = record["dialect"] == "tensorrt" and record["attrs"].get("mode", "DEFAULT") == "DEFAULT" or \
        key_of(record) == ("openvino", "GatherND") and version == 8
    said = _pairs(record, 0, 1, _unlike if repeats else _unequal, "they differ in batch")
    return said + " and none is 1" * repeats


def _tuple_length(record):
    length, rank = shape_of(record, 1)[-1], ranks(record)[0]
    start = f"index tuples have length {length}, must be "
    if record["dialect"] == "tensorrt" and record["op"] == "Scatter":
        return f"{start}in [1, {rank}]"
    if record["op"] in ("ScatterND", "ScatterNDUpdate"):
        return f"{start}at most {rank}, the rank of data"
    name = "num_elementwise_dims" if record["dialect"] == "tensorrt" else "batch_dims"
    batches = record["attrs"].get(name, 0)
    least = int(record["dialect"] != "openvino")
    return f"{start}in [{least}, {rank - batches}] for data of rank {rank} and {name} {batches}"


def _updates_shape(record):
    data, indices, updates = (shape_of(record, place) for place in range(3))
    axis = 0 if is_of_tuples(record) else axis_of(record)
    wanted = indices[:-1] + data[indices[-1]:] if is_of_tuples(record) else data[:axis] + indices + data[axis + 1:]
    if len(wanted) > MOST_AXES:
        return f"updates have shape {updates}, must have rank {len(wanted)}, which is above {MOST_AXES}"
    return f"updates have shape {updates}, must have shape {wanted}"


def _values_broadcast(record):
    data, indices, values = (shape_of(record, place) for place in range(3))
    shape, _ = array.addressed(*record["inputs"][:2], record["attrs"].get("axis", -1), "clamp")
    return f"values have shape {values}, must broadcast to {list(shape)}, the shape that data, {data}, and indices, " \
        f"{indices}, address"


def _count(record, name):
    depth = record["inputs"][names_of(record).index(name)]
    if depth["shape"] == [] or record["dialect"] == "onnx" and depth["shape"] == [1]:
        value = whole(depth["data"][0])
        return f"{name} is {value if value < 2**63 else -2**63}, must not be negative"  # too large is as no number
    return f"{name} {_plural(name)} shape {depth['shape']}, must have rank 0" + ", or rank 1 and one element" * (record["dialect"] == "onnx")


def _one_hot(record, number):
    if number == 1 and record["dialect"] == "openvino":
        name, shape = next((name, given["shape"]) for name, given in zip(names_of(record), record["inputs"], strict=True)
                           if name.endswith("_value") and given["shape"])
        return f"{name} has shape {shape}, must have shape []"
    if number == 1:
        return f"values have shape {data_of(record)['shape']}, must have shape [2]"
    return _result_rank(record) if number == 2 else _count(record, "depth")


def _result_rank(record):
    rank, of_indices = ranks(record)[0], ranks(record)[1]
    if record["op"] == "OneHot":
        rank += 1
    elif is_of_tuples(record):
        rank = of_indices - 1 + rank - record["attrs"].get("batch_dims", 0) - shape_of(record, 1)[-1]
    else:
        rank += of_indices - 1
    return f"the result has rank {rank}, must be at most {MOST_AXES}"


def _falls(name, numbers):
    """The first of the numbers that is below the one before it."""
    place = next(i for i, (before, after) in enumerate(itertools.pairwise(numbers), 1) if after < before)
    return f"{name}[{place}] is {numbers[place]} after {numbers[place - 1]}, must not be smaller"


def _segments(record, number):
    data, ids = record["inputs"][:2]
    offsets = input_of(record, "offsets")
    if offsets and number == 2:
        return f"offsets have shape {offsets['shape']}, must have shape [{record['attrs']['num_segments']}], " \
            "or an element more, the end of the last segment"
    if offsets:
        return _falls("offsets", offsets["data"])
    if number == 3 and record["op"] == "SegmentMax":
        return _count(record, "num_segments")
    if number == 2:
        return f"segment_ids have shape {ids['shape']}, must have shape {data['shape'][:1]} for data of shape {data['shape']}"
    return _falls("segment_ids", ids["data"])


def input_of(record, name):
    """The input of that name; None if the operator or the call lacks it."""
    names = names_of(record)
    place = names.index(name) if name in names else len(record["inputs"])
    return record["inputs"][place] if place < len(record["inputs"]) else None


def _must(record, name, must):
    shape = input_of(record, name)["shape"]
    return f"{name} {_plural(name)} shape {shape}, must have {must}"


def _bags(record, number):
    """The rules of pooled look-ups, in their order; those that an operator lacks are not counted."""
    of_indices = input_of(record, "indices")["shape"]
    offsets, ids, segments = (input_of(record, name) for name in ("offsets", "segment_ids", "num_segments"))
    forms = ["indices", *(["segments"] if segments else []), *(["default"] if offsets or ids else []), "weights", "bounds"]
    form = forms[number - 2]
    if form == "indices":
        if len(of_indices) != (1 if offsets or ids else 2):
            return _must(record, "indices", f"rank {1 if offsets or ids else 2}")
        return _must(record, "segment_ids", f"shape {of_indices}") if ids else _must(record, "offsets", "rank 1")
    if form == "segments":
        return _must(record, "num_segments", "rank 0") if segments["shape"] else \
            f"num_segments is {segments['data'][0]}, must not be negative"
    if form == "default":
        return _must(record, "default_index", "rank 0")
    if form == "weights":
        return _must(record, "per_sample_weights", f"shape {of_indices}")
    return _falls("offsets" if offsets else "segment_ids", (offsets or ids)["data"])


def _array_bag(record, number):
    """The rules of EmbeddingBag from C2 on."""
    of_ids, offsets = shape_of(record, 1), input_of(record, "offsets")
    if number == 2:
        if len(of_ids) not in (1, 2):
            return _must(record, "ids", "rank 1 or 2")
        if len(of_ids) == 1 and offsets is None:
            return "ids have rank 1, for which offsets must be given"
        return "ids have rank 2, for which there are no offsets" if len(of_ids) == 2 else _must(record, "offsets", "rank 1")
    if number == 3:
        return f"include_last_offset is true, for which offsets must {'have an element' if offsets else 'be given'}"
    if number == 4:
        return _must(record, "weights", f"shape {of_ids}")
    first = offsets["data"][0]
    return f"offsets[0] is {first}, must be 0" if first else _falls("offsets", offsets["data"])


def _quantised(record, number):
    """The rules of quantised look-ups; C3 of ONNX Runtime's operator is its own."""
    look_up, rank = quantised.of_record(record), ranks(record)[0]
    is_onnx = record["dialect"] == "onnx"
    if number == 1:
        return _must(record, "data", f"rank {2 if is_onnx else 1} or more")
    if number == 2:
        extents = look_up.extents()
        return f"data has shape {shape_of(record, 0)}, more than 2^63-1 values in the last axis" if max(extents) >= 2**63 else _result_rank(record)
    form = {3: "axes", 4: "scales", 5: "zero points"}[number + (not is_onnx)]
    if form == "axes":
        axis, quantize_axis = look_up.places()
        wrong = f"gather_axis is {axis}, must be 0" if axis else f"quantize_axis is {quantize_axis}, must be the last axis"
        return f"{wrong} for data of type uint8"
    if form == "scales":
        return _must(record, "scales", f"shape {look_up.shape_of_scales()}")
    if look_up.is_of_floats:
        return f"zero_points are given for data of type {look_up.data['dtype']}, which has none"
    return _must(record, "zero_points", f"shape {look_up.shape_of_zero_points()}")


def _tree(record, number):
    shape = shape_of(record, 0)
    name, must = {1: ("step_ids", "rank 3"), 2: ("parent_ids", f"shape {shape}"), 3: ("max_seq_len", f"shape {shape[1:2]}"),
                  4: ("end_token", "rank 0")}[number]
    return _must(record, name, must)


def _slices(record, number):
    """C2: the vectors have one length. C3: updates have the shape of the slice."""
    (data, updates, *vectors), names = record["inputs"], names_of(record)
    if number == 2:
        rank = len(data["shape"])
        for name, vector in zip(names[2:], vectors):
            own = f"{name} {_plural(name)} shape {vector['shape']}"
            if len(vector["shape"]) != 1:
                return f"{own}, must have rank 1"
            if vector["shape"] != vectors[0]["shape"]:
                return f"start has shape {vectors[0]['shape']} and {own}: they differ"
            if vector["shape"][0] > rank:
                return f"{own}, must have at most {rank} elements for data of rank {rank}"
    shape = list(data["shape"])
    axes = vectors[3]["data"] if len(vectors) > 3 else range(len(vectors[0]["data"]))
    for axis, *bounds in zip(axes, *(vector["data"] for vector in vectors[:3]), strict=True):
        shape[axis] = len(range(shape[axis])[slice(*bounds)])
    return f"updates have shape {updates['shape']}, must have shape {shape}"


def shapes(record, number, version):
    """The rules on shapes, by operator."""
    op, tuples = record["op"], is_of_tuples(record)
    if op in QUANTISED:
        return _quantised(record, number)
    if op == "SliceScatter" and number > 1:
        return _slices(record, number)
    if op == "OneHot":
        return _one_hot(record, number)
    if op == "GatherTree":
        return _tree(record, number)
    if number == 1 and op in POOLED and ranks(record)[0] == MOST_AXES:
        return _must(record, names_of(record)[0], f"rank {MOST_AXES - 1} or less")
    if number == 1:
        return _rank_rule(record)
    if op in SEGMENTS:
        return _segments(record, number)
    if op in BAGS:
        return _bags(record, number)
    if op == "EmbeddingBag":
        return _array_bag(record, number)
    if op == "PutAlongAxis":
        return _off_axis(record) if number == 2 else _values_broadcast(record)
    if op in ("IndexAdd", "IndexReduce"):
        return _updates_shape(record) if number == 3 else f"indices have rank {ranks(record)[1]}, must have 1"
    if op in CACHES:
        return _caches(record, number)
    if op in GATHERS:
        return _gathers(record, number, version)
    if tuples:
        return _tuple_length(record) if number == 2 else _updates_shape(record)
    if op == "ScatterUpdate":
        return _updates_shape(record)
    if number == 2:
        return f"updates have shape {shape_of(record, 2)}, must have the shape of indices, {shape_of(record, 1)}"
    return _off_axis(record)


def _caches(record, number):
    if number == 2:
        return _off_axis(record)
    if record["op"] == "TensorScatter" and number == 3:
        return _pairs(record, 1, 0, _longer, "update is longer in")
    return f"write_indices has shape {shape_of(record, 2)}, must have shape {shape_of(record, 0)[:1]}"


def _gathers(record, number, version):
    last = {"Take": 2, "Gather": {"onnx": 2, "openvino": 3, "tensorrt": 4}.get(record["dialect"]), "GatherND": 4}
    if number == last.get(record["op"]):
        return _result_rank(record)
    if number == 3:
        return _tuple_length(record)
    return _off_axis(record) if _is_elements(record) or "AlongAxis" in record["op"] else _batches(record, version)
