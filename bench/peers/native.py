"""The shared libraries of bench/, which the environment names."""

from __future__ import annotations

import ctypes
import os
import weakref

MESSAGE_BYTES = 1000


def load_library(variable: str) -> ctypes.CDLL:
    """The library whose path this variable of the environment holds. Raises ImportError, which says what is missing."""
    path = os.environ.get(variable)
    if not path:
        raise ImportError(f"{variable} does not say where the library is")
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(str(error)) from error


class CallLibrary:
    """A library whose functions PREFIX_new, PREFIX_run and PREFIX_delete make, time and end calls that a structure describes."""

    def __init__(self, variable: str, prefix: str, description: type[ctypes.Structure]) -> None:
        library = load_library(variable)
        self.new, self.run, self.delete = (getattr(library, f"{prefix}_{name}") for name in ("new", "run", "delete"))
        self.new.restype = ctypes.c_void_p
        self.new.argtypes = [ctypes.POINTER(description), ctypes.c_char_p, ctypes.c_size_t]
        self.run.restype = ctypes.c_double
        self.run.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        self.delete.restype = None
        self.delete.argtypes = [ctypes.c_void_p]


class NativeCall:
    """A call with its inputs and its output, whose memory must live as long. Raises ValueError where it cannot be made."""

    def __init__(self, library: CallLibrary, description: ctypes.Structure) -> None:
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        self._run, self._call = library.run, library.new(description, message, MESSAGE_BYTES)
        if not self._call:
            raise ValueError(message.value.decode())
        weakref.finalize(self, library.delete, self._call)

    def seconds(self, calls: int) -> float:
        """Runs it that number of times, and returns what the library measured."""
        taken: float = self._run(self._call, calls)
        if taken < 0:
            raise ValueError("the call failed")
        return taken
