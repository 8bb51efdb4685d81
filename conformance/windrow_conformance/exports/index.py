"""The descriptions of an export's cases: index.json, and a data.json beside each model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..corpus import Corpus
from ..record import Record
from ..tensor import Tensor
from .files import File


def describe(record: Record, corpus: Corpus) -> dict[str, Any]:
    """A record without its elements: which rule it proves, and how its call must end."""
    rule = corpus.rules[record.rule]
    description: dict[str, Any] = {
        "path": record.path,
        "op": record.op,
        "version": record.version,
        "attrs": dict(record.attrs),
        "options": dict(record.options),
        "inputs": [_type(tensor) for tensor in record.inputs],
        "output": _type(record.output),
        "must_fail": record.must_fail,
        "error_kind": record.error_kind,
        "fault": record.fault,
        "rule": rule.label,
        "tier": rule.tier,
        "note": record.note,
    }
    empty: tuple[Any, ...] = ({}, None, "")
    return {name: value for name, value in description.items() if name == "attrs" or value not in empty}


def short_description(record: Record, corpus: Corpus) -> dict[str, Any]:
    """Which rule a record proves and how its call must end, for the folder of its model."""
    kept = ("path", "must_fail", "error_kind", "fault", "rule", "tier")
    whole = describe(record, corpus)
    return {name: whole[name] for name in kept if name in whole} | {"sentence": corpus.rules[record.rule].rule}


def _type(tensor: Tensor | None) -> dict[str, Any] | None:
    return None if tensor is None else {"dtype": tensor.dtype, "shape": list(tensor.shape)}


class Index:
    """The table of an export's cases, and the number of records that the format cannot express, by reason.

    corpus: what the records are of. form: the name of the format.
    """

    def __init__(self, corpus: Corpus, form: str) -> None:
        self.form = form
        self.corpus = corpus
        self._cases: dict[str, dict[str, Any]] = {}
        self._left_out: Counter[str] = Counter()

    def add(self, name: str, record: Record) -> None:
        """Adds a record as the case of this name."""
        self._cases[name] = describe(record, self.corpus)

    def add_version(self, name: str, record: Record) -> bool:
        """Adds a record as a version of the case of this name. Returns whether the case is new."""
        is_new = name not in self._cases
        if is_new:
            self.add(name, record)
        self._cases[name].setdefault("versions", []).append(record.version)
        return is_new

    def leave_out(self, reason: str) -> None:
        self._left_out[reason] += 1

    def files(self) -> list[File]:
        """index.json, and the table of rules with its labels."""
        head = {
            "corpus_version": self.corpus.version,
            "licence": "CC0-1.0",
            "format": self.form,
            "left_out": dict(sorted(self._left_out.items())),
        }
        rows = ",\n".join(f"{json.dumps(name)}: {_line(self._cases[name])}" for name in sorted(self._cases))
        text = _line(head)[:-1] + ', "cases": {\n' + rows + "\n}}\n"
        rules = [
            {"label": rule.label, "kind": rule.kind, "tier": rule.tier, "rule": rule.rule, "because": rule.because}
            for rule in self.corpus.rules.values()
        ]
        return [
            File("index.json", text.encode()),
            File("rules.json", ("[\n" + ",\n".join(map(_line, rules)) + "\n]\n").encode()),
        ]


def json_file(path: str, content: Mapping[str, Any]) -> File:
    return File(path, (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
