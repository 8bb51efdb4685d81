"""The form in which values are passed between processes: a file in memory with a JSON header and the arrays' bytes.

A value is None, a bool, int, float, str or bytes, an array of numbers or text, or a list, tuple or dict (with str keys)
of values. Every element type of NumPy's and of ml_dtypes keeps its bits. Text arrays arrive as arrays of str.
"""

from __future__ import annotations

import importlib
import json
import mmap
import os
from typing import IO, Any

import numpy as np

_ALIGNMENT = 64
_LENGTH_BYTES = 8


def new_file(value: Any, name: str) -> int:
    """The descriptor of a new file in memory that holds the value; the caller closes it.

    name: appears in the list of a process's open files. Raises TypeError for an object that is not a value.
    """
    descriptor = os.memfd_create(name)
    try:
        write(value, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write(value: Any, descriptor: int) -> None:
    """Makes the value the whole content of a file. Raises TypeError for an object that is not a value."""
    buffers: list[Any] = []
    header = json.dumps(_tree(value, buffers)).encode()
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(len(header).to_bytes(_LENGTH_BYTES, "little"))
        file.write(header)
        for buffer in buffers:
            _align(file)
            file.write(buffer)


def is_complete(descriptor: int) -> bool:
    """Whether write() was completed."""
    return any(os.pread(descriptor, _LENGTH_BYTES, 0))


def read(descriptor: int) -> Any:
    """The value in such a file. Arrays are writable, and their memory is private to this process."""
    memory = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    end = _LENGTH_BYTES + int.from_bytes(memory[:_LENGTH_BYTES], "little")
    return _Reader(memory, end).value(json.loads(memory[_LENGTH_BYTES:end]))


def _align(file: IO[bytes]) -> None:
    file.write(bytes(-file.tell() % _ALIGNMENT))


def _tree(value: Any, buffers: list[Any]) -> Any:
    """The value as a JSON tree, in the order in which the reader visits it; its bytes are appended to `buffers`."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_tree(np.asarray(value), buffers)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return {"list": [_tree(part, buffers) for part in value], "tuple": isinstance(value, tuple)}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"keys": list(value), "values": [_tree(part, buffers) for part in value.values()]}
    if isinstance(value, bytes):
        buffers.append(value)
        return {"bytes": len(value)}
    raise TypeError(f"a {type(value).__qualname__} cannot go to another process")


def _array_tree(array: np.ndarray[Any, Any], buffers: list[Any]) -> Any:
    shape = list(array.shape)
    if array.dtype.kind in "OTU":
        texts = array.ravel().tolist()
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("an array of Python objects that are not all str cannot go to another process")
        return {"texts": texts, "shape": shape}
    if array.dtype.names is not None or array.dtype.hasobject:
        raise TypeError(f"an array of {array.dtype} cannot go to another process")
    dense = np.asarray(array, order="C").reshape(-1)
    buffers.append(dense.view(np.uint8) if dense.size else b"")
    is_ml_type = array.dtype.isbuiltin == 2
    return {"dtype": array.dtype.name if is_ml_type else array.dtype.str, "shape": shape, "ml": is_ml_type}


class _Reader:
    """Reads the buffers one after another, in the order of the tree."""

    def __init__(self, memory: mmap.mmap, position: int) -> None:
        self._memory, self._position = memory, position

    def value(self, tree: Any) -> Any:
        if not isinstance(tree, dict):
            return tree
        if "list" in tree:
            parts = [self.value(part) for part in tree["list"]]
            return tuple(parts) if tree["tuple"] else parts
        if "keys" in tree:
            return dict(zip(tree["keys"], map(self.value, tree["values"])))
        if "bytes" in tree:
            return self._buffer(tree["bytes"]).tobytes()
        if "texts" in tree:
            texts = np.empty(len(tree["texts"]), object)
            texts[:] = tree["texts"]
            return texts.reshape(tree["shape"])
        return self._array(tree)

    def _buffer(self, count: int) -> np.ndarray[Any, Any]:
        start = self._position + -self._position % _ALIGNMENT
        self._position = start + count
        return np.frombuffer(self._memory, np.uint8, count, start) if count else np.empty(0, np.uint8)

    def _array(self, tree: Any) -> np.ndarray[Any, Any]:
        name = tree["dtype"]
        dtype: np.dtype[Any] = np.dtype(getattr(importlib.import_module("ml_dtypes"), name) if tree["ml"] else name)
        count = int(np.prod(tree["shape"], dtype=np.int64))
        return self._buffer(count * dtype.itemsize).view(dtype).reshape(tree["shape"])
