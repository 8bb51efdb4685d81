"""Ids that are skewed: the lower a row's number, the more often it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Skew:
    """Row i of `rows` has the probability of x in [i + 1, i + 2) where the density of x falls as x ** -exponent.

    This is Zipf's law, smoothed within each row: an exponent of 0 draws all rows equally often, words of a text have
    about 1. Both functions are exact and take no memory for the rows.
    """

    rows: int
    exponent: float

    def _mass(self, x: npt.ArrayLike) -> Floats:
        """The integral of the density from 1 to x, times a constant."""
        logs = np.log(np.asarray(x, np.float64))
        power = 1 - self.exponent
        return np.expm1(power * logs) / power if power else logs

    def below(self, row: npt.ArrayLike) -> Floats:
        """The probability of a row whose number is less than `row`."""
        return self._mass(np.asarray(row, np.float64) + 1) / self._mass(self.rows + 1)

    def draw(self, generator: np.random.Generator, shape: int | tuple[int, ...]) -> Integers:
        """Rows of this distribution."""
        mass = generator.random(shape) * self._mass(self.rows + 1)
        power = 1 - self.exponent
        logs = np.log1p(power * mass) / power if power else mass
        return np.minimum(np.exp(logs).astype(np.int64) - 1, self.rows - 1)
