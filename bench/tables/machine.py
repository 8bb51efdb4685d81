"""The device and the file system of a folder."""

from __future__ import annotations

import os
import pathlib


def _read(path: pathlib.Path) -> str:
    return path.read_text().strip() if path.is_file() else ""


def _device(number: int) -> str:
    link = pathlib.Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not link.exists():
        return "none in /sys/block"
    disk = link.resolve()
    name = disk.name
    if (disk / "partition").exists():
        disk = disk.parent
    queue = disk / "queue"
    gibibytes = int(_read(disk / "size") or 0) * 512 / 2**30
    scheduler = next((word for word in _read(queue / "scheduler").split() if word.startswith("[")), "[unknown]")
    facts = [
        f"{name} {_read(disk / 'device' / 'model')}".strip(),
        f"driver {(disk / 'device' / 'driver').resolve().name}" if (disk / "device" / "driver").exists() else "",
        f"{gibibytes:.0f} GiB",
        f"blocks of {_read(queue / 'logical_block_size')} bytes",
        f"scheduler {scheduler.strip('[]')}",
        f"read-ahead {_read(queue / 'read_ahead_kb')} KiB",
        "rotational by its own word" if _read(queue / "rotational") == "1" else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _file_system(folder: pathlib.Path) -> str:
    """The one that is mounted last at the nearest parent."""
    best, found = -1, "unknown"
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        place = pathlib.Path(left.split()[4])
        if folder.is_relative_to(place) and len(place.parts) >= best:
            best, found = len(place.parts), f"{right.split()[0]} ({left.split()[5]})"
    return found


def describe_folder(folder: pathlib.Path) -> dict[str, str]:
    folder = folder.resolve()
    return {"folder": str(folder), "file system": _file_system(folder), "device": _device(folder.stat().st_dev)}
