"""The logger that TensorRT programs use."""

from __future__ import annotations

import sys
import time

from windrow.trt._network import ILogger

Severity = ILogger.Severity

_LETTERS = {
    Severity.INTERNAL_ERROR: "F",
    Severity.ERROR: "E",
    Severity.WARNING: "W",
    Severity.INFO: "I",
    Severity.VERBOSE: "V",
}


class Logger(ILogger):
    """Prints messages to sys.stderr, in the form [11/21/2026-10:30:00] [TRT] [E] message.

    Messages with a higher Severity number than min_severity, which are less severe, are left out.
    """

    min_severity: ILogger.Severity

    def __init__(self, min_severity: ILogger.Severity = Severity.WARNING) -> None:
        super().__init__()
        self.min_severity = Severity(min_severity)

    def log(self, severity: ILogger.Severity, msg: str) -> None:
        """Prints one message."""
        if severity <= self.min_severity:
            now = time.strftime("%m/%d/%Y-%H:%M:%S")
            print(f"[{now}] [TRT] [{_LETTERS[severity]}] {msg}", file=sys.stderr)
