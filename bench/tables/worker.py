"""Measures one contestant in a process of its own: a line of JSON for each seed that stands in a line of its input.

The first line says what was opened, or why nothing was.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import resource
import sys
import time
import zlib
from typing import Any

from tables.cases import Sizes, draw_batches, find_case, sizes_of
from tables.contestants import Absent, Cached, Contestant, FullCache, Madvise, Memmap, Memory, MemoryTeam, Raw, Windrow
from tables.files import TableFile, forget, resident_bytes
from tables.stores import Lance, Lmdb, Safetensors, Zarr

CONTESTANTS: dict[str, type[Contestant]] = {
    "windrow": Windrow,
    "cached": Cached,
    "full_cache": FullCache,
    "memory": Memory,
    "memory_team": MemoryTeam,
    "raw": Raw,
    "memmap": Memmap,
    "madvise": Madvise,
    "lmdb": Lmdb,
    "safetensors": Safetensors,
    "lance": Lance,
    "zarr": Zarr,
}


def _device_bytes() -> int:
    """What the devices have read for this process and its children that have ended."""
    fields = dict(line.split(": ") for line in pathlib.Path("/proc/self/io").read_text().splitlines())
    return int(fields["read_bytes"])


def measure(contestant: Contestant, batches: list[Any]) -> dict[str, Any]:
    """One measurement from an empty page cache. The rows are compared outside of it, by their checksum."""
    forget(contestant.files())
    contestant.open()
    before = resident_bytes(contestant.files())
    statistics, device, seconds, checksum = contestant.statistics(), _device_bytes(), 0.0, 0
    for ids in batches:
        start = time.perf_counter()
        rows = contestant.take(ids)
        took = time.perf_counter() - start
        seconds += contestant.seconds() or took
        checksum = 0 if rows is None else zlib.crc32(rows, checksum)
    answer = {
        "seconds": seconds,
        "checksum": checksum,
        "device_bytes": _device_bytes() - device,
        "statistics": {name: now - statistics[name] for name, now in contestant.statistics().items()},
        "resident": [before, resident_bytes(contestant.files())],
    }
    contestant.close()
    return answer


def _start(options: argparse.Namespace, sizes: Sizes) -> Contestant:
    case = find_case(options.case)
    table = TableFile(options.folder / f"rows_{case.row_bytes}" / "table.safetensors", sizes.rows, case.row_bytes)
    contestant = CONTESTANTS[options.contestant](table, sizes, options.reads, options.depth)
    table.make()
    contestant.make()
    if contestant.IS_LIMITED:
        resource.setrlimit(resource.RLIMIT_DATA, (sizes.limit(case.row_bytes),) * 2)
    contestant.start()
    if options.contestant == "cached":  # until as many ids were looked up as the table has rows
        for seed in range(-(-sizes.rows // (sizes.batch * case.batches))):
            for ids in draw_batches(case, sizes, 10**9 + seed):
                contestant.take(ids)
    return contestant


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", required=True)
    parser.add_argument("--contestant", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--reads", required=True)
    parser.add_argument("--depth", type=int, required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    case = find_case(options.case)
    sizes = sizes_of(case, options.bytes, options.quick)
    try:
        contestant = _start(options, sizes)
    except Absent as absent:
        print(json.dumps({"absent": str(absent)}), flush=True)
        return 0
    described = contestant.describe() if isinstance(contestant, Windrow) else None
    first = {"version": contestant.version(), "described": described, "is_limited": contestant.IS_LIMITED}
    print(json.dumps(first), flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(contestant, draw_batches(case, sizes, int(line)))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
