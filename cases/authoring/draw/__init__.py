"""Records that are drawn: for each operator calls in which all pairs of its properties occur.

A property is a factor, such as the type, the rank, how indices stand to the bounds or the rule that the call breaks. cover.py
chooses rows of levels, families.py makes a legal call of each, faults.py breaks it where the row says so. Seeds are fixed.
"""

import hashlib
import json

from ..results import index_input
from . import indices, values
from .cover import rows
from .faults import FAULTS
from .families import caches, features, one_hot, segments
from .families import elements as of_elements
from .families import rows as of_rows
from .families import tuples as of_tuples
from .randoms import Draw
from .specs import SPECS

ATTEMPTS = 12


def factors_of(spec):
    """{factor: its levels} of an operator's design."""
    result = {"dtype": spec.types(), "itype": list(spec.index_types), "rank": list(spec.ranks),
              "bounds": ["inside", "first", "last", *indices.OUTSIDE], "empty": ["no", "data", "indices", "axis"],
              "values": values.LEVELS, "outcome": [None, *spec.faults], "policy": [None, *spec.policies]}
    if spec.negatives and any(map(indices.is_signed, spec.index_types)):
        result["negative"] = ["no", "yes"]
    if spec.scatters and spec.build is not one_hot:
        result["duplicates"] = ["no", "yes"]
    if len(spec.batches) > 1:
        result["batch"] = list(spec.batches)
    if spec.reductions:
        result["reduction"] = list(spec.reductions)
    if spec.initial:
        result["initial"] = ["yes", "no"]
    if spec.build is of_rows and spec.off_axis != "vector" or spec.build is features:
        result["rank0"] = ["no", "indices"]
    if spec.build is of_tuples and spec.scatters:
        result["rank0"] = ["no", "updates"]
    if spec.build is caches and spec.axis:
        result["mode"] = ["linear", "circular"]
        result["rank0"] = ["no", "absent"]
    return result


def _outside_goes(spec, outcome, policy, bounds):
    if outcome == "bad_index":
        return bounds in indices.OUTSIDE and policy == (None if spec.outside == "error" else "error")
    if policy == "error" or outcome == "strict_index":
        return bounds not in indices.OUTSIDE
    if bounds in indices.OUTSIDE:
        return (policy or spec.outside) in ("zero", "skip", "clamp", "modulo")
    return True


def _index_goes(spec, itype, bounds):
    low, _ = indices.limits(itype)
    return (bounds != "below" or low < 0) and (bounds != "beyond" or itype in indices.WIDE) and (bounds != "far" or itype != "uint1")


def rules_of(spec):
    """What levels go together, for cover.py."""
    of_rank = max(spec.ranks) > 1
    several = spec.build in (of_rows, of_elements, of_tuples, segments)

    def empty_goes(empty, bounds):
        return empty == "no" or empty == "data" and of_rank or bounds == "inside" or empty == "axis" and bounds in indices.OUTSIDE

    def axis_goes(empty, bounds, outcome, policy):
        """On an axis of extent 0 clamp and modulo refuse; where there are index elements all are outside."""
        filled = outcome == "bad_index" or (policy or spec.outside) in ("zero", "skip")
        return empty != "axis" or bounds == "inside" and not filled or bounds in ("above", "far", "beyond") and filled

    def values_go(dtype, level):
        return level in values.levels_of(dtype)

    found = [
        (("outcome", "policy", "bounds"), lambda *levels: _outside_goes(spec, *levels)),
        (("itype", "bounds"), lambda *levels: _index_goes(spec, *levels)),
        (("dtype", "values"), values_go),
        (("empty", "bounds"), empty_goes),
        (("empty", "bounds", "outcome", "policy"), axis_goes),
        (("outcome", "policy"), lambda outcome, policy: outcome in (None, "bad_index") or policy is None),
        (("policy", "itype"), lambda policy, itype: policy != "strict" or spec.takes_strict),
        (("empty", "rank"), lambda empty, rank: empty != "data" or rank > 1 and spec.build is not one_hot),
        (("empty", "outcome"), lambda empty, outcome: empty == "no" or outcome not in (
            "duplicates", "strict_index", "falling", "leading", "off_axis", "short_tuples", "long_tuples", "vector_length",
            "cache_length", "cache_extents", "ranks", "updates_shape", "values_shape", "vector", "cache_ranks")),
        (("outcome", "bounds"), lambda outcome, bounds: outcome not in ("duplicates", "falling") or bounds in (
            "inside", "first", "last")),
        (("empty", "values"), lambda empty, level: empty == "no" or level in ("plain", "rough") or spec.build is one_hot),
    ]
    if "negative" in factors_of(spec):
        found += [
            (("negative", "itype"), lambda negative, itype: negative == "no" or indices.is_signed(itype)),
            (("negative", "empty"), lambda negative, empty: negative == "no" or empty in ("no", "data")),
            (("negative", "policy"), lambda negative, policy: negative == "no" or policy != "strict"),
            (("negative", "outcome"), lambda negative, outcome: negative == "yes" or outcome != "strict_index"),
        ]
    if spec.build is one_hot:
        found += [(("empty", "rank"), lambda empty, rank: empty != "indices" or rank > 0),
                  (("empty", "policy", "outcome"), lambda empty, policy, outcome: empty != "axis" or policy in (None, "skip")
                   or outcome == "bad_index")]
    if "duplicates" in factors_of(spec):
        found += [
            (("duplicates", "empty"), lambda twice, empty: twice == "no" or empty in ("no", "data")),
            (("duplicates", "policy"), lambda twice, policy: twice == "no" or policy not in ("strict", "no duplicates")),
            (("duplicates", "outcome"), lambda twice, outcome: twice == "yes" or outcome != "duplicates"),
            (("policy", "bounds"), lambda policy, bounds: policy not in ("strict", "no duplicates") or bounds in (
                "inside", "first", "last")),
        ]
        if spec.build is caches:
            found.append((("duplicates",), lambda twice: twice == "no"))
    if "batch" in factors_of(spec):
        found += [(("batch", "rank"), lambda batch, rank: batch < rank),
                  (("batch", "outcome"), lambda batch, outcome: batch > 0 or outcome != "leading"),
                  (("batch", "empty", "rank"), lambda batch, empty, rank: empty != "data" or rank > batch + 1)]
    if "reduction" in factors_of(spec):
        found.append((("dtype", "reduction"), lambda dtype, name: spec.has(dtype, name)))
    if "initial" in factors_of(spec):
        found.append((("initial", "reduction"), lambda initial, name: initial == "yes" or name != "none"))
    if factors_of(spec).get("rank0") == ["no", "indices"]:
        found += [(("rank0", "empty"), lambda rank0, empty: rank0 == "no" or empty in ("no", "data"))]
        if spec.scatters:
            found.append((("rank0", "duplicates"), lambda rank0, twice: rank0 == "no" or twice == "no"))
    if factors_of(spec).get("rank0") == ["no", "updates"]:
        found += [(("rank0", "duplicates"), lambda rank0, twice: rank0 == "no" or twice == "no"),
                  (("rank0", "empty"), lambda rank0, empty: rank0 == "no" or empty == "no")]
    if "mode" in factors_of(spec):
        found += [(("mode", "bounds"), lambda mode, bounds: mode == "linear" or bounds in ("inside", "first", "last")),
                  (("rank0", "bounds"), lambda rank0, bounds: rank0 == "no" or bounds == "inside"),
                  (("rank0", "outcome"), lambda rank0, outcome: rank0 == "no" or outcome not in (
                      "bad_index", "index_type", "vector_length", "inputs", "cache_axis", "cache_ranks"))]
    if "strict_index" in spec.faults:
        old = {dtype for version in _strict_versions(spec, spec.cases.versions) for dtype in spec.data_types[version]}
        found.append((("outcome", "dtype"), lambda outcome, dtype: outcome != "strict_index" or dtype in old))
    found += [((name, "outcome"), goes) for name, goes in (
        ("rank", lambda rank, outcome: rank > 1 or outcome not in ("off_axis", "leading")),) if several]
    return [*found, *spec.limits]


def _fault_of(spec, call):
    """The first bad index, where it is and how many there are."""
    given = call.indices(spec)
    return given, [number for number, (value, (_, extent)) in enumerate(zip(given["data"], call.addressed, strict=True))
                   if not _is_inside(spec, call, value, extent)]


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


def _index_fault(spec, call, row):
    given, bad = _fault_of(spec, call)
    if row["outcome"] == "strict_index":
        bad = [number for number, value in enumerate(given["data"]) if value < 0]
    if not bad:
        return None
    axis, extent = call.addressed[bad[0]]
    name = {"SegmentReduce": "segment_ids", "TensorScatter": "write_indices", "KVCacheUpdate": "write_indices",
            "ArrayFeatureExtractor": "Y"}.get(spec.cases.op, "indices")
    return {"input": name, "position": _position(given["shape"], bad[0]), "value": int(given["data"][bad[0]]), "axis": axis,
            "extent": extent, "count": len(bad)}


OPTIONS = {"strict": {"strict": True}, "no duplicates": {"duplicates": "error"}}


def _options(policy):
    return OPTIONS.get(policy) or ({"out_of_range": policy} if policy else None)


def _content(*parts):
    return json.dumps(parts, sort_keys=True)


def _strict_versions(spec, versions):
    """Those whose text does not know negative indices: the oldest ones of each operator with that rule."""
    old = {"Gather": (1, 7), "Scatter": (9,), "GatherND": (5,), "ScatterElementsUpdate": (3,), "ScatterNDUpdate": (3,)}
    return [version for version in versions if version in old[spec.cases.op]]


def _add(spec, row, draw, seen):
    """Adds a record of the row; False if it cannot be made, or exists."""
    versions = list(spec.cases.versions) if row["outcome"] == "data_type" else spec.versions(row)
    if row["outcome"] == "strict_index":
        versions = _strict_versions(spec, versions)
    row = dict(row)
    call = spec.build(spec, row, draw)
    kind = FAULTS[row["outcome"]](spec, call, row, draw) if row["outcome"] else None
    if row["outcome"] and kind is None:
        return False
    if kind == "type" and row["outcome"] == "reduction":
        versions = [version for version in versions if version >= spec.reductions[call.attrs["reduction"]]]
    versions = [version for version in versions if all(version >= spec.since.get(name, 0) for name in call.attrs)]
    if not versions:
        return False
    bad = _index_fault(spec, call, row) if kind == "index" else None
    if kind == "index" and not bad:
        return False
    options = _options(row["policy"])
    content = _content(call.inputs, call.attrs, options)
    if content in seen:
        return False
    label = spec.faults[row["outcome"]] if row["outcome"] else ""
    name = "_".join(filter(None, ("drawn", label.replace("-", "_"), hashlib.sha256(content.encode()).hexdigest()[:10])))
    if kind is None:
        spec.cases.ok(name, call.inputs, call.attrs, versions=versions, options=options)
    else:
        spec.cases.error(name, kind, label, call.inputs, call.attrs, versions=versions, options=options, bad=bad)
    seen.add(content)
    return True


def add_cases():
    """Draws records for every operator and appends them to its list."""
    for number, spec in enumerate(SPECS):
        draw = Draw(1000 + number)
        seen = {_content(record["inputs"], record["attrs"], record.get("options")) for record in spec.cases.records}
        for row in rows(factors_of(spec), rules_of(spec), draw):
            any(_add(spec, row, draw, seen) for _ in range(ATTEMPTS))
