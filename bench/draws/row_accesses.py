"""Native code that visits rows at ready-made offsets and does nothing else: bench/random_updates.cc."""

from __future__ import annotations

import ctypes

import numpy as np

from peers.memory_reads import LIBRARY, Team

# As in bench/random_updates.cc.
TOUCH, STORE = 0, 1
ADD = {"uint8": 2, "int8": 2, "float16": 3, "int32": 4, "int64": 5, "float32": 6, "float64": 7}


class Job(ctypes.Structure):
    """As in bench/random_updates.cc."""

    _fields_ = [
        ("rows", ctypes.c_void_p), ("offsets", ctypes.c_void_p), ("updates", ctypes.c_void_p),
        ("count", ctypes.c_uint64), ("distance", ctypes.c_uint64), ("row_bytes", ctypes.c_uint64),
        ("access", ctypes.c_uint32)]


LIBRARY.random_updates_run.restype = ctypes.c_bool
LIBRARY.random_updates_run.argtypes = [
    ctypes.c_void_p, ctypes.POINTER(Job), ctypes.POINTER(ctypes.c_uint64)]


def make_job(rows: np.ndarray, offsets: np.ndarray, updates: np.ndarray | None, row_bytes: int,
             distance: int, access: int) -> Job:
    """The arrays, all contiguous, must live as long. offsets: uint32, in rows."""
    assert offsets.dtype == np.uint32
    return Job(rows.ctypes.data, offsets.ctypes.data, updates.ctypes.data if updates is not None else None,
               offsets.size, distance, row_bytes, access)


def run_job(team: Team, job: Job) -> int:
    """The sum of the bytes touched, modulo 2**64."""
    total = ctypes.c_uint64()
    if not LIBRARY.random_updates_run(team.handle, job, total):
        raise ValueError(f"access {job.access} to rows of {job.row_bytes} bytes")
    return total.value
