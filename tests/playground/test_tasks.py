"""Five questions that people have, each answered on the page by at most four actions, on a narrow and a wide screen."""

import base64
import json
import os
import pathlib
import time
import urllib.parse

import pytest

MOST_ACTIONS = 4
SCREENS = {"narrow": (390, 844), "wide": (1280, 900)}
GATHER = {"operator": "onnx.Gather", "inputs": {"data": "4x", "indices": "[1,-1,2]"}}
FRAME = "byId('picture').contentDocument"
# The rectangle of an element of the page, or of the picture, on the screen.
BOX = """(() => {
    const frame = %s, root = frame ? byId('picture').contentDocument : document;
    const element = root.querySelector(%s), outer = frame ? byId('picture').getBoundingClientRect() : {x: 0, y: 0};
    const box = element.getBoundingClientRect();
    return {x: outer.x + box.x, y: outer.y + box.y, width: box.width, height: box.height,
            text: element.textContent};
})()"""


class Person:
    """Acts on the page as a person does, and counts."""

    def __init__(self, browser):
        self.browser = browser
        self.actions = 0

    def box(self, selector, in_picture=False):
        return self.browser.wait_until(BOX % (json.dumps(in_picture), json.dumps(selector)))

    def settled_box(self, selector, in_picture):
        """The box of an element that no longer moves; after 5 seconds wherever it is."""
        box = self.box(selector, in_picture)
        for _ in range(50):
            time.sleep(0.1)
            before, box = box, self.box(selector, in_picture)
            if box == before:
                break
        return box

    def scroll(self, selector, in_picture=False):
        """Moves the page until an element is in the middle of the screen."""
        self.actions += 1
        root = FRAME if in_picture else "document"
        element = f"{root}.querySelector({json.dumps(selector)})"
        self.browser.wait_until(f"({element}.scrollIntoView({{block: 'center'}}), true)")

    def click(self, selector, in_picture=False):
        self.scroll(selector, in_picture)  # a click and the scrolling that it needs are one action
        box = self.settled_box(selector, in_picture)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.browser.call("Input.dispatchMouseEvent", type=kind, **point, **button)

    def type(self, selector, text):
        """Replaces what a field holds."""
        self.actions += 1
        self.browser.run(f"(field => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(selector)}))")
        self.browser.call("Input.insertText", text=text)

    def choose(self, selector, value):
        self.actions += 1
        self.browser.run(f"""(list => {{ list.value = {json.dumps(value)};
            list.dispatchEvent(new Event('change', {{bubbles: true}})); }})(document.querySelector({json.dumps(selector)}))""")

    def sees(self, selector, words, in_picture=False):
        """Whether the words are in an element that lies on the screen."""
        width, height = self.browser.run("[innerWidth, innerHeight]")
        for _ in range(50):  # the picture is laid out later
            box = self.box(selector, in_picture)
            inside = 0 <= box["x"] and box["x"] + box["width"] <= width + 1 and 0 <= box["y"] < height - 20
            if inside and box["width"] > 0 and box["height"] > 0 and words in box["text"]:
                return True
            time.sleep(0.1)
        return False


def wait_for_picture(browser, operator):
    """Until the picture of a call of the operator has its height: what is below or inside it no longer moves."""
    loaded = f"{FRAME}.readyState === 'complete' && !!{FRAME}.querySelector('#points li')"
    shown = f"{FRAME}.body.textContent.includes({json.dumps(operator)})"
    browser.wait_until(f"{loaded} && {shown} && byId('picture').clientHeight >= {FRAME}.body.getBoundingClientRect().height")


@pytest.fixture(params=SCREENS)
def person(request, playground, page_file):
    """Somebody who has opened a link to GATHER; screenshots of the end, light and dark, are kept in $WINDROW_SCREENSHOTS."""
    width, height = SCREENS[request.param]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": request.param == "narrow"}
    playground.call("Emulation.setDeviceMetricsOverride", **size)
    playground.run(f"location.hash = {json.dumps(urllib.parse.quote(json.dumps(GATHER)))}")
    playground.run("scrollTo(0, 0)")
    playground.call("Page.reload")
    playground.wait_until("document.readyState === 'complete' && typeof opened === 'object'")
    playground.call("Runtime.evaluate", expression="opened.then(() => true)", awaitPromise=True)
    wait_for_picture(playground, "onnx.Gather-13")
    yield Person(playground)
    if folder := os.environ.get("WINDROW_SCREENSHOTS"):
        for scheme in ("light", "dark"):
            playground.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            picture = playground.call("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(folder, f"{request.node.name}_{scheme}.png").write_bytes(base64.b64decode(picture))
        playground.call("Emulation.setEmulatedMedia", features=[])
    playground.call("Emulation.clearDeviceMetricsOverride")


def test_predict_an_element(person):
    person.type("[data-input=indices]", "[3,-2]")
    person.browser.wait_until(f"{FRAME}.querySelectorAll('[data-role=output] td[id]').length === 2")
    wait_for_picture(person.browser, "onnx.Gather-13")
    person.click("[data-role=output] td[id]:last-child", in_picture=True)
    assert person.sees("#said", "output[1] = data[2] = 2: indices[1] = -2; -2 counts as 2", in_picture=True)
    assert person.actions <= MOST_ACTIONS


def test_find_the_bad_index(person):
    person.type("[data-input=indices]", "[1,-1,7]")
    person.scroll("#message")
    assert person.sees("#message", "indices[2] is 7, which must lie in -4 to 3")
    assert person.actions <= MOST_ACTIONS


def test_find_the_overwritten_update(person):
    person.choose("#operator", "ScatterND")
    wait_for_picture(person.browser, "onnx.ScatterND")
    person.scroll("#points", in_picture=True)
    first = "0: updates[0] = 9 goes to output[4], 4 becomes 9: indices[0, 0] = 4; replaced by 3"
    assert person.sees("#points li:first-child", first, in_picture=True)
    assert person.actions <= MOST_ACTIONS
    # The ring of a cell that is written more than once is 4 pixels wide with the border, and covers no letter.
    gaps = """[...%s.querySelectorAll('td.duplicate')].map(cell =>
        cell.querySelector('small').getBoundingClientRect().top - cell.getBoundingClientRect().top)"""
    assert min(person.browser.run(gaps % FRAME)) >= 4


def test_say_which_dialect_gives_zeros(person):
    person.type("[data-input=indices]", "[1,-1,7]")
    person.choose("#other", "openvino.Gather")
    person.scroll("#compared")
    assert person.sees("#compared", "onnx.Gather-13 fails")
    assert person.sees("#compared", "openvino.Gather-8: output[2] = 0: indices[2] = 7; 7 is outside of axis 0")
    assert person.actions <= MOST_ACTIONS


def test_copy_the_numpy_line(person):
    person.click("#numpy-part summary")
    person.click("[data-copies=numpy]")
    line = person.browser.run("byId('numpy').textContent")
    assert "output = data[indices[i0]]" in line and person.sees("#numpy", line)
    person.browser.wait_until("['Copied', 'Selected'].includes(document.querySelector('[data-copies=numpy]').textContent)")
    assert person.browser.run("getSelection().toString()") == line
    assert person.actions <= MOST_ACTIONS


def test_no_operators_name_is_cut(person):
    """A list of the same options whose width is that of the longest is not wider than the page's."""
    needed = """(dialect => { showCall({operator: rows.find(row => row.dialect === dialect).dialect + '.' +
        rows.find(row => row.dialect === dialect).name, inputs: {}});
        const list = byId('operator'), copy = list.cloneNode(true);
        Object.assign(copy.style, {width: 'auto', position: 'absolute'});
        list.after(copy);
        const widths = [copy.offsetWidth, list.offsetWidth];
        copy.remove();
        return widths; })(%s)"""
    for dialect in person.browser.run("[...new Set(rows.map(row => row.dialect))]"):
        wanted, given = person.browser.run(needed % json.dumps(dialect))
        assert wanted <= given, dialect
