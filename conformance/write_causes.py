"""Writes docs/conformance/causes.md: each cause of a failure in the specification tier, by one record that shows it.

python3 conformance/write_causes.py. The causes are the tables in causes/; how many failures each one explains is counted
in docs/conformance/outcomes.json. The tests run the records and compare their outcomes with the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from causes import BESIDE, TABLES
from causes.cause import Cause, Table, explained, wrong
from kept_outcomes import read_kept

from windrow_conformance.corpus import Corpus
from windrow_conformance.registry import find
from windrow_conformance.results import RunResults

PAGE = Path(__file__).resolve().parents[1] / "docs" / "conformance" / "causes.md"
# Longer reproductions are left out; `export` writes the record for them.
MOST_CHARACTERS = 720

HEAD = """# Causes of failures

Written by conformance/write_causes.py; do not edit. What is behind the failures of the specification tier, one record for
each cause, verified by hand. The outcomes are those of the versions below; a test runs every record again. How the
runtimes are asked, and what they are not asked, stands in their files in `conformance/windrow_conformance/runtimes/`.

Behind every cause stands how many failures of the [scoreboard](scoreboard.md) it explains. A failure that has two
causes counts for both; none is left without one.

A row that says *by contract* is no defect of the runtime: its function documents another behaviour than the operator that
it is used for. The other rows are bug reports: the record, what the runtime gives, and the sentence that decides.

To see one again: `python -m windrow_conformance RUNTIME --filter RECORD`.
"""


def page(corpus: Corpus, run: RunResults) -> str:
    lines = [HEAD]
    for table in TABLES:
        lines += [f"## {table.title}", "", *_rows(corpus, table, run)]
    lines += ["## Beside the specification tier", ""]
    for table in BESIDE:
        lines += _rows(corpus, table, None)
    return "\n".join(lines)


def _rows(corpus: Corpus, table: Table, run: RunResults | None) -> Iterator[str]:
    """Without a run nothing is counted."""
    failures = wrong(run, table.runtime) if run else []
    for cause in table.causes:
        record = corpus.record(cause.record)
        count = f"; explains {len(explained(cause, failures, run, corpus))} of {len(failures)} failures" if run else ""
        yield f"### {cause.gives}"
        yield ""
        yield f"`{cause.record}` ({record.rule}): {_outcomes(cause)}{count}. {cause.text}"
        yield ""
        reproduction = find(table.runtime).reproduction(record)
        if reproduction and len(reproduction) < MOST_CHARACTERS:
            yield from ("```python", reproduction, "```", "")


def _outcomes(cause: Cause) -> str:
    beside = ", ".join(outcome.value for outcome in cause.also)
    return f"**{cause.outcome.value}**" + (f" (on other processors, or with other contents of memory, also {beside})" if beside else "")


if __name__ == "__main__":
    CORPUS = Corpus.open()
    PAGE.write_text(page(CORPUS, read_kept(CORPUS)), encoding="utf-8")
    print(PAGE)
