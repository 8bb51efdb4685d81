"""The interface of a measured runtime: one small file with a class derived from Runtime.

docs/guide/conformance_of_your_runtime.md writes one step by step. The functions below `execution` run in worker
processes; the calling process never imports the runtime.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from .record import Dialect, Record
from .tensor import Tensor

__all__ = ["Call", "Runtime", "Unsupported"]

#: Runs the call on inputs of the record's types and shapes; their values may differ.
Call = Callable[[Sequence[Tensor | None]], Tensor]


class Unsupported(Exception):
    """Raised by a runtime's file for a call that the runtime cannot express."""


class Runtime(ABC):
    """A runtime that is measured."""

    name: ClassVar[str]  #: the name on the command line and in reports
    package: ClassVar[str]  #: the package to install
    module: ClassVar[str]  #: the module to import
    dialects: ClassVar[tuple[Dialect, ...]]  #: the dialects whose records the runtime is asked
    #: Whether a call reads the inputs' own memory. Otherwise reads outside it cannot be detected, and the call counts
    #: as unguarded.
    reads_in_place: ClassVar[bool] = False
    #: In bytes, a power of two: the alignment of inputs below which the runtime copies them, or breaks.
    alignment: ClassVar[int] = 1
    #: Whether the runtime has the options of Record.options; without them such records are unsupported.
    has_options: ClassVar[bool] = False
    #: Whether a call may run on several threads; otherwise recipes run on one.
    has_threads: ClassVar[bool] = True

    def versions(self) -> dict[str, str]:
        """The versions of the runtime's packages, by name; empty if it is not installed."""
        try:
            return {self.package: importlib.metadata.version(self.package)}
        except importlib.metadata.PackageNotFoundError:
            return {}

    def fault(self) -> str:
        """Why the runtime cannot run here, with what to install; empty if it can."""
        if importlib.util.find_spec(self.module) is not None:
            return ""
        return f"{self.name} is not installed: pip install {self.package}"

    def why_not(self, record: Record) -> str:
        """Why the runtime has no such call (operator, version, type, option), known without a run; empty if it has."""
        if record.dialect not in self.dialects:
            return f"{self.name} has no operators of {record.dialect}"
        if record.options and not self.has_options:
            return f"{self.name} has no option {', '.join(record.options)}"
        return ""

    def reproduction(self, record: Record) -> str:
        """Two or three lines of Python that run the call in this runtime without this package; empty: not known.

        They may read the record's node test folder or model file, which an export makes under the same path.
        """
        return ""

    def is_in_place(self, record: Record) -> bool:
        """Whether this call reads the inputs' own memory; not if the runtime converts a type first."""
        return self.reads_in_place

    # execution

    def preload(self) -> tuple[str, ...]:
        """The modules that a worker process imports before it forks; none of them may start working threads."""
        return (self.module,)

    @abstractmethod
    def prepare(self, record: Record, threads: int = 1) -> Call:
        """A function that runs the call, repeatedly if needed. Raises Unsupported, or the runtime's error for a model."""

    def is_unsupported(self, error: BaseException) -> bool:
        """Whether the runtime's own error says that it does not implement the operator, version or type."""
        return isinstance(error, Unsupported)
