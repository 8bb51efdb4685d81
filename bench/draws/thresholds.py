"""The thresholds of src/plan/thresholds.inc, each halved and doubled, in a build that takes them from the environment."""

from __future__ import annotations

import re

from draws.forced import SAME, Variant
from peers.contestants import AGAIN, OURS
from peers.machine import ROOT

PACKAGE = ROOT / "build" / "tunable" / "python"  # of the preset `tunable`
ENVIRONMENT = {"PYTHONPATH": str(PACKAGE)}
_ROW = re.compile(r"^WINDROW_THRESHOLD\([\w:]+, (k\w+), ([\d.]+)(?: << (\d+))?\)$", re.MULTILINE)
Number = int | float


def read_thresholds() -> dict[str, Number]:
    """By name, those that the environment may set."""
    text = (ROOT / "src" / "plan" / "thresholds.inc").read_text(encoding="utf-8")
    return {name: float(value) if "." in value else int(value) << int(shift or 0) for name, value, shift in _ROW.findall(text)}


def _half(value: Number) -> Number:
    return value // 2 if isinstance(value, int) else value / 2


def variants(names: list[str]) -> list[Variant]:
    """The choice again; then the half, of 1 none, and the double of each."""
    values = read_thresholds()
    return [Variant(SAME, AGAIN, ENVIRONMENT),
            *(Variant(f"{name}={value}", OURS, ENVIRONMENT | {name: f"{value:g}" if isinstance(value, float) else str(value)})
              for name in names for value in (_half(values[name]), 2 * values[name]) if value)]
