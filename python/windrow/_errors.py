"""The exceptions of the package, and how they are made from the library's errors."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from windrow._text import printable


class Error(Exception):
    """What every failure of the library is.

    operator: "onnx.Gather-13", or "" outside an operator.
    constraint: the rule's label in docs/operators/, such as "ONNX-Gather-C3", or "".
    """

    operator: str = ""
    constraint: str = ""


class ArgumentError(Error, ValueError):
    """An attribute, an option or a combination of arguments that no call could have."""


class AxisError(ArgumentError, np.exceptions.AxisError):
    """An axis that the array has not: as NumPy's error of this name also an IndexError."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class ArgumentTypeError(ArgumentError, TypeError):
    """An attribute whose value is of a Python type that it never takes."""


class ShapeError(Error, ValueError):
    """Ranks or extents that do not fit."""


class DTypeError(Error, TypeError):
    """An element type that the operator's version does not take."""


class IndexOutOfRange(Error, IndexError):
    """An index outside its legal range where the policy is "error": the first in row-major order.

    input: the operator's name of the index tensor. position: where in it (a tuple of int).
    value: what stands there. axis, extent: the axis of the indexed tensor and its extent.
    count: how many indices are out of range, each element once.
    """

    input: str = ""
    position: tuple[int, ...] = ()
    value: int = 0
    axis: int = 0
    extent: int = 0
    count: int = 0


class DuplicateIndex(Error, ValueError):
    """Two updates of one cell where duplicates="error"."""


class Unsupported(Error, NotImplementedError):
    """An operator, version, kernel set or feature that is not there."""


class FormatError(Error, ValueError):
    """A file whose bytes are not what they should be."""


class FileError(Error, OSError):
    """A file that can't be read or written."""


class OutOfMemory(Error, MemoryError):
    """Memory or threads that the system refuses."""


class HostError(Error, RuntimeError):
    """A host runtime that refused a whole model, or whose process ended while it ran.

    kind: "refused", "signal", "exit" or "timeout"; the text has the host's own words.
    """

    def __init__(self, message: str, kind: str = "refused") -> None:
        super().__init__(printable(message))
        self.kind = kind


class InternalError(Error, RuntimeError):
    """A fault of the library itself."""


class OperatorWarning(UserWarning):
    """A note of a compiled operator, such as that its version is deprecated."""


# By the names that the library gives its error codes.
_CLASSES: dict[str, type[Error]] = {
    "invalid argument": ArgumentError,
    "shape": ShapeError,
    "type": DTypeError,
    "index out of range": IndexOutOfRange,
    "duplicate": DuplicateIndex,
    "unsupported": Unsupported,
    "out of memory": OutOfMemory,
    "format": FormatError,
    "input/output": FileError,
    "internal": InternalError,
}


def code_of(error: Error) -> str:
    """The name of the library's error code that the exception stands for; of others "invalid argument"."""
    return next((code for code, kind in _CLASSES.items() if isinstance(error, kind)), "invalid argument")


for _public in (Error, *_CLASSES.values(), HostError, AxisError, ArgumentTypeError, OperatorWarning):
    _public.__module__ = "windrow"


# What tells the attribute errors apart that are an error of another kind in Python, too.
_AXIS = re.compile(r"(^|\]: )axis is -?\d")
_ATTRIBUTE_TYPE = re.compile(r"(^|-A2\]: )attribute '[^']*' must be an? ")


def _class_of(code: str, message: str) -> type[Error]:
    if code == "invalid argument" and _AXIS.search(message):
        return AxisError
    if code == "invalid argument" and _ATTRIBUTE_TYPE.search(message):
        return ArgumentTypeError
    return _CLASSES[code]


def make_error(
    code: str, message: str, operator: str, constraint: str, fault: dict[str, Any] | None
) -> Error:
    """The exception for an error of the library; `fault` tells the bad index."""
    error = _class_of(code, message)(printable(message))
    error.operator = operator
    error.constraint = constraint
    for name, value in (fault or {}).items():
        setattr(error, name, value)
    return error
