"""Keeps a run of the corpus, and writes what is made of the kept one.

python3 conformance/write_scoreboard.py            docs/conformance/scoreboard.md of the kept outcomes
python3 conformance/write_scoreboard.py RUN.json   keeps the outcomes of this run before
python3 conformance/write_scoreboard.py --page FILE   only a page for a browser, of the kept outcomes
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from causes import TABLES
from causes.cause import wrong
from kept_outcomes import OUTCOMES_FILE, kept_text, read_kept

from windrow_conformance.corpus import Corpus
from windrow_conformance.reports import Background
from windrow_conformance.reports.files import read_run, write_file
from windrow_conformance.reports.html import write_html
from windrow_conformance.reports.markdown import percentages
from windrow_conformance.results import RunResults
from windrow_conformance.runtimes import all_runtimes

SUMMARY = OUTCOMES_FILE.with_name("scoreboard.md")
HEAD = """# Scoreboard

Written by conformance/write_scoreboard.py; do not edit. What the runtimes did with the [corpus](../../cases/README.md) when
`./dev scoreboard` ran last, [measured](../guide/conformance.md) by the conformance kit. Its outcomes of every record are kept in
[outcomes.json](outcomes.json); `./dev docs` makes a page of them with each failing record, `build/docs/scoreboard.html`.

Every failure of the specification tier has a [cause](causes.md), verified by hand:

| runtime | failures of the specification tier | causes | outcomes |
|---|---|---|---|
"""


def summary(run: RunResults) -> str:
    """The text of docs/conformance/scoreboard.md."""
    rows = []
    for table in TABLES:
        failures = wrong(run, table.runtime)
        found = Counter(failure.outcome.value for failure in failures).most_common()
        outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in found)
        rows.append(f"| {table.title} | {len(failures):,} | {len(table.causes)} | {outcomes} |\n")
    return HEAD + "".join(rows) + "\n" + "\n".join(percentages(run))


def page(corpus: Corpus, run: RunResults) -> str:
    """A page with each failing record, its expected result and its reproduction."""
    return write_html(run, Background.of(corpus, all_runtimes()))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, nargs="?", help="a run as JSON, the outcomes of which are kept")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write a page for a browser, and nothing else")
    options = parser.parse_args(arguments)
    corpus = Corpus.open()
    try:
        if options.run is not None:
            write_file(OUTCOMES_FILE, kept_text(read_run(options.run), corpus))
        kept = read_kept(corpus)
    except ValueError as error:
        parser.error(str(error))
    if options.page is not None:
        write_file(options.page, page(corpus, kept))
    else:
        write_file(SUMMARY, summary(kept))


if __name__ == "__main__":
    main()
