"""Compares the interval analysis' facts about a value with the value in a run.

A fact is a dict of windrow._core.find_ranges(): name, dtype, dims (numbers, names of extents or None; None: the rank is
unknown), grain ("tensor", "axis", "element"), axis, intervals, premises, type_premises, shape_premises, source_input. An interval of integers is (low, high,
above, below), where above and below are (name of an extent, offset, factor of the extent); one of floats is (low, high, may_be_nan).
"""

import math
import re
from dataclasses import dataclass, field

import numpy as np
from random_values import limits_of, plain

# A conversion on the way from an input may wrap other elements.
EVERY_TYPE_HOLDS = range(128)
EXTENT = re.compile(r"(.+)\.shape\[(\d+)\]")
EQUALITY = re.compile(r"(.+\.shape\[\d+\]) = (.+\.shape\[\d+\]), both called .+")
LIMIT = re.compile(r"(.+\.shape\[\d+\]) is at (least|most) (\d+)")
FITS = re.compile(r"every element of (.+) fits in 32 bits")
ELEMENTS = re.compile(r"(.+) has elements")
RANK = re.compile(r".+ has the shape int64\[1\], as its body declares")
SMALL = re.compile(r"no extent is above (\d+)")
ASSUMPTION = re.compile(r"(.+) lies in (-?\d+) to (-?\d+) \(assumed\)")
CLAIM = re.compile(r"(.+?)(?: \(\w+\))?( of \S+)? has the (?:shape|type) (\w+|\?)(\[.*\])?, as onnx infers")


@dataclass
class Tally:
    """Counts of the compared values, added up over graphs."""

    values: int = 0
    tight: int = 0  # values with an interval that says more than the type
    symbolic: int = 0  # those with a bound by an extent
    tracked: int = 0  # those whose elements come from an input
    premises_met: int = 0
    premises_unmet: int = 0
    faults: list = field(default_factory=list)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Run:
    """A run of a model: the concrete values of the main graph's inputs by name, and of inner values whose extents facts name."""

    def __init__(self, inputs, inner=()):
        self.inputs = inputs
        self.arrays = dict(inner) | inputs

    def extent(self, name):
        """The extent of this name, such as "x.shape[1]"; None if the run has no such extent."""
        found = EXTENT.fullmatch(name)
        if found is None or found[1] not in self.arrays:
            return None
        shape = self.arrays[found[1]].shape
        return shape[int(found[2])] if int(found[2]) < len(shape) else None

    def meets(self, premise):
        """Whether a premise holds in this run. Raises ValueError for one that cannot be checked."""
        equality = EQUALITY.fullmatch(premise)
        if equality:
            both = [self.extent(name) for name in equality.groups()]
            if None not in both:
                return both[0] == both[1]
        limit = LIMIT.fullmatch(premise)
        if limit and self.extent(limit[1]) is not None:
            extent, bound = self.extent(limit[1]), int(limit[3])
            return extent >= bound if limit[2] == "least" else extent <= bound
        small = SMALL.fullmatch(premise)
        if small:
            return all(extent <= int(small[1]) for array in self.arrays.values() for extent in array.shape)
        assumption = ASSUMPTION.fullmatch(premise)
        if assumption and assumption[1] in self.inputs:
            low, high = int(assumption[2]), int(assumption[3])
            return all(low <= number <= high for number in self.inputs[assumption[1]].ravel().tolist())
        fits = FITS.fullmatch(premise)
        if fits and fits[1] in self.arrays:
            numbers = self.arrays[fits[1]]
            return all(-(2**31) <= number < 2**31 for number in numbers.ravel().tolist())
        claim = CLAIM.fullmatch(premise)
        if claim and claim[1] in self.arrays:
            return self.has(self.arrays[claim[1]], claim[3], claim[4])
        elements = ELEMENTS.fullmatch(premise)
        if elements and elements[1] in self.arrays:
            return self.arrays[elements[1]].size > 0
        if claim or elements or RANK.fullmatch(premise):
            return False  # nothing is known of values that the run does not show, such as those of bodies
        raise ValueError(f"a premise that nobody can check: {premise!r}")

    def has(self, array, dtype, dims):
        """Whether an array has a type ("?": any) and a shape as text ("[2, x.shape[0], ?]"; None: any)."""
        if dtype not in ("?", array.dtype.name):
            return False
        if dims is None:
            return True
        wanted = dims[1:-1].split(", ") if dims != "[]" else []
        return len(wanted) == array.ndim and all(map(self.is_extent, wanted, array.shape))

    def is_extent(self, text, extent):
        """Whether a text ("7", "x.shape[0]", "3..4", "?") can stand for an extent."""
        low, is_interval, high = text.partition("..")
        if is_interval:
            return int(low or 0) <= extent and (not high or extent <= int(high))
        return text == "?" or extent == (self.extent(text) if EXTENT.fullmatch(text) else int(text))


def is_tight(fact):
    """Whether the intervals say more than the element type does."""
    dtype = fact["dtype"]
    if not fact["intervals"]:
        return False
    if dtype.startswith("float") or dtype.startswith("bfloat"):
        return any(low > -math.inf or high < math.inf or not may for low, high, may in fact["intervals"])
    least, greatest = (0, 1) if dtype == "bool" else (limits_of(np.dtype(dtype)).min, limits_of(np.dtype(dtype)).max)
    return any(
        (low is not None and low > least) or (high is not None and high < greatest) or above or below
        for low, high, above, below in fact["intervals"]
    )


def is_symbolic(fact):
    return any(interval[2] or interval[3] for interval in fact["intervals"] if len(interval) == 4)


def compare(fact, array, run, tally):
    """Adds the faults of a fact to the tally. The value is `array` in this run."""
    tally.values += 1
    tally.tight += is_tight(fact)
    tally.symbolic += is_symbolic(fact)
    faults = []
    if are_met(fact["type_premises"], run, tally):
        faults += wrong_type(fact, array)
    if are_met(fact["shape_premises"], run, tally):
        faults += wrong_dims(fact, array, run)
    if are_met(fact["premises"], run, tally):
        faults += wrong_intervals(fact, array, run)
        if fact["source_input"]:
            tally.tracked += 1
            faults += wrong_source(fact, array, run)
    tally.faults += [f"{fact['name']}: {fault}" for fault in faults]


def are_met(premises, run, tally):
    held = [run.meets(premise) for premise in premises]
    tally.premises_met += sum(held)
    tally.premises_unmet += len(held) - sum(held)
    return all(held)


def wrong_type(fact, array):
    if fact["dtype"] not in (None, "", "absent") and fact["dtype"] != array.dtype.name:
        yield f"is {array.dtype.name}, not {fact['dtype']}"


def wrong_dims(fact, array, run):
    dims = fact["dims"]
    if dims is None:
        return
    if len(dims) != array.ndim:
        yield f"has the shape {array.shape}, not {dims}"
        return
    for axis, (dim, extent) in enumerate(zip(dims, array.shape, strict=True)):
        wanted = run.extent(dim) if isinstance(dim, str) else dim
        if wanted is not None and wanted != extent:
            yield f"has {extent} elements on axis {axis}, not {dim} (the shape {array.shape}, not {dims})"


def wrong_intervals(fact, array, run):
    intervals, array = fact["intervals"], plain(array)
    if not intervals:
        return
    pieces = list(pieces_of(fact, array))
    if len(pieces) != len(intervals) and not (array.size == 0 and fact["grain"] != "tensor"):
        yield f"has {len(pieces)} pieces of the grain {fact['grain']} {fact['axis']}, but {len(intervals)} intervals"
        return
    for number, (interval, piece) in enumerate(zip(intervals, pieces)):
        if piece.size:
            for fault in outside(interval, piece, run):
                yield f"interval {number} of {fact['grain']}: {fault}"


def pieces_of(fact, array):
    if fact["grain"] == "tensor":
        return [array]
    if fact["grain"] == "element":
        return list(array.reshape(-1, 1))
    return list(np.moveaxis(array, fact["axis"], 0))


def outside(interval, piece, run):
    if piece.dtype.kind == "f":
        low, high, may_be_nan = interval
        numbers = piece[~np.isnan(piece)].astype(np.float64)
        if numbers.size < piece.size and not may_be_nan:
            yield f"is NaN, which {interval} excludes"
        if numbers.size and (numbers.min() < low or numbers.max() > high):
            yield f"reaches from {numbers.min()} to {numbers.max()}, which leaves {interval}"
        return
    low, high, above, below = interval
    least, greatest = int(piece.min()), int(piece.max())
    bounds_below = [low] if low is not None else []
    bounds_above = [high] if high is not None else []
    if above:
        bounds_below.append(value_of(above, run))
    if below:
        bounds_above.append(value_of(below, run))
    if any(least < bound for bound in bounds_below) or any(greatest > bound for bound in bounds_above):
        yield f"reaches from {least} to {greatest}, which leaves {interval}, here {bounds_below} to {bounds_above}"


def value_of(term, run):
    name, offset, factor = term
    extent = run.extent(name)
    if extent is None:
        raise ValueError(f"a bound by an extent that no run has: {name!r}")
    return factor * extent + offset


def wrong_source(fact, array, run):
    source = run.inputs.get(fact["source_input"])
    if source is None:
        yield f"is said to come from {fact['source_input']!r}, which is not an input"
        return
    elements = set(source.ravel().tolist())
    foreign = set(array.ravel().tolist()) - elements
    if foreign and all(element in EVERY_TYPE_HOLDS for element in elements):
        yield f"has {sorted(foreign)[:4]}, which are not in {fact['source_input']}"
