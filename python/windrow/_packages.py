"""Packages that parts of this one need, and that a user may not have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed_by(part: str, package: str) -> Iterator[None]:
    """Imports inside it that miss `package` raise an ImportError that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        message = f"{part} needs {package}: pip install {package}"
        raise ImportError(message, name=package) from error
