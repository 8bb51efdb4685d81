"""The outcome of a record in a runtime."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .tensor import Tensor


class Outcome(Enum):
    PASSED = "passed"
    WRONG_VALUE = "wrong value"  # also: another type or shape
    NO_ERROR = "no error"  # the call must be refused, and was not
    REFUSED = "refused"  # an error instead of a result
    UNSUPPORTED = "unsupported"  # the runtime has no such operator, version, type or option
    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"  # beyond the limit, or kept after every call
    FOREIGN_READ = "foreign read"  # memory outside of the inputs was read
    FOREIGN_WRITE = "foreign write"  # the inputs, or memory beside them, were changed
    DIFFERS = "differs"  # deterministic tier: not the same bytes in every run


@dataclass(frozen=True)
class Verdict:
    """A record's outcome. got: the result, where there is one and it is wrong. message: the runtime's words, or where
    and how the result differs. guarded: whether reads outside of the inputs would have been seen.
    """

    path: str
    outcome: Outcome
    message: str = ""
    got: Tensor | None = None
    guarded: bool = False
