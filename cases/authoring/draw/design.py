"""The design of each operator: what its calls may be like, and which of that goes together."""

from . import indices, values
from .families import bags, caches, elements, features, one_hot, quantised, rows, segments, tuples

# The outcomes for which indices are read: calls that succeed, and the rules about indices and cells.
LOOKED_AT = (None, "bad_index", "strict_index", "duplicates")
NEAR = ("inside", "first", "last")
# Faults in shapes, which need a call that has elements.
OF_SHAPES = (
    "duplicates",
    "strict_index",
    "falling",
    "leading",
    "off_axis",
    "short_tuples",
    "long_tuples",
    "vector_length",
    "cache_length",
    "cache_extents",
    "ranks",
    "updates_shape",
    "values_shape",
    "vector",
     "cache_ranks")
# Versions whose text does not know negative indices, by operator: the option strict refuses them there.
STRICT = {"Gather": (1, 7), "Scatter": (9,), "GatherND": (5,), "ScatterElementsUpdate": (3,), "ScatterNDUpdate": (3,)}


# What a fault takes away of what the call was.
HIDDEN = {
    "index_type": (
        "itype",), "data_type": (
            "dtype",), "reduction": (
                "reduction",), "data_rank": (
                    "rank", "values"), "pair": (
                        "values",), "scalars": (
                        "values",), "inputs": (
                            "itype", "values", "dtype", "rank0", "empty", "batch"), "either_rank": (
                                "rank",), "cache_ranks": (
                                    "rank",)}


def hidden(row):
    return HIDDEN.get(row["outcome"], ())


def strict_versions(spec, versions):
    return [version for version in versions if version in STRICT[spec.cases.op]]


def factors_of(spec):
    """{factor: its levels} of an operator's design."""
    result = {"dtype": spec.types(), "itype": list(spec.index_types), "rank": list(spec.ranks),
              "bounds": [*NEAR, *indices.OUTSIDE], "empty": ["no", "data", "indices", "axis"],
              "values": values.LEVELS, "outcome": [None, *spec.faults], "policy": [None, *spec.policies]}
    if spec.build is one_hot:
        result["empty"] = ["no", "indices", "axis"]
    if spec.negatives and any(map(indices.is_signed, spec.index_types)):
        result["negative"] = ["no", "yes"]
    if spec.build is bags:
        result["weights"] = ["no", "yes"]
        if "default" in spec.roles:
            result |= {"default": ["absent", "minus 1", "row"], "bag": ["full", "empty"]}
    if spec.scatters and spec.build not in (one_hot, caches, bags):
        result["duplicates"] = ["no", "yes"]
    if len(spec.batches) > 1:
        result["batch"] = list(spec.batches)
    if spec.reductions:
        result["reduction"] = list(spec.reductions)
    if spec.initial:
        result["initial"] = ["yes", "no"]
    if spec.build is rows and spec.off_axis != "vector" or spec.build in (features, quantised):
        result["rank0"] = ["no", "indices"]
    if spec.scatters and (spec.build in (rows, tuples) or spec.off_axis == "broadcast") and spec.off_axis != "vector":
        result["rank0"] = [*result.get("rank0", ["no"]), "updates"]
    if spec.build is caches and spec.axis:
        result |= {"mode": ["linear", "circular"], "rank0": ["no", "absent"]}
    return result


def plain_of(factors, spec):
    """The same factors without the levels that make a legal call depend on more than the text of its specification."""
    folds = spec.reductions or spec.off_axis == "vector"
    return {**factors, "outcome": [None], "policy": [None], "values": ["plain"],
            **({} if folds or "duplicates" not in factors else {"duplicates": ["no"]})}


def _of_bounds(spec):
    def outcome_goes(outcome, policy, bounds):
        if outcome == "bad_index":
            return bounds in indices.OUTSIDE and policy == (None if spec.outside == "error" else "error")
        if policy == "error" or outcome not in LOOKED_AT:
            return bounds in NEAR and (outcome in LOOKED_AT or bounds == "inside")
        return bounds in NEAR or outcome is None and (policy or spec.outside) in ("zero", "skip", "clamp", "modulo")

    def type_goes(itype, bounds):
        return (bounds != "below" or indices.is_signed(itype)) and (bounds != "beyond" or itype in indices.WIDE)

    return [
        (("outcome", "policy", "bounds"), outcome_goes),
        (("itype", "bounds"), type_goes),
        (("outcome", "policy"), lambda outcome, policy: outcome in (None, "bad_index") or policy is None),
        (("policy", "itype"), lambda policy, itype: policy != "strict" or spec.takes_strict),
    ]


def _of_empty(spec):
    def axis_goes(empty, bounds, outcome, policy):
        """On an axis of extent 0 clamp and modulo refuse; where there are index elements all are outside."""
        filled = outcome == "bad_index" or (policy or spec.outside) in ("zero", "skip")
        return empty != "axis" or bounds == "inside" and not filled or bounds in ("above", "far", "beyond") and filled

    def bounds_go(empty, bounds):
        # Off the axis indices are as empty as data, unless they broadcast.
        window = empty == "data" and spec.build is elements and spec.off_axis != "broadcast"
        return empty in ("no", "axis") or bounds == "inside" or empty == "data" and not window

    def outcome_goes(empty, outcome):
        window = empty == "data" and spec.build is elements
        return empty == "no" or outcome not in OF_SHAPES and (
    not window or outcome != "bad_index" or spec.off_axis == "broadcast")

    result = [
        (("empty", "bounds"), bounds_go),
        (("empty", "bounds", "outcome", "policy"), axis_goes),
        (("empty", "rank"), lambda empty, rank: empty != "data" or rank > 1 + (spec.build is caches)),
        (("empty", "outcome"), outcome_goes),
        (("empty", "values"), lambda empty, level: empty in ("no", "indices") or level in ("plain", "rough")
         or spec.build is one_hot),
    ]
    if spec.build is one_hot:
        result += [(("empty", "rank"), lambda empty, rank: empty != "indices" or rank > 0),
                   (("empty", "policy", "outcome"),
                    lambda empty, policy, outcome: empty != "axis" or policy in (None, "skip") or outcome == "bad_index")]
    return result


def _of_negatives(spec):
    def outcome_goes(negative, outcome):
        return outcome in LOOKED_AT if negative == "yes" else outcome != "strict_index"

    def empty_goes(negative, empty):
        window = spec.build is elements and spec.off_axis != "broadcast"
        return negative == "no" or empty == "no" or empty == "data" and not window

    return [
        (("negative", "itype"), lambda negative, itype: negative == "no" or indices.is_signed(itype)),
        (("negative", "empty"), empty_goes),
        (("negative", "policy"), lambda negative, policy: negative == "no" or policy != "strict"),
        (("negative", "outcome"), outcome_goes),
    ]


def _of_duplicates(spec):
    def outcome_goes(twice, outcome):
        return outcome in LOOKED_AT if twice == "yes" else outcome != "duplicates"

    return [
        (("duplicates", "empty"), lambda twice, empty: twice == "no" or empty == "no"),
        (("duplicates", "policy"), lambda twice, policy: twice == "no" or policy not in ("strict", "no duplicates")),
        (("duplicates", "outcome"), outcome_goes),
        (("policy", "bounds"), lambda policy, bounds: policy not in ("strict", "no duplicates") or bounds in NEAR),
    ]


def _of_rank_0(spec):
    if spec.build is caches:
        return [(("rank0", "bounds"), lambda rank0, bounds: rank0 == "no" or bounds == "inside"),
                (("rank0", "empty"), lambda rank0, empty: rank0 == "no" or empty == "no"),
                (("rank0", "outcome"), lambda rank0, outcome: rank0 == "no" or outcome not in (
                    "bad_index", "index_type", "vector_length", "inputs", "cache_axis", "cache_ranks"))]
    if spec.build is elements:
        return []
    return [
        (("rank0", "empty"), lambda rank0, empty: rank0 == "no" or empty == "no" or empty == "data" and rank0 == "indices"),
        *([(("rank0", "duplicates"), lambda rank0, twice: rank0 == "no" or twice == "no")] if spec.scatters else []),
        *([(("rank0", "rank"), lambda rank0, rank: rank0 != "updates" or rank == 1)] if spec.build is rows else []),
    ]


def _of_batches(spec):
    del spec
    return [(("batch", "rank"), lambda batch, rank: batch < rank),
            (("batch", "outcome"), lambda batch, outcome: batch > 0 or outcome != "leading"),
            (("batch", "empty", "rank"), lambda batch, empty, rank: empty != "data" or rank > batch + 1)]


def _of_types(spec):
    result = [ (("dtype", "values"), lambda dtype, level: level in values.levels_of(dtype)), (("outcome", "values"),
                lambda outcome, level: outcome not in ("data_type", "updates_type", "data_rank") or level == "plain"), ]
    if "strict_index" in spec.faults:
        old = {dtype for version in strict_versions(spec, spec.cases.versions) for dtype in spec.data_types[version]}
        result.append((("outcome", "dtype"), lambda outcome, dtype: outcome != "strict_index" or dtype in old))
    if spec.build in (rows, elements, tuples, segments):
        result.append((("rank", "outcome"), lambda rank, outcome: rank > 1 or outcome not in ("off_axis", "leading")))
    return result


# Faults of pooled look-ups that need samples, or weights.
OF_BAGS = ("falling_bounds", "bound_outside", "bad_default")
OF_WEIGHTS = ("updates_type", "weights_shape", "mean_of_weights")


def _of_bags(spec):
    result = [
        (("weights", "outcome"), lambda weights, outcome: weights == "yes" or outcome not in OF_WEIGHTS),
        (("empty", "outcome"), lambda empty, outcome: empty == "no" or outcome not in (*OF_BAGS, *OF_WEIGHTS, "one_type", "default_rank")),
    ]
    if spec.reductions:
        result += [(("weights", "reduction", "outcome"), lambda weights, reduction, outcome: weights == "no" or reduction == "sum"
                    and outcome != "mean_of_weights" or outcome == "mean_of_weights" and reduction == "mean")]
    if "default" in spec.roles:
        result += [(("default", "empty"), lambda default, empty: default != "row" or empty != "axis"),
                   (("bag", "empty"), lambda bag, empty: bag == "empty" or empty not in ("indices", "axis"))]
    return result


def rules_of(spec):
    """What levels go together, as cover.py takes it."""
    result = [*_of_bounds(spec), *_of_empty(spec), *_of_types(spec), *spec.limits]
    factors = factors_of(spec)
    for name, of_factor in (("negative", _of_negatives), ("duplicates", _of_duplicates), ("batch", _of_batches),
                            ("rank0", _of_rank_0)):
        result += of_factor(spec) if name in factors else []
    if spec.build is bags:
        result += _of_bags(spec)
    if "reduction" in factors:
        result.append((("dtype", "reduction"), lambda dtype, name: spec.has(dtype, name)))
    if "initial" in factors:
        result.append((("initial", "reduction"), lambda initial, name: initial == "yes" or name != "none"))
    if "mode" in factors:
        result.append((("mode", "bounds"), lambda mode, bounds: mode == "linear" or bounds in NEAR))
    return result
