"""The site's page of charts, one for each processor whose results are kept: docs/performance/results*.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from peers.overview import overview, read_calls  # noqa: E402: found by the path above

FACTS = ("date", "cores", "caches of a core", "memory", "system", "versions")


def processors(folder):
    """The text of the page, and the charts by their names."""
    lines = ["# By processor", "", "Eight calls beside their limit, and [how they were measured](README.md)."]
    charts = {}
    for results in sorted(folder.glob("results*.md")):
        text = results.read_text(encoding="utf-8")
        facts = dict(re.findall(r"^\* ([\w ]+): (.*)$", text, re.MULTILINE))
        chart = f"{results.stem}_chart.svg"
        charts[chart] = overview(*read_calls(results))
        listed = [f"* {fact}: {facts[fact]}" for fact in FACTS if fact in facts]
        lines += ["", f"## {facts['CPU']}", "", f"![Times of calls on {facts['CPU']}]({chart})", "", *listed]
        lines += [f"* [every case]({results.name})"]
    return "\n".join(lines) + "\n", charts
