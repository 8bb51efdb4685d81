"""Makes a case that is behind smaller, extent by extent, as long as it stays behind."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from draws.cases import DrawnCase
from peers.cases import ELEMENTWISE, Shape

CLOSE = 1.2  # A search ends where the bounds are this close.


def _with(shape: Shape, axis: int, extent: int) -> Shape:
    return (*shape[:axis], extent, *shape[axis + 1 :])


@dataclasses.dataclass(frozen=True)
class Extent:
    """One that can change alone: an axis of data, of the indices, or of both together."""

    data_axis: int | None
    index_axis: int | None

    def of(self, case: DrawnCase) -> int:
        if self.data_axis is not None:
            return case.data[self.data_axis]
        assert self.index_axis is not None
        return case.indices[self.index_axis]

    def changed(self, case: DrawnCase, extent: int) -> DrawnCase:
        data, indices = case.data, case.indices
        if self.data_axis is not None:
            data = _with(data, self.data_axis, extent)
        if self.index_axis is not None:
            indices = _with(indices, self.index_axis, extent)
        return dataclasses.replace(case, data=data, indices=indices)


def extents_of(case: DrawnCase) -> Iterator[Extent]:
    """The largest first."""
    if case.operator in ELEMENTWISE:
        found = [Extent(axis, axis) for axis in range(len(case.data)) if axis != case.axis]
        found += [Extent(case.axis, None), Extent(None, case.axis)]
    else:
        # The last axis of tuples says how many indices they have.
        last = len(case.indices) - case.operator.endswith("ND")
        found = [Extent(axis, axis) for axis in range(case.batch_dims)]
        found += [Extent(axis, None) for axis in range(case.batch_dims, len(case.data))]
        found += [Extent(None, axis) for axis in range(case.batch_dims, last)]
    yield from sorted(found, key=lambda one: one.of(case), reverse=True)


def _least(case: DrawnCase, extent: Extent, is_behind: Callable[[DrawnCase], bool]) -> DrawnCase:
    """The case with the least of this extent at which it is behind, by bisection."""
    low, best = 0, case
    while (high := extent.of(best)) - low > 1 and high > CLOSE * max(low, 1):
        smaller = extent.changed(best, (low + high) // 2)
        if is_behind(smaller):
            best = smaller
        else:
            low = (low + high) // 2
    return best


def smallest_behind(case: DrawnCase, is_behind: Callable[[DrawnCase], bool]) -> DrawnCase:
    """case: one that is behind. No extent of the result can be a good deal smaller alone."""
    while True:
        start = case
        for extent in extents_of(start):
            case = _least(case, extent, is_behind)
        if case == start:
            return case
