"""Interrupts that end a run without losing the results so far."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType, TracebackType


class Interrupts:
    """In a with statement, Ctrl-C raises KeyboardInterrupt within allowed() alone; one that comes elsewhere raises it
    at the beginning of the next allowed(). Where interrupts are ignored they stay so.
    """

    def __init__(self) -> None:
        self._came = self._is_allowed = self._is_ours = False

    def __enter__(self) -> Interrupts:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._take)
            self._is_ours = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        if self._is_allowed:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        self._is_allowed = True
        try:
            if self._came:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_allowed = False
