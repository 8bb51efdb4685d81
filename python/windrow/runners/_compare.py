"""Compares the results of two runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow._base.text import counted, printable

# The number of elements compared at a time, which bounds the memory of a comparison.
_CHUNK = 1 << 20
_LONGEST_TEXT = 60


@dataclass(frozen=True)
class Difference:
    """Where an array differs from the expected one.

    position: of the first element that differs, in row-major order; None: types or shapes differ, or there is no array.
    got, expected: that element, or "float32[4, 3]", or why there is no array. differing: how many elements differ, of
    `elements`. largest: the largest absolute difference of two numbers; None for elements that are not numbers.
    """

    position: tuple[int, ...] | None
    got: str
    expected: str
    differing: int = 0
    elements: int = 0
    largest: float | None = None

    def __str__(self) -> str:
        if self.position is None:
            return f"got {self.got}, expected {self.expected}"
        far = "" if self.largest is None else f", by at most {self.largest:.6g}"
        verb = "differs" if self.differing == 1 else "differ"
        return (
            f"{self.differing} of {counted(self.elements, 'element')} {verb}{far}; the first is {list(self.position)}: "
            f"got {self.got}, expected {self.expected}"
        )


def differing_outputs(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in `first` whose values `second` does not have with the same bits, NaN equal to NaN."""
    return tuple(name for name in first if name not in second or not same(first[name], second[name]))


def same(first: Any, second: Any) -> bool:
    """Same types, shapes and bits; NaN equals NaN."""
    if isinstance(first, (list, tuple)):
        return (
            isinstance(second, (list, tuple))
            and len(first) == len(second)
            and all(map(same, first, second))
        )
    if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
        return bool(first == second)
    return find_difference(first, second) is None


def find_difference(got: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> Difference | None:
    """How the first array differs in type, shape or bits; None if it does not. NaN equals NaN.

    The elements are compared in pieces, so that the memory needed besides the arrays does not grow with them.
    """
    if got.shape != expected.shape or _type_name(got) != _type_name(expected):
        return Difference(None, array_text(got), array_text(expected))
    given, wanted = (np.ascontiguousarray(array).reshape(-1) for array in (got, expected))
    first, count, largest = -1, 0, None
    for start in range(0, given.size, _CHUNK):
        a, b = given[start : start + _CHUNK], wanted[start : start + _CHUNK]
        places = np.flatnonzero(_differ(a, b))
        if places.size:
            first = start + int(places[0]) if first < 0 else first
            count += int(places.size)
            largest = _larger(largest, _distance(a[places], b[places]))
    if first < 0:
        return None
    position = tuple(int(index) for index in np.unravel_index(first, got.shape))
    return Difference(position, element_text(given[first]), element_text(wanted[first]), count, given.size, largest)


def array_text(array: np.ndarray[Any, Any]) -> str:
    """Type and shape: "float32[4, 3]"."""
    return f"{_type_name(array)}{list(array.shape)}"


def element_text(element: Any) -> str:
    """An element as text: the shortest number that has its bits, or text in quotes, cut if it is long."""
    if isinstance(element, (str, bytes)):
        text = repr(element if isinstance(element, bytes) else str(element))
        return printable(text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}...")
    return str(element)


def _type_name(array: np.ndarray[Any, Any]) -> str:
    return "string" if array.dtype.kind in "OTU" else array.dtype.name


def _differ(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Whether the bits of two elements differ and not both are NaN."""
    if a.dtype.kind in "OTU":
        return np.asarray(a.astype(object) != b.astype(object), bool)
    width = a.dtype.itemsize
    bits = [array.view(np.uint8).reshape(array.size, width) for array in (a, b)]
    differing: np.ndarray[Any, Any] = np.any(bits[0] != bits[1], axis=1)
    if differing.any():
        with np.errstate(invalid="ignore"):
            differing &= ~np.asarray((a != a) & (b != b), bool)
    return differing


def _distance(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float | None:
    """The largest distance of two finite elements; integers may be too large for a float."""
    if a.dtype.kind in "OTUbSc":
        return None
    with np.errstate(all="ignore"):
        far = np.abs(a.astype(np.float64) - b.astype(np.float64))
    finite = far[np.isfinite(far)]
    return float(finite.max()) if finite.size else None


def _larger(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else max(a, b)
