"""The document of a run, docs/formats/conformance.schema.json, from which the run can be read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..outcome import Outcome
from ..results import Asked, Counts, Failure, RunResults, RuntimeResults
from .json_value import JsonValue

FORMAT = "windrow-conformance-run"
FORMAT_VERSION = 1
# Records are grouped by operator, tier, rule and folder; the outcomes of a group are one text with a letter for each.
LETTERS = {
    Outcome.PASSED: "p",
    Outcome.WRONG_VALUE: "w",
    Outcome.NO_ERROR: "n",
    Outcome.REFUSED: "r",
    Outcome.UNSUPPORTED: "u",
    Outcome.CRASH: "c",
    Outcome.HANG: "h",
    Outcome.MEMORY: "m",
    Outcome.FOREIGN_READ: "f",
    Outcome.FOREIGN_WRITE: "x",
    Outcome.DIFFERS: "d",
}
OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}
NOT_ASKED = "-"


def write_json(run: RunResults) -> str:
    groups = _group(run)
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "corpus": run.corpus,
        "date": run.date,
        "complete": run.complete,
        "machine": dict(run.machine),
        "selection": dict(run.selection),
        "runs": run.runs,
        "threads": list(run.threads),
        "runtimes": [_runtime_document(run, runtime, groups) for runtime in run.runtimes],
        "records": [
            {"folder": folder, "operator": asked.operator, "tier": asked.tier, "rule": asked.rule, "names": names}
            for (folder, asked), names in groups.items()
        ],
    }
    # One runtime, failure or group per line, so that a change shows as the lines that it changes.
    return _lines(document)


Groups = Mapping[tuple[str, Asked], list[str]]


def _group(run: RunResults) -> Groups:
    groups: dict[tuple[str, Asked], list[str]] = {}
    for path, asked in run.records.items():
        folder, _, name = path.rpartition("/")
        groups.setdefault((folder, asked), []).append(name)
    return groups


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _counts_document(counts: Counts) -> dict[str, int]:
    return {
        "passed": counts.passed,
        "failed": counts.failed,
        "skipped": counts.skipped,
        "different": counts.different,
    }


def _runtime_document(run: RunResults, runtime: RuntimeResults, groups: Groups) -> dict[str, Any]:
    operators: dict[str, dict[str, dict[str, int]]] = {}
    for (operator, tier), counts in run.counts(runtime).items():
        operators.setdefault(operator, {})[tier] = _counts_document(counts)
    letters = {path: LETTERS[outcome] for path, outcome in runtime.outcomes.items()}
    return {
        "runtime": runtime.name,
        "version": runtime.version,
        "versions": dict(runtime.versions),
        "fault": runtime.fault,
        "seconds": round(runtime.seconds, 3),
        "unguarded": runtime.unguarded,
        "tiers": {tier: _counts_document(counts) for tier, counts in run.tier_counts(runtime).items()},
        "operators": operators,
        "failures": [_failure_document(run.records[failure.path], failure) for failure in runtime.failures],
        "outcomes": [
            "".join(letters.get(_path(folder, name), NOT_ASKED) for name in names)
            for (folder, _), names in groups.items()
        ],
    }


def _failure_document(asked: Asked, failure: Failure) -> dict[str, str]:
    return {
        "path": failure.path,
        "operator": asked.operator,
        "tier": asked.tier,
        "rule": asked.rule,
        "outcome": failure.outcome.value,
        "message": failure.message,
        "got": failure.got,
    }


def _lines(document: Mapping[str, Any]) -> str:
    members = []
    for key, value in document.items():
        if key == "records":
            text = _list_lines([json.dumps(one) for one in value])
        elif key == "runtimes":
            text = _list_lines([_runtime_lines(one) for one in value])
        else:
            text = json.dumps(value)
        members.append(f"{json.dumps(key)}: {text}")
    return "{" + ",\n".join(members) + "}\n"


def _runtime_lines(runtime: Mapping[str, Any]) -> str:
    members = [
        f"{json.dumps(key)}: "
        + (_list_lines([json.dumps(one) for one in value]) if key == "failures" else json.dumps(value))
        for key, value in runtime.items()
    ]
    return "{" + ",\n".join(members) + "}"


def _list_lines(texts: list[str]) -> str:
    return "[\n" + ",\n".join(texts) + "\n]" if texts else "[]"


def read_json(text: str) -> RunResults:
    """The run of a document. Counts are computed again from the outcomes.

    Raises ValueError, which says where, if the text is not such a document.
    """
    try:
        document = JsonValue("the document", json.loads(text))
    except RecursionError:
        raise ValueError("the document is nested too deeply") from None
    if document["format"].text() != FORMAT or document["format_version"].integer() != FORMAT_VERSION:
        raise ValueError(f"not a document of the format {FORMAT}, version {FORMAT_VERSION}")
    records: dict[str, Asked] = {}
    groups = []
    for group in document["records"].items():
        asked = Asked(group["operator"].text(), group["tier"].tier(), group["rule"].text())
        paths = [_path(group["folder"].text(), name.text()) for name in group["names"].items()]
        records.update(dict.fromkeys(paths, asked))
        groups.append(paths)
    if len(records) != sum(map(len, groups)):
        raise ValueError("the document has two records of one path")
    runtimes = tuple(_read_runtime(runtime, groups) for runtime in document["runtimes"].items())
    if len({runtime.name for runtime in runtimes}) != len(runtimes):
        raise ValueError("the document has two runtimes of one name")
    return RunResults(
        corpus=document["corpus"].text(),
        date=document["date"].text(),
        machine=document["machine"].texts(),
        records=records,
        runtimes=runtimes,
        selection=document["selection"].texts(),
        runs=document["runs"].integer(),
        threads=tuple(one.integer() for one in document["threads"].items()),
        complete=document["complete"].boolean(),
    )


def _read_runtime(runtime: JsonValue, groups: list[list[str]]) -> RuntimeResults:
    outcomes: dict[str, Outcome] = {}
    texts = runtime["outcomes"].items()
    if len(texts) != len(groups):
        raise ValueError(f"{runtime['outcomes'].place}: expected {len(groups)} texts, one for each group of records")
    for paths, letters in zip(groups, texts, strict=True):
        if len(letters.text()) != len(paths) or not set(letters.text()) <= {*OUTCOMES, NOT_ASKED}:
            raise ValueError(f"{letters.place}: expected {len(paths)} letters, one for each record of the group")
        for path, letter in zip(paths, letters.text(), strict=True):
            if letter != NOT_ASKED:
                outcomes[path] = OUTCOMES[letter]
    failures = []
    for one in runtime["failures"].items():
        path = one["path"].text()
        if path not in outcomes or outcomes[path].value != one["outcome"].text():
            raise ValueError(f"{one.place}: its outcome is not the one that the runtime's outcomes have for its path")
        failures.append(Failure(path, outcomes[path], one["message"].text(), one["got"].text()))
    return RuntimeResults(
        name=runtime["runtime"].text(),
        versions=runtime["versions"].texts(),
        fault=runtime["fault"].text(),
        outcomes=outcomes,
        failures=tuple(failures),
        unguarded=runtime["unguarded"].integer(),
        seconds=runtime["seconds"].number(),
    )
