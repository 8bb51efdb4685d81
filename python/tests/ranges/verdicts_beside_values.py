"""Compares the verdicts *cannot* and *happens* on the gathers and scatters of a random graph with concrete indices."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Verdicts:
    """Counts of the compared verdicts, added up over graphs."""

    cannot: int = 0
    happens: int = 0
    can: int = 0
    premises_unmet: int = 0
    values: int = 0  # values of hosts that were compared with what is said of them
    unknown_premises: int = 0  # premises about values that the host did not show, or that nobody can check
    premise_texts: list = field(default_factory=list)
    faults: list = field(default_factory=list)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def extents_of(sink, indices, shape):
    """The extents that the indices address: one, or one for each entry of a tuple."""
    if sink.op_type.endswith("ND"):
        return np.array(shape[: indices.shape[-1]], np.int64)
    return np.array([shape[sink.attributes["axis"]]], np.int64)


def is_out_of_range(sink, indices, shape):
    extents = extents_of(sink, indices, shape)
    return bool(((indices < -extents) | (indices >= extents)).any())


def is_negative(sink, indices, shape):
    return bool((indices < 0).any())


def is_wide(sink, indices, shape):
    limits = np.iinfo(np.int32)
    return bool(((indices < limits.min) | (indices > limits.max)).any())


def is_repeated(sink, indices, shape):
    """Whether two indices of a scatter address one cell."""
    extents = extents_of(sink, indices, shape)
    places = np.where(indices < 0, indices + extents, indices)
    if sink.op_type.endswith("ND"):
        cells = places.reshape(places.size // max(places.shape[-1], 1), places.shape[-1])
    else:
        coordinates = np.indices(indices.shape)
        coordinates[sink.attributes["axis"]] = places
        cells = coordinates.reshape(indices.ndim, indices.size).T
    return len(np.unique(cells, axis=0)) < len(cells)


# The conditions of rules on the indices of such nodes, by their labels.
CONDITIONS = {
    "gather-index-range": is_out_of_range,
    "gather-elements-index-range": is_out_of_range,
    "gather-nd-index-range": is_out_of_range,
    "scatter-elements-index-range": is_out_of_range,
    "scatter-nd-index-range": is_out_of_range,
    "scatter-negative-index": is_negative,
    "index-beyond-32-bits": is_wide,
    "scatter-elements-duplicates": is_repeated,
    "scatter-nd-duplicates": is_repeated,
}


# The premise of what happens wherever there is an index.
SOME_INDEX = "indices has an element"


def compare_verdict(finding, sink, run, number, verdicts):
    """Adds to `verdicts` the faults of a finding about a sink, in the model's run of this number."""
    condition = CONDITIONS[finding.rule]
    indices, shape = sink.indices.arrays[number], sink.data.arrays[number].shape
    if not all(indices.size > 0 if premise == SOME_INDEX else run.meets(premise) for premise in finding.premises):
        verdicts.premises_unmet += 1
        return
    if sink.op_type.endswith("ND") and indices.shape[-1] > len(shape):
        return  # no runtime takes such tuples
    if condition is is_repeated and is_out_of_range(sink, indices, shape):
        return  # no cell is addressed
    setattr(verdicts, finding.verdict, getattr(verdicts, finding.verdict) + 1)
    holds = condition(sink, indices, shape)
    if finding.verdict == "cannot" and holds:
        verdicts.faults.append(f"{sink.path}: {finding.rule} cannot hold, but does: {finding.message}; data {shape}, indices {indices.ravel()[:8]}")
    if finding.verdict == "happens" and not holds and indices.size:
        verdicts.faults.append(f"{sink.path}: {finding.rule} is sure to hold, but does not: {finding.message}; data {shape}, indices {indices.ravel()[:8]}")
