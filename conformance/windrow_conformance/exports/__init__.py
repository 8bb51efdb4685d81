"""The corpus in other forms: node tests of ONNX, OpenVINO IR, NumPy archives, and an archive per dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..corpus import Corpus
from ..record import DIALECTS, Dialect, Record
from .archives import dialect_archives
from .files import File
from .model_cases import onnx_cases, openvino_cases
from .npz import npz_archives


@dataclass(frozen=True)
class Format:
    """A form of the corpus. write: the files of records. dialects: whose records it can express."""

    write: Callable[[Corpus, Iterable[Record]], Iterator[File]]
    dialects: tuple[Dialect, ...] = DIALECTS


# By the name that the command line gives them.
FORMATS = {
    "onnx": Format(onnx_cases, ("onnx",)),
    "openvino": Format(openvino_cases, ("openvino",)),
    "npz": Format(npz_archives),
    "archives": Format(dialect_archives),
}
