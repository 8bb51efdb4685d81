"""A run as one page that loads nothing: style, script and data are in it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from ...against import Comparison
from ...results import RunResults
from .. import Background
from ..words import facts, number
from .changes import changes
from .failures import failures_document
from .markup import escaped
from .operators import operators
from .overview import failing, overview

# Bytes of a page. Of each cause as many records are shown in full as fit.
MOST_BYTES = 3_000_000
# Records of a cause in full, names of further ones, causes of a runtime: the first that fits is taken.
AMOUNTS = (
    (8, 1000, 10_000),
    (4, 500, 10_000),
    (2, 200, 10_000),
    (1, 100, 10_000),
    (1, 10, 2000),
    (1, 0, 500),
    (1, 0, 100),
    (0, 0, 20),
    (0, 0, 0),
)

READING = """<dl>
<dt>specification</dt><dd>The text of the operator decides what must come of the call. A runtime that differs is wrong.</dd>
<dt>decision</dt><dd>The text is silent or undefined: the order and rounding of a sum of floats, the bits of NaN, the last of
several updates of one element. A runtime that differs chose something else.</dd>
<dt>deterministic</dt><dd>Large calls, repeated on several numbers of threads, give the same bytes every time.</dd>
<dt>percentages</dt><dd>Of all records that a runtime was asked, those that it does not support (○) too. Only a runtime that passes
all of them has 100 %.</dd>
<dt>no error, refused</dt><dd>A call that must fail went through; a call that must not fail ended with an error.</dd>
<dt>foreign read, foreign write</dt><dd>Memory outside of the inputs was read; the inputs or the memory beside them were changed. Of
unguarded calls that would not have been seen.</dd>
</dl>
"""


def write_html(run: RunResults, background: Background, comparisons: Sequence[Comparison] = ()) -> str:
    sections = [_section("Runtimes", overview(run), "runtimes")]
    if comparisons:
        sections.append(_section("What changed", changes(comparisons), "changes"))
    sections.append(_section("By operator", operators(run), "operators"))
    sections.append(_section("How they fail", failing(run), "failing"))
    before, after = _page(run, sections)
    for full, named, most_causes in AMOUNTS:
        document = json.dumps(failures_document(run, background, full, named, most_causes), separators=(",", ":"))
        # In an element of raw text: nothing in it may look like markup.
        for sign in "<>&":
            document = document.replace(sign, f"\\u{ord(sign):04x}")
        page = before + document + after
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def _section(title: str, content: str, name: str) -> str:
    return f'<section id="{name}">\n<h2>{title}</h2>\n{content}</section>\n'


def _page(run: RunResults, sections: list[str]) -> tuple[str, str]:
    """What stands before and after the data."""
    style, script = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    ran = [runtime for runtime in run.runtimes if not runtime.fault]
    summary = f"{number(len(run.records), 'record')} of corpus {run.corpus}, {number(len(ran), 'runtime')}, {run.date}"
    told = "".join(f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts(run))
    before = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Conformance of gathers and scatters</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Conformance of gathers and scatters</h1>
<p>{escaped(summary)}</p>
</header>
<main>
{"".join(sections)}<section id="failures">
<h2>Failing records</h2>
<noscript><p>This part of the page needs JavaScript; the run's JSON has the same.</p></noscript>
<form id="filters"></form>
<p id="found" aria-live="polite"></p>
<div id="causes"></div>
</section>
<section id="reading">
<h2>How to read this</h2>
{READING}</section>
<section id="run">
<h2>The run</h2>
<dl class="facts">{told}</dl>
</section>
</main>
<script type="application/json" id="data">"""
    return before, f"</script>\n<script>{script}</script>\n</body>\n</html>\n"
