"""Native code that reads memory, or visits rows at ready-made offsets, and does nothing else: bench/random_reads.cc
and bench/random_updates.cc."""

from __future__ import annotations

import ctypes
import weakref

import numpy as np

from peers.native import load_library

VARIABLE = "WINDROW_RANDOM_READS"


class Reads(ctypes.Structure):
    """As in bench/random_reads.cc."""

    _fields_ = [
        ("rows", ctypes.c_void_p), ("offsets", ctypes.c_void_p), ("count", ctypes.c_uint64),
        ("distance", ctypes.c_uint64), ("row_bytes", ctypes.c_uint32),
        ("offset_bytes", ctypes.c_uint32), ("writes", ctypes.c_uint32)]


# As in bench/random_updates.cc, like the next class.
TOUCH, STORE = 0, 1
ADD = {"uint8": 2, "int8": 2, "float16": 3, "int32": 4, "int64": 5, "float32": 6, "float64": 7}


class Visits(ctypes.Structure):
    _fields_ = [
        ("rows", ctypes.c_void_p), ("offsets", ctypes.c_void_p), ("updates", ctypes.c_void_p),
        ("count", ctypes.c_uint64), ("distance", ctypes.c_uint64), ("row_bytes", ctypes.c_uint64),
        ("access", ctypes.c_uint32)]


def _load() -> ctypes.CDLL:
    library = load_library(VARIABLE)
    library.random_reads_new_team.restype = ctypes.c_void_p
    library.random_reads_new_team.argtypes = [ctypes.c_uint32]
    library.random_reads_delete_team.restype = None
    library.random_reads_delete_team.argtypes = [ctypes.c_void_p]
    for run, job in ((library.random_reads_run, Reads), (library.random_updates_run, Visits)):
        run.restype = ctypes.c_bool
        run.argtypes = [ctypes.c_void_p, ctypes.POINTER(job), ctypes.POINTER(ctypes.c_uint64)]
    return library


LIBRARY = _load()


class Team:
    """Threads that wait between calls."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.handle = LIBRARY.random_reads_new_team(threads)
        weakref.finalize(self, LIBRARY.random_reads_delete_team, self.handle)
        self._sum = ctypes.c_uint64()

    def run(self, job: Reads) -> int:
        """The sum of the words read, modulo 2**64; nothing of a job that writes."""
        if not LIBRARY.random_reads_run(self.handle, job, self._sum):
            raise ValueError(f"rows of {job.row_bytes} bytes at offsets of {job.offset_bytes}")
        return self._sum.value

    def visit(self, job: Visits) -> int:
        """The sum of the bytes touched, modulo 2**64."""
        if not LIBRARY.random_updates_run(self.handle, job, self._sum):
            raise ValueError(f"access {job.access} to rows of {job.row_bytes} bytes")
        return self._sum.value


def make_reads(rows: np.ndarray, offsets: np.ndarray, row_bytes: int, distance: int,
             writes: bool) -> Reads:
    """The arrays must live as long."""
    return Reads(rows.ctypes.data, offsets.ctypes.data, offsets.size, distance, row_bytes,
               offsets.itemsize, writes)


def make_scan(array: np.ndarray, distance: int) -> Reads:
    """Reads the array in order, but for what is left of its last 8 bytes. It must live as long."""
    words = array.nbytes // 8
    return Reads(array.ctypes.data, None, words, distance, 8, 8, False)


def make_visits(rows: np.ndarray, offsets: np.ndarray, updates: np.ndarray | None, row_bytes: int,
                distance: int, access: int) -> Visits:
    """The arrays, all contiguous, must live as long. offsets: uint32, in rows."""
    assert offsets.dtype == np.uint32
    return Visits(rows.ctypes.data, offsets.ctypes.data, updates.ctypes.data if updates is not None else None,
                  offsets.size, distance, row_bytes, access)
