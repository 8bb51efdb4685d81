"""Whether two runs gave the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


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
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    if first.dtype == object:
        return bool(first.tolist() == second.tolist())
    if _bytes(first) == _bytes(second):
        return True
    with np.errstate(invalid="ignore"):
        both_nan = (first != first) & (second != second)
    return _bytes(np.where(both_nan, 0, first).astype(first.dtype)) == _bytes(
        np.where(both_nan, 0, second).astype(first.dtype)
    )


def _bytes(array: np.ndarray[Any, Any]) -> bytes:
    return array.tobytes()
