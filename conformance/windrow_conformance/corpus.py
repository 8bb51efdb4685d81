"""The corpus: its verified files and its records."""

from __future__ import annotations

import fnmatch
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .elements import any_nan, decode
from .record import Dialect, Digest, Record, Tier

_FORMAT = "1"  # the major version of the corpus that this package reads
_HERE = Path(__file__).resolve().parent
# Inside the wheel, and in a checkout.
_PLACES = (_HERE / "cases", _HERE.parents[1] / "cases")
_RECIPES = "deterministic.json"
_RULES = "rules.json"
_BROKEN_RECORD = (KeyError, TypeError, ValueError, IndexError, OverflowError)


class CorpusError(Exception):
    """The corpus is missing, damaged, or of a version that this package does not read."""


@dataclass(frozen=True)
class Rule:
    """A rule that records prove.

    because: for a decision, why the specification's text does not decide it. kind: what the rule is about, such as
    "attribute" or "type"; empty in a corpus that does not say.
    """

    label: str
    tier: Tier
    rule: str
    because: str = ""
    kind: str = ""


@dataclass(frozen=True)
class _Row:
    """A line of a file at one of its versions, from which a Record is made on demand."""

    line: Mapping[str, Any]
    dialect: Dialect
    version: int
    tier: Tier


class Corpus:
    """The records of a folder; made by open(). Records are made on demand, since those of recipes are large.

    folder: where the files are. version: the corpus's. rules: by their labels.
    """

    def __init__(self, folder: Path, version: str, rules: dict[str, Rule], rows: dict[str, _Row]) -> None:
        self.folder, self.version, self.rules = folder, version, rules
        self._rows = rows

    @classmethod
    def open(cls, folder: str | Path | None = None) -> Corpus:
        """Reads a corpus. folder: None for the corpus of this package or, in a checkout, of the checkout.

        Raises CorpusError, which names the file, if one is missing, unreadable or not as the index says.
        """
        place = _find() if folder is None else Path(folder)
        index = _read_index(place)
        contents = {str(row["path"]): _read(place, row) for row in index["files"]}
        rules = _rules(contents)
        rows: dict[str, _Row] = {}
        for path, content in contents.items():
            if "/" in path or path == _RECIPES:
                rows.update(_rows_of(path, content, rules))
        return cls(place, str(index["version"]), rules, rows)

    def paths(
        self,
        filter: str | None = None,
        *,
        tiers: Collection[Tier] | None = None,
        dialects: Collection[Dialect] | None = None,
        operators: Collection[str] | None = None,
        versions: Collection[int] | None = None,
    ) -> list[str]:
        """The paths of the records that meet all conditions, in the corpus's order; None: any.

        filter: a part of the path, or, if it has one of *?[, a pattern of the whole path as in fnmatch.
        """

        def wanted(path: str, row: _Row) -> bool:
            return (
                _matches(path, filter)
                and (tiers is None or row.tier in tiers)
                and (dialects is None or row.dialect in dialects)
                and (operators is None or row.line["op"] in operators)
                and (versions is None or row.version in versions)
            )

        return [path for path, row in self._rows.items() if wanted(path, row)]

    def records(self, filter: str | None = None, **choice: Any) -> Iterator[Record]:
        """The records of paths(), each made when it is reached."""
        return map(self.record, self.paths(filter, **choice))

    def record(self, path: str) -> Record:
        """The record of a path. Raises KeyError; CorpusError if its line is not a record."""
        row = self._rows[path]
        try:
            return _record(path, row, self.rules)
        except _BROKEN_RECORD as error:
            raise CorpusError(f"{self.folder}: {path} is not a record: {error!r}") from error

    @cached_property
    def operators(self) -> dict[str, tuple[Dialect, str, int]]:
        """The dialect, operator and version of every path; makes no tensors."""
        return {path: (row.dialect, str(row.line["op"]), row.version) for path, row in self._rows.items()}

    @cached_property
    def proved(self) -> dict[str, tuple[Tier, str]]:
        """The tier and the rule's label of every path; makes no tensors."""
        return {path: (row.tier, str(row.line["rule"])) for path, row in self._rows.items()}

    def must_fail(self, path: str) -> bool:
        """Whether the call of a path must be refused. Raises KeyError."""
        return "error" in self._rows[path].line


def _find() -> Path:
    for place in _PLACES:
        if (place / "index.json").is_file():
            return place
    raise CorpusError(f"there is no corpus at {' or '.join(map(str, _PLACES))}")


def _matches(path: str, filter: str | None) -> bool:
    if filter is None:
        return True
    return fnmatch.fnmatchcase(path, filter) if any(sign in filter for sign in "*?[") else filter in path


def _read_index(folder: Path) -> dict[str, Any]:
    index = _parsed(folder / "index.json", _bytes(folder / "index.json"))
    try:
        version, files = str(index["version"]), index["files"]
        rows = [(row["path"], row["sha256"]) for row in files]
    except (KeyError, TypeError) as error:
        raise CorpusError(f"{folder / 'index.json'} is not an index of a corpus: {error!r}") from error
    if version.partition(".")[0] != _FORMAT:
        raise CorpusError(f"{folder} has version {version} of the corpus; this package reads {_FORMAT}.*")
    for path, _ in rows:
        if Path(path).is_absolute() or ".." in Path(path).parts:
            raise CorpusError(f"{folder / 'index.json'} names a file outside of its folder: {path}")
    return dict(index)


def _read(folder: Path, row: Mapping[str, Any]) -> Any:
    file = folder / row["path"]
    content = _bytes(file)
    if hashlib.sha256(content).hexdigest() != row["sha256"]:
        raise CorpusError(f"{file} is not the file that index.json describes: its SHA-256 differs")
    return _parsed(file, content)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CorpusError(f"{file} cannot be read: {error.strerror}") from error


def _parsed(file: Path, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{file} is not JSON: {error}") from error


def _rules(contents: Mapping[str, Any]) -> dict[str, Rule]:
    try:
        return {row["label"]: Rule(**row) for row in contents[_RULES]}
    except (KeyError, TypeError) as error:
        raise CorpusError(f"{_RULES} has no table of rules: {error!r}") from error


def _rows_of(file: str, content: Any, rules: Mapping[str, Rule]) -> dict[str, _Row]:
    """The records of a file by their paths, newest versions first."""
    rows: dict[str, _Row] = {}
    stem = file.removesuffix(".json")
    try:
        for line in content:
            is_recipe, newest = file == _RECIPES, line["version"]
            path = f"{stem}/{line['dialect']}/{line['name']}" if is_recipe else f"{stem}/{line['name']}"
            if path in rows:
                raise CorpusError(f"{file} has two records of the path {path}")
            tier: Tier = "deterministic" if is_recipe else rules[line["rule"]].tier
            for version in sorted(line.get("versions", [newest]), reverse=True):
                key = path if version == newest else f"{path}@{version}"
                rows[key] = _Row(line, line["dialect"], version, tier)
    except (KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{file} is not a list of records: {error!r}") from error
    return rows


def _record(path: str, row: _Row, rules: Mapping[str, Rule]) -> Record:
    line = row.line
    [output] = line.get("outputs") or [None]
    is_recipe = row.tier == "deterministic"
    return Record(
        path=path,
        dialect=row.dialect,
        op=line["op"],
        version=row.version,
        attrs=line["attrs"],
        inputs=tuple(None if tensor is None else decode(tensor) for tensor in line["inputs"]),
        output=None if output is None or is_recipe else decode(output),
        rule=line["rule"],
        tier=row.tier,
        error_kind=line["error_kind"] if "error" in line else None,
        fault=line.get("fault"),
        options=line.get("options", {}),
        note=line.get("note", ""),
        any_nan=None if output is None or is_recipe else any_nan(output),
        digest=_digest(output, rules[line["rule"]]) if is_recipe else None,
    )


def _digest(output: Mapping[str, Any], rule: Rule) -> Digest:
    return Digest(output["dtype"], tuple(output["shape"]), output["sha256"], rule.tier == "specification")
