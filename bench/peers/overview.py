"""Draws docs/performance/overview.svg from the recorded results.md: eight calls beside their limit.

    PYTHONPATH=bench python3 -m peers.overview

`./dev bench peers` draws it too, of its own results. A bar is Windrow's time by that of the nearer limit; a mark is
the best peer's.
"""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass

from peers.cases import find_case
from peers.contestants import COPY, LIMITS, OURS, RANDOM_READS, TITLES
from peers.machine import ROOT
from peers.svg import document, text

FOLDER = ROOT / "docs" / "performance"
# Plain calls of every kind; the last one is, of all cases, the furthest from its limit.
CALLS = {
    "gather_rows_512B": "Gather, rows of 512 bytes",
    "gather_1d_of_16M": "Gather, single numbers",
    "elements_axis_0": "GatherElements, axis 0",
    "nd_scalars": "GatherND, single numbers",
    "scatter_nd_rows": "ScatterND, rows of 512 bytes",
    "scatter_nd_rows_add": "ScatterND add, rows of 512 bytes",
    "scatter_elements_1d_add": "ScatterElements add, single numbers",
    "scatter_elements_row_constant_add": "ScatterElements add, an index per row",
}
# The median in a cell of results.md, and its unit if it is not a millisecond.
MEDIAN = re.compile(r"\**([\d.]+)( us)? \(")
# In units of the picture.
LEFT, WIDTH, RIGHT, TOP, ROW, BAR = 270, 420, 60, 58, 34, 16
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 12px; fill: #59636e }
  .bar { fill: #0072b2 }
  .peer { fill: #d55e00 }
  .limit { stroke: #1f2328; stroke-width: 1.5 }
  .grid { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .bar { fill: #56b4e9 }
    .peer { fill: #e69f00 }
    .limit { stroke: #f0f6fc }
    .grid { stroke: #3d444d }
  }
"""


@dataclass(frozen=True)
class Call:
    """A row of the picture: times by that of the nearer limit, the copy or the random accesses."""

    title: str
    ours: float
    peer: str
    theirs: float


def read_calls(path: pathlib.Path) -> tuple[int, list[Call]]:
    """The most threads of a run's results.md, and the calls at that number; those that it does not have are left out."""
    tables = _tables(path.read_text(encoding="utf-8"))
    threads = max(tables, default=0)
    calls = []
    for case, title in CALLS.items():
        times = tables.get(threads, {}).get(find_case(case, False).title, {})
        limits = [times[name] for name in (COPY, RANDOM_READS) if name in times]
        peers = {name: time for name, time in times.items() if name not in (*LIMITS, OURS)}
        if OURS in times and limits and peers:
            best = min(peers, key=lambda name: peers[name])
            calls.append(Call(title, times[OURS] / max(limits), TITLES[best], peers[best] / max(limits)))
    return threads, calls


def _tables(text: str) -> dict[int, dict[str, dict[str, float]]]:
    """By number of threads and title of a case: the median of each contestant that has one."""
    names = {title: name for name, title in TITLES.items()}
    tables = {}
    for threads, section in re.findall(r"^## (\d+) threads?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
        lines = [line for line in section.splitlines() if line.startswith("| ")]
        (_, *titles), *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        tables[int(threads)] = {
            case: {names[title]: float(median[1]) * (1e-6 if median[2] else 1e-3)
                   for title, cell in zip(titles, cells) if title in names and (median := MEDIAN.match(cell))}
            for case, *cells in rows}
    return tables


def _scale(calls: list[Call]) -> tuple[int, float]:
    """The last number of the axis, and the units for one limit."""
    most = 1 + int(max([1.0, *(max(call.ours, call.theirs) for call in calls)]))
    return most, WIDTH / most


def _grid(calls: list[Call]) -> list[str]:
    most, unit = _scale(calls)
    bottom = TOP + ROW * len(calls)
    lines = []
    for number in range(most + 1):
        x = LEFT + number * unit
        kind = "limit" if number == 1 else "grid"
        lines.append(f'  <line class="{kind}" x1="{x:g}" y1="{TOP - 6}" x2="{x:g}" y2="{bottom}"/>')
        lines.append(text(x, bottom + 16, str(number), ' class="small" text-anchor="middle"'))
    lines.append(text(LEFT + unit, TOP - 12, "limit", ' class="small" text-anchor="middle"'))
    return lines


def _row(number: int, call: Call, unit: float) -> list[str]:
    middle = TOP + ROW * number + ROW / 2
    x = LEFT + call.theirs * unit
    return [
        text(LEFT - 10, middle + 4, call.title, ' text-anchor="end"'),
        f'  <rect class="bar" x="{LEFT}" y="{middle - BAR / 2:g}" width="{call.ours * unit:.1f}" height="{BAR}"/>',
        f'  <path class="peer" d="M {x:.1f} {middle - 7:g} l 7 7 l -7 7 l -7 -7 z"/>',
        text(round(x + 12, 1), middle + 4, call.peer, ' class="small"'),
    ]


def overview(threads: int, calls: list[Call]) -> str:
    """The picture as SVG, light or dark as the reader's system is."""
    _, unit = _scale(calls)
    width, height = LEFT + WIDTH + RIGHT, TOP + ROW * len(calls) + 56
    said = "; ".join(f"{call.title}: Windrow {call.ours:.2f}, {call.peer} {call.theirs:.2f}" for call in calls)
    lines = [
        '  <rect class="bar" x="10" y="10" width="26" height="12"/>',
        text(42, 21, "Windrow"),
        '  <path class="peer" d="M 118 9 l 7 7 l -7 7 l -7 -7 z"/>',
        text(130, 21, f"the fastest other, {threads} threads; shorter is faster"),
        *_grid(calls),
    ]
    for number, call in enumerate(calls):
        lines += _row(number, call, unit)
    lines.append(text(10, height - 10, "limit: a copy of the bytes that the call moves or, if slower, its random "
                       "accesses alone", ' class="small"'))
    title = f"Times of {len(calls)} calls on {threads} threads, by the time of their limit"
    return document(width, height, title, said, STYLE, lines)


def write_overview(folder: pathlib.Path) -> None:
    """From the results.md of a folder its overview.svg."""
    (folder / "overview.svg").write_text(overview(*read_calls(folder / "results.md")), encoding="utf-8")


if __name__ == "__main__":
    write_overview(FOLDER)
