"""Why pairs of properties cannot meet in a record, and the triples that have bitten somebody."""

from . import types

_OUTSIDE = ("just below", "just above", "far", "beyond 32 bits")
_NARROW = ("int4", "int8", "int16", "int32", "uint4", "uint8", "uint16", "uint32")
_SPECIAL = (*types.FLOATS, *types.FLOAT8_FORMATS)


def _label(part):
    """The last part of the broken rule's label; "" where the call succeeds or no outcome is asked for."""
    outcome = part.get("outcome", "passes")
    return "" if outcome == "passes" else outcome if outcome.startswith("CALL") else outcome.rsplit("-", 1)[1]


def _is(part, **levels):
    return all(part.get(name.replace("_", " ")) == level for name, level in levels.items())


def _is_scatter(key):
    return "Scatter" in key[1] or key[1] in (
    "PutAlongAxis",
    "IndexAdd",
    "IndexReduce",
    "SegmentReduce",
     "KVCacheUpdate")


def _of_one_rule(key, part):
    return bool(_label(part)) and len(part) == 2 and "outcome" in part


REASONS = []


def reason(text):
    """Adds a reason, with the function that says for which level or pair of levels of an operator (dialect, name) it is one."""
    def add(goes):
        REASONS.append((text, goes))
        return goes
    return add


@reason("a gather writes no cell twice")
def _(key, part):
    return part.get("duplicates") == "yes" and not _is_scatter(key)


@reason("the operator has no updates, or none of rank 0")
def _(key, part):
    return _is(part, rank_0="updates") and len(part) == 1


@reason("indices of rank 0 are refused, or have no axis")
def _(key, part):
    return _is(part, rank_0="indices") and len(part) == 1


@reason("data are the two values off and on")
def _(key, part):
    return key[1] == "OneHot" and _is(part, empty="data")


@reason("only floats have such values")
def _(key, part):
    return part.get("values") in ("NaN", "-0") and part.get("type", "float32") not in _SPECIAL


@reason("no type of the operator has such values")
def _(key, part):
    return part.get("values") in ("NaN", "-0") and len(part) == 1


@reason("an index of this type is not that large")
def _(key, part):
    return _is(part, bounds="beyond 32 bits") and part.get("index type") in (*_NARROW, *types.FLOATS)


@reason("unsigned indices are not negative")
def _(key, part):
    return part.get("index type", "").startswith("u") and (_is(part, negative="yes") or _is(part, bounds="just below"))


@reason("an index below the first one is negative")
def _(key, part):
    return _is(part, negative="no", bounds="just below")


@reason("there are no indices")
def _(key, part):
    return _is(
    part,
    empty="indices") and (
        part.get(
            "bounds",
            "inside") != "inside" or _is(
                part,
                negative="yes") or _is(
                    part,
                    duplicates="yes") or part.get("rank 0") in (
                        "indices",
                        "updates") or _label(part)[
                            :1] in (
                                "C",
                                "D",
                                 "S"))


@reason("there are no elements")
def _(key, part):
    return part.get("empty") in ("data", "axis", "indices") and (
        part.get("values") in ("NaN", "-0") or _is(part, duplicates="yes") or part.get("rank 0") in ("updates",))


@reason("an axis of extent 0 has no index inside, and what is outside stands for all")
def _(key, part):
    return _is(part, empty="axis") and (part.get("bounds") in ("first", "last", *_OUTSIDE) or _is(part, negative="yes"))


@reason("off the axis indices are as empty as data")
def _(key, part):
    return _is(part, empty="data") and (part.get("bounds") in ("first", "last", *_OUTSIDE) or _is(part, negative="yes"))


@reason("a tensor of that rank has no such axes")
def _(key, part):
    rank = part.get("rank")
    return rank in (
    "0", "1", "2") and (
        "batch" in part and int(
            part["batch"][0]) >= int(rank) or part.get("empty") in (
                "data", "indices") or key[1] == "OneHot" and "rank 0" in part)


@reason("the rank of updates, or of indices, follows from that of data")
def _(key, part):
    return "rank 0" in part and "rank" in part


@reason("with one index, or tuple, no cell meets two updates")
def _(key, part):
    return part.get("rank 0") in ("indices", "updates") and _is(part, duplicates="yes")


@reason("a batch axis of indices is an axis")
def _(key, part):
    return part.get("rank 0") in ("indices", "updates") and "batch" in part


@reason("an axis of extent 0 with an index of rank 0 refuses it or gives zero; the vector stands for both")
def _(key, part):
    return part.get("rank 0") in ("indices", "updates") and _is(part, empty="axis")


@reason("the version has no such attribute or value of it")
def _(key, part):
    return "version" in part and ("batch" in part or "reduction" in part)


@reason("the type has no such reduction")
def _(key, part):
    return "type" in part and "reduction" in part


@reason("two updates meet only under the option clamp, for which records by hand stand")
def _(key, part):
    return key[1] in ("TensorScatter", "KVCacheUpdate") and _is(part, duplicates="yes")


@reason("ids are sorted, and all bad ones among them")
def _(key, part):
    return key[1] == "SegmentReduce" and _is(
    part, duplicates="yes") and (
        part.get("bounds") in _OUTSIDE or _is(
            part, negative="yes"))


@reason("the call is refused before an index is read")
def _(key, part):
    label = _label(part)
    return bool(label) and label[:1] in "CTAS" and any(
        name in part for name in ("bounds", "negative", "duplicates", "batch", "empty"))


@reason("the call is refused before an element is looked at")
def _(key, part):
    return bool(_label(part)) and part.get("values") in ("NaN", "-0")


@reason("a record breaks one rule: the property would break another one")
def _(key, part):
    label = _label(part)
    return label[:1] in ("D", "S", "C") and any(name in part for name in (
        "bounds", "negative", "duplicates", "batch", "empty"))


@reason("the rule is about that property")
def _(key, part):
    label = _label(part)
    about = {"T1": "type", "T2": "index type", "T3": "type", "A3": "reduction"}
    return about.get(label) in part and len(part) == 2 or label[:1] in (
        "C", "A") and ("rank" in part or "rank 0" in part)


@reason("the rule is of some versions, or types of some versions")
def _(key, part):
    return _label(part)[:1] in ("S", "T", "A") and (
        "version" in part or "type" in part or "index type" in part or "reduction" in part)


@reason("a limit of sizes or ranks, or of options, shown by hand")
def _(key, part):
    return _of_one_rule(key, part) and (_label(part) in ("CALL-I2", "CALL-O2") or _label(part)[:1] in ("C", "S", "D"))


@reason("without the tensor there are no such elements")
def _(key, part):
    return _of_one_rule(key, part) and _label(part) == "CALL-I1"


# What, where somebody was bitten, and whether a record shows it: (operator, record, its properties).
TRIPLES = []


def triple(text, where):
    def add(goes):
        TRIPLES.append((text, where, goes))
        return goes
    return add


@triple("Gather, short 1-D data of int32 or int64, an index outside", "OpenVINO's CPU plugin reads beyond the data")
def _(key, record, found):
    return key == ("openvino", "Gather") and "1" in found["rank"] and found["type"] & {
                   "int32", "int64"} and "far" in found.get("bounds", ())


@triple("GatherND, an index outside, int32 or int64 data", "OpenVINO's evaluate and CPU plugin read outside the data")
def _(key, record, found):
    return key == (
    "openvino",
    "GatherND") and found["type"] & {
        "int32",
        "int64"} and found.get(
            "bounds",
            set()) & {
                "far",
                 "just above"}


@triple("Gather, int64 data beyond 32 bits", "OpenVINO's CPU plugin cuts 64-bit data")
def _(key, record, found):
    return key == ("openvino", "Gather") and found["type"] == {"int64"} and "outputs" in record and any(
        isinstance(value, int) and abs(value) >= 2**31 for value in record["inputs"][0]["data"])


@triple("Gather, float64 data that float32 does not hold", "OpenVINO's CPU plugin computes in float32")
def _(key, record, found):
    return key == ("openvino", "Gather") and found["type"] == {"float64"} and "outputs" in record


@triple("an int64 index that is legal modulo 2^32", "TensorRT and OpenVINO narrow indices to 32 bits")
def _(key, record, found):
    return "beyond 32 bits" in found.get("bounds", ()) and "int64" in found["index type"]


@triple("ScatterND, add, duplicates", "ONNX Runtime races")
def _(key, record, found):
    return key == ("onnx", "ScatterND") and found["reduction"] == {"add"} and "yes" in found.get("duplicates", ())


@triple("scatter, no reduction, duplicates", "ONNX Runtime, OpenVINO and torch do not keep the last one")
def _(key, record, found):
    return found["reduction"] == {"none"} and "yes" in found.get("duplicates", ()) and "outputs" in record


@triple("scatter, min or max, NaN in the cell or in the update",
     "ONNX Runtime, OpenVINO and ONNX's reference lose one of them")
def _(key, record, found):
    return found["reduction"] & {"min", "max"} and "NaN" in found["values"]


@triple("scatter, add or mul, float16 or bfloat16", "ONNX Runtime has no kernel; OpenVINO sums in float32")
def _(key, record, found):
    return found["reduction"] & {
    "add", "mul", "sum", "prod"} and found["type"] & {
        "float16", "bfloat16"} and "outputs" in record


@triple("ScatterElementsUpdate, mean, negative integers", "OpenVINO's CPU plugin rounds toward zero")
def _(key, record, found):
    data = record["inputs"][0]["data"]
    return key == ("openvino", "ScatterElementsUpdate") and found["reduction"] == {
                   "mean"} and "outputs" in record and any( isinstance(value, int) and value < 0 for value in data)


@triple("GatherND, batch extents that differ", "ONNX Runtime takes them where they divide")
def _(key, record, found):
    return record.get("constraint") == "ONNX-GatherND-C2"


@triple("GatherElements, an index just outside", "ONNX's reference wraps it")
def _(key, record, found):
    return key == ("onnx", "GatherElements") and "index" == record.get("error_kind") and "just above" in found["bounds"]


@triple("scatter, an unknown reduction", "ONNX Runtime and ONNX's reference take it as none")
def _(key, record, found):
    return record.get("constraint", "").endswith(
        ("ScatterElements-A3", "ScatterND-A3")) and record["error_kind"] == "argument"


@triple("scatter of elements, indices longer than data along the axis", "TensorRT's parser refuses them")
def _(key, record, found):
    return key in (("onnx", "ScatterElements"), ("tensorrt", "Scatter")) and "outputs" in record and record["attrs"].get(
        "mode") != "ND" and any(mine > own for mine, own in zip(record["inputs"][1]["shape"], record["inputs"][0]["shape"], strict=True))


@triple("TensorScatter, circular, more entries of the batch than of the sequence",
        "ONNX's pseudo code took the modulo of all axes")
def _(key, record, found):
    data = record["inputs"][0]["shape"]
    return key == ("onnx", "TensorScatter") and record["attrs"].get("mode") == "circular" and "outputs" in record and len(
        data) > 2 and data[0] > data[record["attrs"].get("axis", -2)]


@triple("ScatterND, tuples of length 0", "runtimes leave data unchanged or undefined")
def _(key, record, found):
    return key[1] in ("ScatterND", "ScatterNDUpdate") and "outputs" in record and record["inputs"][1]["shape"][-1] == 0


@triple("Gather, an empty tensor of indices", "engines of TensorRT break")
def _(key, record, found):
    return key[1] == "Gather" and "indices" in found.get("empty", ()) and "outputs" in record


@triple("ScatterND, an explicit reduction none", "TensorRT's parser refuses the attribute")
def _(key, record, found):
    return key == ("onnx", "ScatterND") and record["attrs"].get("reduction") == "none"


@triple("GatherND, batch extents 1 and n", "OpenVINO's shape inference refuses the broadcast")
def _(key, record, found):
    b = record["attrs"].get("batch_dims", 0)
    data, inner = record["inputs"][0]["shape"], record["inputs"][1]["shape"] if len(record["inputs"]) > 1 else []
    return key == ("openvino", "GatherND") and "outputs" in record and data[:b] != inner[:b]


@triple("ScatterNDUpdate, a coordinate outside whose flat offset is inside", "OpenVINO wrote the flat offset until 2025")
def _(key, record, found):
    fault = record.get("fault", {})
    return key == ("openvino", "ScatterNDUpdate") and fault.get("axis", 0) > 0
