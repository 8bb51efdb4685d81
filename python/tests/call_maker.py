"""The parts of random calls: a call and its layouts, drawn numbers, inputs that are added step by step."""

import dataclasses
import math
from typing import Any

import numpy as np
from case_data import CODES, numpy_dtype
from element_types import integer_limits, random_elements
from hypothesis import strategies as st
from layouts import repeated

# The legal range of an index: of one axis whose negative indices count from the end.
FROM_BOTH_ENDS = "both ends"
FROM_FRONT = "front"
# Operators whose indices ascend: they have no other policies than error and skip.
SEGMENTS = ("SegmentReduce", "SegmentMax")
# An index that is out of range.
_NOWHERE = 2**31 - 1
_ANY = st.integers(0, 2**16 - 1)


@dataclasses.dataclass
class Call:
    """A call. `extents` are those of the axes that the indices address, one per entry of a tuple, or one for all."""

    operator: Any
    row: dict
    type: str = ""  # of data
    inputs: list = dataclasses.field(default_factory=list)
    attributes: dict = dataclasses.field(default_factory=dict)
    policy: str | None = None
    # The options of these names, which draw_meanings() draws.
    negative: str | None = None
    padding_index: int | None = None
    index_input: int | None = 1  # None: the operator has no indices
    lows: list = dataclasses.field(default_factory=list)
    highs: list = dataclasses.field(default_factory=list)
    extents: list = dataclasses.field(default_factory=list)
    # The reduction of an operator without this attribute.
    implied_reduction: str = "none"
    # False for a cache: with extent 0 it takes any index under every policy except `error`.
    empty_axis_fails: bool = True
    # True where a negative index is an error under every policy.
    negative_fails: bool = False
    # Where not all indices are read: a function of the call, whose result is true where one is.
    reads: Any = None

    @property
    def version(self):
        return self.row["since_version"]

    @property
    def reduction(self):
        return self.attributes.get("reduction", self.implied_reduction)

    @property
    def index_name(self):
        return self.row["inputs"][self.index_input]["name"]

    @property
    def indices(self):
        return None if self.index_input is None else self.inputs[self.index_input]

    def bad_indices(self):
        """The positions of the indices that the policy refuses, in row-major order, with their values."""
        indices = self.indices
        if indices is None:
            return []
        values = whole(indices)
        policy = self.policy or self.row["out_of_range"]
        bad = np.logical_and(self.negative == "error" or (self.negative is None and self.negative_fails), values < 0)
        if policy == "error":
            lows = {"from_end": [-extent for extent in self.extents], None: self.lows}.get(self.negative, [0])
            bad = bad | (values < per_entry(lows)) | (values > per_entry(self.highs))
        elif policy in ("clamp", "modulo") and self.empty_axis_fails:
            bad = bad | np.broadcast_to(np.equal(per_entry(self.extents), 0), values.shape)
        bad = bad & (values != self.padding_index)
        if self.reads:
            bad = bad & self.reads(self)
        places = [tuple(map(int, place)) for place in zip(*np.nonzero(np.atleast_1d(bad).astype(bool)), strict=True)]
        places = places if values.ndim else [()] * len(places)
        return [(place, int(values[place])) for place in places]

    def plain(self):
        """The inputs and the policy of the call without `negative` and `padding_index` that means the same."""
        indices = self.indices
        if indices is None:
            return self.inputs, self.policy
        values, policy = self._without_negative(whole(indices)), self.policy
        if self.padding_index is not None:
            if policy == "modulo":
                values = values % per_entry(self.extents)
            values = np.where(whole(indices) == self.padding_index, _NOWHERE, values)
            policy = "skip" if self.row["scatter"] else "zero"
        inputs = list(self.inputs)
        if self.padding_index is not None or self.negative not in (None, "error"):
            fitting = np.asarray(np.clip(values, -(2**63), 2**63 - 1))
            inputs[self.index_input] = fitting.astype(np.int64).reshape(indices.shape)
            if self.operator.name == "SegmentMax":  # whose ids, as they were, may say how many segments there are
                inputs[2:] = [np.array(self.extents[0])]
        return inputs, policy

    def _without_negative(self, values):
        if self.negative in (None, "error") or self.policy == "modulo":
            return values
        if self.negative == "from_end":
            counted = values + per_entry(self.extents)
            return np.where((values < 0) & (counted >= 0), counted, values)
        if self.is_cache:
            return values
        return np.where(values < 0, 0 if self.policy == "clamp" else _NOWHERE, values)

    @property
    def is_cache(self):
        return not self.empty_axis_fails


    @property
    def may_be_padded(self):
        """Whether plain() can say what padding means."""
        name = self.operator.name
        one_axis = len(self.extents) == 1 and 0 not in self.extents and not self.is_cache
        return one_axis and self.policy != "clamp" and name not in (*SEGMENTS, "GatherTree")


def draw_meanings(data, call):
    """Draws the options `negative` and `padding_index`."""
    meanings = [None, None, "out_of_range", "error"] + ["from_end"] * (not call.is_cache)
    call.negative = meanings[count(data, 0, len(meanings) - 1)]
    if call.may_be_padded and count(data, 1, 3) == 3:
        values = whole(call.inputs[call.index_input]).reshape(-1)
        one_of_them = int(values[count(data, 0, values.size - 1)]) if values.size else -1
        call.padding_index = one_of_them if one_of_them < 2**63 and count(data, 0, 1) else -1


def whole(indices):
    """Indices as Python's integers; floats are truncated toward zero."""
    if indices.dtype.kind not in "iu":
        return np.vectorize(int, otypes=[object])(indices)
    return indices.astype(object)


def per_entry(numbers):
    """Numbers to compare with indices: one for all, or one for each place of the last axis."""
    return numbers[0] if len(numbers) == 1 else np.array(numbers, object)


def count(data, low, high):
    """An integer from low to high, uniformly drawn: st.integers() prefers the ends of small ranges."""
    return low + data.draw(_ANY) % (high - low + 1) if high > low else low


class SeededDraws:
    """The part of hypothesis that Drawer uses, driven by a seed."""

    def __init__(self, seed, number):
        self.rng = np.random.default_rng([seed, number])

    def draw(self, strategy):
        del strategy  # there is one, _ANY
        return int(self.rng.integers(0, 1 << 16))


@dataclasses.dataclass
class Options:
    """What a test wants of its calls.

    scale: the approximate maximum number of elements of a tensor. preferred: types that are drawn twice as often, if
    there are any. codes: whether data may have a type that NumPy lacks, as bytes. far: whether an index outside may
    be anywhere, or lies a few places outside only.
    """

    scale: int = 150
    preferred: tuple = ()
    codes: bool = False
    far: bool = True


class Drawer:
    """Draws the parts of a call. data: hypothesis's, or SeededDraws."""

    def __init__(self, data, options):
        self.data, self.options, self.scale = data, options, options.scale
        self.rng = np.random.default_rng(self.count(0, 2**16 - 1))

    def count(self, low, high):
        """A whole number from low to high; smaller ones are simpler."""
        return count(self.data, low, high)

    def choice(self, options):
        return options[self.count(0, len(options) - 1)]

    def chance(self, one_in):
        return self.count(1, one_in) == one_in

    def extent(self, rank=1, scale=None):
        if self.chance(15):
            return 0
        return self.count(1, max(2, round((scale or self.scale) ** (1 / max(rank, 1)))))

    def shape(self, least, most, each=1):
        """A shape with `least` to `most` axes. The number of elements times `each` is at most about `scale`."""
        rank = self.count(least, most)
        scale = max(1, self.scale // each)
        shape = [self.extent(rank, scale) for _ in range(rank)]
        while math.prod(shape) > 4 * scale:
            shape[shape.index(max(shape))] //= 2
        return tuple(shape)

    def type_of(self, row, position):
        types = [name for name in row["inputs"][position]["dtypes"] if self.options.codes or name not in CODES]
        preferred = [name for name in types if name in self.options.preferred]
        return self.choice(preferred if preferred and self.chance(2) else types)

    def elements(self, shape, name, arithmetic=False):
        array = random_elements(self.rng, shape, name, arithmetic)
        return repeated(self.count, array) if self.chance(6) else array

    def numbers(self, shape, name, low, high, outside):
        """Indices from low to high and, if `outside`, a few others, as far as the type can hold them."""
        dtype = numpy_dtype(name)
        first, last = integer_limits(dtype) if dtype.kind != "f" else (-99, 99)
        if outside:
            wide = self.rng.integers(low - 3, max(high, low) + 4, shape)
            if self.options.far and self.chance(4):
                wide = np.where(self.rng.random(shape) < 0.2, self.rng.choice([last, first, last // 2], shape), wide)
            few = self.rng.random(shape) < 0.3
            near = np.clip(self.rng.integers(low, max(low, high) + 1, shape), low, max(low, high))
            values = np.where(few, wide, near)
        else:
            values = self.rng.integers(low, max(low, high) + 1, shape)
        limit = min(last, 2**63 - 1)
        values = np.clip(np.asarray(values, object), first, limit)
        if dtype.kind == "f":
            values = np.asarray(values, np.float64) + self.rng.choice([0.0, 0.25], shape)
        return np.asarray(values).astype(dtype).reshape(shape)


    def bounded(self, dtype, reach):
        """An integer that the type holds, up to `reach` in either direction or as far as the type goes."""
        low, high = integer_limits(dtype)
        if self.chance(9):
            return self.choice([low, high])
        return self.count(max(low, -reach), min(high, reach))


class Maker:
    """Makes one call, step by step."""

    def __init__(self, draw, operator):
        self.draw = draw
        row = draw.choice(operator.rows)
        self.call = Call(operator, row)
        other = "skip" if row["scatter"] else "zero"
        policies = [None, "error", other] + ["clamp", "modulo"] * (operator.name not in SEGMENTS)
        self.call.policy = draw.choice(policies)
        self.outside = draw.chance(3) or (self.call.policy not in (None, "error") and draw.chance(2))

    def has(self, attribute):
        return any(row["name"] == attribute for row in self.call.row["attributes"])

    def add(self, array):
        self.call.inputs.append(array)

    def add_data(self, least=1, most=5, position=0, reductions=None):
        """Draws the reduction, which restricts the types, then data. reductions(type) gives a type's reductions."""
        self.type = self.call.type = self.draw.type_of(self.call.row, position)
        if self.has("reduction") and reductions:
            self.call.attributes["reduction"] = self.draw.choice(reductions(self.type, self.call))
        self.arithmetic = self.call.reduction != "none"
        self.shape = self.draw.shape(least, most)
        self.add(self.draw.elements(self.shape, self.type, self.arithmetic))
        self.rank = len(self.shape)

    def add_updates(self, shape):
        self.add(self.draw.elements(shape, self.type, self.arithmetic))

    def add_indices(self, shape, extents, kind=FROM_BOTH_ENDS, tuples=False):
        """Indices of one axis, or with `tuples` one per entry along the last axis."""
        call, draw = self.call, self.draw
        call.index_input = len(call.inputs)
        call.extents = list(extents)
        name = draw.type_of(call.row, call.index_input)
        call.lows = [-extent if kind == FROM_BOTH_ENDS else 0 for extent in extents]
        call.highs = [extent - 1 for extent in extents]
        drawn_low = [0 if draw.chance(2) else low for low in call.lows]
        drawn_low = [0 if name.startswith("uint") else low for low in drawn_low]
        if tuples:
            columns = [draw.numbers(shape[:-1], name, low, high, self.outside)
                       for low, high in zip(drawn_low, call.highs, strict=True)]
            array = np.stack(columns, -1) if columns else np.zeros(shape, numpy_dtype(name))
        else:
            array = draw.numbers(shape, name, drawn_low[0], call.highs[0], self.outside)
        if draw.chance(8):
            array = repeated(draw.count, array)
        self.add(array)

    def axis(self, from_end=True, low=0):
        """An axis that is at least `low`, as a number that may count from the end."""
        self.at = self.draw.count(low, self.rank - 1)
        return self.at - self.rank if from_end and self.draw.chance(3) else self.at

    def add_axis(self, axis):
        name = self.draw.type_of(self.call.row, len(self.call.inputs))
        if name.startswith("uint"):
            axis %= self.rank
        self.add(np.full([1] * self.draw.count(0, 1), axis).astype(numpy_dtype(name)))

    def index_shape(self, addressed, most=3):
        """A shape of indices, each of which addresses a slice of data over all axes except the addressed ones."""
        kept = [max(extent, 1) for axis, extent in enumerate(self.shape) if axis not in addressed]
        return self.draw.shape(0, most, math.prod(kept))
