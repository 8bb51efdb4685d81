"""Why an item has no value: the handler's error, or how the process that ran it ended."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Literal, TypeAlias

# "refused": an error of the host's own, in its words. "signal", "exit", "timeout", "memory": how the process that
# ran the item ended, or was ended. "not installed": the host is missing. "can't be asked": the host has no means to
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
    """Whether a host's error message means that an allocation failed."""
    return "bad_alloc" in text or "bad allocation" in text
