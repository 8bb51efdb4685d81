"""Shows on a terminal what a long piece of work does. Nothing is shown elsewhere, nor in the first seconds."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

# Seconds of work that is not shown, and between two changes of the line.
_SILENT, _EVERY = 2.0, 0.5


class _Line:
    """The last line of a terminal, written from a thread so that it is alive while a host runs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""
        self._start = time.monotonic()
        self._is_shown = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def step(self, text: str) -> None:
        self._text = text

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _tick(self) -> None:
        if self._ended.wait(_SILENT):
            return
        while True:
            text = f"{self._text} ({time.monotonic() - self._start:.0f} s)"
            width = max(20, shutil.get_terminal_size().columns) - 1
            self._stream.write(f"\r{text[:width]}\x1b[K")
            self._stream.flush()
            self._is_shown = True
            if self._ended.wait(_EVERY):
                return


_line: _Line | None = None


@contextmanager
def shown() -> Iterator[None]:
    """Shows the steps of the work inside on standard error, if that is a terminal."""
    global _line
    stream = sys.stderr
    if _line is not None or stream is None or not stream.isatty():
        yield
        return
    _line = _Line(stream)
    try:
        yield
    finally:
        line, _line = _line, None
        line.end()


def step(text: str) -> None:
    """Says what is done now; it is shown only within shown()."""
    if _line is not None:
        _line.step(text)
