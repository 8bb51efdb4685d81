"""What hosts are given of a model: its file, and inputs from an .npz file."""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from windrow._errors import Error, FileError, FormatError, OutOfMemory
from windrow._models import Model
from windrow.runners import ModelFile


def model_file(model: Model) -> ModelFile:
    """The model as a host reads it. Raises windrow.FileError if its file has changed."""
    if model._source is not None:
        return ModelFile.of(model._source.model(), model._source.folder)
    with tempfile.TemporaryDirectory() as folder:
        # It came from memory: it has no external data, and IR is read from files alone.
        path = Path(folder, "model.onnx")
        model.save(path)
        return ModelFile("onnx", data=path.read_bytes())


def read_npz(path: str | os.PathLike[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of an .npz file by name. Raises windrow.FileError, windrow.FormatError, windrow.OutOfMemory."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            arrays = np.load(file, allow_pickle=False)
            if not isinstance(arrays, np.lib.npyio.NpzFile):
                raise FormatError(f"{name} is no .npz file, but a single array")
            with arrays:
                return {key: arrays[key] for key in arrays.files}
    except MemoryError as error:
        raise OutOfMemory(f"{name}: {error}") from error
    except (ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, Error):
            raise
        raise FormatError(f"{name} is no .npz file of numbers and text: {error}") from error
    except OSError as error:
        raise FileError(f"cannot read {name}: {error.strerror or error}") from error
