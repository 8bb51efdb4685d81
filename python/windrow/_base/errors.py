"""The exceptions of the package, and how they are made from the library's errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windrow._base.text import printable

if TYPE_CHECKING:
    from windrow._core import Plan


_ALL = 2**63 - 1


class Error(Exception):
    """The base class of all errors of the library.

    operator: for example "onnx.Gather-13"; "" outside an operator.
    constraint: the rule's label in docs/operators/, such as "ONNX-Gather-C3", or "".
    """

    operator: str = ""
    constraint: str = ""


class ArgumentError(Error, ValueError):
    """An attribute, an option or a combination of arguments that is not valid in any call."""


class AxisError(ArgumentError, np.exceptions.AxisError):
    """An axis that the array does not have. Like NumPy's error of this name it is also an IndexError."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class ArgumentTypeError(ArgumentError, TypeError):
    """An attribute whose value has a Python type that the attribute never takes."""


class ShapeError(Error, ValueError):
    """Ranks or extents that break a rule of the operator."""


class DTypeError(Error, TypeError):
    """An element type that this version of the operator does not take."""


class BadIndices(NamedTuple):
    """Indices that are out of range, in row-major order of their tensor.

    positions: where they are, an int64 array of shape [n, rank]. values: the indices there, an int64 array
    of shape [n]; uint64 where the index tensor is.
    """

    positions: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]


class IndexOutOfRange(Error, IndexError):
    """An index outside its legal range where the policy is "error": the first in row-major order.

    input: the operator's name of the index tensor. position: the position in it, a tuple of int.
    value: the index at that position. axis, extent: the axis of the indexed tensor and its extent.
    count: the number of indices that are out of range, each element counted once.
    positions(): all of them in that tensor.
    """

    input: str = ""
    position: tuple[int, ...] = ()
    value: int = 0
    axis: int = 0
    extent: int = 0
    count: int = 0
    _listed: tuple[Any, Any] | None = None  # what the failed run was asked to list
    _list: Callable[[int], tuple[Any, Any]] | None = None

    def positions(self, limit: int | None = None) -> BadIndices:
        """The bad indices of the tensor that `input` names, at most `limit` of them; None: all.

        Reads the index array when it is called, as it is then; the exception keeps that array, or the
        inputs of the model. A model is run again. Raises windrow.ArgumentError for a negative limit,
        windrow.ShapeError or windrow.DTypeError for an array that has changed its shape or type,
        windrow.Unsupported for an exception that knows no arrays: one that was pickled, or that comes
        from inside another runtime.
        """
        if limit is not None and limit < 0:
            raise ArgumentError(f"limit is {limit}; expected 0 or more, or None for all")
        if self._list is None:
            raise Unsupported("this exception does not know the arrays of the call any more")
        positions, values = self._list(_ALL if limit is None else min(limit, _ALL))
        return BadIndices(positions.reshape(len(values), len(self.position)), values)

    def _keep_call(self, plan: Plan, arrays: tuple[Any, ...]) -> None:
        self._list = lambda limit: plan._bad_indices(limit, arrays)

    def _keep_ids(self, check: Callable[[int], Any]) -> None:
        """check(limit) reads the ids of a call on Arrow columns again, and raises an error that lists bad ones."""

        def bad(limit: int) -> tuple[Any, Any]:
            try:
                check(limit)
            except IndexOutOfRange as error:
                if error._listed is not None:
                    return error._listed
            return np.empty((0, 1), np.int64), np.empty(0, np.int64)

        self._list = bad

    def __reduce__(self) -> tuple[Any, ...]:
        """The exception without the arrays of its call, which may be large."""
        return type(self), self.args, {name: value for name, value in vars(self).items() if name != "_list"}


class DuplicateIndex(Error, ValueError):
    """Two updates of one cell where duplicates="error"."""


class Unsupported(Error, NotImplementedError):
    """An operator, version, kernel set or feature that is not available."""


class FormatError(Error, ValueError):
    """A file whose content is not valid in its format."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or an exchange between ranks that failed."""


class OutOfMemory(Error, MemoryError):
    """Memory or threads that the system refuses to provide."""


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
    """A note on a compiled operator, for example that its version is deprecated."""


# By the library's names of its error codes.
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
    """The name of the library's error code for the exception; "invalid argument" for other exceptions."""
    return next((code for code, kind in _CLASSES.items() if isinstance(error, kind)), "invalid argument")


for _public in (BadIndices, Error, *_CLASSES.values(), HostError, AxisError, ArgumentTypeError, OperatorWarning):
    _public.__module__ = "windrow"


# Patterns of attribute errors that also have a more specific type in Python.
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
    """The exception for an error of the library; `fault` describes the bad index."""
    error = _class_of(code, message)(printable(message))
    error.operator = operator
    error.constraint = constraint
    for name, value in (fault or {}).items():
        setattr(error, name, value)
    return error


@contextmanager
def needed_by(part: str, package: str) -> Iterator[None]:
    """A context in which an import that fails for lack of `package` raises an ImportError that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        message = f"{part} needs {package}: pip install {package}"
        raise ImportError(message, name=package) from error
