"""Causes of failures, and the failures that they explain."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.record import Record
from windrow_conformance.results import Asked, Failure, RunResults

WRONG, NO_ERROR, REFUSED, CRASH = Outcome.WRONG_VALUE, Outcome.NO_ERROR, Outcome.REFUSED, Outcome.CRASH
HANG, MEMORY, PASSED = Outcome.HANG, Outcome.MEMORY, Outcome.PASSED
FOREIGN_READ, FOREIGN_WRITE = Outcome.FOREIGN_READ, Outcome.FOREIGN_WRITE

Condition = Callable[[Record], bool]


def _always(record: Record) -> bool:
    return True


@dataclass(frozen=True)
class Failures:
    """Failures that have one cause: those that match all members.

    operators, rules, names: patterns with * and ?, separated by blanks, one of which has to match; names are those of
    the records without operator and version. outcomes: the failure has one of them. message: a regular expression that
    is found in the runtime's message. when: a further condition on the record.
    """

    operators: str
    rules: str
    outcomes: tuple[Outcome, ...]
    names: str = "*"
    message: str = ""
    when: Condition = _always

    def fit(self, asked: Asked, failure: Failure, record: Record) -> bool:
        return (
            failure.outcome in self.outcomes
            and _fits(asked.operator, self.operators)
            and _fits(asked.rule, self.rules)
            and _fits(_without_version(failure.path).rpartition("/")[2], self.names)
            and re.search(self.message, failure.message) is not None
            and self.when(record)
        )


@dataclass(frozen=True)
class Cause:
    """One cause. record: an example. gives: what the runtime does. text: the deciding specification and its sentence.

    also: further outcomes of the record, on other processors or with other contents of memory outside the tensors.
    explains: the failures that have this cause, besides those of the record in all its versions.
    """

    record: str
    outcome: Outcome
    gives: str
    text: str
    also: tuple[Outcome, ...] = ()
    explains: tuple[Failures, ...] = ()

    def is_of(self, asked: Asked, failure: Failure, record: Record) -> bool:
        is_own = _without_version(failure.path) == self.record and failure.outcome in (self.outcome, *self.also)
        return is_own or any(failures.fit(asked, failure, record) for failures in self.explains)


@dataclass(frozen=True)
class Table:
    """The causes of one runtime, in the version in which they were verified. what: the part of the runtime, if any."""

    runtime: str
    version: str
    causes: tuple[Cause, ...]
    what: str = ""

    @property
    def title(self) -> str:
        return f"{self.runtime} {self.version}" + (f", {self.what}" if self.what else "")


def wrong(run: RunResults, runtime: str) -> list[Failure]:
    """A runtime's failures of the specification tier in a run."""
    of_runtime = (results.failures for results in run.runtimes if results.name == runtime)
    return [
        failure
        for failures in of_runtime
        for failure in failures
        if run.records[failure.path].tier == "specification"
    ]


def explained(cause: Cause, failures: list[Failure], run: RunResults, corpus: Corpus) -> list[Failure]:
    """The failures that have this cause."""
    return [
        failure
        for failure in failures
        if cause.is_of(run.records[failure.path], failure, corpus.record(failure.path))
    ]


def _fits(text: str, patterns: str) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns.split())


def _without_version(path: str) -> str:
    return path.partition("@")[0]
