"""Random probes: the same seed and number always give the same probe."""

import numpy as np
from break_probe import break_something
from element_values import INTEGERS, STORAGE, integer_range, random_elements
from probe import OPSETS, Input, Probe

NO_STRINGS = {("ScatterUpdate", 3), ("ScatterElementsUpdate", 3), ("ScatterNDUpdate", 3)}
REDUCTIONS = {("ScatterElementsUpdate", 12): ["none", "sum", "prod", "min", "max", "mean"],
              ("ScatterNDUpdate", 15): ["none", "sum", "sub", "prod", "min", "max"]}
ONLY_WORD_INDICES = {"GatherElements", "ScatterNDUpdate"}
ONLY_COPIED = {"string", "u1", "nf4"}
# What OpenVINO's evaluate() has code for in most operators: half of the probes.
EVALUATED = ["boolean", "i32", "i64", "u32", "u64", "f16", "bf16", "f32"]
BROKEN_PART = 0.1


class Generator:
    """Draws one probe, part by part; each operator's method adds what follows data."""

    def __init__(self, seed, number):
        self.rng = np.random.default_rng([seed, number])
        self.key = list(OPSETS)[number % len(OPSETS)]
        self.operator, self.version = self.key
        self.attributes, self.inputs = {}, {}

    def chance(self, probability):
        return self.rng.random() < probability

    def count(self, low, high):
        """A whole number in [low, high)."""
        return int(self.rng.integers(low, high))

    def extent(self):
        if self.chance(0.04):
            return 0
        return self.count(1, 90 if self.chance(0.06) else 6)

    def shape(self, rank):
        shape = tuple(self.extent() for _ in range(rank))
        return shape if np.prod(shape) <= 5000 else tuple(min(extent, 5) for extent in shape)

    def add(self, name, type_, values, constant=0.3):
        self.inputs[name] = Input(type_, np.asarray(values, STORAGE[type_]), self.chance(constant))

    def add_data(self):
        if self.key in REDUCTIONS:
            self.attributes["reduction"] = str(self.rng.choice(REDUCTIONS[self.key]))
        reduction = self.attributes.get("reduction", "none")
        refused = ONLY_COPIED if reduction != "none" else {"string"} if self.key in NO_STRINGS else set()
        wanted = EVALUATED if self.chance(0.5) else STORAGE
        types = [name for name in wanted if name not in refused and (name, reduction) != ("boolean", "mean")]
        self.type = str(self.rng.choice(types))
        self.data_shape = self.shape(self.count(1, 6))
        self.rank = len(self.data_shape)
        self.add("data", self.type, random_elements(self.rng, self.data_shape, self.type))

    def add_updates(self, shape):
        self.add("updates", self.type, random_elements(self.rng, shape, self.type))

    def one_axis(self, shape, extent, type_, mood):
        """Indices of one axis: from the front, from both ends, or some of them outside; all fit in the type."""
        low, high = integer_range(type_)
        first, last = {"front": (0, extent - 1), "both": (-extent, extent - 1),
                       "outside": (-extent - 3, extent + 2)}[mood]
        first, last = max(first, low), min(last, high)
        if last < first:
            return np.zeros(shape, np.int64)
        values = self.rng.integers(first, last, shape, endpoint=True)
        if mood == "outside" and extent and self.chance(0.5):
            inside = np.clip(values, max(-extent, low), min(extent - 1, high))
            values = np.where(self.rng.random(shape) < 0.1, values, inside)
        return values

    def add_indices(self, shape, extents, tuples=False, kept=0):
        """Indices of `shape`, whose last axis has an entry for each of `extents` with `tuples`. No index is legal
        where an extent is 0: then there are mostly no indices, if an axis other than the first `kept` can be 0."""
        if 0 in extents and len(shape) - tuples > kept and self.chance(0.8):
            shape = (*shape[:kept], 0, *shape[kept + 1:])
        narrow = self.operator in ONLY_WORD_INDICES or self.chance(0.5)
        type_ = str(self.rng.choice(["i32", "i64"] if narrow else INTEGERS))
        mood = str(self.rng.choice(["front", "both", "outside"], p=[0.5, 0.38, 0.12]))
        columns = [self.one_axis(shape[:-1] if tuples else shape, extent, type_, mood) for extent in extents]
        if tuples:
            self.add("indices", type_, np.stack(columns, axis=-1) if columns else np.zeros(shape))
        else:
            self.add("indices", type_, columns[0])
        return shape

    def from_either_end(self, axis):
        return axis - self.rank if self.chance(0.3) else axis

    def add_axis(self, axis):
        type_ = str(self.rng.choice(["i32", "i64"] if self.chance(0.7) else INTEGERS))
        value = axis if type_[0] == "u" else self.from_either_end(axis)
        self.add("axis", type_, [value] if self.chance(0.4) else value, constant=0.8)

    def add_gather(self):
        batch = self.count(0, self.rank) if self.version > 1 and self.chance(0.5) else 0
        axis = self.count(batch, self.rank)
        shape = self.data_shape[:batch] + self.shape(self.count(0, 3))
        shape = self.add_indices(shape, [self.data_shape[axis]], kept=batch)
        if batch or (self.version > 1 and self.chance(0.3)):
            from_end = batch < len(shape) and self.chance(0.3)
            self.attributes["batch_dims"] = batch - len(shape) if from_end else batch
        self.add_axis(axis)

    def add_gather_elements(self):
        axis = self.count(0, self.rank)
        shape = (*self.data_shape[:axis], self.extent(), *self.data_shape[axis + 1:])
        if self.data_shape[axis] == 0 and self.chance(0.8):
            shape = (*shape[:axis], 0, *shape[axis + 1:])
        self.add_indices(shape, [self.data_shape[axis]], kept=self.rank)
        self.attributes["axis"] = self.from_either_end(axis)

    def add_gather_nd(self):
        batch = self.count(0, self.rank) if self.chance(0.5) else 0
        length = self.count(0 if self.chance(0.1) else 1, self.rank - batch + 1)
        shape = (*self.data_shape[:batch], *self.shape(self.count(0, 3)), length)
        if self.version == 8 and batch and self.chance(0.1):
            shape = (1, *shape[1:])
        self.add_indices(shape, self.data_shape[batch:batch + length], tuples=True, kept=batch)
        if batch or self.chance(0.3):
            self.attributes["batch_dims"] = batch

    def add_scatter_update(self):
        axis = self.count(0, self.rank)
        shape = self.add_indices(self.shape(self.count(0, 3)), [self.data_shape[axis]])
        self.add_updates((*self.data_shape[:axis], *shape, *self.data_shape[axis + 1:]))
        self.add_axis(axis)

    def add_scatter_elements_update(self):
        axis = self.count(0, self.rank)
        shape = [extent if self.chance(0.5) else min(extent, self.extent()) for extent in self.data_shape]
        shape[axis] = self.extent() if self.data_shape[axis] else 0
        self.add_indices(tuple(shape), [self.data_shape[axis]], kept=self.rank)
        self.add_updates(shape)
        self.add_axis(axis)
        if self.version == 12 and self.chance(0.6):
            self.attributes["use_init_val"] = self.chance(0.5)

    def add_scatter_nd_update(self):
        length = self.count(0 if self.chance(0.1) else 1, self.rank + 1)
        shape = (*self.shape(self.count(0, 3)), length)
        shape = self.add_indices(shape, self.data_shape[:length], tuples=True)
        shape = shape[:-1] + self.data_shape[length:]
        self.add_updates(shape or (1,) * self.count(0, 3))

    def probe(self, seed, number):
        self.add_data()
        {"Gather": self.add_gather, "GatherElements": self.add_gather_elements, "GatherND": self.add_gather_nd,
         "ScatterUpdate": self.add_scatter_update, "ScatterElementsUpdate": self.add_scatter_elements_update,
         "ScatterNDUpdate": self.add_scatter_nd_update}[self.operator]()
        probe = Probe(seed, number, self.operator, self.version, self.attributes, self.inputs, self.chance(0.2))
        if self.chance(BROKEN_PART):
            break_something(probe, self.rng)
        return probe


def generate(seed, number):
    return Generator(seed, number).probe(seed, number)
