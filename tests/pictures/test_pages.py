"""Pages of explanations in a browser: what pointing and stepping show is what the slow reference says."""

import json
import math
import os
import pathlib
import random
import re
import subprocess

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITER = pathlib.Path(
    os.environ.get("WINDROW_EXPLAIN_PAGES", _ROOT / "build/release/tests/write_explain_pages")
)
PAGES = 200
MOST_VALUES = 1024  # of a tensor whose elements all have texts
LABEL = re.compile(r"([^ \[=,]+)(?:\[([-0-9, ]*)\])?(?: = |, |$)")

# The labels of the cells of a selector: "data[2, 3, 0] = 22, group b".
LABELS = "[...document.querySelectorAll({})].map(cell => cell.getAttribute('aria-label'))"
SAID = "document.getElementById('said').textContent"
OUTPUT = """[...document.querySelectorAll('[data-role=output] td[id]')].map(cell =>
    [cell.id, cell.getAttribute('aria-label'), cell.querySelector('span').textContent])"""


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """A folder with pages, and what is expected of each."""
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([WRITER, folder, str(PAGES)], check=True, timeout=60)
    return folder, json.loads((folder / "calls.json").read_text())


def place(label):
    """The tensor's name and the position that a cell's label begins with."""
    name, position = LABEL.match(label).groups()
    return name, [int(at) for at in position.split(",")] if position else []


def number(shape, position):
    """The position's number in row-major order."""
    flat = 0
    for extent, at in zip(shape, position, strict=True):
        flat = flat * extent + at
    return flat


def labels(browser, selector):
    return browser.run(LABELS.format(json.dumps(selector)))


def check_text(call, text, value):
    """A cell's text is the value or its beginning; of a large output the cells that no point reaches have none."""
    is_cut = text.endswith("…") and value.startswith(text[:-1])
    assert text == value or is_cut or (text == "" and len(call["values"]) > MOST_VALUES)


def drawn_numbers(browser, call):
    """The numbers of the source's elements that fit into the picture."""
    drawn = [place(label) for label in labels(browser, "td[id]")]
    return {number(call["source_shape"], position) for name, position in drawn if name == call["source"]}


def check_pointing(browser, call, rng):
    cells = browser.run(OUTPUT)
    checked = 0
    for cell, label, text in rng.sample(cells, min(2, len(cells))):
        browser.point_at(f"#{cell}")
        name, position = place(label)
        assert name == call["output"]
        if call["values"] is None:
            continue
        value = call["values"][number(call["output_shape"], position)]
        check_text(call, text, value)
        sources = [place(source) for source in labels(browser, "td.source")]
        assert all(source[0] == call["source"] for source in sources)
        numbers = [number(call["source_shape"], source[1]) for source in sources]
        if ", group" not in label:  # a cell that nothing writes, or one whose source does not fit into the picture
            assert numbers == []
            assert browser.run(SAID).endswith("no point that is followed here.")
            continue
        if not call["numbered"]:
            continue
        if not call["scatter"]:  # data holds -1, -2, ..; 0 is what the policy zero gives
            assert numbers == ([] if value == "0" else [-1 - int(value)])
        elif not call["folds"] and len(call["values"]) <= MOST_VALUES:  # updates hold 1, 2, ..; the last one wins
            assert numbers
            last = int(value) - 1
            if last in drawn_numbers(browser, call):  # else the picture shows the cell's earlier updates alone
                assert max(numbers) == last
        checked += 1
    return checked


def check_stepping(browser, call):
    steps = browser.run("document.querySelectorAll('#points li').length")
    if not call["scatter"] or call["values"] is None or steps == 0:
        return 0
    browser.click("#start")
    assert labels(browser, "td.source") == []
    shown = []
    for _ in range(steps):
        browser.press("n")
        shown += [number(call["source_shape"], place(source)[1]) for source in labels(browser, "td.source")]
    assert browser.run("document.getElementById('next').disabled")
    if call["numbered"] and steps == call["points"] == math.prod(call["source_shape"]):
        assert shown == list(range(steps))  # updates take effect in row-major order
    for _, label, text in browser.run(OUTPUT):
        check_text(call, text, call["values"][number(call["output_shape"], place(label)[1])])
    return steps


def test_pointing_and_stepping_show_what_the_reference_says(browser, pages):
    folder, calls = pages
    rng = random.Random(1)
    checked = steps = 0
    for i, call in enumerate(calls):
        browser.open(folder / f"{i}.html")
        try:
            checked += check_pointing(browser, call, rng)
            steps += check_stepping(browser, call)
        except AssertionError as error:
            raise AssertionError(f"page {i}: {call['call']}") from error
    assert browser.errors == []
    assert len(calls) == PAGES
    assert checked > PAGES // 2
    assert steps > PAGES


@pytest.fixture
def page(tmp_path):
    """Writes the page of a call and returns its path: page("onnx.Gather", "--data", "4x3", ..)."""

    def write(*words):
        path = tmp_path / "page.html"
        command = os.environ.get("WINDROW_COMMAND", str(_ROOT / "build/release/bin/windrow"))
        done = subprocess.run(
            [command, "explain", *words, "--html", path], capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stderr
        return path

    return write


def test_arrow_keys_move_through_the_output_and_are_spoken_of(browser, page):
    browser.open(page("onnx.GatherND", "--data", "3x4x2", "--indices", "[[0,1],[2,-1]]"))
    browser.run("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()")
    assert browser.run(SAID) == "output[0, 0] = data[0, 1, 0] = 2: indices[0] = (0, 1)"
    browser.press("ArrowDown")
    assert browser.run(SAID).startswith("output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3")
    browser.press("ArrowRight")
    assert browser.run("document.activeElement.getAttribute('aria-label')") == "output[1, 1] = 23, group b"
    assert browser.run("document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1
    assert labels(browser, "td.read") == ["indices[1, 0] = 2, group b", "indices[1, 1] = -1, group b, negative"]
    assert browser.run("document.getElementById('said').getAttribute('aria-live')") == "polite"
    assert browser.errors == []


def test_stepping_shows_cells_before_and_after_and_who_wins(browser, page):
    words = ["--data", "5x", "--indices", "[[1],[-2],[1]]", "--updates", "[7,8,9]"]
    browser.open(page("onnx.ScatterND", *words))

    def texts():
        return [text for _, _, text in browser.run(OUTPUT)]

    assert texts() == ["0", "9", "2", "8", "4"]
    browser.click("#start")
    assert texts() == ["0", "1", "2", "3", "4"]
    browser.click("#next")
    assert texts() == ["0", "7", "2", "3", "4"]
    assert "replaced by 2" in browser.run(SAID)
    browser.press("n")
    browser.press("n")
    assert texts() == ["0", "9", "2", "8", "4"]
    browser.press("p")
    assert texts() == ["0", "7", "2", "8", "4"]
    browser.click("#end")
    assert texts() == ["0", "9", "2", "8", "4"]
    assert browser.errors == []


def test_a_page_loads_nothing_and_refuses_to(browser, page):
    path = page("onnx.Gather", "--data", "4x3", "--indices", "[2,-1]")
    assert "http" not in path.read_text().replace("http-equiv", "")
    browser.open(path)
    assert browser.run("performance.getEntriesByType('resource').length") == 0


def test_a_narrow_page_does_not_scroll_sideways(browser, page):
    browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
    try:
        browser.open(page("onnx.Gather", "--data", "1000x512", "--indices", "[3,999,3,-7,500]"))
        assert browser.run("document.documentElement.scrollWidth") <= 400
    finally:
        browser.call("Emulation.clearDeviceMetricsOverride")


def luminance(colour):
    """Of "#rrggbb", by WCAG."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_texts_have_enough_contrast_in_both_schemes(page):
    style = page("onnx.Gather", "--data", "4x3", "--indices", "[2,-1]").read_text()
    light_rule, dark_rule = re.findall(r"\.windrow \{(.*?)\}", style, flags=re.DOTALL)[:2]
    light = dict(re.findall(r"--(\w+): (#\w{6});", light_rule))
    dark = {**light, **dict(re.findall(r"--(\w+): (#\w{6});", dark_rule))}
    assert light["page"] != dark["page"]
    for scheme in (light, dark):
        pairs = [(text, ground) for text in ("text", "soft", "focus") for ground in ("page", "card")]
        pairs += [(f"t{i}", f"g{i}") for i in range(7)]
        for text, ground in pairs:
            assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground, scheme[text], scheme[ground])
