"""Steps of optimisers on the rows of a table over ranks whose gradients are not zero."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow._base.errors import ArgumentError
from windrow.distributed._agreement import together
from windrow.distributed._exchange import Exchange
from windrow.distributed._sums import sum_updates
from windrow.distributed._table import ShardedTable

# The numbers of rows, and a gradient for each.
RowGradients: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[Any]]
_OPTIMIZERS = ("sgd", "adagrad")


class Settings(NamedTuple):
    """The arguments of a step."""

    optimizer: str
    lr: float
    eps: float

    def check(self) -> None:
        """Raises windrow.ArgumentError."""
        if self.optimizer not in _OPTIMIZERS:
            raise ArgumentError(f"optimizer is {self.optimizer!r}, must be one of {', '.join(_OPTIMIZERS)}")
        for name, value in (("lr", self.lr), ("eps", self.eps)):
            if not (isinstance(value, (int, float)) and math.isfinite(value) and value >= 0):
                raise ArgumentError(f"{name} is {value!r}, must be a finite number that is not negative")

    def numbers(self) -> list[int]:
        """The same settings are the same numbers."""
        bits = np.array([self.lr, self.eps], np.float64).view(np.int64)
        return [_OPTIMIZERS.index(self.optimizer), *bits.tolist()]


def agree(exchange: Exchange, settings: Settings, gradients: dict[int, RowGradients]) -> list[int]:
    """The numbers of the look-ups for which any rank has gradients, ascending; gradients: those of this rank.

    Collective. Raises windrow.Error, the same on all ranks, if settings are wrong or differ.
    """
    together(exchange, settings.check)
    own = np.array([*settings.numbers(), len(gradients)], np.int64)
    seen = exchange.exchange_numbers(np.tile(own, (exchange.ranks, 1)))
    for rank, numbers in enumerate(seen[:, :-1]):
        if (numbers != seen[0, :-1]).any():
            raise ArgumentError(
                f"rank {rank} makes {_described(numbers)}, rank 0 {_described(seen[0])}: all ranks must make the same "
                "step"
            )
    listed = np.full(int(seen[:, -1].max()), -1, np.int64)
    listed[: len(gradients)] = sorted(gradients)
    all_listed = np.unique(exchange.exchange_numbers(np.tile(listed, (exchange.ranks, 1))))
    return [number for number in all_listed.tolist() if number >= 0]


def _described(numbers: npt.NDArray[np.int64]) -> str:
    lr, eps = numbers[1:3].copy().view(np.float64).tolist()
    return f"a step of {_OPTIMIZERS[numbers[0]]} with lr={lr} and eps={eps}"


def step(
    table: ShardedTable, squares: ShardedTable | None, settings: Settings, gradients: list[RowGradients]
) -> None:
    """Changes the rows whose gradients are given, each on the rank that has it. squares: Adagrad's sums; None: SGD.

    Every operation is NumPy's and is rounded once, in float32 where the table has float16: the same bits for any row,
    wherever it stands. Collective; errors as for ShardedTable.
    """
    computed = np.result_type(table.dtype, np.float32)
    gradients = [(ids, given.astype(computed, copy=False)) for ids, given in gradients]
    rows, sums = sum_updates(table, gradients, computed)
    if squares is not None:
        squared = squares.take(rows)
        squared += (sums * sums).astype(squared.dtype, copy=False)
        squares.assign(rows, squared)
        sums = sums / (np.sqrt(squared) + squared.dtype.type(settings.eps))
    changed = table.take(rows) - sums * sums.dtype.type(settings.lr)
    table.assign(rows, changed.astype(table.dtype, copy=False))
