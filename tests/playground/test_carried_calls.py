"""Pages that `windrow playground` opens or writes show the call that they were given, also inside a frame."""

import base64
import html
import json
import os
import pathlib
import random
import subprocess

import pytest
from page_calls import SHOWN, assert_shows, calls_of_operators, words

_ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WINDROW_COMMAND", str(_ROOT / "build/release/bin/windrow"))
SEED = int(os.environ.get("WINDROW_PLAYGROUND_SEED", "1"))
OPENED = "opened.then(() => true)"
SCREENS = {"narrow": (390, 844), "wide": (1280, 900)}


def run(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=30, check=False)


def explain(listed):
    return json.loads(run(*listed, "--json").stdout)


def playground_words(call):
    others = [word for other in call["as"] if other != call["operator"] for word in ("--as", other)]
    return ["playground", *words(call)[1:], *others]


@pytest.fixture(scope="module")
def carried(playground, page_file):
    """Calls of five operators, and what the command says of them. The page is open again after these tests."""
    yield calls_of_operators(random.Random(SEED), 5, playground.run("examples"), playground.run("rows"), explain)
    playground.open(page_file)
    shown(playground)


def shown(browser):
    browser.wait_until("document.readyState === 'complete' && typeof opened === 'object'")
    browser.call("Runtime.evaluate", expression=OPENED, awaitPromise=True)
    return browser.run(SHOWN)


def test_the_printed_address_opens_with_the_call(playground, carried):
    for call, expected in carried:
        done = run(*playground_words(call))
        assert (done.returncode, done.stderr) == (0, ""), call
        playground.visit(done.stdout.strip())
        answer = shown(playground)
        assert_shows(answer, expected)
        assert answer["read"] == {**call, "as": [other for other in call["as"] if other != call["operator"]]}
    assert playground.errors == []


def test_the_written_page_opens_with_the_call(playground, carried, tmp_path):
    for call, expected in carried:
        page = tmp_path / "page.html"
        done = run(*playground_words(call), "--out", str(page))
        assert (done.returncode, done.stderr) == (0, ""), call
        playground.open(page)
        assert_shows(shown(playground), expected)
        assert playground.run("!byId('link').parentElement.hidden")
        # What the address says goes first: a link to another call works in a page that was written, too.
        playground.visit(page.as_uri() + "#" + json.dumps({"operator": "onnx.Gather", "inputs": {"data": "3x", "indices": "[2]"}}))
        assert shown(playground)["result"] == "[2]"


@pytest.mark.parametrize("screen", SCREENS)
def test_the_page_works_in_a_frame_of_a_notebook(playground, carried, tmp_path, screen, request):
    """As windrow.playground() shows it: the text of the page in an iframe without an address."""
    call, expected = carried[0]
    page = tmp_path / "page.html"
    assert run(*playground_words(call), "--out", str(page)).returncode == 0
    frame = f'<iframe style="width: 100%; height: 56em; border: 0" srcdoc="{html.escape(page.read_text())}"></iframe>'
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f'<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><p>A cell</p>{frame}')
    width, height = SCREENS[screen]
    playground.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    playground.open(notebook)
    inside = "document.querySelector('iframe').contentWindow"
    playground.call("Runtime.evaluate", expression=f"{inside}.{OPENED}", awaitPromise=True)
    assert_shows(playground.run(f"{inside}.eval({json.dumps(SHOWN)})"), expected)
    cells = f"{inside}.eval(\"byId('picture').contentDocument.querySelectorAll('td[id]').length\")"
    assert playground.wait_until(cells) > 0
    assert playground.run(f"{inside}.eval(\"byId('link').parentElement.hidden\")")  # it has no address
    assert playground.run(f"{inside}.document.documentElement.scrollWidth") <= width
    if folder := os.environ.get("WINDROW_SCREENSHOTS"):
        picture = playground.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(folder, f"{request.node.name}.png").write_bytes(base64.b64decode(picture))
    playground.call("Emulation.clearDeviceMetricsOverride")
    assert playground.errors == []
