"""A drawn case: what a case of the list has, and what the list keeps fixed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from peers.cases import ELEMENTWISE, TUPLES, Case, Shape

MODES = ("given", "fresh")
DISTRIBUTIONS = ("uniform", "zipf", "sorted", "near", "permuted", "constant", "hot")
LAYOUTS = ("contiguous", "transposed", "strided", "padded")
SMALL_BYTES = 16 << 10
SINGLE_BYTES = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class DrawnCase(Case):
    """One call, all of whose inputs follow from the fields here.

    mode: "given": outputs are allocated and touched before the call; "fresh": every call allocates
        its output.
    distribution: of the indices, one of DISTRIBUTIONS.
    layout, laid_out: how the memory of one operand ("data", "indices" or "updates") is arranged; the
        others are contiguous. "transposed": axes reversed; "strided": every other element of the last
        axis; "padded": the last axis is part of a longer one.
    in_place: "given" only.
    """

    mode: str = "given"
    distribution: str = "uniform"
    layout: str = "contiguous"
    laid_out: str = "data"
    seed: int = 0
    number: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "draw", self._promise())
        object.__setattr__(self, "title", self._describe())

    def _promise(self) -> str:
        """What a peer may be told about the indices, in the words of peers.cases."""
        if self.distribution == "sorted" and self.operator == "IndexAdd":
            return "sorted"
        if self.distribution == "permuted" and self.points <= self.cells:
            return "distinct"
        rows = self.operator == "ScatterElements" and len(self.data) == 2 and self.axis == 0
        if self.distribution == "constant" and rows and self.reduction == "add":
            return "row-constant"
        return "any"

    def _describe(self) -> str:
        words = [self.operator, *(["add"] if self.reduction == "add" else []), self.dtype,
                 f"[{','.join(map(str, self.data))}]"]
        words += [] if self.operator in TUPLES else [f"axis {self.axis}"]
        words += [f"batch {self.batch_dims}"] if self.batch_dims else []
        words += [f"by [{','.join(map(str, self.indices))}]", self.distribution, self.index_dtype]
        if self.layout != "contiguous":
            words.append(f"{self.laid_out} {self.layout}")
        return " ".join(words + (["in place"] if self.in_place else []))

    @property
    def points(self) -> int:
        """How many indices, or tuples of them, address the cells below; per lane if there is one each."""
        if self.operator in ELEMENTWISE:
            return self.indices[self.axis]
        if self.operator in TUPLES:
            return math.prod(self.indices[self.batch_dims : -1])
        return math.prod(self.indices)

    @property
    def cells(self) -> int:
        """How many there are for an index or tuple to choose from."""
        if self.operator in TUPLES:
            return math.prod(self.data[self.batch_dims : self.batch_dims + self.indices[-1]])
        return self.data[self.axis]

    @property
    def moves_single_elements(self) -> bool:
        return self.row_bytes in SINGLE_BYTES

    @property
    def bytes_moved(self) -> int:
        """What the call has to read and to write, once each. Data is read where it is addressed, and
        counted once where it is addressed often; a scatter in place leaves the rest of its data."""
        element = np.dtype(self.dtype).itemsize
        index_bytes = math.prod(self.indices) * np.dtype(self.index_dtype).itemsize
        data, direct = math.prod(self.data) * element, self.direct_elements * element
        touched = min(data, direct)
        if not self.is_scatter:
            return touched + direct + index_bytes
        if self.in_place:
            return direct + touched * (2 if self.reduction == "add" else 1) + index_bytes
        return 2 * data + direct + index_bytes

    @property
    def is_small(self) -> bool:
        return self.bytes_moved < SMALL_BYTES

    def shape_of(self, operand: str) -> Shape:
        return {"data": self.data, "indices": self.indices, "updates": self.direct}[operand]

    def lies_elsewhere(self, operand: str) -> bool:
        return operand == self.laid_out and self.layout != "contiguous"

    def base_shape(self, operand: str) -> Shape:
        """Of the contiguous memory in which the operand lies."""
        shape = self.shape_of(operand)
        if not self.lies_elsewhere(operand):
            return shape
        if self.layout == "transposed":
            return shape[::-1]
        last = 2 * shape[-1] if self.layout == "strided" else shape[-1] + max(1, shape[-1] // 4)
        return (*shape[:-1], last)

    def view(self, operand: str, base: Any) -> Any:
        """The operand in its memory; base: an array of NumPy's or JAX's."""
        if not self.lies_elsewhere(operand):
            return base
        if self.layout == "transposed":
            return base.T
        return base[..., ::2] if self.layout == "strided" else base[..., : self.shape_of(operand)[-1]]
