"""Ranks of torch.distributed."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

from windrow._base.errors import ArgumentError, FileError, needed_by
from windrow.distributed._exchange import Exchange


class TorchExchange(Exchange):
    """An exchange by a process group of torch.distributed, in the CPU's memory.

    group: as torch.distributed takes it; None: the default group, which torch.distributed.init_process_group() has
    made. Its backend for the CPU must have all_to_all_single: gloo has it (and NCCL knows no CPU memory). Messages are
    ordered with those that the program itself sends in the group, in the order of the calls; from the first
    take_async() or batches() of a table on they are sent in a new group of the same ranks.

    A rank that waits for one which has ended, or longer than the group's timeout, raises windrow.FileError.
    Raises ImportError without torch, windrow.ArgumentError (no process group; one without this rank or without a
    backend for the CPU).
    """

    def __init__(self, group: Any = None) -> None:
        with needed_by("windrow.distributed.TorchExchange", "torch"):
            # Not imported by name: type checkers have it rarely.
            torch: Any = importlib.import_module("torch")
            distributed: Any = importlib.import_module("torch.distributed")
        if not distributed.is_available() or not distributed.is_initialized():
            raise ArgumentError("torch.distributed has no process group: call torch.distributed.init_process_group()")
        rank = distributed.get_rank(group)
        if rank < 0:
            raise ArgumentError("this process is not in the group")
        config = distributed.get_backend_config(group)
        if "cpu:" not in config:
            raise ArgumentError(
                f"the group's backend is {config}, which has no CPU memory: make the group with backend='gloo', or "
                "'cpu:gloo,cuda:nccl'"
            )
        self._torch = torch
        self._group = group
        self._cpu_backend = config.split("cpu:", 1)[1].split(",", 1)[0]
        self._rank = int(rank)
        self._ranks = int(distributed.get_world_size(group))

    @property
    def rank(self) -> int:
        """This rank's number in the group."""
        return self._rank

    @property
    def ranks(self) -> int:
        """The number of ranks of the group."""
        return self._ranks

    def use_threads(self) -> bool:
        """Makes a group of its own, so that the program's messages do not meet those of another thread.

        Collective. True with gloo, the only backend for the CPU of which that is known. Raises windrow.FileError.
        """
        if self._cpu_backend != "gloo":
            return False
        distributed = self._torch.distributed
        whole = distributed.group.WORLD if self._group is None else self._group
        timeout = whole._get_backend(self._torch.device("cpu")).options._timeout
        try:
            self._group = distributed.new_group(
                distributed.get_process_group_ranks(whole), timeout, "gloo", use_local_synchronization=True
            )
        except RuntimeError as error:
            raise FileError(f"rank {self._rank}: torch.distributed: {error}") from error
        return True

    def exchange_numbers(self, to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """As for Exchange. Raises windrow.FileError."""
        got = np.empty_like(to)
        self._all_to_all((got, to, None, None))
        return got

    def exchange_bytes(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...]
    ) -> npt.NDArray[np.uint8]:
        """As for Exchange. Raises windrow.FileError."""
        got = np.empty(sum(receives), np.uint8)
        self._all_to_all((got, to, list(receives), list(sends)))
        return got

    def exchange_both(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...], numbers: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """As for Exchange, at once. Raises windrow.FileError."""
        got = np.empty(sum(receives), np.uint8)
        got_numbers = np.empty_like(numbers)
        self._all_to_all((got, to, list(receives), list(sends)), (got_numbers, numbers, None, None))
        return got, got_numbers

    def _all_to_all(
        self, *exchanges: tuple[npt.NDArray[Any], npt.NDArray[Any], list[int] | None, list[int] | None]
    ) -> None:
        """Exchanges that go on at the same time: what is received, what is sent, and the lengths of their parts."""
        torch = self._torch
        try:
            begun = [
                torch.distributed.all_to_all_single(
                    torch.from_numpy(got), torch.from_numpy(to), receives, sends, group=self._group, async_op=True
                )
                for got, to, receives, sends in exchanges
            ]
            for work in begun:
                work.wait()
        except RuntimeError as error:
            raise FileError(f"rank {self._rank}: torch.distributed: {error}") from error
