"""Worker processes: a handler runs on items, each in a process of its own, and nothing that it does harms the caller.

It knows nothing of what the handlers run and needs NumPy alone: windrow.runners and the conformance kit, which contains
these files too, both stand on it.
"""

from ._failure import Failure, FailureKind
from ._pool import Ending, Limits, Pool
from ._worker import CannotAsk

__all__ = ["CannotAsk", "Ending", "Failure", "FailureKind", "Limits", "Pool"]
