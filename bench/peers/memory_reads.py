"""Native code that reads memory and does nothing else: bench/random_reads.cc."""

from __future__ import annotations

import ctypes
import os
import weakref

import numpy as np

VARIABLE = "WINDROW_RANDOM_READS"


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
        self.handle = LIBRARY.random_reads_new_team(threads)
        weakref.finalize(self, LIBRARY.random_reads_delete_team, self.handle)
        self._sum = ctypes.c_uint64()

    def run(self, job: Job) -> int:
        """The sum of the words read, modulo 2**64; nothing of a job that writes."""
        if not LIBRARY.random_reads_run(self.handle, job, self._sum):
            raise ValueError(f"rows of {job.row_bytes} bytes at offsets of {job.offset_bytes}")
        return self._sum.value


def make_job(rows: np.ndarray, offsets: np.ndarray, row_bytes: int, distance: int,
             writes: bool) -> Job:
    """The arrays must live as long."""
    return Job(rows.ctypes.data, offsets.ctypes.data, offsets.size, distance, row_bytes,
               offsets.itemsize, writes)


def make_scan(array: np.ndarray, distance: int) -> Job:
    """Reads the array in order, but for what is left of its last 8 bytes. It must live as long."""
    words = array.nbytes // 8
    return Job(array.ctypes.data, None, words, distance, 8, 8, False)
