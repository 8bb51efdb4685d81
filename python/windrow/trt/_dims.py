"""TensorRT's shape classes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import ClassVar, SupportsIndex, overload


class Dims(Sequence[int]):
    """A mutable shape of up to MAX_DIMS extents; -1 is an extent that is known only at run time.

    It is equal to every sequence of the same extents. A list or a tuple is accepted wherever a Dims is
    expected. The Dims of a tensor whose layer breaks a rule, or whose rank depends on the inputs of a
    run, have no length: len(), indexing and iteration raise ValueError, and they equal nothing.
    """

    MAX_DIMS: ClassVar[int] = 8
    __hash__ = None  # type: ignore[assignment]  # changes

    # None: no length.
    _extents: list[int] | None

    def __init__(self, shape: Iterable[SupportsIndex] = ()) -> None:
        """Raises ValueError (more than MAX_DIMS extents, or one beyond 64 bits), TypeError."""
        if isinstance(shape, Dims) and shape._extents is None:
            self._extents = None
            return
        extents = [operator.index(extent) for extent in shape]
        if len(extents) > self.MAX_DIMS:
            raise ValueError(f"Input length {len(extents)}. Max expected length is {self.MAX_DIMS}")
        self._extents = [_checked(extent) for extent in extents]

    @classmethod
    def without_rank(cls) -> Dims:
        """The Dims of a tensor without a shape."""
        dims = Dims()
        dims._extents = None
        return dims

    @property
    def _known(self) -> list[int]:
        if self._extents is None:
            raise ValueError(
                "__len__() should return >= 0: the tensor has no shape; the log says which rule its"
                " layer breaks, else its rank depends on the inputs of a run"
            )
        return self._extents

    def __len__(self) -> int:
        return len(self._known)

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> int | tuple[int, ...]:
        """An extent, or a tuple of them. Raises IndexError."""
        if isinstance(index, slice):
            return tuple(self._known[index])
        return self._known[index]

    def __setitem__(
        self, index: SupportsIndex | slice, value: SupportsIndex | Iterable[int]
    ) -> None:
        """Replaces extents by the same number of others. Raises IndexError, ValueError, TypeError."""
        extents = self._known
        if not isinstance(index, slice):
            extents[index] = _checked(operator.index(value))  # type: ignore[arg-type]
            return
        values = [_checked(operator.index(extent)) for extent in value]  # type: ignore[union-attr]
        if len(values) != len(extents[index]):
            raise ValueError(f"{len(values)} extents in place of {len(extents[index])}")
        extents[index] = values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dims):
            return self._extents is not None and self._extents == other._extents
        if isinstance(other, (list, tuple)):
            return self._extents is not None and self._extents == list(other)
        return NotImplemented

    def __str__(self) -> str:
        return "(no shape)" if self._extents is None else str(tuple(self._extents))

    __repr__ = __str__


class _FixedDims(Dims):
    """Dims of a fixed rank, from a sequence or that number of extents; zeros by default."""

    _rank: ClassVar[int]

    def __init__(self, *extents: SupportsIndex | Iterable[SupportsIndex]) -> None:
        given = extents[0] if len(extents) == 1 else extents or (0,) * self._rank
        super().__init__(given)  # type: ignore[arg-type]
        if len(self) != self._rank:
            raise ValueError(f"Input length {len(self)}. Expected length is {self._rank}")


class Dims2(_FixedDims):
    """A shape of two extents: Dims2(shape) or Dims2(dim0, dim1)."""

    _rank = 2


class DimsHW(Dims2):
    """Height and width: DimsHW(shape) or DimsHW(h, w)."""

    @property
    def h(self) -> int:
        """The first extent, the height."""
        return self[0]

    @h.setter
    def h(self, extent: int) -> None:
        self[0] = extent

    @property
    def w(self) -> int:
        """The second extent, the width."""
        return self[1]

    @w.setter
    def w(self, extent: int) -> None:
        self[1] = extent


class Dims3(_FixedDims):
    """A shape of three extents: Dims3(shape) or Dims3(dim0, dim1, dim2)."""

    _rank = 3


class Dims4(_FixedDims):
    """A shape of four extents: Dims4(shape) or Dims4(dim0, dim1, dim2, dim3)."""

    _rank = 4


def _checked(extent: int) -> int:
    if not -(2**63) <= extent < 2**63:
        raise ValueError(f"an extent is {extent}, beyond 64 bits")
    return extent


def volume(iterable: Iterable[int]) -> int:
    """The product of extents; 1 for the empty shape of a scalar."""
    product = 1
    for extent in iterable:
        product *= extent
    return product
