"""The properties of a call that coverage counts: types, ranks, bounds, empty tensors, the broken rule."""

from . import exact, types
from .cells import updates_by_cell
from .operators import BAGS, POOLED, SEGMENTS
from .plain import plain_inputs
from .results import (axis_of, data_of, extents_of, ignores_negatives, index_input, indices_of, is_of_tuples, key_of,
                      segments_of)

# Errors of records whose indices and cells have been looked at; others are refused before.
LOOKED_AT = ("index", "duplicate")
# The reductions of operators that fold without being told how.
DEFAULTS = {"IndexAdd": "sum", "IndexReduce": "sum", "SegmentReduce": "sum", "SegmentMax": "max", **dict.fromkeys(POOLED, "sum")}
# Operators whose negative indices do not count from the end.
FROM_FRONT = {("openvino", "ScatterUpdate"), ("onnx", "ArrayFeatureExtractor"), ("array", "SegmentReduce"),
              ("openvino", "SegmentMax"), ("openvino", "GatherTree"), *(("openvino", op) for op in BAGS)}


def _numbers(tensor):
    return [value if isinstance(value, int) else types.to_float(value) for value in tensor["data"]]


def _tensor(record, place):
    return record["inputs"][place] if place is not None and place < len(record["inputs"]) else None


def _updates(record):
    return None if record["op"] in (
    "OneHot",
    *SEGMENTS) else _tensor(
        record,
        1 if record["op"] in (
            "TensorScatter",
            "KVCacheUpdate",
            "SliceScatter") else 2 if "Scatter" in record["op"] or record["op"] in (
                "PutAlongAxis",
                "IndexAdd",
                 "IndexReduce") else None)


def _rank(record):
    rank = len(record["inputs"][0]["shape"])
    return str(rank) if rank < 5 else "5 and more"


def _batch(record):
    given = record["attrs"].get("batch_dims", record["attrs"].get("num_elementwise_dims", 0))
    if not isinstance(given, int) or not -4 < given < 4:
        return "0"
    given += len(indices_of(record)["shape"]) if given < 0 else 0
    return str(given) if given < 2 else "2 and more"


def _empty(record):
    """Which are empty: data elsewhere than on the addressed axes, indices, an addressed axis."""
    found = set()
    indices, data = indices_of(record), record["inputs"][0]
    if indices is not None and 0 in indices["shape"]:
        found.add("indices")
    addressed = set()
    if "error" not in record or record["error_kind"] in LOOKED_AT:
        addressed = {axis for axis, extent in extents_of(record) if not extent} if indices is not None else set()
        if record["op"] in ("OneHot", *SEGMENTS) and not _extent(record):
            found.add("axis")
    elsewhere = [d for d, extent in enumerate(data["shape"]) if not extent and d not in addressed]
    if addressed or record["op"] != "OneHot" and elsewhere and _addresses(record, elsewhere):
        found.add("axis")
        elsewhere = [d for d in elsewhere if not _addresses(record, [d])]
    if elsewhere and record["op"] != "OneHot":
        found.add("data")
    return found or {"no"}


def _extent(record):
    if record["op"] in SEGMENTS:
        return segments_of(record)
    return _numbers(record["inputs"][2 if record["dialect"] == "tensorrt" else 1])[0]


def _addresses(record, axes):
    """Whether the indices address one of the axes, also where there are none."""
    if record.get("error_kind") not in (None, *LOOKED_AT) or record["op"] in SEGMENTS:
        return False
    if is_of_tuples(record):
        first = record["attrs"].get("batch_dims", record["attrs"].get("num_elementwise_dims", 0))
        return any(first <= axis < first + indices_of(record)["shape"][-1] for axis in axes)
    return axis_of(record) in axes


def _rank_0(record):
    found = {name for name, tensor in (("indices", indices_of(record)), ("updates",
                                       _updates(record))) if tensor and not tensor["shape"]}
    return found or {"no"}


def _values(record):
    """Special values among the data, the updates and the values of the call."""
    found = {"plain"}
    off_value = _tensor(record, 3) if record["op"] == "OneHot" else None
    for tensor in [data_of(record), _updates(record), off_value]:
        if tensor is None or tensor["dtype"] not in (*types.FLOATS, *types.FLOAT8_FORMATS):
            continue
        numbers = exact.numbers(tensor["dtype"], tensor["data"])
        found |= {"NaN"} if exact.has_nan(numbers) else set()
        found |= {"-0"} if exact.has_negative_zero(numbers) else set()
    return found


def _bounds(record):
    """How the indices stand to the bounds of the axis; of caches: of what is left beside the update."""
    found = {"inside"}
    cache = record["op"] in ("TensorScatter", "KVCacheUpdate")
    length = record["inputs"][1]["shape"][extents_of(record)[0][0]] if cache and extents_of(record) else 1
    lowest = 0 if cache or key_of(record) in FROM_FRONT or ignores_negatives(record) else None
    for value, (_, extent) in zip(_numbers(indices_of(record)), extents_of(record), strict=True):
        low, high = -extent if lowest is None else lowest, extent - length
        if value in (0, -extent):
            found.add("first")
        if value in (high, -1):
            found.add("last")
        if value == low - 1:
            found.add("just below")
        if value == high + 1:
            found.add("just above")
        if value < low - 1 or value > high + 1:
            found.add("far")
        if not -2**31 <= value < 2**32 and value == value:
            found.add("beyond 32 bits")
    return found


def properties(record):
    """{dimension: its levels} of a record."""
    place = index_input(record)
    result = {
        "version": set(record["versions"]), "type": {(data_of(record) if len(record["inputs"]) > 2 or record["op"] != "OneHot"
                                                      else record["inputs"][-1])["dtype"]},
        "index type": {record["inputs"][place]["dtype"]} if _tensor(record, place) else set(),
        "rank": {_rank(record)}, "rank 0": _rank_0(record),
        "values": _values(record) if len(record["inputs"]) > 2 or record["op"] != "OneHot" else {"plain"},
        "outcome": {record.get("constraint", "passes")},
        "reduction": {record["attrs"].get("reduction", DEFAULTS.get(record["op"], "none"))},
    }
    whole = "error" not in record or record["error_kind"] in LOOKED_AT
    if whole:
        updates = updates_by_cell({**record, "inputs": plain_inputs(record)}) if "error" not in record else None
        twice = any(len(each) > 1 for each in updates.values()) if updates else record.get("error_kind") == "duplicate"
        if indices_of(record) is not None:
            result |= {"bounds": _bounds(record), "negative": {"yes" if any(
                value < 0 for value in _numbers(indices_of(record))) else "no"}}
        result |= {"duplicates": {"yes" if twice else "no"}}
    if whole or record["error_kind"] != "argument":
        if indices_of(record) is not None:
            result |= {"batch": {_batch(record)}}
    if indices_of(record) is not None:
        result |= {"empty": _empty(record)}
    return result
