"""The thresholds of src/plan/thresholds.inc, each halved and doubled, in a build that takes them from the environment."""

from __future__ import annotations

import re

from draws.forced import Variant
from peers.contestants import OURS
from peers.machine import ROOT

PACKAGE = ROOT / "build" / "tunable" / "python"  # of the preset `tunable`
ENVIRONMENT = {"PYTHONPATH": str(PACKAGE)}
_ROW = re.compile(r"^WINDROW_THRESHOLD\([\w:]+, (k\w+), (\d+)(?: << (\d+))?\)$", re.MULTILINE)


def read_thresholds() -> dict[str, int]:
    """By name, those that the environment may set."""
    text = (ROOT / "src" / "plan" / "thresholds.inc").read_text(encoding="utf-8")
    return {name: int(value) << int(shift or 0) for name, value, shift in _ROW.findall(text)}


def variants(names: list[str]) -> list[Variant]:
    """The half, of 1 none, and the double of each."""
    values = read_thresholds()
    return [Variant(f"{name}={value}", OURS, ENVIRONMENT | {name: str(value)})
            for name in names for value in (values[name] // 2, 2 * values[name]) if value]
