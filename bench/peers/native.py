"""The shared libraries of bench/, which the environment names."""

from __future__ import annotations

import ctypes
import os


def load_library(variable: str) -> ctypes.CDLL:
    """The library whose path this variable of the environment holds. Raises ImportError, which says what is missing."""
    path = os.environ.get(variable)
    if not path:
        raise ImportError(f"{variable} does not say where the library is")
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(str(error)) from error
