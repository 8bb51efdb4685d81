"""Optional packages that parts of this package need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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
