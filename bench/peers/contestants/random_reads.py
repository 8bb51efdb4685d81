"""The limit of random accesses: native code that visits a case's cells and does nothing else.

It reads ready-made offsets, loads each cell, with prefetches ahead, and sums what it loads; of a
scatter it reads, changes and writes each. There is no check, no conversion, no output.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
import weakref
from collections.abc import Iterator

import numpy as np

from peers.cases import ELEMENTWISE, Case
from peers.check import row_offsets
from peers.contestants import Inputs, NotOffered, Spelling

VARIABLE = "WINDROW_RANDOM_READS"
DISTANCES = (0, 32, 64, 96, 128, 192)  # 0: no prefetch.
ROW_BYTES = (1, 2, 4, 8, 16)
LINE_BYTES = 64


class Job(ctypes.Structure):
    """As in bench/random_reads.cc."""

    _fields_ = [
        ("rows", ctypes.c_void_p), ("offsets", ctypes.c_void_p), ("count", ctypes.c_uint64),
        ("distance", ctypes.c_uint64), ("row_bytes", ctypes.c_uint32),
        ("offset_bytes", ctypes.c_uint32), ("writes", ctypes.c_uint32)]


def _load() -> ctypes.CDLL:
    path = os.environ.get(VARIABLE)
    if not path:
        raise ImportError(f"{VARIABLE} does not say where the library is")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(str(error)) from error
    library.random_reads_new_team.restype = ctypes.c_void_p
    library.random_reads_new_team.argtypes = [ctypes.c_uint32]
    library.random_reads_delete_team.restype = None
    library.random_reads_delete_team.argtypes = [ctypes.c_void_p]
    library.random_reads_run.restype = ctypes.c_bool
    library.random_reads_run.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Job), ctypes.POINTER(ctypes.c_uint64)]
    return library


LIBRARY = _load()


class Team:
    """Threads that wait between calls."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._team = LIBRARY.random_reads_new_team(threads)
        weakref.finalize(self, LIBRARY.random_reads_delete_team, self._team)
        self._sum = ctypes.c_uint64()

    def run(self, job: Job) -> int:
        """The sum of the words read, modulo 2**64; nothing of a job that writes."""
        if not LIBRARY.random_reads_run(self._team, job, self._sum):
            raise ValueError(f"rows of {job.row_bytes} bytes at offsets of {job.offset_bytes}")
        return self._sum.value


def versions() -> dict[str, str]:
    return {}


def make_job(rows: np.ndarray, offsets: np.ndarray, row_bytes: int, distance: int,
             writes: bool) -> Job:
    """The arrays must live as long."""
    return Job(rows.ctypes.data, offsets.ctypes.data, offsets.size, distance, row_bytes,
               offsets.itemsize, writes)


def orders(case: Case, offsets: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """The direct tensor's order and, where columns are walked, that of column tiles of a line."""
    yield "", offsets.reshape(-1)
    width = LINE_BYTES // case.row_bytes
    if case.operator in ELEMENTWISE and case.axis != offsets.ndim - 1 and offsets.ndim == 2:
        tiles = [offsets[:, at : at + width].reshape(-1) for at in range(0, len(offsets[0]), width)]
        yield "column tiles, ", np.concatenate(tiles)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if not case.moves_single_elements or case.row_bytes not in ROW_BYTES:
        raise NotOffered("the case moves no single elements")
    rows = np.zeros_like(inputs["data"]) if case.is_scatter else inputs["data"]
    ordered = orders(case, row_offsets(case, inputs["indices"]))
    # One thread may be the fastest: to wake another takes longer than a small job.
    teams = [Team(count) for count in sorted({1, threads})]
    for (order, offsets), team, distance in itertools.product(ordered, teams, DISTANCES):
        job = make_job(rows, offsets, case.row_bytes, distance, case.is_scatter)
        ahead = f"prefetch {distance} ahead" if distance else "no prefetch"
        yield Spelling(f"{order}{ahead}, threads {team.threads}",
                       functools.partial(team.run, job), keep=(rows, offsets))
