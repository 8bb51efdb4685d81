"""What was measured, where and when: a line of text for each fact."""

from __future__ import annotations

import datetime
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CPU = pathlib.Path("/sys/devices/system/cpu/cpu0")


def _first_field(path: str, key: str) -> str:
    for line in pathlib.Path(path).read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return "unknown"


def _caches() -> str:
    found = []
    for folder in sorted(CPU.glob("cache/index*")):
        facts = ((folder / name).read_text().strip() for name in ("level", "type", "size"))
        level, kind, size = facts
        found.append(f"L{level} {kind.lower()} {size}")
    return ", ".join(found) or "unknown"


def _commit() -> str:
    """Of the sources; says so where they are not as committed."""
    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True,
                              check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (", changed" if changed else "")


def _huge_pages() -> str:
    path = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
    words = path.read_text().split() if path.exists() else []
    return next((word.strip("[]") for word in words if word.startswith("[")), "unknown")


def describe_machine(versions: dict[str, str]) -> dict[str, str]:
    """versions: of the contestants' libraries, by name."""
    memory = _first_field("/proc/meminfo", "MemTotal").split()[0]
    gibibytes = int(memory) / 2**20 if memory.isdigit() else 0
    family, model = (_first_field("/proc/cpuinfo", key) for key in ("cpu family", "model"))
    load = os.getloadavg()[0]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "CPU": f"{_first_field('/proc/cpuinfo', 'model name')}, family {family}, model {model}",
        "cores": f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}",
        "caches of a core": _caches(),
        "memory": f"{gibibytes:.1f} GiB, transparent huge pages: {_huge_pages()}",
        "load before the run": f"{load:.2f}",
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "versions": ", ".join(f"{name} {version}" for name, version in sorted(versions.items())),
        "commit": _commit(),
    }
