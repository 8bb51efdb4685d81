"""The parts of the command that need host runtimes."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from windrow._base.errors import Error, Unsupported, code_of
from windrow._base.progress import shown
from windrow._check.api import check as windrow_check
from windrow._check.report import CheckReport
from windrow._explain import playground
from windrow._explain.nodes import observed_inputs
from windrow._fixes.api import fix as windrow_fix
from windrow._models.model import load

_Answer = TypeVar("_Answer")
# The result, and the error code's name and message, which are empty unless the call failed.
_Answered = tuple[_Answer | None, str, str]


def _answered(work: Callable[[], _Answer]) -> _Answered[_Answer]:
    try:
        return work(), "", ""
    except Error as error:
        return None, code_of(error), str(error)


def check(arguments: dict[str, Any]) -> _Answered[CheckReport]:
    """windrow.check(); empty texts stand for None."""
    given: dict[str, Any] = {
        name: None if isinstance(value, str) and not value else value for name, value in arguments.items()
    }
    with shown():
        return _answered(lambda: windrow_check(**given))


def observe(model: str, node: str, inputs: dict[str, Any]) -> _Answered[list[tuple[str, Any]]]:
    """What a node reads in a run of the model on these inputs, by the names of the node's inputs."""

    def work() -> list[tuple[str, Any]]:
        return list(observed_inputs(load(model), node, inputs).items())

    with shown():
        return _answered(work)


def fix(
    model: str, out: str, inputs: dict[str, Any] | None, unsafe: bool, report: CheckReport
) -> _Answered[SimpleNamespace]:
    """windrow.fix() with this report. Returns the members of FixOutcome in command.h."""

    def work() -> SimpleNamespace:
        result = windrow_fix(load(model), report, out, unsafe=unsafe, inputs=inputs)
        return SimpleNamespace(
            out=out if result.applied else "",
            applied=result.applied,
            left=result.left,
            runs=result.verifications,
            notes=result.notes,
        )

    with shown():
        return _answered(work)


def playground_page() -> str:
    """Where the page of the playground is, if this build has it."""
    return str(playground.PAGE)


def open_in_browser(address: str) -> bool:
    """Whether a browser was started that opens the address."""
    return playground.show(address)


def run_model(
    path: str, inputs: dict[str, Any], host: str, threads: int
) -> tuple[list[tuple[str, Any]], str, str]:
    """Runs a model file in a host; "" and 0 stand for the defaults.

    Returns the outputs, and the error code's name and message, which are empty unless the run failed.
    """
    from windrow.runners._whole_models import require_outputs, run_with_host

    try:
        result = run_with_host(path, inputs, host=host or None, threads=threads or None)
        outputs = list(require_outputs(result).items())
        for name, value in outputs:
            if not isinstance(value, np.ndarray):
                raise Unsupported(f"the output {name!r} is not a tensor")
        return outputs, "", ""
    except Error as error:
        return [], code_of(error), str(error)
