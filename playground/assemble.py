#!/usr/bin/env python3
"""Writes the playground as one HTML file: assemble.py MODULE.wasm PAGE.html"""

import base64
import gzip
import json
import pathlib
import re
import shlex
import sys

HERE = pathlib.Path(__file__).resolve().parent
CALLS = HERE.parent / "docs/pictures/calls.json"


def example(words):
    """A call of the gallery, which is written as words of the command, as the page takes it."""
    operator, *rest = shlex.split(words)
    call = {"operator": operator, "inputs": {}, "dtypes": {}, "attributes": {}, "options": {}, "as": []}
    for flag, value in zip(rest[::2], rest[1::2], strict=True):
        name, _, text = value.partition("=")
        if flag == "--attr":
            call["attributes"][name] = text
        elif flag == "--dtype":
            call["dtypes"][name] = text
        elif flag == "--as":
            call["as"].append(value)
        elif flag in ("--out-of-range", "--negative", "--padding-index", "--duplicates"):
            call["options"][flag[2:]] = value
        else:
            call["inputs"][flag[2:]] = value
    return call


def examples():
    """The first call of each operator in the gallery, by the operator's name."""
    calls = {}
    for row in json.loads(CALLS.read_text())["operators"]:
        call = example(row["call"])
        calls.setdefault(call["operator"], call)
    return calls


def page(module):
    """The text of the page with the module of these bytes inside."""
    parts = {name: (HERE / name).read_text() for name in ("page.css", "module.js", "page.js")}
    parts["examples"] = json.dumps(examples()).replace("</", "<\\/")
    parts["module"] = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    text = (HERE / "page.html").read_text()
    return re.sub(r"/\*\{(.+?)\}\*/", lambda place: parts[place[1]], text)


def main():
    module, target = map(pathlib.Path, sys.argv[1:])
    target.write_text(page(module.read_bytes()))
    print(f"{target}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
