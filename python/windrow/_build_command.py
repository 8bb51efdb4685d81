"""The command that builds a plug-in: python -m windrow.torch build, and its like."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from windrow._errors import Error

_EPILOG = """\
commands:
  build   compiles the plug-in for the installed {host}, with cmake and a C++ compiler, and prints where it is

{pages}

exit codes: 0 it is built; 1 it is not, and standard error says why; 2 bad arguments
"""


def run(module: str, host: str, guide: str, build: Callable[[], Path], arguments: Sequence[str]) -> int:
    """Runs the command; gives its exit code.

    module: as the user called it. host: what the plug-in is for, in words. guide: its page below docs/guide. build: may
    raise windrow.Error and ImportError.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=f"Windrow's operators inside {host}.",
        epilog=_EPILOG.format(host=host, pages=f"WINDROW_PLUGINS names another folder for plug-ins; the guide is docs/guide/{guide}."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["build"], metavar="COMMAND", help="build")
    parser.parse_args(arguments)
    try:
        print(build())
    except (Error, ImportError) as error:
        print(f"windrow: error: {error}", file=sys.stderr)
        return 1
    return 0
