"""Which rank has which rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np
import numpy.typing as npt

from windrow import _core


class ShardMap:
    """The distribution of a table's rows over ranks, the same on every rank.

    contiguous(), hashed(): make one. by: "contiguous" or "hash"; ranks, rows: their numbers.
    """

    def __init__(self, own: _core.ShardMap) -> None:
        self._map = own

    @classmethod
    def contiguous(cls, rows_of_ranks: Sequence[int]) -> ShardMap:
        """Rank r has rows_of_ranks[r] successive rows, rank 0 the first ones. Raises windrow.ArgumentError.

        >>> from windrow.distributed import ShardMap
        >>> ShardMap.contiguous([2, 0, 3]).place(2)
        (2, 0)
        """
        return cls(_core.ShardMap.contiguous([index(rows) for rows in rows_of_ranks]))

    @classmethod
    def hashed(cls, rows: int, ranks: int) -> ShardMap:
        """Rows in an order that depends on nothing but their number, dealt to the ranks in turn.

        No rank has more than one row more than another. Raises windrow.ArgumentError.

        >>> from windrow.distributed import ShardMap
        >>> spread = ShardMap.hashed(10, 4)
        >>> [spread.rows_of(rank) for rank in range(4)]
        [3, 3, 2, 2]
        """
        return cls(_core.ShardMap.hashed(index(rows), index(ranks)))

    @property
    def by(self) -> str:
        """"contiguous" or "hash"."""
        return self._map.by

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._map.ranks

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return self._map.rows

    def rows_of(self, rank: int) -> int:
        """The number of rows of a rank. Raises windrow.ArgumentError."""
        return self._map.rows_of(index(rank))

    def rows_at(self, rank: int) -> npt.NDArray[np.int64]:
        """The rows of the table that a rank has, in the order of its shard: `table[map.rows_at(rank)]` is the shard.

        Raises windrow.ArgumentError.
        """
        return self._map.rows_at(index(rank))

    def place(self, row: int) -> tuple[int, int]:
        """The rank that has a row of the table, and the row of its shard. Raises windrow.ArgumentError."""
        return self._map.place(index(row))

    def ranks_of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The rank of each row of the table, as place() says it. rows: of shape (n,). Raises windrow.ArgumentError."""
        if self.by == "contiguous" and len(rows):
            for row in (rows.min(), rows.max()):
                self.place(int(row))
            ends = np.cumsum([self.rows_of(rank) for rank in range(self.ranks)])
            return np.searchsorted(ends, rows, side="right").astype(np.int64)
        return np.array([self.place(row)[0] for row in rows.tolist()], np.int64)

    def __repr__(self) -> str:
        return f"<windrow.distributed.ShardMap of {self.rows} rows, {self.by}, on {self.ranks} ranks>"
