"""The outcomes of the last run of the whole corpus that git keeps, docs/conformance/outcomes.json.

docs/design/conformance.md says what is kept and why. The order of the records is the corpus's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from causes import TABLES

from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.reports.json import LETTERS, NOT_ASKED, OUTCOMES
from windrow_conformance.results import Asked, Failure, RunResults, RuntimeResults

OUTCOMES_FILE = Path(__file__).resolve().parents[1] / "docs" / "conformance" / "outcomes.json"
# The regular expressions that the causes of a runtime look for in messages, by the runtime's name.
PATTERNS: Mapping[str, tuple[str, ...]] = {
    table.runtime: tuple(
        {failures.message: None for cause in table.causes for failures in cause.explains if failures.message}
    )
    for table in TABLES
}
# A number, if the sign is repeated; the outcome's letter; which message, if one is kept.
_SIGNS = re.compile(r"(\d*)([a-z-][A-Z]?)")

# The paths of the records of one file, operator and rule, by these as the keys of the document.
Groups = Mapping[tuple[str, str], list[str]]


def kept_text(run: RunResults, corpus: Corpus, patterns: Mapping[str, Sequence[str]] = PATTERNS) -> str:
    """The text of the file.

    Raises ValueError if the run is not of the whole corpus, or if the patterns find something else in the excerpt of a
    message than in the message.
    """
    asked = asked_of(corpus)
    if not run.complete or run.selection or run.corpus != corpus.version or run.records != asked:
        raise ValueError("only a run of the whole corpus is kept, and of the corpus of this checkout")
    groups = _groups(asked)
    runtimes = [_Signs.of(runtime, patterns.get(runtime.name, ())) for runtime in run.runtimes]
    members = {
        "corpus": run.corpus,
        "records": _digest(asked),
        "date": run.date,
        "machine": dict(run.machine),
        "runs": run.runs,
        "threads": list(run.threads),
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in members.items()]
    lines.append(f'"runtimes": {_block("[]", [json.dumps(one.document()) for one in runtimes])}')
    files = [
        f"{json.dumps(file)}: "
        + _block("{}", [f'{json.dumps(rule)}: "{_cells(runtimes, paths)}"' for (_, rule), paths in rows])
        for file, rows in groupby(groups.items(), key=lambda row: row[0][0])
    ]
    lines.append(f'"outcomes": {_block("{}", files)}')
    return "{" + ",\n".join(lines) + "}\n"


def read_kept(corpus: Corpus, text: str | None = None) -> RunResults:
    """The run in the file, or in such a text; messages are excerpts. Raises ValueError if it is of other records."""
    document = json.loads(OUTCOMES_FILE.read_text(encoding="utf-8") if text is None else text)
    asked = asked_of(corpus)
    if document["records"] != _digest(asked):
        raise ValueError(f"{OUTCOMES_FILE} is of another corpus: ./dev scoreboard writes it anew")
    rows = [(paths, document["outcomes"][file][rule].split()) for (file, rule), paths in _groups(asked).items()]
    runtimes = []
    for number, runtime in enumerate(document["runtimes"]):
        signs: dict[str, str] = {}
        for paths, cells in rows:
            signs.update(zip(paths, _read_cell(cells[number], len(paths)), strict=True))
        runtimes.append(_read_runtime(runtime, {path: signs[path] for path in asked}))
    return RunResults(
        corpus=document["corpus"],
        date=document["date"],
        machine=document["machine"],
        records=asked,
        runtimes=tuple(runtimes),
        runs=document["runs"],
        threads=tuple(document["threads"]),
    )


class _Signs:
    """A runtime's outcomes as signs: by path a letter and, where the message has an excerpt, a capital letter for it."""

    def __init__(self, runtime: RuntimeResults, excerpts: Mapping[str, str]) -> None:
        """excerpts: of messages, by the failure's path; not empty."""
        self.runtime = runtime
        self.messages = sorted(set(excerpts.values()))
        if len(self.messages) > len(ascii_uppercase):
            raise ValueError(f"{runtime.name} has {len(self.messages)} excerpts; there are {len(ascii_uppercase)} letters")
        capitals = dict(zip(self.messages, ascii_uppercase, strict=False))
        self.by_path = {
            path: LETTERS[outcome] + (capitals[excerpts[path]] if path in excerpts else "")
            for path, outcome in runtime.outcomes.items()
        }

    @staticmethod
    def of(runtime: RuntimeResults, patterns: Sequence[str]) -> _Signs:
        excerpts = {failure.path: excerpt(failure.message, patterns) for failure in runtime.failures}
        return _Signs(runtime, {path: message for path, message in excerpts.items() if message})

    def document(self) -> dict[str, object]:
        return {
            "runtime": self.runtime.name,
            "versions": dict(self.runtime.versions),
            "fault": self.runtime.fault,
            "seconds": round(self.runtime.seconds, 3),
            "unguarded": self.runtime.unguarded,
            "messages": self.messages,
        }


def excerpt(message: str, patterns: Sequence[str]) -> str:
    """The part of a message in which the same patterns are found; empty if none is. Raises ValueError if it has none."""
    found = [match for match in (re.search(pattern, message) for pattern in patterns) if match]
    part = message[min(match.start() for match in found) : max(match.end() for match in found)] if found else ""
    for pattern in patterns:
        if bool(re.search(pattern, message)) != bool(re.search(pattern, part)):
            raise ValueError(f"{pattern} is found in only one of a message and its excerpt: {message!r}, {part!r}")
    return part


def asked_of(corpus: Corpus) -> dict[str, Asked]:
    return {
        path: Asked(f"{dialect}/{operator}", *corpus.proved[path])
        for path, (dialect, operator, _) in corpus.operators.items()
    }


def _groups(asked: Mapping[str, Asked]) -> Groups:
    groups: dict[tuple[str, str], list[str]] = {}
    for path, one in sorted(asked.items(), key=lambda item: _key(*item)):
        groups.setdefault(_key(path, one), []).append(path)
    return groups


def _key(path: str, asked: Asked) -> tuple[str, str]:
    return f"{path.rpartition('/')[0]} {asked.operator}", asked.rule


def _digest(asked: Mapping[str, Asked]) -> str:
    lines = [" ".join((path, one.operator, one.tier, one.rule)) for path, one in asked.items()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _cells(runtimes: Iterable[_Signs], paths: list[str]) -> str:
    """The outcomes of a group's records: of each runtime one word."""
    return " ".join(_cell([runtime.by_path.get(path, NOT_ASKED) for path in paths]) for runtime in runtimes)


def _cell(signs: list[str]) -> str:
    runs = [(sign, len(list(same))) for sign, same in groupby(signs)]
    if len(runs) == 1:
        return signs[0]
    return "".join(f"{count if count > 1 else ''}{sign}" for sign, count in runs)


def _read_cell(cell: str, count: int) -> Iterator[str]:
    """The signs of `count` records; a single sign is that of all."""
    runs = _SIGNS.findall(cell)
    for number, sign in [(str(count), cell)] if len(runs) == 1 else runs:
        yield from [sign] * int(number or 1)


def _read_runtime(document: Mapping[str, Any], signs: Mapping[str, str]) -> RuntimeResults:
    outcomes = {path: OUTCOMES[sign[0]] for path, sign in signs.items() if sign != NOT_ASKED}
    messages = dict(zip(ascii_uppercase, document["messages"], strict=False))
    failures = tuple(
        Failure(path, outcome, messages.get(signs[path][1:], ""))
        for path, outcome in outcomes.items()
        if outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED)
    )
    return RuntimeResults(
        document["runtime"],
        document["versions"],
        document["fault"],
        outcomes,
        failures,
        document["unguarded"],
        document["seconds"],
    )


def _block(brackets: str, lines: list[str]) -> str:
    return brackets[0] + "\n" + ",\n".join(lines) + "\n" + brackets[1]
