"""A run as one self-contained page, with its style, script and data."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ...against import Comparison
from ...results import RunResults
from .. import Background
from ..words import facts, number
from .changes import changes
from .failures import Amount, failures_document
from .markup import escaped
from .operators import operators
from .overview import failing, overview

# The largest page, in bytes.
MOST_BYTES = 3_000_000
ALL = sys.maxsize
# Levels of detail; the first one whose page is not larger than the limit is used.
AMOUNTS = (
    Amount(full=8, detailed=ALL, named=1000, causes=ALL),
    Amount(full=4, detailed=ALL, named=500, causes=ALL),
    Amount(full=2, detailed=ALL, named=200, causes=ALL),
    Amount(full=1, detailed=ALL, named=100, causes=ALL),
    Amount(full=1, detailed=200, named=100, causes=ALL),
    Amount(full=1, detailed=50, named=10, causes=2000),
    Amount(full=1, detailed=10, named=1, causes=500),
    Amount(full=0, detailed=0, named=0, causes=100),
    Amount(full=0, detailed=0, named=0, causes=0),
)

READING = """<dl>
<dt>specification</dt>
<dd>The operator's text decides the result of the call. A runtime that differs is wrong.</dd>
<dt>decision</dt>
<dd>The text is silent or undefined: the order and rounding of a sum of floats, the bits of NaN, the last of several
updates of one element. A runtime that differs made another choice.</dd>
<dt>deterministic</dt>
<dd>Large calls, repeated on several numbers of threads, give the same bytes every time.</dd>
<dt>percentages</dt>
<dd>Of all records that a runtime was given, including those that it does not support (○). Only a runtime that passes
all of them has 100 %.</dd>
<dt>no error, refused</dt>
<dd>A call that must fail succeeded; a call that must succeed ended with an error.</dd>
<dt>foreign read, foreign write</dt>
<dd>Memory outside the inputs was read; the inputs or the memory beside them were changed. In unguarded calls this
would not be detected.</dd>
</dl>
"""


def write_html(run: RunResults, background: Background, comparisons: Sequence[Comparison] = ()) -> str:
    sections = [_section("Runtimes", overview(run), "runtimes")]
    if comparisons:
        sections.append(_section("What changed", changes(comparisons), "changes"))
    sections.append(_section("By operator", operators(run), "operators"))
    sections.append(_section("How they fail", failing(run), "failing"))
    before, after = _page(run, sections)
    for amount in AMOUNTS:
        document = json.dumps(failures_document(run, background, amount), separators=(",", ":"))
        # The text of an element of raw text, in which nothing may look like markup.
        for sign in "<>&":
            document = document.replace(sign, f"\\u{ord(sign):04x}")
        page = before + document + after
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def _section(title: str, content: str, name: str) -> str:
    return f'<section id="{name}">\n<h2>{title}</h2>\n{content}</section>\n'


def _page(run: RunResults, sections: list[str]) -> tuple[str, str]:
    """The parts of the page before and after the data."""
    style, script = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    ran = [runtime for runtime in run.runtimes if not runtime.fault]
    summary = f"{number(len(run.records), 'record')} of corpus {run.corpus}, {number(len(ran), 'runtime')}, {run.date}"
    if run.selection:
        summary += f"; a part: {', '.join(f'{name} {value}' for name, value in run.selection.items())}"
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
