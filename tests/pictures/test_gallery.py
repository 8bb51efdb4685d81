"""docs/pictures has what this command draws, and the gallery works in a browser."""

import html
import importlib
import json
import os
import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "scripts"))
take_screenshots = importlib.import_module("take_screenshots")
write_gallery = take_screenshots.write_gallery
COMMAND = os.environ.get("WINDROW_COMMAND", str(_ROOT / "build/release/bin/windrow"))


@pytest.fixture(scope="module")
def drawn():
    return write_gallery.drawings(COMMAND)


@pytest.fixture(scope="module")
def gallery(drawn, tmp_path_factory):
    """The page's path."""
    page = tmp_path_factory.mktemp("gallery") / "gallery.html"
    page.write_text(write_gallery.gallery(drawn), encoding="utf-8")
    return page


def test_every_drawing_is_the_kept_one(drawn):
    pictures = write_gallery.CALLS.parent
    made = write_gallery.kept(drawn)
    hashes = json.loads((pictures / "drawings.json").read_text(encoding="utf-8"))
    changed = [call for call, made_hash in json.loads(made["drawings.json"]).items() if hashes.get(call) != made_hash]
    assert changed == [], "./dev gallery keeps them"
    assert {name: (pictures / name).read_text(encoding="utf-8") for name in made} == made
    assert {path.name for path in pictures.glob("*.svg")} == {name for name in made if name.endswith(".svg")}


def test_the_gallery_has_every_drawing(drawn, gallery):
    text = gallery.read_text(encoding="utf-8")
    assert [call for call, drawing in drawn.items() if drawing not in text and html.escape(drawing) not in text] == []


def test_the_screenshots_are_of_todays_pages():
    kept = json.loads((take_screenshots.FOLDER / "pages.json").read_text())
    assert kept == take_screenshots.hashes(take_screenshots.pages(COMMAND)), "./dev gallery takes them"
    assert {path.stem for path in take_screenshots.FOLDER.glob("*.png")} == set(kept)
    assert len(kept) == 6


def test_a_screenshot_shows_a_cell_that_is_pointed_at(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(take_screenshots.pages(COMMAND)["gather_nd"], encoding="utf-8")
    assert take_screenshots.take(browser, path, "light").startswith(b"\x89PNG")
    assert browser.run("document.querySelectorAll('td.source').length") == 1
    for grid in ("indices", "data", "output"):  # whose labels do not make it scroll
        assert browser.run(f"(b => b.scrollWidth <= b.clientWidth)(document.querySelector('[data-role={grid}] .slices'))")


def test_every_call_succeeds_but_the_one_that_shows_an_error(gallery):
    failing = [section for section in gallery.read_text(encoding="utf-8").split("<section>") if "The call fails" in section]
    assert len(failing) == 1
    assert "ONNX: -1 is the last element; 7 is an error." in failing[0]


def test_three_dialects_have_three_results(drawn, browser, tmp_path):
    calls = json.loads(write_gallery.CALLS.read_text())["dialects"]
    texts = []
    for i, row in enumerate(calls):
        page = tmp_path / f"{i}.html"
        page.write_text(drawn[row["call"]], encoding="utf-8")
        browser.open(page)
        texts.append(browser.run("[...document.querySelectorAll('[data-role=output] td span')].map(s => s.textContent)"))
    assert texts == [["1", "4", ""], ["1", "4", "0"], ["1", "0", "4"]]


def test_the_gallery_opens_without_complaints(gallery, browser):
    browser.open(gallery)
    operators = json.loads(write_gallery.CALLS.read_text())["operators"]
    assert browser.run("document.querySelectorAll('svg').length") == len(operators)
    assert browser.run("document.querySelectorAll('iframe').length") == 3
    assert browser.errors == []
