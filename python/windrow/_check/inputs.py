"""What hosts get of a model: its file, and inputs from an archive of arrays."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._check.provoke import CODED_TYPES
from windrow._models.model import Model
from windrow.runners import ModelFile


def model_file(model: Model) -> ModelFile:
    """The model as a host reads it. Raises windrow.FileError if its file has changed."""
    if model._source is not None:
        return ModelFile.of(model._source.model(), model._source.folder)
    with tempfile.TemporaryDirectory() as folder:
        # The model came from memory, so it is ONNX without external data: IR is read only from files.
        path = Path(folder, "model.onnx")
        model.save(path)
        return ModelFile("onnx", data=path.read_bytes())


def require_types(model: Model, arrays: Mapping[str, Any]) -> None:
    """Raises windrow.ArgumentError for an array of another type than its input: what it shows is not about the model."""
    for value in (*model.inputs, *model.default_inputs):
        array = arrays.get(value.name)
        if not isinstance(array, np.ndarray) or value.dtype is None or value.dtype in CODED_TYPES:
            continue
        given = "string" if array.dtype.kind in "OTU" else array.dtype.name
        if given != value.dtype:
            raise ArgumentError(f"the model's input '{value.name}' is {value.dtype}, the given array is {given}")


def require_promises(assume: Mapping[str, tuple[int, int]], arrays: Mapping[str, Any]) -> None:
    """Raises windrow.ArgumentError for a given value that breaks a promise about the elements of its input."""
    for name, (low, high) in assume.items():
        array = arrays.get(name)
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf":
            continue
        places = np.argwhere(~((array >= low) & (array <= high)))  # NaN breaks a promise, too
        if places.size or (array.ndim == 0 and places.shape[0]):
            where = tuple(int(place) for place in places[0])
            shown = f"{name}[{', '.join(map(str, where))}]" if where else name
            raise ArgumentError(
                f"the given values break the promise that '{name}' lies in {low} to {high}: {shown} is {array[where]}"
            )


def read_archive(path: str | os.PathLike[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of an .npz or .safetensors file by name.

    Raises windrow.FileError, windrow.FormatError, windrow.Unsupported, windrow.OutOfMemory.
    """
    return _core.load_archive(os.fspath(path))
