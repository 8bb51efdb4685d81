"""Worker processes: a handler runs on items, each in a process of its own, so that it cannot harm the caller.

The package is independent of what the handlers run and needs only NumPy: windrow.runners and the conformance kit,
which also contains these files, are built on it.
"""

from ._failure import Failure, FailureKind
from ._pool import Ending, Limits, Pool
from ._worker import CannotAsk

__all__ = ["CannotAsk", "Ending", "Failure", "FailureKind", "Limits", "Pool"]
