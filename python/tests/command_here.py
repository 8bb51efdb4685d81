"""Runs the command in this process, which has started the hosts that it asks: for tests of many commands."""

import signal
import sys
from subprocess import CompletedProcess
from unittest import mock

from windrow.__main__ import main


def run_here(words, capfd):
    """The command's exit code, and what it prints, as a process gives them. capfd: pytest's fixture."""
    capfd.readouterr()
    handler = signal.getsignal(signal.SIGINT)
    try:
        with mock.patch.object(sys, "argv", ["windrow", *words]):
            code = main()
    finally:
        signal.signal(signal.SIGINT, handler)
    return CompletedProcess(words, code, *capfd.readouterr())
