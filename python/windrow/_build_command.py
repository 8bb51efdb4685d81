"""The command that builds a plug-in, such as python -m windrow.torch build."""

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

exit codes: 0 the plug-in is built; 1 it is not, and standard error says why; 2 bad arguments
"""


def run(module: str, host: str, guide: str, build: Callable[[], Path], arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code.

    module: the module's name as the user gave it. host: the host's name in messages. guide: the name of its page in
    docs/guide. build: the function that builds; it may raise windrow.Error and ImportError.
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
