"""The part of the command's check that needs host runtimes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from windrow import _check
from windrow._errors import Error, code_of
from windrow._progress import shown

if TYPE_CHECKING:
    from windrow._check_fixes import FixVerification

_Answer = TypeVar("_Answer")
# The result, and the error code's name and message, which are empty unless the call failed.
_Answered = tuple[_Answer | None, str, str]


def _answered(work: Callable[[], _Answer]) -> _Answered[_Answer]:
    try:
        return work(), "", ""
    except Error as error:
        return None, code_of(error), str(error)


def _fields(runs: FixVerification) -> dict[str, Any]:
    """The members of FixRuns in command.h."""
    row = dataclasses.asdict(runs)
    del row["cannot_run"]
    return row


def check(arguments: dict[str, Any]) -> _Answered[dict[str, Any]]:
    """windrow.check(), whose report is given as a dict; empty texts stand for None."""
    given: dict[str, Any] = {
        name: None if isinstance(value, str) and not value else value for name, value in arguments.items()
    }
    with shown():
        return _answered(lambda: dataclasses.asdict(_check.check(**given)))


def observe(model: str, node: str, inputs: dict[str, Any]) -> _Answered[list[tuple[str, Any]]]:
    """What a node reads in a run of the model on these inputs, by the names of the node's inputs."""

    def work() -> list[tuple[str, Any]]:
        from windrow._explain_nodes import observed_inputs
        from windrow._models import load

        return list(observed_inputs(load(model), node, inputs).items())

    with shown():
        return _answered(work)


def fix(
    model: str, out: str, inputs: dict[str, Any] | None, unsafe: bool, report: dict[str, Any]
) -> _Answered[dict[str, Any]]:
    """windrow.fix() with this report. Returns the fields of FixOutcome in command.h."""

    def work() -> dict[str, Any]:
        from windrow._check_fixes import fix
        from windrow._models import load

        loaded = load(model)
        result = fix(loaded, _check.report_from(model, report), out, unsafe=unsafe, inputs=inputs)
        return {
            "out": out if result.applied else "",
            "applied": [dataclasses.asdict(change) for change in result.applied],
            "left": [dataclasses.asdict(change) for change in result.left],
            "runs": [_fields(runs) for runs in result.verifications],
            "notes": list(result.notes),
        }

    with shown():
        return _answered(work)
