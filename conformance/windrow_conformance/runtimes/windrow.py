"""Windrow: with the best kernels for the machine, with those of each instruction set, and by its reference.

The operators are called through the C interface (c_windrow.py); only the command has the reference.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..array_functions import numpy_literal
from ..c_windrow import UNSUPPORTED, Plan, WindrowError
from ..ml_types import from_ml, to_ml
from ..onnx_model import tensor_bytes
from ..own_windrow import DISTRIBUTION, windrow_fault
from ..record import DIALECTS, Record
from ..runtime import Call, Runtime, Unsupported
from ..tensor import CARRIERS, Tensor

_ASK = "import json, windrow; print(json.dumps([windrow.__version__, windrow.kernel_sets()]))"
_ASK_SECONDS = 60
# Of protobuf: the wire type of fields with a length, and the field of the strings in a TensorProto.
_OF_A_LENGTH, _STRING_DATA = 2, 6
# Types for which NumPy and ml_dtypes have no arrays.
_ONLY_IN_C = ("nf4", "uint1")


class Windrow(Runtime):
    """Windrow with the kernels that a plan chooses by itself.

    The C interface does not distinguish bools from integers. Calls for which this matters go through Python.
    """

    name = "windrow"
    package = DISTRIBUTION
    module = "windrow"
    dialects = DIALECTS
    reads_in_place = True
    has_options = True
    kernels: ClassVar[str | None] = None

    def versions(self) -> dict[str, str]:
        return {"windrow": _installed()[0]} if _installed()[0] else {}

    def fault(self) -> str:
        version, kernel_sets = _installed()
        if not version:
            return windrow_fault() or "windrow is installed and cannot be imported"
        if self.kernels is not None and not kernel_sets.get(self.kernels):
            return f"this machine has no {self.kernels}"
        return ""

    def preload(self) -> tuple[str, ...]:
        return ("windrow._core",)

    def prepare(self, record: Record, threads: int = 1) -> Call:
        has_truth = any(isinstance(value, bool) for value in record.attrs.values())
        if has_truth and not any(tensor is not None and tensor.dtype in _ONLY_IN_C for tensor in record.inputs):
            return _python_call(record, threads, self.kernels)
        return Plan(record, threads, self.kernels)

    def is_unsupported(self, error: BaseException) -> bool:
        return isinstance(error, Unsupported) or (isinstance(error, WindrowError) and error.code == UNSUPPORTED)

    def reproduction(self, record: Record) -> str:
        tensors = [tensor for tensor in record.inputs if tensor is not None]
        if any(tensor.dtype in _ONLY_IN_C for tensor in tensors):
            return ""
        more = {"version": record.version, **record.options, **record.attrs}
        if self.kernels is not None:
            more["kernels"] = self.kernels
        words = [repr(record.dialect), repr(record.op), *map(_array_text, record.inputs)]
        words += [f"{name}={value!r}" for name, value in more.items()]
        return f"import ml_dtypes, numpy as np, windrow\nprint(windrow.call({', '.join(words)}))"


class WindrowPlain(Windrow):
    name = "windrow-plain"
    kernels = "plain"


class WindrowAvx2(Windrow):
    name = "windrow-avx2"
    kernels = "avx2"


class WindrowAvx512(Windrow):
    name = "windrow-avx512"
    kernels = "avx512"


class WindrowReference(Windrow):
    """`windrow call --reference`, which computes element by element, without plans and kernels. Inputs are files."""

    name = "windrow-reference"
    reads_in_place = False
    has_threads = False

    def prepare(self, record: Record, threads: int = 1) -> Call:
        return lambda inputs: _call_reference(record, inputs)

    def is_unsupported(self, error: BaseException) -> bool:
        return isinstance(error, Unsupported)

    def reproduction(self, record: Record) -> str:
        return ""


@functools.lru_cache
def _installed() -> tuple[str, dict[str, bool]]:
    """The version and the kernel sets of Windrow, from another process; empty if it cannot be imported."""
    if windrow_fault():
        return "", {}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", _ASK], env=environment, capture_output=True, text=True, timeout=_ASK_SECONDS, check=False
    )
    version, kernel_sets = json.loads(done.stdout) if done.returncode == 0 else ("", {})
    return version, kernel_sets


def _array_text(tensor: Tensor | None) -> str:
    if tensor is None or tensor.dtype not in CARRIERS:
        return "None" if tensor is None else numpy_literal(tensor)
    return f"{numpy_literal(tensor)}.view(ml_dtypes.{tensor.dtype})"


def _python_call(record: Record, threads: int, kernels: str | None) -> Call:
    def call(inputs: Sequence[Tensor | None]) -> Tensor:
        windrow = importlib.import_module("windrow")
        arrays = [None if tensor is None else to_ml(tensor) for tensor in inputs]
        options = {"version": record.version, "threads": threads, "kernels": kernels, **record.options}
        return from_ml(windrow.call(record.dialect, record.op, *arrays, **options, **record.attrs))

    return call


def _call_reference(record: Record, inputs: Sequence[Tensor | None]) -> Tensor:
    is_text = record.output_type is not None and record.output_type[0] == "string"
    with tempfile.TemporaryDirectory(prefix="windrow-") as name:
        folder = Path(name)
        file = folder / ("result.pb" if is_text else "result.npy")
        words = ["call", f"{record.dialect}.{record.op}", "--reference", "--version", str(record.version)]
        for at, tensor in enumerate(inputs):
            words += _input_words(folder, at, tensor)
        for attribute, value in record.attrs.items():
            words += ["--attr", f"{attribute}={_attribute_text(value)}"]
        for option, value in record.options.items():
            given = [] if isinstance(value, bool) else [str(value)]
            words += [f"--{option.replace('_', '-')}", *given] if value is not False else []
        said = _run_command([*words, "-o", str(file), "--json"], folder)
        shape = tuple(said["output"]["shape"])
        if is_text:
            return Tensor("string", np.array(_texts(file.read_bytes()), object).reshape(shape))
        return _result(np.load(file), said["output"]["dtype"])


def _attribute_text(value: Any) -> str:
    if isinstance(value, str) and (value.lstrip("-").isdigit() or value in ("true", "false")):
        raise Unsupported("the command takes such a text for a number or a boolean")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _input_words(folder: Path, at: int, tensor: Tensor | None) -> list[str]:
    if tensor is None:
        return ["none"]
    if tensor.dtype == "string":
        file = folder / f"{at}.pb"
        file.write_bytes(tensor_bytes(tensor, str(at)))
        return [str(file)]
    file = folder / f"{at}.npy"
    np.save(file, tensor.array)
    return [str(file), *(["--dtype", f"{at}={tensor.dtype}"] if tensor.dtype in CARRIERS else [])]


def _run_command(words: list[str], folder: Path) -> Any:
    """Runs the command in this process and returns its output. Raises WindrowError if it failed, or Unsupported."""
    core = importlib.import_module("windrow._core")
    said = folder / "said.txt"
    with _redirected(said):
        code = core.run_command(["windrow", *words])
    document = json.loads(said.read_text(encoding="utf-8", errors="replace") or "{}")
    if code == 0:
        return document
    error = document.get("error", {})
    message = str(error.get("message", f"the command ended with {code}"))
    raise Unsupported(message) if error.get("code") == "unsupported" else WindrowError(code, message)


@contextlib.contextmanager
def _redirected(file: Path) -> Iterator[None]:
    """Redirects standard output, also that of C++, to a file, and discards standard error."""
    kept = [os.dup(1), os.dup(2)]
    with file.open("wb") as said, open(os.devnull, "wb") as nowhere:
        os.dup2(said.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            for descriptor, old in zip((1, 2), kept):
                os.dup2(old, descriptor)
                os.close(old)


def _result(array: np.ndarray[Any, Any], dtype: str) -> Tensor:
    """The array of a .npy file as a tensor; for types that NumPy lacks, the file has their bits."""
    bits = array.view(CARRIERS.get(dtype, array.dtype)) if array.shape or dtype in CARRIERS else array
    return Tensor(dtype, bits & np.uint8(15) if dtype == "int4" else bits)


def _texts(message: bytes) -> list[str]:
    """The strings of a TensorProto: all its fields with number 6."""
    texts, at = [], 0
    while at < len(message):
        tag, at = _varint(message, at)
        size, at = _varint(message, at)
        if tag & 7 == _OF_A_LENGTH:
            if tag >> 3 == _STRING_DATA:
                texts.append(message[at : at + size].decode())
            at += size
    return texts


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """The variable-length number that begins at a position, and the position after it."""
    value = shift = 0
    while True:
        byte, at = message[at], at + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
