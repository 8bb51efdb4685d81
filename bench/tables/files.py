"""The files of a table, their blocks, and what of them the page cache holds."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

FIRST_BYTE = 4096  # of the table in its file: a whole block of any device
CHUNK_BYTES = 16 << 20
PAGE = mmap.PAGESIZE
GAP, MOST = 4096, 128 << 10  # as docs/design/tables.md has them


@dataclass(frozen=True)
class TableFile:
    """A safetensors file of one tensor "rows", float32 [rows, row_bytes / 4], from byte FIRST_BYTE on."""

    path: pathlib.Path
    rows: int
    row_bytes: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.row_bytes // 4

    def mapped(self) -> np.memmap:
        return np.memmap(self.path, np.float32, "r", FIRST_BYTE, self.shape)

    def chunks(self) -> Iterator[tuple[int, np.ndarray]]:
        """(first row, rows) until the end, in memory."""
        step = CHUNK_BYTES // self.row_bytes
        for first in range(0, self.rows, step):
            yield first, np.fromfile(self.path, np.float32, min(step, self.rows - first) * self.row_bytes // 4,
                                     offset=FIRST_BYTE + first * self.row_bytes).reshape(-1, self.row_bytes // 4)

    def make(self) -> None:
        """Writes it, unless a file of this size is there."""
        size = FIRST_BYTE + self.rows * self.row_bytes
        if self.path.exists() and self.path.stat().st_size == size:
            return
        tensor = {"dtype": "F32", "shape": self.shape, "data_offsets": [0, self.rows * self.row_bytes]}
        header = json.dumps({"rows": tensor}).encode().ljust(FIRST_BYTE - 8)
        random = np.random.default_rng(self.row_bytes)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".unfinished")
        with unfinished.open("wb") as file:
            file.write(len(header).to_bytes(8, "little") + header)
            for first in range(0, self.rows * self.row_bytes, CHUNK_BYTES):
                random.random(min(CHUNK_BYTES, size - FIRST_BYTE - first) // 4, np.float32).tofile(file)
        unfinished.rename(self.path)

    def blocks(self, ids: np.ndarray, block: int) -> np.ndarray:
        """The reads that bring these rows, as (first byte, bytes): whole blocks, each once, in order; wanted bytes at
        most GAP apart are one read of up to MOST bytes."""
        begins = np.unique(ids) * self.row_bytes + FIRST_BYTE
        ends = -(-(begins + self.row_bytes) // block) * block
        reads: list[tuple[int, int]] = []
        low = high = -MOST
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            if begin > high + GAP or end - low > MOST:
                reads.append((low, high - low))
                low = begin // block * block
            high = end
        reads.append((low, high - low))
        return np.array(reads[1:], np.int64)


def forget(paths: list[pathlib.Path]) -> None:
    """Takes the files out of the page cache. Pages that a process has mapped stay."""
    for path in paths:
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def resident_bytes(paths: list[pathlib.Path]) -> int:
    """Of the files, how many bytes the page cache holds, by mincore()."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    total = 0
    for path in paths:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                continue
            at = library.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
            pages = ctypes.create_string_buffer(-(-size // PAGE))
            if library.mincore(at, size, pages) != 0:
                raise OSError(ctypes.get_errno(), f"mincore of {path}")
            library.munmap(at, size)
        total += int(np.count_nonzero(np.frombuffer(pages, np.uint8) & 1)) * PAGE
    return total
