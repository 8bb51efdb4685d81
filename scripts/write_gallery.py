#!/usr/bin/env python3
"""Writes the gallery, build/docs/gallery.html, from the calls in docs/pictures/calls.json.

Each call is drawn by `windrow explain`. --keep writes the pictures that documents show, docs/pictures/*.svg, and the
hashes of all drawings, docs/pictures/drawings.json, by which a test sees that one has changed.
usage: write_gallery.py [--command FILE] [--page FILE] [--keep]
"""

import argparse
import hashlib
import html
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = ROOT / "docs/pictures/calls.json"
HEAD = """<!DOCTYPE html>
<html lang="en" class="windrow">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gather and scatter operators, one call of each</title>
<style>
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--page); color: var(--text);
font: 1rem/1.5 system-ui, sans-serif; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.5rem 0.75rem; background: var(--card); }
svg { max-width: 100%; height: auto; }
nav ul { columns: 16rem; }
a { color: inherit; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.all { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(40rem, 100%), 1fr)); gap: 0 2rem; }
iframe { width: 100%; height: 46rem; border: 1px solid var(--line); }
</style>
</head>
<body>
<main>
<h1>Gather and scatter operators, one call of each</h1>
<p>Every picture is made by the command below it. An index, the element that it chooses and the place where that element
goes have the same colour and letter. <code>--html FILE</code> instead of <code>--svg FILE</code> gives a page in which
cells can be pointed at and a scatter can be stepped through.</p>
"""


def operators(command):
    """The names of all operators."""
    listed = json.loads(subprocess.run([command, "ops", "--json"], capture_output=True, check=True).stdout)
    return list(dict.fromkeys(f"{row['dialect']}.{row['name']}" for row in listed["operators"]))


def drawing(command, call, option, suffix):
    """The file that `windrow explain` writes for a call."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"drawing.{suffix}"
        words = [command, "explain", *shlex.split(call), option, path]
        done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise SystemExit(f"{call}: {done.stderr}")
        return path.read_text(encoding="utf-8")


def shown(call, option):
    """The command as a line of a shell."""
    return f"<pre>windrow explain {html.escape(call, quote=False)} {option}</pre>\n"


def beside(row, page):
    title = html.escape(row["shows"])
    return (
        f'<section><p>{title}</p>\n<iframe title="{title}" sandbox="allow-scripts" srcdoc="{html.escape(page)}"></iframe>\n'
        f"{shown(row['call'], '--html FILE')}</section>\n"
    )


def drawings(command):
    """The drawing of every call of the gallery: pages of the dialects, pictures of the operators."""
    calls = json.loads(CALLS.read_text(encoding="utf-8"))
    known = operators(command)
    if [row["call"].split()[0] for row in calls["operators"]] != known:
        raise SystemExit(f"{CALLS}: one call of each operator is wanted, in this order: {', '.join(known)}")
    pages = {row["call"]: drawing(command, row["call"], "--html", "html") for row in calls["dialects"]}
    return pages | {row["call"]: drawing(command, row["call"], "--svg", "svg") for row in calls["operators"]}


def gallery(drawn):
    """The page of all drawings."""
    calls = json.loads(CALLS.read_text(encoding="utf-8"))
    rows = {row["call"].split()[0]: row for row in calls["operators"]}
    text = HEAD + '<h2 id="dialects">One input, three dialects, three results</h2>\n<div class="beside">\n'
    text += "".join(beside(row, drawn[row["call"]]) for row in calls["dialects"]) + "</div>\n"
    text += "<nav><h2>Operators</h2>\n<ul>\n"
    text += "".join(f'<li><a href="#{name}">{name}</a></li>\n' for name in rows) + "</ul></nav>\n<div class=\"all\">\n"
    for name, row in rows.items():
        text += f'<section>\n<h2 id="{name}">{name}</h2>\n<p>{html.escape(row["shows"])}</p>\n{drawn[row["call"]]}'
        text += shown(row["call"], "--svg FILE") + "</section>\n"
    return text + "</div>\n</main>\n</body>\n</html>\n"


def kept(drawn):
    """The files of docs/pictures that are made of the drawings: {name: text}."""
    calls = json.loads(CALLS.read_text(encoding="utf-8"))["operators"]
    hashes = {call: hashlib.sha256(text.encode()).hexdigest() for call, text in drawn.items()}
    pictures = {f"{row['picture']}.svg": drawn[row["call"]] for row in calls if "picture" in row}
    return pictures | {"drawings.json": json.dumps(hashes, indent=2) + "\n"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build/release/bin/windrow"))
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "build/docs/gallery.html")
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    drawn = drawings(arguments.command)
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(gallery(drawn), encoding="utf-8")
    for name, text in kept(drawn).items() if arguments.keep else ():
        (CALLS.parent / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
