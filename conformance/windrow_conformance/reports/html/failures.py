"""The failures that the page's script shows, as the JSON that the page holds. Text in it is not yet escaped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...causes import Cause, causes
from ...printable import printable
from ...record import Record
from ...results import Failure, RunResults
from ...tensor_text import tensor_text
from .. import Background
from .markup import shown
from .overview import outcome_class, ranked

# The longest reproduction, in characters; a longer one is left out.
MOST_CODE = 4000


@dataclass(frozen=True)
class Amount:
    """How many of a runtime's failures are shown. full: the number of records of a cause with all details. detailed: the
    number of causes with such records. named: the number of further records of a cause that are named. causes: the
    number of a runtime's causes.
    """

    full: int
    detailed: int
    named: int
    causes: int


def failures_document(run: RunResults, background: Background, amount: Amount) -> dict[str, Any]:
    """left_out: the number of failures of causes that are not shown at all."""
    details: dict[str, dict[str, Any]] = {}
    sentences: dict[str, str] = {}
    groups = []
    left_out = 0
    for runtime in ranked(run):
        found = causes(run, runtime)
        left_out += sum(len(cause.failures) for cause in found[amount.causes :])
        for at, cause in enumerate(found[: amount.causes]):
            sentences.setdefault(shown(cause.asked.rule), shown(background.sentence(cause.asked.rule)))
            records = []
            for failure in cause.failures[: amount.full if at < amount.detailed else 0]:
                record = background.record(failure.path)
                if record is not None:
                    details.setdefault(shown(failure.path), record_document(record))
                records.append(_failure(failure, record, runtime.name, background))
            others = cause.failures[len(records) : len(records) + amount.named]
            groups.append(_group(runtime.name, cause, records, [shown(failure.path) for failure in others]))
    return {"details": details, "sentences": sentences, "causes": groups, "left_out": left_out}


def _group(runtime: str, cause: Cause, records: list[dict[str, str]], others: list[str]) -> dict[str, Any]:
    return {
        "runtime": shown(runtime),
        "operator": shown(cause.asked.operator),
        "tier": cause.asked.tier,
        "rule": shown(cause.asked.rule),
        "outcome": cause.outcome.value,
        "kind": outcome_class(cause.outcome),
        "word": cause.word,
        "count": len(cause.failures),
        "records": records,
        "others": others,
    }


def _failure(failure: Failure, record: Record | None, runtime: str, background: Background) -> dict[str, str]:
    told = {"path": failure.path, "message": failure.message, "got": failure.got}
    document = {name: shown(text) for name, text in told.items() if text}
    code = background.reproduction(runtime, record) if record is not None else ""
    # A part of a program does not run.
    if 0 < len(code) <= MOST_CODE:
        document["reproduction"] = printable(code, kept="\n")
    return document


def record_document(record: Record) -> dict[str, Any]:
    """The call and its expected result, as texts."""
    attributes = {**record.attrs, **record.options}
    told = {
        "call": f"{record.op}, version {record.version}",
        "attributes": ", ".join(f"{name} = {value}" for name, value in attributes.items()),
        "expected": _expected(record),
        "note": record.note,
    }
    document: dict[str, Any] = {name: shown(text) for name, text in told.items() if text}
    return {**document, "inputs": [shown(tensor_text(one)) for one in record.inputs]}


def _expected(record: Record) -> str:
    if record.output is not None:
        return tensor_text(record.output)
    if record.digest is not None:
        extents = ", ".join(map(str, record.digest.shape))
        return f"{record.digest.dtype}[{extents}], the same in every run; SHA-256 {record.digest.sha256}"
    text = f"an error ({record.error_kind})"
    if not record.fault:
        return text
    return f"{text}: {', '.join(f'{name} {value}' for name, value in record.fault.items())}"
