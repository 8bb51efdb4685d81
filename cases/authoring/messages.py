"""What Windrow says of a refused call: the text behind the operator's name and the rule's label.

Written from docs/operators/ and from the record alone, so that a text that names another input, extent or index than
the record's is found.
"""

import os

from . import cells, quantised, types
from .array import semantics as array
from .messages_of_shapes import input_of, names_of, ranks, shape_of, shapes
from .operators import ATTRIBUTES, BAGS, BY_INPUT, CACHES, CHOICES, GATHERS, OPTIONAL, POOLED, QUANTISED, REQUIRED, SEGMENTS
from .plain import plain_inputs
from .results import axis_of, data_of, ignores_negatives, indices_of, key_of, segments_of, whole
from .tensorrt.releases import types_of

HIGHEST = 2**63 - 1
KINDS = {"mode": (str, "a string"), "negative_indices_mode": (str, "a string"), "fill_mode": (str, "a string"),
         "reduction": (str, "a string"), "use_init_val": (bool, "true or false"),
         "include_last_offset": (bool, "true or false"), "accumulate": (str, "a string"), "dtype": (str, "a string")}
# The types that EmbeddingBag can sum in float32.
_SUMMED_IN_FLOAT32 = ("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
# Which types an input may have, in the order of messages.
_INTEGERS = "int64, int32, int16, int8, uint64, uint32, uint16, uint8"
_FOUR_BITS = "int64, int32, int16, int8, int4, uint64, uint32, uint16, uint8, uint4"
_T15 = "uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64, string, bool, complex64, complex128"
INDEX_TYPES = {
    "onnx": "int64, int32", "openvino": _FOUR_BITS, "tensorrt": "int64, int32", "array": _INTEGERS,
    **dict.fromkeys(("GatherND", "ScatterND", "TensorScatter", "ArrayFeatureExtractor"), "int64"),
    **dict.fromkeys((("openvino", "GatherElements"), ("openvino", "ScatterNDUpdate")), "int64, int32"),
    ("openvino", "OneHot"): "int64, int32", ("openvino", "SegmentMax"): "int64, int32", ("openvino", "GatherND"): _FOUR_BITS, ("onnx", "OneHot"): f"{_INTEGERS}, float16, float32, float64",
}
# Where negative indices count from the end in no version, or only from one on.
NO_NEGATIVES = {"ArrayFeatureExtractor", *SEGMENTS, "ScatterUpdate", "GatherTree", *BAGS}
NEGATIVES_SINCE = {("onnx", "OneHot"): 11, ("openvino", "Gather"): 8}


def _vectors(record):
    """start, stop, step and axes of SliceScatter, by their names."""
    return list(zip(names_of(record)[2:], record["inputs"][2:]))


def _slice_rule(record, number):
    """What SliceScatter says of axes (A1, A3) and steps (A4)."""
    rank, given = ranks(record)[0], dict(_vectors(record))
    if number == 4:
        return f"step[{given['step']['data'].index(0)}] is 0, must not be 0"
    axes = [min(axis, HIGHEST) for axis in given["axes"]["data"]]
    if number == 1:
        bad = next(axis for axis in axes if not -rank <= axis < rank)
        return f"axis is {bad}, must be in [{-rank}, {rank - 1}] for data of rank {rank}"
    places = [axis % rank for axis in axes]
    twice = next(place for number, place in enumerate(places) if place in places[:number])
    return f"axes name axis {twice} twice"


def _type_of_slices(record, number):
    if number == 4:
        name, tensor = next((name, tensor) for name, tensor in _vectors(record) if tensor["dtype"] not in _FOUR_BITS.split(", "))
        return f"{name} has type {tensor['dtype']}, must be one of: {_FOUR_BITS}"
    name, tensor = [("data", record["inputs"][0]), ("updates", record["inputs"][1])][number == 3]
    must = f"have the type of data, {record['inputs'][0]['dtype']}" if number == 3 else "be one of: "
    return f"{name} has type {tensor['dtype']}, must {must}"


def _types_of_a_bag(record, number):
    """The rules on the types of EmbeddingBag."""
    given = {name: tensor["dtype"] for name, tensor in zip(names_of(record), record["inputs"], strict=False) if tensor}
    if number == 1:
        return f"table has type {given['table']}, must be one of: "
    if number == 2:
        name = next(name for name in ("ids", "offsets") if given[name] not in types.INTEGERS)
        return f"{name} has type {given[name]}, must be one of: {_INTEGERS}"
    widens = record["attrs"].get("accumulate") == "float32" and given["table"] in _SUMMED_IN_FLOAT32
    return f"weights has type {given['weights']}, must have the type of table, {given['table']}{', or float32' if widens else ''}"


def _types_of_codes(record, number):
    """The rules on the types of quantised look-ups."""
    given = {name: tensor["dtype"] for name, tensor in zip(names_of(record), record["inputs"], strict=False) if tensor}
    codes = types.Q8 if record["dialect"] == "onnx" else types.Q9
    if number == 3:
        return f"zero_points has type {given['zero_points']}, must have the type of data, {given['data']}"
    if number == 2:
        return f"indices has type {given['indices']}, must be one of: {INDEX_TYPES[record['dialect']]}"
    name, listed = ("data", codes) if given["data"] not in codes else ("scales", types.S3)
    return f"{name} has type {given[name]}, must be one of: {', '.join(listed)}"


def _types_outside_the_equation(record, number):
    """The rules on the types of pooled look-ups and of GatherTree."""
    given = {name: tensor["dtype"] for name, tensor in zip(names_of(record), record["inputs"], strict=False) if tensor}
    first, *others = given
    groups = {1: [first], 2: ["indices", "offsets", "segment_ids", "default_index"], 4: ["num_segments"],
              3: others if record["op"] == "GatherTree" else ["per_sample_weights"]}
    groups[5] = [*groups[2], *groups[4]]
    like = {3: first, 5: "indices"}.get(number)
    wanted = {1: types.N12 if record["op"] == "GatherTree" else types.M16, 2: types.I2, 4: types.I2}.get(number) or [given[like]]
    name = next(name for name in given if name in groups[number] and given[name] not in wanted)
    must = f"have the type of {like}, {given[like]}" if like else f"be one of: {'int64, int32' if number > 1 else ''}"
    return f"{name} has type {given[name]}, must {must}"


def _types(record, number, _):
    names, op = names_of(record), record["op"]
    if op == "SliceScatter":
        return _type_of_slices(record, number)
    if op == "EmbeddingBag":
        return _types_of_a_bag(record, number)
    if op in QUANTISED:
        return _types_of_codes(record, number)
    if op in BAGS or op == "GatherTree":
        return _types_outside_the_equation(record, number)
    indices = next(place for place, name in enumerate(names) if name in ("indices", "write_indices", "Y", "segment_ids", "offsets")
                   and (op != "SegmentReduce" or record["inputs"][place]))
    place = {1: 0, 2: indices, 3: 3 - indices, 4: len(names) - 1}[number]
    if op == "OneHot":
        first = "values" if "values" in names else "on_value"
        place = names.index({1: first, 2: "indices", 3: "off_value", 4: "depth"}[number])
    start = f"{names[place]} has type {record['inputs'][place]['dtype']}, must "
    if number == 3:
        first = "on_value" if op == "OneHot" else names[0]
        return f"{start}have the type of {first}, {data_of(record)['dtype']}"
    if number == 1:
        listed = ("float32, float64, int64, int32, string" if op == "ArrayFeatureExtractor" else _T15) if record["dialect"] == "onnx" else ""
    else:
        listed = INDEX_TYPES.get(key_of(record)) or INDEX_TYPES.get(op) or INDEX_TYPES[record["dialect"]]
    return f"{start}be one of: {listed}"


def _axis(record):
    """The rule on an axis."""
    names, rank = names_of(record), ranks(record)[0]
    if key_of(record) in BY_INPUT:
        axis = record["inputs"][-1]
        if axis["shape"] not in ([], [1]):
            return f"axis has shape {axis['shape']}, must have rank 0, or rank 1 and one element"
        value = min(axis["data"][0], HIGHEST)  # uint64 axes above are all as far outside
    else:
        value = record["attrs"].get("axis", -2)
    if record["op"] == "TensorScatter" and value in (0, -rank):
        return f"axis is {value}, the batch axis"
    low, high = (0 if record["dialect"] == "tensorrt" else -rank), rank - 1
    if record["op"] == "OneHot":
        low, high = -rank - 1, rank
    return f"axis is {value}, must be in [{low}, {high}] for {names[0]} of rank {rank}"


def _leading(record):
    """The rule on how many axes are batches."""
    rank, of_indices = ranks(record)[:2]
    name = "num_elementwise_dims" if record["dialect"] == "tensorrt" else "batch_dims"
    given, which = record["attrs"][name], f"data of rank {rank} and indices of rank {of_indices}"
    if key_of(record) == ("openvino", "Gather"):
        most = min(rank, of_indices)
        return f"{name} is {given}, must be in [{-most}, {most}] and, counted from the front of indices, " \
            f"at most axis {axis_of(record)} (data of rank {rank}, indices of rank {of_indices})"
    mode = record["attrs"].get("mode", "DEFAULT") if record["dialect"] == "tensorrt" else "ND"
    if mode == "ND":
        return f"{name} is {given}, must be in [0, {min(rank, of_indices) - 1}] for {which}"
    most = int(mode == "DEFAULT" and of_indices > 0 and record["attrs"].get("axis", 0) > 0)
    return f"{name} is {given}, must be in [0, {most}] in mode {mode} for {which}"


def _attributes(record, version):
    """An attribute that does not exist, is missing or has the wrong type."""
    key = key_of(record)
    known = [name for name, first in ATTRIBUTES[key].items() if version >= first]
    for name, value in record["attrs"].items():
        if name not in known:
            return f"attribute '{name}' is unknown; there is: {', '.join(known) or 'none'}"
        kind, said = KINDS.get(name, (int, "an integer"))
        if not isinstance(value, kind) or isinstance(value, bool) and kind is int:
            return f"attribute '{name}' must be {said}"
    return f"attribute '{REQUIRED[key]}' is missing"


def _choices(record, version):
    name = next(name for name in ("mode", "negative_indices_mode", "fill_mode", "reduction") if name in ATTRIBUTES[key_of(record)])
    value, choices = record["attrs"].get(name, "sum"), CHOICES[key_of(record)]
    if record["error_kind"] == "type":
        return f"reduction '{value}' has no meaning for {record['inputs'][0]['dtype']}"
    if isinstance(choices, dict):
        choices = [choice for choice, first in choices.items() if version >= first]
    must = " or ".join(choices) if record["op"] == "TensorScatter" else f"one of: {', '.join(choices)}"
    return f"{name} is '{value}', must be {must}"


def _legal(record, version, extent):
    """The lowest and the highest index of an axis that the call takes."""
    policy, key = record.get("options", {}).get("out_of_range"), key_of(record)
    kind = record["constraint"].rsplit("-", 1)[1]
    if kind[0] == "S":
        if extent == 0 and policy in ("clamp", "modulo"):
            return 0, -1
        refuses = policy == "error" or policy is None and key != ("openvino", "OneHot")
        return 0, extent - 1 if record["dialect"] == "tensorrt" or refuses else HIGHEST
    negative = record.get("options", {}).get("negative")
    if negative and record["op"] not in CACHES:
        return -extent if negative == "from_end" else 0, extent - 1
    if record["op"] == "SegmentMax":
        return 0, extent - 1 if policy == "error" else HIGHEST
    if record["op"] in CACHES:
        if record["attrs"].get("mode") == "circular":
            return 0, HIGHEST
        length = shape_of(record, 1)[axis_of(record)]
        return 0, extent - length if policy in (None, "error") else -1
    if version < NEGATIVES_SINCE.get(key, 0) or record["op"] in NO_NEGATIVES or ignores_negatives(record):
        return 0, extent - 1
    return -extent, extent - 1


def _position(numbers):
    return str(list(numbers)) if numbers else ""


def _bound(record):
    """An offset, a segment id or a default index outside its range; None if the record's fault is another one."""
    bad, name = record["fault"], record["fault"]["input"]
    if name not in ("offsets", "segment_ids", "default_index") or record["op"] not in POOLED and name != "offsets":
        return None
    extent, samples = bad["extent"], bad["extent"] if record["op"] == "SegmentReduce" else len(indices_of(record)["data"])
    low, high = {"offsets": (0, samples), "segment_ids": (0, extent - 1), "default_index": (-1, extent - 1)}[name]
    text = f"{name}{_position(bad['position'])} is {bad['value']}, must be in [{low}, {high}]"
    if name == "default_index":
        return text
    total = len(input_of(record, name)["data"])
    return f"{text}; {bad['count']} of {total} {'is' if bad['count'] == 1 else 'are'} out of range"


def _index(record, version):
    """An index outside its range."""
    if text := _bound(record):
        return text
    bad, total, options = record["fault"], len(indices_of(record)["data"]), record.get("options", {})
    found, refuses = f"{bad['input']}{_position(bad['position'])} is {bad['value']}", options.get("negative") == "error"
    of_all = f"{bad['count']} of {total} indices {'is' if bad['count'] == 1 else 'are'} {'refused' if refuses else 'out of range'}"
    if record["constraint"] == "CALL-O3":
        return f"{found}, negative, and the call says negative=error; {of_all}"
    low, high = _legal(record, version, bad["extent"])
    legal = f"legal: {low} to {high}" if low <= high else "no index is legal"
    if "padding_index" in options:
        legal += f", padding: {options['padding_index']}"
    target = "output" if record["op"] in ("OneHot", *SEGMENTS) else names_of(record)[0]
    return f"{found}, out of range for axis {bad['axis']} of {target} with extent {bad['extent']} ({legal}); {of_all}"
    target = "output" if record["op"] in ("OneHot", *SEGMENTS) else names_of(record)[0]
    are = "is" if bad["count"] == 1 else "are"
    return f"{bad['input']}{_position(bad['position'])} is {bad['value']}, out of range for axis {bad['axis']} of {target} " \
        f"with extent {bad['extent']} ({legal}); {bad['count']} of {total} indices {are} out of range"


def _unravelled(number, shape):
    result = []
    for extent in reversed(shape):
        result.insert(0, number % extent)
        number //= extent
    return result


def _duplicate(record):
    """The first update, in row-major order, of a cell that has one."""
    key, first = key_of(record), {}
    policy = record.get("options", {}).get("out_of_range") or "error"
    of_cells, _ = cells.CELLS[key](*plain_inputs(record), policy=policy, **record["attrs"])
    of_segments, names = record["op"] == "SegmentReduce", names_of(record)
    policy = record.get("options", {}).get("out_of_range") or cells.DEFAULTS.get(key, "error")
    of_cells, _ = cells.CELLS[key](*record["inputs"], policy=policy, **record["attrs"])
    of_segments, names = record["op"] in SEGMENTS, names_of(record)
    place = 0 if of_segments else next(place for place in (1, 2) if names[place] in ("update", "updates", "values"))
    source, shape = names[place], shape_of(record, place)
    if record["op"] == "PutAlongAxis":
        shape, _ = array.addressed(*record["inputs"][:2], record["attrs"].get("axis", -1), "clamp")
    target = [segments_of(record), *shape[1:]] if of_segments else shape_of(record, 0)
    for number, cell in enumerate(of_cells):
        if cell in first:
            return f"{source}{_position(_unravelled(number, shape))} writes the cell at {_unravelled(cell, target)}, " \
                f"which {source}{_position(_unravelled(first[cell], shape))} has written already"
        if cell is not None:
            first[cell] = number
    raise AssertionError(record["name"])


def _inputs(record):
    names, given = names_of(record), record["inputs"]
    if len(given) > len(names):
        return f"{len(given)} inputs given, takes {len(names)}"
    if record["op"] == "SegmentReduce" and len(given) == len(names) and None not in given:
        return "inputs segment_ids and offsets are given, takes one of them"
    place = next(place for place, name in enumerate(names) if not {name, (record["op"], name)} & OPTIONAL
                 and (place >= len(given) or given[place] is None))
    return f"input {names[place]} is missing"


def _option(record):
    policy = f"out_of_range is '{record['options']['out_of_range']}'"
    if record["op"] in SEGMENTS and record["options"]["out_of_range"] != "zero":
        return f"{policy}, {record['op']} takes error and skip"
    if record["op"] == "GatherTree" and record["options"]["out_of_range"] != "skip":
        return f"{policy}, GatherTree takes error"
    takes = ("gather", "zero") if record["op"] in GATHERS else ("scatter", "skip")
    return f"{policy}, which a {takes[0]} does not take: it takes error, {takes[1]}, clamp and modulo"


def _padding(record):
    """The rule on how many axes a call with a padding index addresses."""
    if record["op"] == "GatherTree":
        return f"padding_index is {record['options']['padding_index']}, GatherTree takes none"
    indices = indices_of(record)
    length = indices["shape"][-1] if indices else 0
    return f"padding_index is {record['options']['padding_index']}, for which one axis must be indexed; the call has {length or 'none'}"


def _result_size(record):
    shape = list(shape_of(record, 0))
    if record["op"] in QUANTISED:
        look_up = quantised.of_record(record)
        extents, axis = look_up.extents(), look_up.places()[0]
        return f"the result has shape {extents[:axis] + shape_of(record, 1) + extents[axis + 1:]}: more than 2^63-1 bytes"
    if record["op"] in POOLED:
        segments, offsets = input_of(record, "num_segments"), input_of(record, "offsets")
        count = segments["data"][0] if segments else (offsets or indices_of(record))["shape"][0]
        count -= record["attrs"].get("include_last_offset", False)
        return f"the result has shape {[count, *shape[1:]]}: more than 2^63-1 bytes"
    if record["op"] in SEGMENTS:
        return f"the result has shape {[segments_of(record), *shape[1:]]}: more than 2^63-1 bytes"
    shape.insert(axis_of(record), whole(record["inputs"][names_of(record).index("depth")]["data"][0]))
    return f"the result has shape {shape}: more than 2^63-1 bytes"


def _strict(record, number, version):
    """What the option strict refuses: a rank (S1) or a type (S2) that the release does not have."""
    if number == 1:
        return "strict: a tensor has rank "
    is_data = data_of(record)["dtype"] not in types_of(record["op"], version)
    name, given = ("data", data_of(record)) if is_data else ("indices", indices_of(record))
    return f"strict: {name} of type {given['dtype']}, the release has: "


def _text(record, version):
    label = record["constraint"]
    if label.startswith("CALL") and record["error_kind"] != "index":
        return {"CALL-I1": _inputs, "CALL-O1": _option, "CALL-O4": _padding}.get(label, _result_size)(record)
    letter, number = label.rsplit("-", 1)[1][0], int(label.rsplit("-", 1)[1][1:])
    if record["error_kind"] == "index":
        return _index(record, version)
    if letter == "A":
        return _attribute_rule(record, number, version)
    if letter == "D":
        return _duplicate(record)
    return {"T": _types, "C": shapes, "S": _strict}[letter](record, number, version)


def _pooling_rule(record, number):
    """A4 and A5 of EmbeddingBag."""
    accumulate = record["attrs"].get("accumulate")
    if number == 5:
        return f"reduction is '{record['attrs']['reduction']}', which takes no weights"
    if record["error_kind"] == "type":
        return f"accumulate is 'float32', which table of type {record['inputs'][0]['dtype']} does not have: " \
            "it is for floats of at most 32 bits"
    return f"accumulate is '{accumulate}', must be '' or 'float32'"


def _quantised_rule(record, number):
    """What quantised look-ups say of their axes, blocks, bits and result."""
    attrs, rank, is_onnx = record["attrs"], ranks(record)[0], record["dialect"] == "onnx"
    dtype = record["inputs"][0]["dtype"]
    if number in (1, 3):
        name = "quantize_axis" if number == 3 else "gather_axis" if is_onnx else "axis"
        return f"{name} is {attrs[name]}, must be in [{-rank}, {rank - 1}] for data of rank {rank}"
    if number == 6:
        return f"dtype is '{attrs['dtype']}', must be float32, float16 or bfloat16"
    if number == 4:
        must = "a power of two from 16 on" if is_onnx else "at least 0"
        if is_onnx and dtype.startswith("float"):
            must = f"0 or {must}"
        return f"block_size is {attrs['block_size']}, must be {must}"
    own = "2, 4 or 8" if dtype == "uint8" else "4" if dtype in ("int4", "uint4", "float4_e2m1fn") else "8"
    return f"bits is {attrs['bits']}, must be {own} for data of type {dtype}"


def _attribute_rule(record, number, version):
    if number == 2:
        return _attributes(record, version)
    if record["op"] in QUANTISED:
        return _quantised_rule(record, number)
    if record["op"] == "SliceScatter":
        return _slice_rule(record, number)
    if number == 3:
        return _choices(record, version)
    if record["op"] == "SegmentReduce":
        return f"num_segments is {record['attrs']['num_segments']}, must be at least 0"
    if record["op"] in BAGS:
        return "reduction is 'mean', which takes no per_sample_weights"
    if record["op"] == "EmbeddingBag":
        return _pooling_rule(record, number)
    is_leading = number == 4 or key_of(record) == ("onnx", "GatherND")
    return _leading(record) if is_leading else _axis(record)


def message_of(record):
    """What the message of a refused call begins with, at every version of the record."""
    return os.path.commonprefix([_text(record, version) for version in record["versions"]])
