"""The ranks that a launcher has started, by the variables that it sets for each of them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from windrow._base.errors import ArgumentError, FileError, needed_by
from windrow.distributed._exchange import Exchange
from windrow.distributed._mpi import MpiExchange
from windrow.distributed._torch import TorchExchange

# What tells a process its number and how many there are. Open MPI's mpirun; the launchers of MPICH and its relatives;
# torchrun. MPI comes first: programs for torch.distributed under mpirun set torchrun's variables, too.
_VARIABLES = (
    ("mpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("mpi", "PMI_RANK", "PMI_SIZE"),
    ("torch", "RANK", "WORLD_SIZE"),
)


class Launch(NamedTuple):
    """engine: "mpi" or "torch"; "" for a process that is alone. rank, ranks: as the launcher says."""

    engine: str
    rank: int
    ranks: int


def find_launch() -> Launch:
    """Who has started this process. Raises windrow.ArgumentError for variables that are not numbers."""
    for engine, *names in _VARIABLES:
        if all(name in os.environ for name in names):
            values = [os.environ[name] for name in names]
            if not all(value.isascii() and value.isdigit() for value in values) or int(values[0]) >= int(values[1]):
                raise ArgumentError(
                    f"{names[0]} is {values[0]!r} and {names[1]} is {values[1]!r}: not a rank and a number of ranks"
                )
            launch = Launch(engine, *map(int, values))
            return launch if launch.ranks > 1 else Launch("", 0, 1)
    return Launch("", 0, 1)


class OneRank(Exchange):
    """The exchange of a process that is alone."""

    @property
    def rank(self) -> int:
        """0."""
        return 0

    @property
    def ranks(self) -> int:
        """1."""
        return 1

    def exchange_numbers(self, to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """As for Exchange."""
        return to.copy()

    def exchange_bytes(
        self, to: npt.NDArray[np.uint8], sends: tuple[int, ...], receives: tuple[int, ...]
    ) -> npt.NDArray[np.uint8]:
        """As for Exchange."""
        return to.copy()


@contextmanager
def exchange_of(launch: Launch) -> Iterator[Exchange]:
    """The exchange of the ranks of a launch, closed at the end of the block. Collective.

    Raises ImportError without the engine's package, windrow.FileError (ranks that do not find each other),
    windrow.ArgumentError (mpi4py has another MPI than the launcher's, in which each process would be alone).
    """
    if launch.engine == "mpi":
        with MpiExchange() as exchange:
            if exchange.ranks != launch.ranks:
                raise ArgumentError(
                    f"the launcher has started {launch.ranks} ranks, mpi4py has {exchange.ranks}: they must be of the "
                    "same MPI"
                )
            yield exchange
    elif launch.engine == "torch":
        with _process_group():
            yield TorchExchange()
    else:
        yield OneRank()


@contextmanager
def _process_group() -> Iterator[None]:
    with needed_by("python -m windrow.distributed under torchrun", "torch"):
        # Not imported by name: type checkers have it rarely.
        distributed: Any = importlib.import_module("torch.distributed")
    try:
        distributed.init_process_group("gloo")
    except (RuntimeError, ValueError) as error:
        raise FileError(f"torch.distributed: {error}") from error
    try:
        yield
    finally:
        distributed.destroy_process_group()
