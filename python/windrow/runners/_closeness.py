"""Compares the values that two hosts give for one value of a model: differences of rounding are told from others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow._base.text import counted
from windrow.runners._compare import array_text, element_text, same

# The largest error of a float that counts as rounding, relative to the largest of: both elements, 1, and the median
# magnitude of the value. A sum whose terms cancel is small, and its error is not.
TOLERANCE, TOLERANCE_OF_16_BITS = 1e-4, 1e-2
# The number of elements compared at a time, which bounds the memory of a comparison.
_CHUNK = 1 << 20
# The number of elements from which a median is taken.
_SAMPLE = 1 << 16


@dataclass(frozen=True)
class Distance:
    """How the second of two values differs from the first.

    position: of the first element that differs by more than rounding or, if none does, of the first that differs; None:
    the shapes differ, or one of the values has no numbers. first, second: that element in both values, or "float32[4]".
    differing: how many of `elements` elements differ by more than rounding or, if none does, at all. absolute,
    relative: the largest errors of numbers, None if there are none; a relative error is one of the larger number.
    rounding: whether all differences are of rounding.
    """

    position: tuple[int, ...] | None
    first: str
    second: str
    differing: int
    elements: int
    absolute: float | None
    relative: float | None
    rounding: bool

    @property
    def size(self) -> str:
        """The largest errors: "at most 7, relative 1"; empty if there are none."""
        if self.absolute is None or self.relative is None:
            return ""
        return f"at most {self.absolute:.6g}, relative {self.relative:.3g}"


def find_distance(first: Any, second: Any, tolerance: float | None = None) -> Distance | None:
    """How two hosts' values differ; None if they are equal, NaN equal to NaN and -0 equal to 0.

    Integers are compared as numbers, whatever their types, since hosts widen and narrow them. tolerance: of floats; None
    takes TOLERANCE, or TOLERANCE_OF_16_BITS if either value has a type of at most 16 bits.
    """
    if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
        return None if same(first, second) else Distance(None, _type(first), _type(second), 1, 1, None, None, False)
    kinds = {_kind(first), _kind(second)}
    if first.shape != second.shape or len(kinds) > 1:
        return Distance(None, array_text(first), array_text(second), first.size, first.size, None, None, False)
    if tolerance is None:
        narrow = min(first.dtype.itemsize, second.dtype.itemsize) <= 2
        tolerance = TOLERANCE_OF_16_BITS if narrow else TOLERANCE
    pair = [np.ascontiguousarray(array).reshape(-1) for array in (first, second)]
    is_float = kinds == {"float"}
    found = _Differences(tolerance if is_float else 0.0, max(map(_median, pair)) if is_float else 1.0)
    for start in range(0, first.size, _CHUNK):
        found.add(start, *(array[start : start + _CHUNK] for array in pair))
    return found.distance(first.shape, *pair)


class _Differences:
    """What is known of the elements that were compared.

    least: the magnitude to which errors of smaller elements are relative. first, counts: for all differences, and for those
    beyond rounding.
    """

    def __init__(self, tolerance: float, least: float) -> None:
        self._tolerance, self._least = tolerance, least
        self._first: list[int | None] = [None, None]
        self._counts = [0, 0]
        self._largest: tuple[float, float] | None = None

    def add(self, start: int, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> None:
        if a.dtype.kind in "OTU":
            differs = np.asarray(a.astype(object) != b.astype(object), bool)
            self._count(start, differs, differs)
            return
        if a.dtype.kind in "iub" and b.dtype.kind in "iub":
            a, b = _integers(a), _integers(b)
        with np.errstate(all="ignore"):
            differs = np.asarray(a != b, bool) & ~np.asarray((a != a) & (b != b), bool)
        places = np.flatnonzero(differs)
        if not places.size:
            return
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        x, y = a[places].astype(wide), b[places].astype(wide)
        with np.errstate(all="ignore"):
            error, size = np.abs(x - y), np.maximum(np.abs(x), np.abs(y))
            beyond = ~(error <= self._tolerance * np.maximum(size, self._least)) | ~np.isfinite(size)
        finite = np.isfinite(error)
        if finite.any():
            relative = error[finite] / np.where(size[finite] > 0, size[finite], 1.0)
            known = self._largest or (0.0, 0.0)
            self._largest = max(known[0], float(error[finite].max())), max(known[1], float(relative.max()))
        far = np.zeros_like(differs)
        # Integers that are equal as floats differ all the same.
        far[places] = beyond if self._tolerance else True
        self._count(start, differs, far)

    def _count(self, start: int, *differing: np.ndarray[Any, Any]) -> None:
        for which, places in enumerate(map(np.flatnonzero, differing)):
            self._counts[which] += int(places.size)
            if places.size and self._first[which] is None:
                self._first[which] = start + int(places[0])

    def distance(self, shape: tuple[int, ...], a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Distance | None:
        if self._first[0] is None:
            return None
        which = 0 if self._first[1] is None else 1
        place = self._first[which]
        assert place is not None
        position = tuple(int(index) for index in np.unravel_index(place, shape))
        texts = element_text(a[place]), element_text(b[place])
        absolute, relative = self._largest or (None, None)
        return Distance(position, *texts, self._counts[which], a.size, absolute, relative, which == 0)


def _median(array: np.ndarray[Any, Any]) -> float:
    """The median magnitude of the finite elements that are not 0, of a sample if there are many; at least 1."""
    sample = array[:: max(1, array.size // _SAMPLE)]
    with np.errstate(all="ignore"):
        sizes = np.abs(sample.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    return max(1.0, float(np.median(sizes))) if sizes.size else 1.0


def _integers(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same numbers in a type in which both operands of a comparison are exact: uint64 stays."""
    return array if array.dtype.itemsize == 8 else array.astype(np.int64)


def _kind(array: np.ndarray[Any, Any]) -> str:
    kind = array.dtype.kind
    return "text" if kind in "OTUS" else "integer" if kind in "iub" or "int" in array.dtype.name else "float"


def _type(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"a sequence of {counted(len(value), 'element')}"
    return array_text(value) if isinstance(value, np.ndarray) else str(value)
