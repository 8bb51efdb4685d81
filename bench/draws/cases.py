"""A drawn case: what a case of the list has, and what the list keeps fixed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from peers.cases import ELEMENTWISE, TUPLES, Case, Shape

MODES = ("given", "fresh")
DISTRIBUTIONS = ("uniform", "zipf", "sorted", "near", "permuted", "constant", "hot")
BROADCAST = "broadcast"
LAYOUTS = ("transposed", "strided", "padded", BROADCAST)
SMALL_BYTES = 16 << 10
SINGLE_BYTES = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Layout:
    """How the memory of an operand ("data", "indices" or "updates") is arranged that is not contiguous.

    kind: one of LAYOUTS. "transposed": axes reversed; "strided": every other element of the last axis;
        "padded": the last axis is part of a longer one; "broadcast": read-only, with a step of 0 along `axes`.
    axes: ascending; of "broadcast" alone.
    """

    operand: str
    kind: str
    axes: Shape = ()

    def __str__(self) -> str:
        over = f" over {','.join(map(str, self.axes))}" if self.axes else ""
        return f"{self.operand} {self.kind}{over}"


@dataclass(frozen=True)
class DrawnCase(Case):
    """One call, all of whose inputs follow from the fields here.

    mode: "given": outputs are allocated and touched before the call; "fresh": every call allocates
        its output.
    distribution: of the indices, one of DISTRIBUTIONS. Along an axis over which indices are broadcast, the
        first are repeated.
    layouts: of the operands that are not contiguous, at most one each. What is written is never broadcast.
    in_place: "given" only.
    """

    mode: str = "given"
    distribution: str = "uniform"
    layouts: tuple[Layout, ...] = ()
    seed: int = 0
    number: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "draw", self._promise())
        object.__setattr__(self, "title", self._describe())

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        layouts = [Layout(**(one | {"axes": tuple(one["axes"])})) for one in fields["layouts"]]
        return super().from_json(fields | {"layouts": layouts})

    def _promise(self) -> str:
        """What a peer may be told about the indices, in the words of peers.cases."""
        repeated = set(self.broadcast_axes("indices"))
        if self.distribution == "sorted" and self.operator == "IndexAdd":
            return "sorted"
        if self.distribution == "permuted" and self.points <= self.cells and not repeated & set(self.point_axes):
            return "distinct"
        rows = self.operator == "ScatterElements" and len(self.data) == 2 and self.axis == 0
        if rows and self.reduction == "add" and (self.distribution == "constant" or 1 in repeated):
            return "row-constant"
        return "any"

    def _describe(self) -> str:
        words = [self.operator, *(["add"] if self.reduction == "add" else []), self.dtype,
                 f"[{','.join(map(str, self.data))}]"]
        words += [] if self.operator in TUPLES else [f"axis {self.axis}"]
        words += [f"batch {self.batch_dims}"] if self.batch_dims else []
        words += [f"by [{','.join(map(str, self.indices))}]", self.distribution, self.index_dtype]
        words += map(str, self.layouts)
        return " ".join(words + (["in place"] if self.in_place else []))

    @property
    def point_axes(self) -> Shape:
        """The axes of indices along which different points of one lane lie."""
        if self.operator in ELEMENTWISE:
            return (self.axis,)
        return tuple(range(self.batch_dims, len(self.indices) - (self.operator in TUPLES)))

    @property
    def points(self) -> int:
        """How many indices, or tuples of them, address the cells below; per lane if there is one each."""
        return math.prod(self.indices[axis] for axis in self.point_axes)

    @property
    def cells(self) -> int:
        """How many there are for an index or tuple to choose from."""
        if self.operator in TUPLES:
            return math.prod(self.data[self.batch_dims : self.batch_dims + self.indices[-1]])
        return self.data[self.axis]

    @property
    def moves_single_elements(self) -> bool:
        return self.row_bytes in SINGLE_BYTES

    def _stored_bytes(self, operand: str) -> int:
        """Of the operand's elements, each counted once where it is broadcast."""
        extents = (1 if axis in self.broadcast_axes(operand) else extent
                   for axis, extent in enumerate(self.shape_of(operand)))
        return math.prod(extents) * np.dtype(self.index_dtype if operand == "indices" else self.dtype).itemsize

    @property
    def bytes_moved(self) -> int:
        """What the call has to read and to write, once each. Data is read where it is addressed, and
        counted once where it is addressed often; a scatter in place leaves the rest of its data."""
        direct = self.direct_elements * np.dtype(self.dtype).itemsize
        data, indices = self._stored_bytes("data"), self._stored_bytes("indices")
        touched = min(data, direct)
        if not self.is_scatter:
            return touched + direct + indices
        read = self._stored_bytes("updates") + indices
        if self.in_place:
            return read + touched * (2 if self.reduction == "add" else 1)
        return read + data + math.prod(self.data) * np.dtype(self.dtype).itemsize

    @property
    def is_small(self) -> bool:
        return self.bytes_moved < SMALL_BYTES

    def shape_of(self, operand: str) -> Shape:
        return {"data": self.data, "indices": self.indices, "updates": self.direct}[operand]

    def layout_of(self, operand: str) -> Layout | None:
        """None: contiguous, as is what would be broadcast over nothing but axes of one element."""
        for one in self.layouts:
            if one.operand == operand and (one.kind != BROADCAST or self.broadcast_axes(operand)):
                return one
        return None

    def broadcast_axes(self, operand: str) -> Shape:
        """Those with more than one element."""
        shape = self.shape_of(operand)
        return tuple(axis for one in self.layouts if one.operand == operand for axis in one.axes if shape[axis] > 1)

    def lies_elsewhere(self, operand: str) -> bool:
        return self.layout_of(operand) is not None

    def base_shape(self, operand: str) -> Shape:
        """Of the contiguous memory in which the operand lies."""
        shape, layout = self.shape_of(operand), self.layout_of(operand)
        if layout is None:
            return shape
        if layout.kind == "transposed":
            return shape[::-1]
        if layout.kind == BROADCAST:
            return tuple(1 if axis in layout.axes else extent for axis, extent in enumerate(shape))
        last = 2 * shape[-1] if layout.kind == "strided" else shape[-1] + max(1, shape[-1] // 4)
        return (*shape[:-1], last)

    def view(self, operand: str, base: Any) -> Any:
        """The operand in its memory; base: an array of NumPy's or JAX's."""
        shape, layout = self.shape_of(operand), self.layout_of(operand)
        if layout is None:
            return base
        if layout.kind == "transposed":
            return base.T
        if layout.kind == BROADCAST:
            return base.__array_namespace__().broadcast_to(base, shape)
        return base[..., ::2] if layout.kind == "strided" else base[..., : shape[-1]]

    def base_of(self, operand: str, array: np.ndarray) -> np.ndarray:
        if not self.lies_elsewhere(operand):
            return array
        # The owner of memory that numpy.load() has read is flat.
        assert array.base is not None
        return array.base.reshape(self.base_shape(operand))
