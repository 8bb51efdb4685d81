"""The command line: python -m windrow, or windrow."""

from __future__ import annotations

import signal
import sys

from windrow import _core


def main() -> int:
    """Runs the command with this process's arguments and returns its exit code."""
    # The command does not return to the interpreter while it works.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.run_command(["windrow", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
