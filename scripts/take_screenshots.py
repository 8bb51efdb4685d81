#!/usr/bin/env python3
"""Takes the screenshots in docs/pictures/screenshots: pages of explanations in headless Chromium.

One for each call of docs/pictures/calls.json that has a picture, every other one in the dark scheme; a scatter after
two of its writes, a gather with the pointer on its last output cell. pages.json has the hashes of the pages, by which
a test sees that a screenshot is old. usage: take_screenshots.py [--command FILE]
"""

import argparse
import base64
import hashlib
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "pictures")]

import browser  # noqa: E402
import write_gallery  # noqa: E402

FOLDER = write_gallery.CALLS.parent / "screenshots"
WIDTH = 880


def pages(command):
    """The pages to be shown, by the names of their pictures."""
    calls = json.loads(write_gallery.CALLS.read_text(encoding="utf-8"))["operators"]
    return {
        row["picture"]: write_gallery.drawing(command, row["call"], "--html", "html") for row in calls if "picture" in row
    }


def hashes(shown):
    """What pages.json holds."""
    return {name: hashlib.sha256(page.encode()).hexdigest() for name, page in shown.items()}


def take(chromium, path, scheme):
    """The bytes of a PNG image of a page down to the end of its picture."""
    chromium.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=1200, deviceScaleFactor=1, mobile=False)
    chromium.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    chromium.open(path)
    if chromium.run("document.getElementById('steps') !== null"):
        chromium.run("step(2)")
    else:
        cell = chromium.run("[...document.querySelectorAll('[data-role=output] td[id]')].pop().id")
        chromium.point_at(f"#{cell}")
    height = chromium.run("document.querySelector('.tensors + .soft').getBoundingClientRect().bottom + scrollY + 16")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
    return base64.b64decode(chromium.call("Page.captureScreenshot", format="png", clip=clip)["data"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build/release/bin/windrow"))
    shown = pages(parser.parse_args().command)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        chromium = browser.Browser(folder)
        try:
            for number, (name, page) in enumerate(shown.items()):
                path = pathlib.Path(folder) / "page.html"
                path.write_text(page, encoding="utf-8")
                (FOLDER / f"{name}.png").write_bytes(take(chromium, path, ("light", "dark")[number % 2]))
        finally:
            chromium.close()
    (FOLDER / "pages.json").write_text(json.dumps(hashes(shown), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
