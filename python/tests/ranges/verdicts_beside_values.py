"""What the check says *cannot* or *does happen* at the gathers and scatters of a random graph, beside their concrete indices."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Verdicts:
    """What was compared; sums up over graphs."""

    cannot: int = 0
    happens: int = 0
    can: int = 0
    premises_unmet: int = 0
    faults: list = field(default_factory=list)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def extents_of(sink, shape):
    """The extents that the indices address: one, or one for each entry of a tuple."""
    if sink.op_type.endswith("ND"):
        return np.array(shape[: sink.indices.shape[-1]], np.int64)
    return np.array([shape[sink.attributes["axis"]]], np.int64)


def is_out_of_range(sink, indices, shape):
    extents = extents_of(sink, shape)
    return bool(((indices < -extents) | (indices >= extents)).any())


def is_negative(sink, indices, shape):
    return bool((indices < 0).any())


def is_wide(sink, indices, shape):
    limits = np.iinfo(np.int32)
    return bool(((indices < limits.min) | (indices > limits.max)).any())


def is_repeated(sink, indices, shape):
    """Whether two indices of a scatter address one cell."""
    extents = extents_of(sink, shape)
    places = np.where(indices < 0, indices + extents, indices)
    if sink.op_type.endswith("ND"):
        cells = places.reshape(-1, places.shape[-1])
    else:
        coordinates = np.indices(indices.shape)
        coordinates[sink.attributes["axis"]] = places
        cells = coordinates.reshape(indices.ndim, -1).T
    return len(np.unique(cells, axis=0)) < len(cells)


# The condition of rules on indices, by a part of their labels.
CONDITIONS = {"index-range": is_out_of_range, "negative-index": is_negative, "wide-index": is_wide, "duplicates": is_repeated}


def condition_of(rule):
    return next((condition for part, condition in CONDITIONS.items() if part in rule), None)


def compare_verdict(finding, sink, run, number, verdicts):
    """Adds to `verdicts` what is wrong with a finding about a sink in a run, the model's run of this number."""
    condition = condition_of(finding.rule)
    if condition is None:
        return
    if not all(run.meets(premise) for premise in finding.premises):
        verdicts.premises_unmet += 1
        return
    indices, shape = sink.indices.arrays[number], sink.data.arrays[number].shape
    setattr(verdicts, finding.verdict, getattr(verdicts, finding.verdict) + 1)
    holds = condition(sink, indices, shape)
    if finding.verdict == "cannot" and holds:
        verdicts.faults.append(f"{sink.path}: {finding.rule} cannot hold, but does: {finding.message}; data {shape}, indices {indices.ravel()[:8]}")
    if finding.verdict == "happens" and not holds and indices.size:
        verdicts.faults.append(f"{sink.path}: {finding.rule} is sure to hold, but does not: {finding.message}; data {shape}, indices {indices.ravel()[:8]}")
