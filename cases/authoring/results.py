"""The rule that a record proves, at one version: the label of the most particular thing that its outcome depends on.

A legal call depends on its operator's equation (V1) and perhaps on more: negative indices, a fold, an update that came
last. Whatever the text leaves open comes first, so that a record whose rule is of the specification depends on no
decision.
"""

import functools
import math

from . import exact, quantised, types
from .arithmetic import combine
from .cells import updates_by_cell
from .openvino import semantics as openvino
from .operators import INPUTS, POOLED, QUANTISED, SEGMENTS
from .semantics import at, coordinate
from .tensorrt.releases import index_types_of, types_of
from .tiers import kind_of

# Operators and the versions whose text is silent on negative indices that count from the end.
SILENT_ON_NEGATIVES = {
    ("onnx", "Gather"): [1], ("onnx", "Scatter"): [9], ("openvino", "Gather"): [1, 7], ("openvino", "GatherElements"): [6],
    ("openvino", "GatherND"): [5], ("openvino", "ScatterElementsUpdate"): [3], ("openvino", "ScatterNDUpdate"): [3],
    ("openvino", "OneHot"): [1],
    **{("tensorrt", op): [8, 9, 10, 11] for op in ("Gather", "Scatter", "OneHot", "KVCacheUpdate")},
}
# Those that say what an index outside gives, without an option; negative
# ones that do not count from the end among them.
TAKES_OUTSIDE = {("openvino", "Gather"): [8], ("tensorrt", "Gather"): [8, 9, 10, 11],
                  ("tensorrt", "KVCacheUpdate"): [10, 11], ("onnx", "OneHot"): [9, 11, 28], ("openvino", "OneHot"): [1, 16],
                  ("openvino", "SegmentMax"): [16], ("onnx", "GatherBlockQuantized"): [1]}
ELEMENTS = {("onnx", "GatherElements"), ("onnx", "Scatter"), ("onnx", "ScatterElements")}
TUPLES = {("onnx", "ScatterND"), ("openvino", "GatherND"), ("openvino", "ScatterNDUpdate")}
ASSIGNING = {("openvino", "SliceScatter"), ("onnx", "TensorScatter"), ("onnx", "Scatter"), ("openvino", "ScatterUpdate"), ("tensorrt", "Scatter"),
             ("tensorrt", "KVCacheUpdate"), ("array", "PutAlongAxis")}


def key_of(record):
    return record["dialect"], record["op"]


def ignores_negatives(record):
    """Whether negative indices are outside because the operator's mode says so."""
    mode = record["attrs"].get("negative_indices_mode", "ignore_negative")
    return key_of(record) == ("openvino", "OneHot") and mode == "ignore_negative"


def depth_of(record):
    """The extent of a OneHot's new axis."""
    return whole(record["inputs"][2 if record["dialect"] == "tensorrt" else 1]["data"][0])


def segments_of(record):
    """How many segments there are."""
    if record["op"] == "SegmentReduce":
        return record["attrs"]["num_segments"]
    _, segment_ids, *given = record["inputs"]
    return openvino.number_of_segments(segment_ids, *given or [None])


def index_input(record):
    """The place of the indices among the inputs; behind the last one where there are none."""
    if record["op"] == "SliceScatter":
        return len(record["inputs"])
    if record["op"] == "OneHot":
        return 0
    return 2 if record["op"] in ("TensorScatter", "KVCacheUpdate") else 1


def indices_of(record):
    place = index_input(record)
    return record["inputs"][place] if place < len(record["inputs"]) else None


def weights_of(record):
    """The factors of the samples of a pooled look-up; None if there are none."""
    place = len(INPUTS[record["op"]]) - 1
    return record["inputs"][place] if place < len(record["inputs"]) else None


def data_of(record):
    """The tensor whose type the result has."""
    if record["op"] == "OneHot":
        return record["inputs"][1 if record["dialect"] == "tensorrt" else 2]
    return record["inputs"][0]


def axis_of(record):
    attrs, data = record["attrs"], record["inputs"][0]
    if record["dialect"] == "openvino" and record["op"] in ("Gather", "ScatterUpdate", "ScatterElementsUpdate"):
        return record["inputs"][-1]["data"][0] % len(data["shape"])
    if record["op"] in ("KVCacheUpdate", "GatherTree"):
        return 2
    if record["op"] == "ArrayFeatureExtractor":
        return len(data["shape"]) - 1
    if record["op"] in SEGMENTS:
        return 0
    default = {"TensorScatter": -2, "TakeAlongAxis": -1, "PutAlongAxis": -1, "OneHot": -1}.get(record["op"], 0)
    axis = attrs.get("gather_axis" if record["op"] == "GatherBlockQuantized" else "axis", default)
    return axis % (len(data["shape"]) + (record["op"] == "OneHot"))


def is_of_tuples(record):
    return record["op"] in ("GatherND", "ScatterND", "ScatterNDUpdate") or record["attrs"].get("mode") == "ND"


def extents_of(record):
    """For each element of indices, in row-major order: the axis and its extent that it addresses."""
    data, indices = record["inputs"][0], indices_of(record)
    if is_of_tuples(record):
        first = record["attrs"].get("batch_dims", record["attrs"].get("num_elementwise_dims", 0))
        length = indices["shape"][-1]
        return [(first + k, data["shape"][first + k]) for k in range(length)] * math.prod(indices["shape"][:-1])
    if record["op"] == "OneHot":
        return [(axis_of(record), depth_of(record))] * len(indices["data"])
    if record["op"] in SEGMENTS:
        return [(0, segments_of(record))] * len(indices["data"])
    axis = axis_of(record)
    shape = quantised.of_record(record).extents() if record["op"] in QUANTISED else data["shape"]
    return [(axis, shape[axis])] * len(indices["data"])


def whole(value):
    if isinstance(value, int):
        return value
    number = types.to_float(value)
    return int(number) if math.isfinite(number) else -2**63


def _bounds(record):
    """Which of "negative" and "outside" the indices of a legal call have."""
    indices, found = indices_of(record), set()
    if indices is None or record["op"] == "GatherTree":
        return found
    cache = record["op"] in ("TensorScatter", "KVCacheUpdate")
    length = record["inputs"][1]["shape"][axis_of(record)] if cache else 1
    for value, (_, extent) in zip(map(whole, indices["data"]), extents_of(record), strict=True):
        if record["attrs"].get("mode") == "circular":
            continue
        if value < 0:
            found.add("negative" if cache or ignores_negatives(record) or -value <= extent else "outside")
        elif value + length > extent:
            found.add("outside")
    return found


def _is_empty(record):
    return any(0 in tensor["shape"] for tensor in [*record["inputs"], *record["outputs"]] if tensor)


def _has_silent_shape(record):
    key, inputs, attrs = key_of(record), record["inputs"], record["attrs"]
    if key in TUPLES and inputs[1]["shape"][-1] == 0:
        return True
    if key in ELEMENTS or attrs.get("mode") == "ELEMENT" or key == (
        "tensorrt", "Scatter") and attrs.get("mode") != "ND":
        axis = axis_of(record)
        smaller = any(mine != own for d, (mine, own) in enumerate(
            zip(inputs[1]["shape"], inputs[0]["shape"], strict=True)) if d != axis)
        return smaller or key[0] == "tensorrt" and (
    inputs[1]["shape"][axis] > inputs[0]["shape"][axis] or _is_empty(record))
    if key[0] == "tensorrt":
        longer = key[1] == "KVCacheUpdate" and inputs[1]["shape"][2] > inputs[0]["shape"][2]
        return longer or _is_empty(record)
    if key == ("array", "PutAlongAxis"):
        # NumPy's page broadcasts values to indices, its code both to the shape that is addressed.
        given, wanted = inputs[2]["shape"], inputs[1]["shape"]
        tail = zip(reversed(given), reversed(wanted))
        return len(given) > len(wanted) or any(mine not in (1, own) for mine, own in tail)
    if key == ("onnx", "OneHot"):
        # ONNX's own shape inference refuses indices of rank 0.
        return not inputs[0]["shape"] or whole(inputs[1]["data"][0]) == 0
    if key == ("openvino", "OneHot"):
        return depth_of(record) == 0
    if key == ("openvino", "GatherTree"):
        return any(whole(length) <= 0 for length in inputs[2]["data"]) and not _is_empty(record)
    if key == ("openvino", "EmbeddingBagPacked") and attrs.get("reduction") == "mean":
        return inputs[1]["shape"][1] == 0 and not 0 in record["outputs"][0]["shape"]
    if key == ("openvino", "EmbeddingSegmentsSum"):
        default = inputs[4] if len(inputs) > 4 else None
        has_empty = len(set(inputs[2]["data"])) < record["outputs"][0]["shape"][0]
        return default is not None and default["data"] == [-1] and has_empty
    return (key == ("onnx", "TensorScatter") and len(inputs[0]["shape"]) == 2
            or key == ("onnx", "ArrayFeatureExtractor") and 0 in inputs[1]["shape"])


def _is_beyond(record, version):
    """Whether the version's text allows less: a type, a rank, numbers that are no integers."""
    key = key_of(record)
    if key == ("onnx", "Scatter"):
        return version >= 11
    if key == ("onnx", "OneHot"):
        values = [value for tensor in record["inputs"][:2] for value in tensor["data"]]
        return any(not isinstance(value, int) and (not math.isfinite(types.to_float(value)) or types.to_float(value) % 1
                                                   or abs(types.to_float(value)) >= 2**63) for value in values)
    if key == ("openvino", "OneHot"):
        return record["inputs"][0]["dtype"] != record["inputs"][1]["dtype"]
    if key == ("openvino", "GatherTree"):
        return any(isinstance(value, float) and value % 1 for tensor in record["inputs"] for value in tensor["data"])
    if key[0] != "tensorrt":
        return False
    tensors = [tensor for tensor in [*record["inputs"], *record["outputs"]] if tensor]
    indices = indices_of(record)
    narrowed = data_of(record)["dtype"] != "int64" and any(not -2**31 <= value < 2**31 for value in indices["data"])
    return (data_of(record)["dtype"] not in types_of(record["op"], version)
            or indices["dtype"] not in index_types_of(record["op"], version) or narrowed
            or any(len(tensor["shape"]) > 8 for tensor in tensors))


def _fold_aspect(record, dtype, reduction, groups):
    """What the folds of the groups of operands depend on: the number of an aspect."""
    if dtype == "bool" and record["dialect"] == "openvino" and reduction in ("sum", "prod"):
        return 6
    if dtype in ("bool", "string", *types.COMPLEX) or reduction == "mean" and record["dialect"] == "array":
        return 12
    if dtype in types.INTEGERS or dtype in types.SMALL_INTEGERS:
        whole = reduction in ("min", "max") or all(exact.fits(dtype, group, reduction) for group in groups)
        return 6 if whole else 9
    return min((_float_aspect(dtype, reduction, exact.numbers(dtype, group)) for group in groups),
               key=[10, 11, 8, 6].index, default=6)


def _float_aspect(dtype, reduction, group):
    if exact.has_nan(group):
        return 10
    if reduction in ("min", "max"):
        return 11 if exact.has_zeros_of_both_signs(group) else 6
    if exact.has_infinity(group):
        return 8
    product = reduction in ("mul", "prod")
    if exact.has_negative_zero(group) or product and 0 in group and min(group) < 0:
        return 11
    if product:
        return 6 if exact.exact_product(dtype, group) else 8
    if not exact.exact_sum(dtype, group):
        return 8
    if reduction == "mean":
        return 6 if exact.exact_sum(dtype, [sum(group) / len(group)]) else 8
    return 6


def _bag_aspect(record, updates):
    """The aspect of the sums and means of bags, and of the weighted elements of which they are made."""
    inputs, reduction = record["inputs"], record["attrs"].get("reduction", "sum")
    dtype = inputs[0]["dtype"]
    weights = weights_of(record)
    if record["attrs"].get("accumulate") and reduction != "max" and dtype != "float32":
        tensors = [inputs[0], weights] if weights else inputs[:1]
        return 10 if any(exact.has_nan(exact.numbers(tensor["dtype"], tensor["data"])) for tensor in tensors) else 8
    aspect = _fold_aspect(record, dtype, reduction, list(updates.values()))
    if reduction == "mean" and (dtype in types.INTEGERS or dtype in types.SMALL_INTEGERS):
        totals = [functools.reduce(lambda a, b: combine(dtype, "sum", a, b), group) for group in updates.values()]
        if any(total % len(group) for total, group in zip(totals, updates.values(), strict=True)):
            return 12
    if not weights:
        return aspect
    pairs = [[element, weight] for row, weight in zip(_rows_of(record), weights["data"], strict=True) for element in row]
    of_products = _fold_aspect(record, dtype, "prod", pairs)
    return next(each for each in (12, 10, 11, 8, 9, 6) if each in (aspect, of_products))


def _rows_of(record):
    """The row of the table that each sample takes, as a list; legal calls without options."""
    table = record["inputs"][0]
    width = math.prod(table["shape"][1:])
    rows = [row % table["shape"][0] for row in record["inputs"][1]["data"]]
    return [table["data"][row * width:(row + 1) * width] for row in rows]


def _tree_aspect(record):
    """What the comparison of steps with the end token depends on beside whole numbers."""
    steps, end = (exact.numbers(record["inputs"][place]["dtype"], record["inputs"][place]["data"]) for place in (0, 3))
    if exact.has_nan(end):
        return 10
    return 11 if exact.has_zeros_of_both_signs([*steps, *end]) and 0 in end else None


def _computes_exactly(record):
    """Whether a quantised look-up without options rounds no number."""
    look_up = quantised.of_record(record)

    def place_of(position, extent):
        return coordinate(at(look_up.indices, position), extent, "zero")

    return all(term is None or quantised.is_exact(look_up.dtype, *term) for term in look_up.terms(place_of))


def _scatter_aspect(record):
    """The aspect of a scatter's cells: what its duplicates and its fold depend on; None if on nothing."""
    if record["op"] in QUANTISED:
        return None if _computes_exactly(record) else 17
    if record["op"] == "GatherTree":
        return _tree_aspect(record) if record["inputs"][0]["dtype"] in types.FLOATS else None
    updates = updates_by_cell(record)
    if updates is None:
        return None
    if record["op"] in POOLED:
        return _bag_aspect(record, updates)
    reduction = "max" if record["op"] == "SegmentMax" else record["attrs"].get("reduction")
    if key_of(record) in ASSIGNING or reduction == "none" or reduction is None and record["dialect"] != "array":
        return 7 if any(len(each) > 1 for each in updates.values()) else None
    data = record["inputs"][0]
    starts = record["op"] not in SEGMENTS and record["attrs"].get("use_init_val", True)
    groups = [[data["data"][cell], *each] if starts else each for cell, each in updates.items()]
    if record["op"] not in SEGMENTS and not starts and any(
            _is_the_neutral_infinity(data["dtype"], reduction, group) for group in groups):
        return 8
    return _fold_aspect(record, data["dtype"], reduction or "sum", groups)


def _is_the_neutral_infinity(dtype, reduction, group):
    """Whether an extreme is the infinity that it would begin with, and not the last finite number that it does."""
    if reduction not in ("min", "max") or dtype not in exact.FORMATS:
        return False
    values = exact.numbers(dtype, group)
    return values and all(value == (math.inf if reduction == "min" else -math.inf) for value in values)


def _has_given_bits(record):
    """Whether elements that are moved have bits that are no number's: NaN payloads, bytes of bool."""
    dtype = data_of(record)["dtype"]
    return any(_is_of_bits(dtype, tensor["data"]) for tensor in record["inputs"] if tensor and tensor["dtype"] == dtype)


def _is_of_bits(dtype, data):
    if dtype in types.FLOAT8_FORMATS:
        return exact.has_nan(exact.numbers(dtype, data))
    if dtype not in ("bool", *types.FLOATS, *types.COMPLEX):
        return False
    parts = [part for value in data for part in (value if isinstance(value, list) else [value])]
    return any(isinstance(part, str) and part.startswith("0x") for part in parts)


def _aspect(record, version):
    key = key_of(record)
    if record.get("options"):
        return 15
    if _is_beyond(record, version):
        return 16
    if _has_silent_shape(record):
        return 14
    of_cells = _scatter_aspect(record)
    if of_cells not in (None, 6):
        return of_cells
    if record["op"] not in QUANTISED and _has_given_bits(record):
        return 13
    bounds = _bounds(record)
    if "outside" in bounds and version not in TAKES_OUTSIDE.get(key, []):
        return 5
    if "negative" in bounds and version in SILENT_ON_NEGATIVES.get(key, []):
        return 3
    before = key == ("onnx", "OneHot") and version < 11
    if "outside" in bounds or "negative" in bounds and (before or ignores_negatives(record)):
        return 4
    return 2 if "negative" in bounds else of_cells or 1


def _reads_nothing(record):
    """Whether NumPy's page, which defines its functions by loops, reads no element by any index."""
    if record["op"] not in ("Take", "TakeAlongAxis", "PutAlongAxis"):
        return False
    axis, shapes = axis_of(record), [tensor["shape"] for tensor in record["inputs"][:2 if record["op"] != "Take" else 1]]
    return any(shape[d] == 0 for shape in shapes for d in range(len(shape)) if d != axis)


def _error_aspect(record, version):
    """The aspect that decides a refused call in place of the rule that its error names; None if none does."""
    key, label = key_of(record), record["constraint"].rsplit("-", 1)[1]
    options = record.get("options", {})
    policy = options.get("out_of_range")
    if record["error_kind"] == "type" and label == "A3":
        return 12
    if record["error_kind"] == "index":
        is_constraint = kind_of(record["constraint"]) == "constraint"
        if {"negative", "padding_index"} & options.keys():
            return 15 if is_constraint else None
        if key[0] == "array" and is_constraint and _reads_nothing(record):
            return 14
        is_own = policy in (None, "error")
        if key == ("openvino", "SegmentMax"):
            is_own = record["fault"]["value"] < 0
        if is_constraint and not is_own:
            return 15
        if key in (("onnx", "TensorScatter"), ("onnx", "ArrayFeatureExtractor")) and record["fault"]["value"] < 0:
            return 3
        return {("onnx", "Scatter"): 5 if version < 11 else 16}.get(key) if is_constraint else None
    if key == ("onnx", "OneHot") and label == "C3" and record["inputs"][1]["shape"] in ([], [1]):
        # A depth below 0, of which the text does not speak.
        return 14
    element = record["attrs"].get("mode", "ELEMENT" if record["op"] == "Scatter" else "DEFAULT") == "ELEMENT"
    if key[0] == "tensorrt" and element and (key[1], label) in (("Gather", "C2"), ("Scatter", "C3")):
        return 14
    return None


def rule_of(record, version):
    """The label of the rule that the record proves where it runs as that version."""
    aspect = _error_aspect(record, version) if "error" in record else _aspect(record, version)
    return record["constraint"] if aspect is None else f"{record['dialect'].upper()}-V{aspect}"
