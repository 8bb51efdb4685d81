"""The machine of a run, for its reports."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import numpy as np


def describe_machine() -> dict[str, str]:
    """Properties by name, for people; those that this system does not provide are left out."""
    facts = {
        "processor": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": str(_cores()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    return {name: fact for name, fact in facts.items() if fact}


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> str:
    kibibytes = _field("/proc/meminfo", "MemTotal").partition(" ")[0]
    return f"{int(kibibytes) / 2**20:.1f} GiB" if kibibytes.isdigit() else ""


def _field(path: str, key: str) -> str:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    fields = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in fields if name.strip() == key), "")
