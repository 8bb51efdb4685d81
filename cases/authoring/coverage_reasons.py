"""Why pairs of properties cannot meet in a record. The first reason that applies to a pair is given."""

from . import tiers, types
from .operators import BAGS, POOLED, SEGMENTS

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
    *SEGMENTS,
    *POOLED,
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


@reason("offsets stand in place of ids, which have that type")
def _(key, part):
    return key == ("array", "SegmentReduce") and "index type" in part and _label(part) == "C5"


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


@reason("the operator has no indices, and writes no cell twice")
def _(key, part):
    return key[1] == "SliceScatter" and (not {"bounds", "negative", "empty", "batch", "index type"}.isdisjoint(part)
                                         or _is(part, duplicates="yes") or part.get("rank 0") in ("indices", "updates"))


@reason("an index tensor without elements has no index of that kind")
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


@reason("a tensor without elements has no element of that kind")
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


@reason("all inputs of the operator have one type")
def _(key, part):
    if key[1] != "GatherTree" or "type" in part and "index type" in part:
        return key[1] == "GatherTree"
    dtype = part.get("type") or part.get("index type", "float32")
    too_large = _is(part, bounds="beyond 32 bits") and dtype in (*_NARROW, *types.FLOATS)
    too_small = dtype.startswith("u") and (_is(part, negative="yes") or _is(part, bounds="just below"))
    return too_large or too_small or "values" in part and "index type" in part and dtype not in _SPECIAL


@reason("the rule is of bytes that hold several codes")
def _(key, part):
    return key[1] == "GatherBlockQuantized" and _label(part) == "C3" and "type" in part


@reason("a mean has no weights, nor has a maximum")
def _(key, part):
    label = _label(part)
    if key[1] == "EmbeddingBag":
        return part.get("reduction") in ("mean", "max") and label == "C4"
    return key[1] in BAGS and _is(part, reduction="mean") and label in ("C3", "C4")


@reason("ids are sorted, and all bad ones among them")
def _(key, part):
    return key[1] in SEGMENTS and _is(
    part, duplicates="yes") and (
        part.get("bounds") in _OUTSIDE or _is(
            part, negative="yes"))


@reason("a negative id is an error, for which records by hand stand")
def _(key, part):
    return key[1] == "SegmentMax" and (_is(part, negative="yes") or _is(part, bounds="just below"))


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


@reason("the rule is about batch axes, which this version has not")
def _(key, part):
    return "version" in part and _label(part) in ("C2", "A1", "A4") and key[1] in ("Gather", "GatherND")


@reason("the rule is of some versions, or types of some versions")
def _(key, part):
    return _label(part)[:1] in ("S", "T", "A") and (
        "version" in part or "type" in part or "index type" in part or "reduction" in part)


@reason("a limit of sizes or ranks, or a rule of an option, shown by hand")
def _(key, part):
    if not _of_one_rule(key, part):
        return False
    of_limits = tiers.DECISIONS.get(part["outcome"]) == tiers.RANK or part["outcome"] in ("CALL-I2", "CALL-O2", "CALL-O3", "CALL-O4")
    return of_limits or _label(part)[:1] == "S" or _label(part) == "D1" and key[1] in ("TensorScatter", "KVCacheUpdate")


@reason("no cell is written twice there")
def _(key, part):
    return _label(part) == "D1" and part.get("rank 0") in ("indices", "updates")


@reason("a tensor that is left out has no elements")
def _(key, part):
    return _of_one_rule(key, part) and _label(part) == "CALL-I1"
