#!/usr/bin/env python3
"""Writes docs/gallery.html and docs/pictures/*.svg from the calls in docs/pictures/calls.json.

Each call is drawn by `windrow explain`. usage: write_gallery.py [--command FILE] [--into FOLDER]
"""

import argparse
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


def beside(command, row):
    page = html.escape(drawing(command, row["call"], "--html", "html"))
    title = html.escape(row["shows"])
    return (
        f'<section><p>{title}</p>\n<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}"></iframe>\n'
        f"{shown(row['call'], '--html FILE')}</section>\n"
    )


def write(command, into):
    """The gallery and its pictures, in the folder `into`."""
    calls = json.loads(CALLS.read_text(encoding="utf-8"))
    rows = {row["call"].split()[0]: row for row in calls["operators"]}
    known = operators(command)
    if list(rows) != known:
        raise SystemExit(f"{CALLS}: one call of each operator is wanted, in this order: {', '.join(known)}")
    (into / "pictures").mkdir(parents=True, exist_ok=True)
    text = HEAD + '<h2 id="dialects">One input, three dialects, three results</h2>\n<div class="beside">\n'
    text += "".join(beside(command, row) for row in calls["dialects"]) + "</div>\n"
    text += "<nav><h2>Operators</h2>\n<ul>\n"
    text += "".join(f'<li><a href="#{name}">{name}</a></li>\n' for name in rows) + "</ul></nav>\n<div class=\"all\">\n"
    for name, row in rows.items():
        svg = drawing(command, row["call"], "--svg", "svg")
        if "picture" in row:
            (into / "pictures" / f"{row['picture']}.svg").write_text(svg, encoding="utf-8")
        text += f'<section>\n<h2 id="{name}">{name}</h2>\n<p>{html.escape(row["shows"])}</p>\n{svg}'
        text += shown(row["call"], "--svg FILE") + "</section>\n"
    (into / "gallery.html").write_text(text + "</div>\n</main>\n</body>\n</html>\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build/release/bin/windrow"))
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "docs")
    arguments = parser.parse_args()
    write(arguments.command, arguments.into)
    return 0


if __name__ == "__main__":
    sys.exit(main())
