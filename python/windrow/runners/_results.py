"""What running a host gives: outputs, or a failure. Both are values."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from windrow.runners._compare import Difference

# "refused": an error of the host's own, in its words. "signal", "exit", "timeout", "memory": how the process that
# ran the item ended, or was ended. "not installed": the host is missing. "can't be asked": the host has no way to
# take this model or call, which is known before it runs.
FailureKind: TypeAlias = Literal[
    "refused", "signal", "exit", "timeout", "memory", "not installed", "can't be asked"
]


@dataclass(frozen=True)
class Failure:
    """Why there are no outputs.

    message: one sentence, or the host's own text. signal: the number of the signal for the kind "signal", else None.
    said: the end of what the process wrote to its standard output and standard error.
    """

    kind: FailureKind
    message: str
    signal: int | None = None
    said: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def failure_of_exit(code: int, said: str = "") -> Failure:
    """The failure of a process with this exit code; a negative code is the number of a signal."""
    if code >= 0:
        return Failure("exit", f"the process ended with the exit code {code}", said=said)
    if -code == signal.SIGABRT and is_lack_of_memory(said):
        return Failure("memory", "the host ended because an allocation failed", said=said)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return Failure("signal", f"the process was ended by {name}", -code, said)


def is_lack_of_memory(text: str) -> bool:
    """Whether a host's words mean that an allocation failed."""
    return "bad_alloc" in text or "bad allocation" in text


@dataclass(frozen=True)
class Observation:
    """The values at a node: arrays (or lists for sequences) in the node's order, None for omitted ones."""

    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


@dataclass(frozen=True)
class Result:
    """What a host made of one model or node.

    outputs: by name, of the unmodified model; None if there is a failure. observed: the values at the exposed nodes
    by the names that were asked for. not_observed: for every other name the reason. changed: the outputs that differ
    in their bits when the nodes are exposed (NaN equals NaN), because the host then fuses other nodes; `observed` is
    then of another computation than `outputs`.
    """

    host: str
    outputs: dict[str, Any] | None = None
    failure: Failure | None = None
    observed: dict[str, Observation] = field(default_factory=dict)
    not_observed: dict[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Repeats:
    """What many runs of one node gave.

    runs: how many there were, of which `differing` did not give what was expected. first: how the first of these
    differed, None if there is none. failure: why there is nothing to compare, else None.
    """

    runs: int
    differing: int = 0
    first: Difference | None = None
    failure: Failure | None = None
