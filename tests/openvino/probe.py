"""A probe: one call of one OpenVINO operator, with everything that a runtime needs to repeat it."""

import dataclasses
import itertools

import numpy as np
from element_values import INTEGERS


@dataclasses.dataclass
class Input:
    """One input: `values` has one item per element, packed types included; `type` is OpenVINO's name."""

    type: str
    values: np.ndarray
    constant: bool = False


@dataclasses.dataclass
class Probe:
    """`inputs` by name, in the operator's order. `payloads`: the names of those of the result's type. `dynamic`: the model
    does not know the shapes."""

    seed: int
    number: int
    operator: str
    version: int
    attributes: dict
    inputs: dict
    payloads: tuple
    dynamic: bool = False

    @property
    def type(self):
        return self.inputs[self.payloads[0]].type

    @property
    def data(self):
        """The tensor whose axis the indices address; of OneHot, whose axis is a new one, on_value."""
        return self.inputs[self.payloads[0]].values

    @property
    def is_one_hot(self):
        return self.operator == "OneHot"

    @property
    def rank(self):
        """The number of axes of which the operator's is one."""
        return self.indices.ndim + 1 if self.is_one_hot else self.data.ndim

    @property
    def index_input(self):
        return self.inputs[{"SegmentMax": "segment_ids", "GatherTree": "parent_ids"}.get(self.operator, "indices")]

    @property
    def indices(self):
        return self.index_input.values

    @property
    def is_pooled(self):
        return self.operator.startswith("Embedding")

    @property
    def is_scatter(self):
        return self.operator.startswith("Scatter")

    @property
    def reduction(self):
        return self.attributes.get("reduction", "none")

    @property
    def axis(self):
        """The axis from the front, which may lie outside data's rank; None where there is no such number."""
        if "axis" in self.inputs:
            given = self.inputs["axis"]
            if given.type not in INTEGERS or given.values.size != 1:
                return None
            axis = int(given.values.flat[0])
        elif "axis" in self.attributes:
            axis = self.attributes["axis"]
        elif self.operator == "GatherTree":
            axis = 2
        elif self.is_pooled:
            axis = 0
        else:
            return None
        return axis + self.rank if axis < 0 else axis

    @property
    def batch_dims(self):
        """batch_dims from the front."""
        given = self.attributes.get("batch_dims", 0)
        return given + self.indices.ndim if given < 0 else given

    def coordinates(self):
        """Pairs of an index element and the extent that it addresses; empty where types and shapes make no sense."""
        if self.operator == "SliceScatter":
            return []
        if self.index_input.type not in INTEGERS:
            return []
        count = None if self.is_pooled else self.inputs.get("depth") or self.inputs.get("num_segments")
        if count:
            known = count.type in INTEGERS and count.values.size == 1
            return [(int(index), int(count.values.flat[0])) for index in self.indices.flat] if known else []
        if "ND" not in self.operator:
            if self.axis is None or not 0 <= self.axis < self.data.ndim:
                return []
            extent = self.data.shape[self.axis]
            return [(int(index), extent) for index in self.indices.flat]
        if self.indices.ndim == 0:
            return []
        extents = self.data.shape[self.batch_dims:][:self.indices.shape[-1]]
        columns = [self.indices[..., k].flat for k in range(len(extents))]
        return [(int(index), extent) for column, extent in zip(columns, extents, strict=True) for index in column]

    def goes_back_from_before_the_first(self):
        """Whether a slice of SliceScatter begins before the first element, and goes backwards."""
        start, step = (self.inputs[name].values for name in ("start", "step"))
        if "axes" in self.inputs:
            axes = self.inputs["axes"].values
        else:
            axes = np.arange(start.size)
        if not start.shape == step.shape == axes.shape or any(given.type not in INTEGERS for name, given in self.inputs.items()
                                                              if name in ("start", "step", "axes")):
            return False
        extents = [self.data.shape[int(axis)] for axis in axes if -self.data.ndim <= int(axis) < self.data.ndim]
        return len(extents) == start.size and any(
            by < 0 and begin < -extent for begin, by, extent in zip(start.tolist(), step.tolist(), extents, strict=True))

    def has_negative(self):
        return any(index < 0 for index, _ in self.coordinates())

    def has_outside(self):
        """An index that is outside even where a negative one counts from the end."""
        return any(not -extent <= index < extent for index, extent in self.coordinates())

    def has_outside_from_front(self):
        """An index that is outside where a negative one does not count from the end."""
        return any(not 0 <= index < extent for index, extent in self.coordinates())

    def default_index(self):
        """The row of empty bags; None if there is none."""
        given = self.inputs.get("default_index")
        return int(given.values.flat[0]) if given and given.values.size == 1 and given.type in INTEGERS else None

    def has_duplicates(self):
        """Whether a scatter may write a cell twice: two equal tuples, or equal indices along one line."""
        if not self.is_scatter or self.indices.ndim == 0 or self.index_input.type not in INTEGERS:
            return False
        if "ND" in self.operator:
            extents = np.array(self.data.shape[:self.indices.shape[-1]])
            count = int(np.prod(self.indices.shape[:-1]))
            tuples = self.indices.reshape(count, self.indices.shape[-1]).astype(object)[:, :len(extents)]
            lines = [[tuple(row) for row in (tuples + (tuples < 0) * extents).tolist()]]
        elif self.axis is None or not 0 <= self.axis < self.data.ndim:
            return False
        else:
            whole = self.indices.astype(object)  # an extent may be too large for the indices' type
            wrapped = np.where(whole < 0, whole + self.data.shape[self.axis], whole)
            if self.operator == "ScatterUpdate" or self.axis >= wrapped.ndim:
                lines = [wrapped.reshape(-1).tolist()]
            else:
                moved = np.moveaxis(wrapped, self.axis, -1)
                lines = [moved[line].tolist() for line in np.ndindex(moved.shape[:-1])]
        return any(len(set(line)) < len(line) for line in lines)

    def payload(self):
        """All elements of data, and of updates of the same type."""
        tensors = [given for name, given in self.inputs.items() if name in self.payloads]
        return list(itertools.chain.from_iterable(
            given.values.flat for given in tensors if given.type == self.type))

    def describe(self):
        """What a reader needs to see of it; the values only where they are few."""
        lines = [f"seed {self.seed}, probe {self.number}: {self.operator}-{self.version} {self.attributes}"
                 f"{' with dynamic shapes' if self.dynamic else ''}"]
        for name, given in self.inputs.items():
            values = f" = {given.values.tolist()}" if given.values.size <= 40 else ""
            kind = "constant" if given.constant else "parameter"
            lines.append(f"  {name}: {kind} {given.type}{list(given.values.shape)}{values}")
        return "\n".join(lines)
