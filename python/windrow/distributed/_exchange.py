"""What a table over ranks needs of whatever moves bytes between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt


class Exchange(ABC):
    """How ranks exchange bytes: the base class of MpiExchange and TorchExchange, and of any other engine.

    The functions that exchange are collective: every rank calls them in the same order, and each call waits for the other ranks.
    Used by one thread at a time: a program that calls them itself lets takes that are under way end before that. What
    they raise is raised by the call of the table on that rank, whose table then refuses every further call. The other
    ranks learn of it by their own exchange alone: an engine must not let them wait for ever.
    """

    @property
    @abstractmethod
    def rank(self) -> int:
        """This rank, from 0 on."""

    @property
    @abstractmethod
    def ranks(self) -> int:
        """The number of ranks, at least 1."""

    @abstractmethod
    def exchange_numbers(self, to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Sends to[r] to rank r. Returns a new array of the same shape, [ranks, n], whose row r is what rank r sent.

        The shape is the same on all ranks. A rank sends to itself, too.
        """

    @abstractmethod
    def exchange_bytes(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...]
    ) -> npt.NDArray[np.uint8]:
        """Sends sends[r] bytes of `to` to rank r. Returns a new array, in which receives[r] bytes are from rank r.

        The parts stand one after another, in the order of the ranks. Both sides know the length of each part, which
        may be 0 and above 2^31; that of this rank itself is 0. `to` is the exchange's to keep.
        """

    def exchange_both(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...], numbers: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """exchange_bytes() and exchange_numbers(), which do not depend on each other: an engine may make both at once.

        One after the other where a class does not say so.
        """
        return self.exchange_bytes(to, sends, receives), self.exchange_numbers(numbers)

    def use_threads(self) -> bool:
        """Whether another thread may make calls, one at a time, while the program goes on and uses its engine itself.

        Asked once, on all ranks, by the first take_async() or batches() of a table: an engine may make here what it
        needs for that. False, as for a class that does not say so: the calls are then made in the caller's thread.
        """
        return False

    def __repr__(self) -> str:
        return f"<windrow.distributed.{type(self).__name__}: rank {self.rank} of {self.ranks}>"


def parts_of(memory: npt.NDArray[Any], lengths: tuple[int, ...]) -> list[npt.NDArray[Any]]:
    """Views of successive parts of an array, a part for each rank."""
    ends = np.cumsum(lengths).tolist()
    return [memory[end - length : end] for end, length in zip(ends, lengths, strict=True)]
