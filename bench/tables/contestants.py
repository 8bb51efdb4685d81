"""The ways of looking rows up in the table's file, and in memory. Windrow is imported where it is used."""

from __future__ import annotations

import mmap
import os
import pathlib
import subprocess
import tempfile
from typing import Any

import numpy as np

from tables.cases import CACHED_PART, Ids, Sizes
from tables.files import FIRST_BYTE, PAGE, TableFile


class Absent(Exception):
    """The contestant cannot run here: why."""


def cache_bytes(rows: int, row_bytes: int) -> int:
    """What a TableCache needs for this number of rows: 32 bytes beside each, and an index of 5 %."""
    return rows * (row_bytes + 32) * 100 // 95


class Contestant:
    """One way, in a process of its own. Subclasses give take(), and what else differs."""

    IS_LIMITED = True  # whether the process runs with the limit of memory

    def __init__(self, table: TableFile, sizes: Sizes, reads: str, depth: int) -> None:
        self.table, self.sizes, self.reads, self.depth = table, sizes, reads, depth

    def version(self) -> str:
        return f"numpy {np.__version__}"

    def files(self) -> list[pathlib.Path]:
        """Those whose pages are taken out of the page cache before a measurement."""
        return [self.table.path]

    def make(self) -> None:
        """Writes what it reads from, unless it is there. Has no limit of memory."""

    def start(self) -> None:
        """Called once, with the limit."""

    def open(self) -> None:
        """Before each measurement, after the page cache was emptied. Not timed."""

    def close(self) -> None:
        """After each measurement: what is mapped cannot be taken out of the page cache."""

    def take(self, ids: Ids) -> Any:
        """A new array of the rows, or None where the rows are not kept."""
        raise NotImplementedError

    def seconds(self) -> float | None:
        """Of the last take(), where the contestant takes its time itself."""
        return None

    def statistics(self) -> dict[str, int]:
        """Sums since start()."""
        return {}


class Windrow(Contestant):
    """This library, without a cache."""

    def cache_bytes(self) -> int | None:
        return None

    def version(self) -> str:
        import windrow

        return f"windrow {windrow.__version__}"

    def start(self) -> None:
        import windrow

        self._opened = windrow.open_table(self.table.path, reads=self.reads, depth=self.depth, cache=self.cache_bytes())
        found = self._opened.description
        if found["reads"] != self.reads or found["direct"] != (self.reads != "read_ahead"):
            raise SystemExit(f"asked for {self.reads} past the page cache, and got: {self._opened.describe()}")

    def describe(self) -> str:
        return self._opened.describe()

    def take(self, ids: Ids) -> Any:
        return self._opened.take(ids)

    def statistics(self) -> dict[str, int]:
        return self._opened.statistics()


class Cached(Windrow):
    """With a cache of a tenth of the rows, after as many ids were looked up as the table has rows."""

    def cache_bytes(self) -> int | None:
        return cache_bytes(self.sizes.rows // CACHED_PART, self.table.row_bytes)


class FullCache(Windrow):
    """With a cache that holds every row that is looked up."""

    def cache_bytes(self) -> int | None:
        return cache_bytes(self.sizes.hot, self.table.row_bytes) * 5 // 4 + (1 << 20)

    def start(self) -> None:
        super().start()
        for first in range(0, self.sizes.hot, 1 << 14):
            self.take(np.arange(first, min(first + (1 << 14), self.sizes.hot)))


class Memory(Contestant):
    """windrow.take on an array in memory, on one thread, as a table's call runs on one."""

    threads: int | None = 1

    def version(self) -> str:
        import windrow

        return f"windrow {windrow.__version__}"

    def start(self) -> None:
        self._rows = np.array(self.table.mapped()[: self.sizes.hot])

    def take(self, ids: Ids) -> Any:
        import windrow

        return windrow.take(self._rows, ids, axis=0, threads=self.threads)


class MemoryTeam(Memory):
    """The same on the number of threads that it uses by itself."""

    threads = None


class Raw(Contestant):
    """io_uring alone, past the page cache: the reads that Windrow makes, and the rows thrown away."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._program = os.environ.get("WINDROW_RAW_READS", "")
        if not os.access(self._program, os.X_OK):
            raise Absent("windrow_raw_reads is not built, which needs liburing (WINDROW_RAW_READS names it)")

    def version(self) -> str:
        return "windrow_raw_reads"

    def start(self) -> None:
        import windrow

        self._block = windrow.open_table(self.table.path, direct=True).description["block"]
        self._sums = {"reads": 0, "read_bytes": 0}

    def take(self, ids: Ids) -> Any:
        blocks = self.table.blocks(ids, self._block)
        self._sums["reads"] += len(blocks)
        self._sums["read_bytes"] += int(blocks[:, 1].sum())
        with tempfile.NamedTemporaryFile() as file:
            blocks.tofile(file.name)
            done = subprocess.run([self._program, self.table.path, file.name, str(self.depth)], capture_output=True,
                                  text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        self._seconds = float(done.stdout)
        return None

    def seconds(self) -> float | None:
        return self._seconds

    def statistics(self) -> dict[str, int]:
        return dict(self._sums)


class Memmap(Contestant):
    """numpy.memmap, as it reads by itself."""

    def open(self) -> None:
        self._mapped = self.table.mapped()

    def close(self) -> None:
        del self._mapped

    def take(self, ids: Ids) -> Any:
        return np.take(self._mapped, ids, axis=0)


class Madvise(Memmap):
    """The same, where the system is told of all pages before."""

    def open(self) -> None:
        with self.table.path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._map.madvise(mmap.MADV_RANDOM)
        self._mapped = np.frombuffer(self._map, np.float32, offset=FIRST_BYTE).reshape(self.table.shape)

    def close(self) -> None:
        super().close()
        self._map.close()

    def take(self, ids: Ids) -> Any:
        for first, length in self.table.blocks(ids, PAGE).tolist():
            self._map.madvise(mmap.MADV_WILLNEED, first, length)
        return super().take(ids)
