"""A run as JUnit XML: a suite for each runtime, a case for each record.

Unsupported records, and other choices where the text is silent, are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from ..outcome import Outcome
from ..printable import printable
from ..results import Asked, Failure, RunResults, RuntimeResults, is_difference

# Outcomes that are errors, because they concern the process; a wrong result or error is a failure.
ERRORS = (Outcome.CRASH, Outcome.HANG, Outcome.MEMORY, Outcome.FOREIGN_READ, Outcome.FOREIGN_WRITE)


def write_junit(run: RunResults) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="windrow-conformance">']
    for runtime in run.runtimes:
        lines += _suite(run, runtime)
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(run: RunResults, runtime: RuntimeResults) -> Iterator[str]:
    failures = {failure.path: failure for failure in runtime.failures}
    cases = []
    numbers = {"failure": 0, "error": 0, "skipped": 0}
    for path, outcome in runtime.outcomes.items():
        asked = run.records[path]
        element = _element(asked, outcome)
        if element:
            numbers[element] += 1
        cases.append(_case(path, asked, element, outcome, failures.get(path)))
    if runtime.fault:
        numbers["skipped"] += 1
        cases.append(f'<testcase classname="{_attribute(runtime.name)}" name="runs here">'
                     f'<skipped message="{_attribute(runtime.fault)}"/></testcase>')
    yield (
        f'<testsuite name="{_attribute(f"{runtime.name} {runtime.version}".strip())}" tests="{len(cases)}"'
        f' failures="{numbers["failure"]}" errors="{numbers["error"]}" skipped="{numbers["skipped"]}"'
        f' time="{runtime.seconds:.3f}" timestamp="{_attribute(run.date)}">'
    )
    yield from cases
    yield "</testsuite>"


def _element(asked: Asked, outcome: Outcome) -> str:
    """The name of the element for the outcome; empty for a pass."""
    if outcome is Outcome.PASSED:
        return ""
    if outcome is Outcome.UNSUPPORTED or is_difference(asked.tier, outcome):
        return "skipped"
    return "error" if outcome in ERRORS else "failure"


def _case(path: str, asked: Asked, element: str, outcome: Outcome, failure: Failure | None) -> str:
    told = ""
    if element:
        words = [outcome.value]
        if failure:
            words += [failure.message, f"got {failure.got}" if failure.got else ""]
        kind = "different" if is_difference(asked.tier, outcome) else outcome.value
        told = f'<{element} type="{kind}" message="{_attribute("; ".join(filter(None, words)))}"/>'
    return (
        f'<testcase classname="{_attribute(asked.operator.replace("/", "."))}" name="{_attribute(path)}">'
        f'<properties><property name="tier" value="{asked.tier}"/>'
        f'<property name="rule" value="{_attribute(asked.rule)}"/></properties>{told}</testcase>'
    )


def _attribute(text: str) -> str:
    """The text as the value of an attribute in double quotes."""
    return escape(printable(text), {'"': "&quot;"})
