"""Runtimes that do what a runtime must not do, each in one way. All of them have one operator, Gather.

One long file: each runtime is a few lines.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from windrow_conformance.record import Record
from windrow_conformance.runtime import Call, Runtime, Unsupported
from windrow_conformance.tensor import Tensor

KEPT: list[Any] = []
_libc = ctypes.CDLL(None)


class Honest(Runtime):
    """Does it as it should be done."""

    name = "honest"
    package = "numpy"
    module = "numpy"
    dialects = ("onnx",)
    reads_in_place = True

    def prepare(self, record: Record, threads: int = 1) -> Call:
        if record.op != "Gather":
            raise Unsupported("only Gather")

        def call(inputs: Sequence[Tensor | None]) -> Tensor:
            self.sin(inputs, record, threads)
            data, indices = inputs
            assert data is not None and indices is not None
            return self.answer(Tensor(data.dtype, gather(record, data.array, indices.array)))

        return call

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        """What is done beside the call's work."""

    def answer(self, result: Tensor) -> Tensor:
        return result


def gather(record: Record, data: np.ndarray[Any, Any], indices: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if record.attrs.keys() - {"axis"} or indices.dtype not in (np.int32, np.int64):
        raise ValueError("no such attribute or type")
    return np.take(data, indices, axis=int(record.attrs.get("axis", 0)))


def first_address(inputs: Sequence[Tensor | None]) -> int:
    assert inputs[0] is not None
    return int(inputs[0].array.ctypes.data)


def end_address(inputs: Sequence[Tensor | None]) -> int:
    assert inputs[0] is not None
    return first_address(inputs) + int(inputs[0].array.nbytes)


class OneThread(Honest):
    name = "one thread"
    has_threads = False


class Random(Honest):
    name = "random"

    def answer(self, result: Tensor) -> Tensor:
        noise = secrets.token_bytes(result.array.nbytes)
        return Tensor(result.dtype, np.frombuffer(noise, result.array.dtype).reshape(result.shape))


class RefusesAtRandom(Honest):
    name = "refuses at random"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if secrets.randbelow(2):
            raise ValueError("not today")


class Crashes(Honest):
    name = "crashes"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if record.path.endswith("axis_1"):
            os.kill(os.getpid(), signal.SIGSEGV)


class CrashesAtRandom(Honest):
    name = "crashes at random"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if secrets.randbelow(2):
            os.kill(os.getpid(), signal.SIGSEGV)


class ReadsNothing(Honest):
    """Reads as through a null pointer to a struct, which is beside no input."""

    name = "null"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        ctypes.string_at(8, 1)


class Exits(Honest):
    name = "exits"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        os._exit(0)


class RaisesSystemExit(Honest):
    name = "system exit"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        sys.exit("no more")


class Hangs(Honest):
    name = "hangs"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        while record.path.endswith("axis_1"):
            time.sleep(1)


class TakesMemory(Honest):
    name = "takes memory"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        while record.path.endswith("axis_1"):
            KEPT.append(np.ones(1 << 23))


class Leaks(Honest):
    name = "leaks"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        KEPT.append(np.ones(1 << 20))


class FillsACache(Honest):
    """Ten calls of recipes long, and then no more; longer than a series of the tests' runs."""

    name = "fills a cache"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if len(KEPT) < 10:
            KEPT.append(np.ones(1 << 20))


class ReadsAfter(Honest):
    """One byte behind the data's end."""

    name = "reads after"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        ctypes.string_at(end_address(inputs), 1)


class ReadsFarBefore(Honest):
    """Whole pages before the data's beginning."""

    name = "reads far before"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        ctypes.string_at(first_address(inputs) - 5 * 4096, 1)


class UsesBytesBefore(Honest):
    """Where the byte before the data can be read, it is in the result; else nothing happens."""

    name = "uses bytes before"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        self.byte = b"\0"
        if first_address(inputs) % 4096:
            self.byte = ctypes.string_at(first_address(inputs) - 1, 1)

    def answer(self, result: Tensor) -> Tensor:
        return Tensor(result.dtype, result.array + self.byte[0] // 0xA5)


class WritesAfter(Honest):
    name = "writes after"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        ctypes.memset(end_address(inputs), 0, 1)


class WritesBefore(Honest):
    """Where that is no guard."""

    name = "writes before"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if first_address(inputs) % 4096:
            ctypes.memset(first_address(inputs) - 1, 0, 1)


class ChangesInputs(Honest):
    name = "changes inputs"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        assert inputs[1] is not None
        inputs[1].array[...] = 0


class ChangesCopies(ChangesInputs):
    """As the one above, but with inputs in memory of NumPy's."""

    name = "changes copies"
    reads_in_place = False


class WantsAlignment(Honest):
    """Breaks where data is not aligned to 64 bytes, as with vector instructions of that width."""

    name = "wants alignment"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if first_address(inputs) % 16:
            os.kill(os.getpid(), signal.SIGSEGV)


class AsksForAlignment(WantsAlignment):
    name = "asks for alignment"
    alignment = 16


class RefusesEverything(Honest):
    name = "refuses everything"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        raise ValueError("no")


class RefusesModels(Honest):
    name = "refuses models"

    def prepare(self, record: Record, threads: int = 1) -> Call:
        raise ValueError("no")


class PrintsMuch(Honest):
    name = "prints much"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        os.write(1, b"x" * (1 << 20))
        os.write(2, b"\xff\x00\x1b[31m" * (1 << 10))


class Forks(Honest):
    """Leaves a process behind that would live on."""

    name = "forks"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        if os.fork() == 0:
            time.sleep(1000)


class GivesLists(Honest):
    name = "gives lists"

    def answer(self, result: Tensor) -> Tensor:
        return result.array.tolist()  # type: ignore[no-any-return]


class GivesOtherTypes(Honest):
    name = "gives other types"

    def answer(self, result: Tensor) -> Tensor:
        return Tensor(result.dtype, np.zeros(result.shape, [("a", "<i4")]))


class SaysStrangeWords(Honest):
    name = "says strange words"

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        raise ValueError("\ud800 \x00 \x1b[31m" + "x" * 100_000)


class RacesAlone(Honest):
    """Wrong in some runs, and on several threads alone."""

    name = "races"
    runs = 0

    def sin(self, inputs: Sequence[Tensor | None], record: Record, threads: int) -> None:
        self.threads = threads
        self.runs += 1

    def answer(self, result: Tensor) -> Tensor:
        array = result.array.copy()
        if self.threads > 1 and self.runs % 3 == 0:
            array.reshape(-1)[5] += 1
        return Tensor(result.dtype, array)


class AlwaysWrong(Honest):
    """The same wrong bytes every time."""

    name = "always wrong"

    def answer(self, result: Tensor) -> Tensor:
        return Tensor(result.dtype, np.zeros_like(result.array))


class NotInstalled(Honest):
    name = "not installed"
    package = "no-such-package"
    module = "no_such_module"


class BreaksAtImport(Honest):
    name = "breaks at import"

    def preload(self) -> tuple[str, ...]:
        return ("breaks_at_import",)
