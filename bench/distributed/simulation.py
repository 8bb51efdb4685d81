"""The rounds of one collective take, message by message, on ids that were drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from distributed.drawn_ids import Floats, Integers
from distributed.model import ROUNDS, Traffic, traffic_of
from distributed.setting import ANNOUNCED_BYTES, Network, Setting

# The rank that has each of some rows.
OwnersOf = Callable[[Integers], Integers]


def owners_by(setting: Setting, seed: int = 0) -> OwnersOf:
    """The owners of rows. By hash they are as if drawn by the seed, once for each row."""
    if setting.by == "contiguous":
        return lambda rows: np.searchsorted(setting.ends, rows, side="right").astype(np.int64)

    def spread(rows: Integers) -> Integers:
        # SplitMix64's mixing of bits.
        bits = rows.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
        return ((bits ^ (bits >> np.uint64(31))) % np.uint64(setting.ranks)).astype(np.int64)

    return spread


def drawn_traffic(setting: Setting, ids_of: Callable[[int], Integers], owners_of: OwnersOf) -> Traffic:
    """What travels for the ids that ids_of(rank) gives."""
    ranks = setting.ranks
    rows = np.zeros((ranks, ranks))
    own = np.zeros(ranks)
    for rank in range(ranks):
        distinct = np.unique(ids_of(rank))
        owners = owners_of(distinct)
        own[rank] = np.count_nonzero(owners == rank)
        travels = (owners != rank) & (distinct >= setting.kept_below[rank])
        rows[rank] = np.bincount(owners[travels], minlength=ranks)
    return traffic_of(setting, rows, (rows > 0).astype(np.float64), own)


class Clock:
    """When each rank is ready, and how exchanges move that on."""

    def __init__(self, ranks: int, network: Network) -> None:
        self.now = np.zeros(ranks)
        self._network = network

    def work(self, seconds: npt.ArrayLike) -> None:
        """Each rank computes."""
        self.now = self.now + seconds

    def exchange(self, sizes: Floats, present: npt.NDArray[np.bool_]) -> None:
        """Rank r sends sizes[r, o] bytes to rank o where a message is present; a rank goes on when it has sent and
        received all of its own.

        A rank sends one message after another, to its neighbour first, and receives one after another in the order in
        which they come. A receiver takes in a message while it is being sent; the network between them has no limit.
        """
        network, ranks = self._network, len(self.now)
        if not present.any():
            return
        each = np.arange(ranks)
        targets = (each[:, np.newaxis] + np.arange(1, ranks)) % ranks
        busy = np.where(present, network.message + sizes / network.bandwidth, 0)[each[:, np.newaxis], targets]
        sent = self.now[:, np.newaxis] + np.cumsum(busy, axis=1)
        comes = np.full((ranks, ranks), np.inf)
        on_wire = sizes[each[:, np.newaxis], targets] / network.bandwidth
        comes[each[:, np.newaxis], targets] = sent - on_wire + network.latency
        comes[~present] = np.inf
        self.now = np.maximum(sent[:, -1], self._received(comes.T, sizes.T, present.T))

    def _received(self, comes: Floats, sizes: Floats, present: npt.NDArray[np.bool_]) -> Floats:
        """By receiver, when it has its last message: each takes its time, after it has come and after the one before."""
        order = np.argsort(comes, axis=1, kind="stable")
        comes = np.maximum(np.take_along_axis(comes, order, 1), self.now[:, np.newaxis])
        there = np.take_along_axis(present, order, 1)
        takes = self._network.message + np.take_along_axis(sizes, order, 1) / self._network.bandwidth
        takes = np.where(there, takes, 0)
        before = np.cumsum(takes, axis=1) - takes
        waits = np.maximum.accumulate(np.where(there, comes - before, -np.inf), axis=1)
        return np.where(there.any(axis=1), waits[:, -1] + takes.sum(axis=1), self.now)

    def numbers(self) -> None:
        """Every rank gives every other one its numbers."""
        ranks, network = len(self.now), self._network
        if network.numbers == "direct":
            self.exchange(np.full((ranks, ranks), float(ANNOUNCED_BYTES)), ~np.eye(ranks, dtype=bool))
            return
        distance = 1
        while distance < ranks:
            # What goes to ranks whose distance has this bit.
            count = np.count_nonzero(np.arange(ranks) & distance)
            self._shift(distance, ANNOUNCED_BYTES * count)
            distance *= 2

    def _shift(self, distance: int, size: int) -> None:
        """Each rank sends one message, to the rank at this distance."""
        ranks = len(self.now)
        sizes, present = np.zeros((ranks, ranks)), np.zeros((ranks, ranks), bool)
        each = np.arange(ranks)
        sizes[each, (each + distance) % ranks] = size
        present[each, (each + distance) % ranks] = True
        self.exchange(sizes, present)


def simulated_times(setting: Setting, network: Network, traffic: Traffic) -> dict[str, float]:
    """Seconds from the end of one step on the slowest rank to the end of the next one there, and "total"."""
    clock = Clock(setting.ranks, network)
    asked = traffic.rows.sum(axis=0)
    travels = traffic.rows > 0
    steps: list[tuple[str, Callable[[], None]]] = [
        ("work", lambda: clock.work(setting.ids * network.per_id)),
        ("announce", clock.numbers),
        *([] if traffic.is_small else [("agree", clock.numbers)]),
        ("ids", lambda: clock.exchange(traffic.rows * setting.id_bytes, travels)),
        ("work", lambda: clock.work((asked + traffic.own_rows) * setting.row_bytes / network.memory)),
        ("rows", lambda: clock.exchange(traffic.rows.T * setting.row_bytes, travels.T)),
        ("work", lambda: clock.work(setting.ids * setting.row_bytes / network.memory)),
        ("end", clock.numbers),
    ]
    times = dict.fromkeys((*ROUNDS, "work"), 0.0)
    for name, step in steps:
        begun = float(clock.now.max())
        step()
        times[name] += float(clock.now.max()) - begun
    return times | {"total": float(clock.now.max())}
