"""What a collective take is asked to do, and the network that it does it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from distributed.drawn_ids import Integers, Skew

# The numbers that a rank announces to each other one: three of 8 bytes.
ANNOUNCED_BYTES = 24


@dataclass(frozen=True)
class Setting:
    """A table and a take of it.

    ranks: their number. ids: how many each rank has. rows, row_bytes: of the table and of one row. exponent: of the
    drawn ids (Skew). by: "contiguous": each rank has as many successive rows as any other, the most frequent ones stand
    on rank 0; "hash": they are spread. kept: how many rows of other ranks each rank keeps, the most frequent of them.
    id_bytes: of an id that travels. reserve: bytes that each rank has for what others ask for in small takes.
    """

    ranks: int
    ids: int
    rows: int
    row_bytes: int
    exponent: float = 0
    by: Literal["contiguous", "hash"] = "contiguous"
    kept: int = 0
    id_bytes: int = 4
    reserve: int = 1 << 20

    @property
    def small_rows(self) -> int:
        """The most rows that a rank may ask another one for if the take is to be small."""
        return self.reserve // max(self.ranks - 1, 1) // (self.id_bytes + self.row_bytes)

    @property
    def skew(self) -> Skew:
        """The distribution of the ids."""
        return Skew(self.rows, self.exponent)

    @property
    def ends(self) -> Integers:
        """By rank, the row after its last one where shards are contiguous."""
        return np.arange(1, self.ranks + 1) * self.rows // self.ranks

    @property
    def kept_below(self) -> Integers:
        """By rank, the row below which it keeps all rows of other ranks."""
        if self.by == "hash":
            others = np.full(self.ranks, self.kept * self.ranks // max(self.ranks - 1, 1), np.int64)
            return np.minimum(others, self.rows)
        firsts = np.concatenate([[0], self.ends[:-1]])
        passed = np.where(self.kept > firsts, self.kept + self.ends - firsts, self.kept)
        return np.minimum(passed, self.rows)


@dataclass(frozen=True)
class Network:
    """Links and machines, all alike. Times in seconds, speeds in bytes a second.

    latency: from the first byte sent to its arrival. message: how long a message occupies its sender, and again its
    receiver, besides its bytes. bandwidth: of each rank, the same each way at a time. numbers: how an engine exchanges
    a few numbers of every pair: "direct": a message of each rank to each other one; "log": in log2(ranks) steps, each a
    message to one rank with what it and ranks behind it are to get. per_id: work on an id at its rank. memory: at which
    rows are gathered.
    """

    latency: float
    message: float = 0
    bandwidth: float = np.inf
    numbers: Literal["direct", "log"] = "direct"
    per_id: float = 0
    memory: float = np.inf
