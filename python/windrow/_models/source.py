"""The sources of models: paths, bytes, and objects that can be serialized."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

from windrow._base.errors import FileError


@dataclass(frozen=True)
class Source:
    """The source of a model: a path with the file's state when it was read, or bytes and a folder."""

    path: str | None
    state: tuple[int, int, int] | None
    content: bytes | None
    folder: str | None

    def model(self) -> str | bytes:
        """The path or the bytes. Raises windrow.FileError for a file that has changed."""
        if self.path is None:
            assert self.content is not None
            return self.content
        if state_of(self.path) != self.state:
            raise FileError(f"{self.path} has changed since it was loaded; load it again")
        return self.path


def state_of(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: not a valid file name
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


class ModelProto(Protocol):
    """An onnx.ModelProto, or any object with the same method of serialization."""

    def SerializeToString(self) -> bytes: ...


def serialized(model: bytes | bytearray | memoryview | ModelProto) -> bytes:
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    kind = getattr(getattr(model, "DESCRIPTOR", None), "full_name", "onnx.ModelProto")
    serialize = getattr(model, "SerializeToString", None)
    if kind != "onnx.ModelProto" or not callable(serialize):
        found = kind if callable(serialize) else type(model).__qualname__
        raise TypeError(f"load() takes a path, bytes or an onnx.ModelProto, not {found}")
    serialized: bytes = serialize()
    return serialized
