"""Records that are drawn: for each operator calls in which all pairs of its properties occur.

A property is a factor, such as the type, the rank, how indices stand to the bounds or the rule that the call breaks.
design.py says which there are, cover.py chooses rows of levels, families.py makes a legal call of each, faults.py
breaks it where the row says so. Seeds are fixed.
"""

import hashlib
import json

from ..properties import properties
from .cover import cover
from .design import LOOKED_AT, factors_of, hidden, plain_of, rules_of, strict_versions
from .families import caches
from .faults import FAULTS
from .randoms import Draw
from .specs import SPECS

# How often a row is tried: what it leaves open is chosen anew.
ATTEMPTS = 12
OPTIONS = {"strict": {"strict": True}, "no duplicates": {"duplicates": "error"}}
INDEX_NAMES = {"SegmentReduce": "segment_ids", "SegmentMax": "segment_ids", "TensorScatter": "write_indices", "KVCacheUpdate": "write_indices",
               "ArrayFeatureExtractor": "Y", "EmbeddingBag": "ids"}
# Levels of a row as properties.py calls them.
BOUNDS = {
    "first": "first",
    "last": "last",
    "below": "just below",
    "above": "just above",
    "far": "far",
     "beyond": "beyond 32 bits"}
VALUES = {"nan": "NaN", "zero": "-0"}


def _is_inside(spec, call, value, extent):
    if spec.build is caches:
        return 0 <= value <= extent - call.inputs[1]["shape"][call.axis]
    return (-extent if spec.negatives else 0) <= value < extent


def _position(shape, number):
    result = []
    for extent in reversed(shape):
        result.insert(0, number % extent)
        number //= extent
    return result


def _fault(spec, call, row):
    """The first bad index, where it is and how many there are; None if there is none."""
    given = call.indices(spec)
    strict = row["outcome"] == "strict_index"
    bad = [number for number, (value, (_, extent)) in enumerate(zip(given["data"], call.addressed, strict=True))
           if (value < 0 if strict else not _is_inside(spec, call, value, extent))]
    if not bad:
        return None
    axis, extent = call.addressed[bad[0]]
    return {"input": INDEX_NAMES.get(spec.cases.op, "indices"), "position": _position(given["shape"], bad[0]),
            "value": int(given["data"][bad[0]]), "axis": axis, "extent": extent, "count": len(bad)}


def _options(policy):
    return OPTIONS.get(policy) or ({"out_of_range": policy} if policy else None)


def _content(*parts):
    return json.dumps(parts, sort_keys=True)


def _versions(spec, row, call, kind):
    """The versions for which the record holds."""
    outcome = row["outcome"]
    versions = list(spec.cases.versions) if outcome == "data_type" else spec.versions(row)
    if outcome == "strict_index":
        versions = strict_versions(spec, versions)
    if outcome == "reduction" and kind == "type":
        versions = [version for version in versions if version >= spec.reductions[call.attrs["reduction"]]]
    return [version for version in versions if all(version >= spec.since.get(name, 0) for name in call.attrs)]


def _shows(row, record):
    """Whether the record has what the row asks for; families.py leaves some of it to chance."""
    wanted = {} if "values" in hidden(row) else {"values": VALUES.get(row["values"], "plain")}
    if row["outcome"] in LOOKED_AT:
        wanted |= {"bounds": BOUNDS.get(row["bounds"], "inside"), "empty": row["empty"],
                   "negative": "yes" if row.get("negative") == "yes" else None,
                   "duplicates": row.get("duplicates") if row["outcome"] is None else None}
    found = properties(record)
    return all(level is None or level in found.get(name, (level,)) for name, level in wanted.items())


def _add(spec, row, draw, seen):
    """Adds a record of the row; False if it cannot be made, or exists."""
    row = dict(row)
    call = spec.build(spec, row, draw)
    kind = FAULTS[row["outcome"]](spec, call, row, draw) if row["outcome"] else None
    versions = _versions(spec, row, call, kind)
    bad = (call.fault or _fault(spec, call, row)) if kind == "index" else None
    options = _options(row["policy"])
    content = _content(call.inputs, call.attrs, options)
    if content in seen or not versions or row["outcome"] and not kind or kind == "index" and not bad:
        return False
    label = spec.faults[row["outcome"]] if row["outcome"] else ""
    name = "_".join(filter(None, ("drawn", label.replace("-", "_"), hashlib.sha256(content.encode()).hexdigest()[:10])))
    if kind is None:
        spec.cases.ok(name, call.inputs, call.attrs, versions=versions, options=options)
    else:
        spec.cases.error(name, kind, label, call.inputs, call.attrs, versions=versions, options=options, bad=bad)
    if not _shows(row, spec.cases.records[-1]):
        spec.cases.records.pop()
        return False
    seen.add(content)
    return True


def add_cases():
    """Draws records for every operator and appends them to its list."""
    for number, spec in enumerate(SPECS):
        draw = Draw(1000 + number)
        seen = {_content(record["inputs"], record["attrs"], record.get("options")) for record in spec.cases.records}
        factors, rules = factors_of(spec), rules_of(spec)

        def make(row, spec=spec, draw=draw, seen=seen):
            return any(_add(spec, row, draw, seen) for _ in range(ATTEMPTS))

        cover(factors, rules, draw, make, hidden)
        cover(plain_of(factors, spec), rules, draw, make, hidden)
