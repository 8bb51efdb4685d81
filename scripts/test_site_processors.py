"""The site's charts by processor: one for each file of results, whatever its cases and peers are."""

import re
import xml.etree.ElementTree as ET

import pytest
import site_processors
from peers.overview import CALLS

RESULTS = site_processors.ROOT / "docs" / "performance" / "results.md"


def without(text, case, peer):
    """Results in which a case has no row and a peer no column."""
    lines, lost = [], None
    for line in text.splitlines():
        cells = line.strip("|").split("|")
        if not line.startswith("|"):
            lost = None  # a table begins anew
        elif f" {peer} " in cells:
            lost = cells.index(f" {peer} ")
        if lost is not None:
            del cells[lost]
            line = f"|{'|'.join(cells)}|"
        if not line.startswith(f"| {case}"):
            lines.append(line)
    return "\n".join(lines) + "\n"


def rows(chart):
    """The number of rows of a chart, and its words."""
    drawn = ET.fromstring(chart)
    return len(drawn.findall("{*}rect[@class='bar']")) - 1, {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}


@pytest.fixture
def folder(tmp_path):
    text = RESULTS.read_text(encoding="utf-8")
    (tmp_path / "results.md").write_text(text, encoding="utf-8")
    other = re.sub(r"^\* CPU: .*", "* CPU: Another one, of 4 cores", without(text, "GatherND", "JAX"), count=1, flags=re.MULTILINE)
    (tmp_path / "results_other.md").write_text(other, encoding="utf-8")
    return tmp_path


def test_a_second_file_gives_a_second_chart(folder):
    page, charts = site_processors.processors(folder)
    assert list(charts) == ["results_chart.svg", "results_other_chart.svg"]
    first = re.search(r"^\* CPU: (.*)", RESULTS.read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert re.findall("^## (.*)", page, re.MULTILINE) == [first, "Another one, of 4 cores"]
    assert re.findall(r"\]\((results[^)]*)\)", page) == [
        "results_chart.svg", "results.md", "results_other_chart.svg", "results_other.md"]


def test_charts_have_the_cases_and_peers_of_their_file(folder):
    _, charts = site_processors.processors(folder)
    count, words = rows(charts["results_chart.svg"])
    assert count == len(CALLS) and "JAX" in words
    count, words = rows(charts["results_other_chart.svg"])
    assert count == len([title for title in CALLS.values() if "GatherND" not in title]) and "JAX" not in words


def test_a_file_without_any_of_the_calls_gives_an_empty_chart(folder):
    text = "* CPU: A third one\n\n## 3 threads\n\n| case | copy | Windrow |\n|---|---|---|\n"
    (folder / "results_other.md").write_text(text, encoding="utf-8")
    page, charts = site_processors.processors(folder)
    assert rows(charts["results_other_chart.svg"])[0] == 0 and "## A third one" in page
