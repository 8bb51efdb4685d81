"""Ranks of an MPI program, by mpi4py."""

from __future__ import annotations

import atexit
import importlib
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from windrow._base.errors import ArgumentError, FileError, needed_by
from windrow.distributed._exchange import Exchange, parts_of
from windrow.distributed._turns import settled

# Requests that were left behind, with the memory to which MPI may still write.
_ABANDONED: list[Any] = []
# After these times of waiting, in seconds, a rank leaves its core to others, and sleeps between two looks. It sleeps
# only where small messages are due, of ranks that still compute: MPI moves large ones while it is asked about them.
_SPIN, _AWAKE, _PAUSE = 50e-6, 10e-3, 0.5e-3


class MpiExchange(Exchange):
    """An exchange by MPI, over a duplicate of an mpi4py communicator.

    comm: an mpi4py.MPI.Intracomm; None: MPI.COMM_WORLD.
    timeout: seconds that a call waits for the other ranks before it raises windrow.FileError. A
        rank that is still computing keeps the others waiting, too. None: for ever.
    piece_bytes: longer messages are sent in pieces of this number of bytes, 1 to 2^31-1.

    A process that ends by an exception, or after a call of this exchange has failed, ends all ranks by MPI_Abort after
    a message: MPI would wait for the ranks in its finalisation otherwise. So does sys.exit() with a code that is not 0,
    but only out of a `with` block of the exchange. close() frees the communicator; so does the end of a `with` block
    that no exception leaves.
    Collective. Raises ImportError without mpi4py, windrow.ArgumentError (MPI is not initialised or was finalised; an
    argument of the wrong kind), windrow.FileError.
    """

    def __init__(self, comm: Any = None, *, timeout: float | None = None, piece_bytes: int = 2**30) -> None:
        with needed_by("windrow.distributed.MpiExchange", "mpi4py"):
            # Not imported by name: type checkers have it rarely.
            MPI: Any = importlib.import_module("mpi4py.MPI")
        self._mpi = MPI
        self._comm: Any = None
        if not MPI.Is_initialized() or MPI.Is_finalized():
            raise ArgumentError(f"MPI {'was finalised' if MPI.Is_finalized() else 'is not initialised'}")
        whole = MPI.COMM_WORLD if comm is None else comm
        if not isinstance(whole, MPI.Intracomm) or whole == MPI.COMM_NULL:
            raise ArgumentError("comm must be an mpi4py.MPI.Intracomm that this rank belongs to")
        if timeout is not None and not timeout > 0:
            raise ArgumentError(f"timeout is {timeout}, must be above 0 seconds, or None")
        if not 1 <= piece_bytes < 2**31:
            raise ArgumentError(f"piece_bytes is {piece_bytes}, must be at least 1 and below 2^31")
        self._timeout = timeout
        self._piece = piece_bytes
        self._failure = ""
        self._rank, self._ranks = int(whole.Get_rank()), int(whole.Get_size())
        try:
            self._comm = whole.Dup()
            self._comm.Set_errhandler(MPI.ERRORS_RETURN)
        except MPI.Exception as error:
            raise FileError(f"rank {self._rank}: MPI: {error}") from error
        atexit.register(self._at_exit)

    @property
    def rank(self) -> int:
        """This rank's number in the communicator."""
        return self._rank

    @property
    def ranks(self) -> int:
        """The number of ranks of the communicator."""
        return self._ranks

    def use_threads(self) -> bool:
        """Whether MPI was initialised for threads that call it at the same time: MPI_THREAD_MULTIPLE.

        mpi4py asks for that when it is imported, unless mpi4py.rc says otherwise; some builds of MPI give less.
        """
        return bool(self._mpi.Query_thread() == self._mpi.THREAD_MULTIPLE)

    def close(self) -> None:
        """Frees the communicator; no table may use the exchange any more. Collective."""
        settled(self)
        atexit.unregister(self._at_exit)
        comm, self._comm = self._comm, None
        if comm is not None and not self._mpi.Is_finalized():
            comm.Free()

    def __enter__(self) -> MpiExchange:
        return self

    def __exit__(self, kind: Any, error: Any, *details: Any) -> None:
        if kind is None and not self._failure:
            self.close()
        elif isinstance(error, SystemExit) and error.code:
            # At the end of the process Python no longer knows of it.
            self._failure = self._failure or f"SystemExit: {error}"

    def exchange_numbers(self, to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """As for Exchange. Raises windrow.FileError."""
        got = np.empty_like(to)
        self._finish(lambda comm: [comm.Ialltoall(to, got)], (to, got), awake=_AWAKE)
        return got

    def exchange_bytes(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...]
    ) -> npt.NDArray[np.uint8]:
        """As for Exchange. Raises windrow.FileError."""
        got = np.empty(sum(receives), np.uint8)
        self._finish(lambda comm: self._start(comm, parts_of(to, sends), parts_of(got, receives)), (to, got))
        return got

    def exchange_both(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...], numbers: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """As for Exchange, at once. Raises windrow.FileError."""
        got = np.empty(sum(receives), np.uint8)
        got_numbers = np.empty_like(numbers)

        def start(comm: Any) -> list[Any]:
            pieces = self._start(comm, parts_of(to, sends), parts_of(got, receives))
            return [comm.Ialltoall(numbers, got_numbers), *pieces]

        self._finish(start, (to, got, numbers, got_numbers))
        return got, got_numbers

    def _start(self, comm: Any, to: list[npt.NDArray[Any]], got: list[npt.NDArray[Any]]) -> list[Any]:
        """Requests for all pieces. Each rank begins with its neighbour, so that not all send to the same one first."""
        requests = []
        for step in range(1, self._ranks):
            source = (self._rank - step) % self._ranks
            requests += [comm.Irecv([piece, self._mpi.BYTE], source) for piece in self._pieces(got[source])]
        for step in range(1, self._ranks):
            target = (self._rank + step) % self._ranks
            requests += [comm.Isend([piece, self._mpi.BYTE], target) for piece in self._pieces(to[target])]
        return requests

    def _pieces(self, part: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        return [part[at : at + self._piece] for at in range(0, len(part), self._piece)]

    def _finish(self, start: Callable[[Any], list[Any]], memory: Any, awake: float = math.inf) -> None:
        """Waits for the requests that `start` makes, without sleep for `awake` seconds. `memory` stays if that fails."""
        if self._comm is None:
            raise FileError(f"rank {self._rank}: MPI: the exchange was closed")
        requests: list[Any] = []
        try:
            requests = start(self._comm)
            self._wait(requests, awake)
        except BaseException as error:
            _ABANDONED.append((requests, memory))
            self._failure = f"{type(error).__name__}: {error}"
            if isinstance(error, self._mpi.Exception):
                raise FileError(f"rank {self._rank}: MPI: {error}") from error
            raise

    def _wait(self, requests: list[Any], awake: float) -> None:
        begin = time.monotonic()
        # mpi4py's Testall drops the requests that are done.
        while not self._mpi.Request.Testall(requests):
            waited = time.monotonic() - begin
            if self._timeout is not None and waited > self._timeout:
                raise FileError(f"rank {self._rank} has waited for other ranks for {self._timeout} s")
            if waited > awake:
                time.sleep(_PAUSE)
            elif waited > _SPIN:
                os.sched_yield()

    def _at_exit(self) -> None:
        """Ends all ranks where this one ends early."""
        # Set by Python when an exception ends the program.
        ended_by = getattr(sys, "last_value", None)
        failure = self._failure or (f"{type(ended_by).__name__}: {ended_by}" if ended_by is not None else "")
        if not failure or self._ranks == 1 or self._mpi.Is_finalized():
            return
        print(f"windrow: rank {self._rank} ends all ranks: {failure}", file=sys.stderr, flush=True)
        self._comm.Abort(1)
