"""The distribution of a run as a picture: how many cases have at most which ratio."""

from __future__ import annotations

import math
import pathlib
from xml.sax.saxutils import escape

from draws.measure import BEHIND, Result
from draws.verdict import passes
from peers.svg import document, text

# In units of the picture.
LEFT, WIDTH, TOP, HEIGHT, GAP, BOTTOM = 60, 620, 64, 240, 70, 30
LEAST, MOST = 0.5, 16.0  # Of the axis; ratios beyond stand at its ends.
TICKS = (0.5, 0.7, 0.95, 1.5, 2, 3, 5, 8, 16)
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 12px; fill: #59636e }
  .passes { fill: #0072b2 }
  .fails { fill: #d55e00 }
  .ceiling { fill: none; stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3 }
  .bound { stroke: #1f2328; stroke-width: 1.5 }
  .grid { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .passes { fill: #56b4e9 }
    .fails { fill: #e69f00 }
    .ceiling { stroke: #9198a1 }
    .bound { stroke: #f0f6fc }
    .grid { stroke: #3d444d }
  }
"""


def _x(ratio: float) -> float:
    inside = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def _grid(top: float) -> list[str]:
    lines = []
    for tick in TICKS:
        kind = "bound" if tick == BEHIND else "grid"
        x = f"{_x(tick):.1f}"
        lines.append(f'  <line class="{kind}" x1="{x}" y1="{top}" x2="{x}" y2="{top + HEIGHT}"/>')
        lines.append(text(_x(tick), top + HEIGHT + 16, f"{tick:g}",
                           ' class="small" text-anchor="middle"'))
    for share in (0, 50, 100):
        y = top + HEIGHT * (1 - share / 100)
        lines.append(text(LEFT - 8, y + 4, f"{share} %", ' class="small" text-anchor="end"'))
    return lines


def _panel(results: list[Result], top: float) -> list[str]:
    """Dots, a case each, from the lowest ratio to the highest, and the line of the ceiling."""
    shown = [one for one in results if passes(one) is not None and one.last.ahead is not None]
    shown.sort(key=lambda one: one.last.ahead.median)
    lines = [text(LEFT, top - 10, f"{results[0].threads} thread{'s' if results[0].threads > 1 else ''}, "
                   f"{len(shown)} cases")]
    lines += _grid(top)

    def y(place: int, count: int) -> float:
        return top + HEIGHT * (1 - (place + 0.5) / count)

    ceilings = sorted(one.last.ceiling for one in shown if one.last.ceiling is not None)
    points = " ".join(f"{_x(value):.1f},{y(place, len(ceilings)):.1f}"
                      for place, value in enumerate(ceilings))
    lines.append(f'  <polyline class="ceiling" points="{points}"/>')
    for place, one in enumerate(shown):
        kind = "passes" if passes(one) else "fails"
        ratio = one.last.ahead.median
        title = escape(f"{one.case.name}: {one.case.title}: {ratio:.2f}")
        lines.append(f'  <circle class="{kind}" cx="{_x(ratio):.1f}" cy="{y(place, len(shown)):.1f}" '
                     f'r="3"><title>{title}</title></circle>')
    return lines


def picture(groups: dict[int, list[Result]], caption: str) -> str:
    """SVG, light or dark as the reader's system is. groups: by number of threads."""
    height = TOP + len(groups) * (HEIGHT + GAP) + BOTTOM
    lines = [
        text(LEFT, 20, "best peer's time by ours: dots, a case each; the dashed line: by the nearest limit's"),
        text(LEFT, 38, caption, ' class="small"')]
    for place, results in enumerate(groups.values()):
        lines += _panel(results, TOP + 20 + place * (HEIGHT + GAP))
    title = "Share of the cases with at most a ratio of the best peer's time by ours"
    return document(LEFT + WIDTH + 40, height, title, caption, STYLE, lines)


def write_picture(groups: dict[int, list[Result]], caption: str, path: pathlib.Path) -> None:
    path.write_text(picture(groups, caption), encoding="utf-8")
