"""Shows the progress of a run on a terminal."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from .outcome import Outcome, Verdict

_SECONDS_BETWEEN = 0.1
_FAILED = frozenset(Outcome) - {Outcome.PASSED, Outcome.UNSUPPORTED}


class Progress:
    """A line that is rewritten in place. Nothing is written if the stream is not a terminal."""

    def __init__(self, name: str, total: int, stream: TextIO) -> None:
        self._name, self._total, self._stream = name, total, stream
        self._is_shown = stream.isatty()
        self._outcomes: dict[str, Outcome] = {}
        self._started, self._written = time.monotonic(), 0.0

    def tell(self, verdict: Verdict) -> None:
        self._outcomes[verdict.path] = verdict.outcome
        now = time.monotonic()
        if self._is_shown and now - self._written >= _SECONDS_BETWEEN:
            self._written = now
            self._stream.write("\r" + self._line(now)[: shutil.get_terminal_size().columns - 1] + "\x1b[K")
            self._stream.flush()

    def end(self) -> None:
        """Erases the line."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, now: float) -> str:
        done, width = len(self._outcomes), 24
        filled = width * done // max(1, self._total)
        failed = sum(outcome in _FAILED for outcome in self._outcomes.values())
        bar = "█" * filled + "░" * (width - filled)
        return f"{self._name} {bar} {done} of {self._total}, {failed} not passed, {now - self._started:.0f} s"
