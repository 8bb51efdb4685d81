"""The page of the scoreboard in a browser: from a cell of its table to one failing record, on a narrow and a wide screen."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENS = {"narrow": (390, 844), "wide": (1280, 900)}
# Links from cells of the table that are shown, each a runtime, an operator and a tier.
CELLS = "[...document.querySelectorAll('.heat a[href^=\"#failures&\"]')].filter(cell => cell.offsetWidth > 0)"
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of the kept outcomes."""
    file = tmp_path_factory.mktemp("scoreboard") / "page.html"
    subprocess.run([sys.executable, _ROOT / "conformance/write_scoreboard.py", "--page", file], check=True, timeout=120)
    return file


@pytest.fixture(params=SCREENS)
def screen(request, browser, page):
    width, height = SCREENS[request.param]
    size = {"width": width, "height": height, "deviceScaleFactor": 1}
    browser.call("Emulation.setDeviceMetricsOverride", **size, mobile=request.param == "narrow")
    browser.errors.clear()
    browser.open(page)
    yield browser
    browser.call("Emulation.clearDeviceMetricsOverride")


def in_sight(browser, selector):
    box = browser.run(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
    width, height = browser.run("[innerWidth, innerHeight]")
    return box["width"] > 0 and box["left"] >= 0 and box["right"] <= width and box["top"] < height and box["bottom"] > 0


# The failures that an address with a choice stands for, and what the page's data says of a record among them.
CHOSEN = """(address => {
    const wanted = [...new URLSearchParams(address.split('&').slice(1).join('&'))];
    const data = JSON.parse(document.getElementById('data').textContent);
    const causes = data.causes.filter(cause => wanted.every(([name, value]) => cause[name] === value));
    const records = causes.flatMap(cause => cause.records).filter(record => record.path === %s);
    return {count: causes.reduce((sum, cause) => sum + cause.count, 0), groups: causes.length,
            texts: records.map(record => [data.details[record.path].expected, record.reproduction])};
})(%s)"""


def chosen(browser, address, path=""):
    return browser.run(CHOSEN % (json.dumps(path), json.dumps(address)))


@pytest.mark.parametrize("part", [0, 0.5, 1])
def test_from_a_cell_to_a_record(screen, part):
    """Three clicks: a cell, the first group of its failures, the first record of the group."""
    place = int(part * (screen.run(f"{CELLS}.length") - 1))
    address = screen.run(f"(cell => {{ cell.id = 'cell'; return cell.hash; }})({CELLS}[{place}])")
    count, groups = (chosen(screen, address)[name] for name in ("count", "groups"))
    screen.click("#cell")
    said = f"{count:,} record{'s' * (count > 1)} in {groups:,} group{'s' * (groups > 1)} of one operator, rule and outcome"
    screen.wait_until(f"document.getElementById('found').textContent === {json.dumps(said)}")
    screen.click(".cause > summary")
    path = screen.wait_until("document.querySelector('.cause[open] > .record > summary')?.textContent")
    screen.click(".cause[open] > .record > summary")
    shown = screen.wait_until("document.querySelector('.record[open] dl')?.textContent")
    texts = chosen(screen, address, path)["texts"]
    assert any(expected in shown and reproduction in shown for expected, reproduction in texts)
    assert in_sight(screen, ".record[open] > summary")
    assert screen.run(FITS)
    assert screen.errors == []


def test_what_the_search_field_asks_for_is_not_cut(screen):
    """A copy of the field's words, with the button that empties it, is not wider than the field."""
    widths = screen.run("""(field => {
        const copy = Object.assign(document.createElement('span'), {textContent: field.placeholder});
        const style = getComputedStyle(field);
        Object.assign(copy.style, {font: style.font, position: 'absolute', whiteSpace: 'pre'});
        document.body.append(copy);
        const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [copy.getBoundingClientRect().width + parseFloat(style.fontSize), room];
    })(document.querySelector('#filters input'))""")
    assert widths[0] <= widths[1]


def test_an_address_with_a_choice_shows_its_records(screen, page):
    first = screen.run(f"{CELLS}[0].hash")
    screen.visit(page.as_uri() + first)
    shown = screen.run("[...document.querySelectorAll('#filters select')].map(list => list.value)")
    assert [value for value in shown if value] == re.findall(r"=([^&]+)", screen.run(f"decodeURIComponent({json.dumps(first)})"))
    assert screen.run("document.querySelectorAll('.cause').length") > 0
