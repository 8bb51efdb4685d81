"""The fillings of recipes: elements from a seed. cases/README.md defines them in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]
_STEP, _FIRST, _SECOND = (np.uint64(word) for word in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def filled(dtype: str, shape: tuple[int, ...], fill: Mapping[str, Any]) -> _Array:
    """The array that a filling describes. Raises KeyError for an unknown kind, TypeError for missing numbers."""
    numbers = {name: value for name, value in fill.items() if name != "kind"}
    count = int(np.prod(shape, dtype=np.int64))
    if fill["kind"] == "bits":
        elements = words(numbers["seed"], count).astype(f"u{np.dtype(dtype).itemsize}").view(dtype)
    else:
        elements = _KINDS[fill["kind"]](count, **numbers).astype(dtype)
    return elements.reshape(shape)


def words(seed: int, count: int) -> _Array:
    """SplitMix64: word i is output number i + 1 of the generator that starts with the seed."""
    with np.errstate(over="ignore"):
        word = np.uint64(seed) + _STEP * np.arange(1, count + 1, dtype=np.uint64)
        word = (word ^ (word >> np.uint64(30))) * _FIRST
        word = (word ^ (word >> np.uint64(27))) * _SECOND
        return word ^ (word >> np.uint64(31))


def _uniform(count: int, seed: int, low: int, high: int) -> _Array:
    return low + (words(seed, count) % np.uint64(high - low)).astype(np.int64)


def _affine(count: int, factor: int, offset: int, extent: int) -> _Array:
    return (factor * np.arange(count, dtype=np.int64) + offset) % extent


def _fraction(count: int, seed: int) -> _Array:
    return (words(seed, count) >> np.uint64(40)).astype(np.float64) / 2**24 - 0.5


_KINDS: dict[str, Callable[..., _Array]] = {"uniform": _uniform, "affine": _affine, "fraction": _fraction}
