"""The interval of a median, without any assumption on how times are distributed."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

CONFIDENCE = 0.95
LEAST_ROUNDS = 6  # Of fewer not even the range holds the median with that probability.


@dataclass(frozen=True)
class Interval:
    """A median and bounds between which the true one lies with 95 % confidence."""

    median: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def _coverage(count: int, cut: int) -> float:
    """How probable it is that the median lies inside when the lowest and highest `cut` are left out."""
    outside = sum(math.comb(count, below) for below in range(cut + 1))
    return 1 - 2 * outside / 2**count


def median_interval(values: list[float]) -> Interval:
    """The narrowest that order statistics give; of fewer than LEAST_ROUNDS values their range."""
    ordered = sorted(values)
    cut = 0
    while 2 * (cut + 1) < len(ordered) and _coverage(len(ordered), cut + 1) >= CONFIDENCE:
        cut += 1
    return Interval(statistics.median(ordered), ordered[cut], ordered[-1 - cut])
