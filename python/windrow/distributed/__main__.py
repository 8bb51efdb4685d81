"""The command: mpirun -n 4 python -m windrow.distributed lookup TABLE --indices IDS --out ROWS."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from windrow._base.errors import Error
from windrow._base.text import printable
from windrow.distributed._launch import exchange_of, find_launch
from windrow.distributed._lookup import Request, lookup

_EPILOG = """\
Under mpirun or torchrun, whose processes are the ranks; alone it is one rank. Each rank holds
an equal part of the table's rows in memory, or with --on-disk reads the rows that are wanted of
its part, and takes and writes the rows of its part of the ids. All ranks must see the same files. The rows of several TABLEs follow each other.

examples:
  mpirun -n 4 python -m windrow.distributed lookup table.npy --indices ids.npy --out rows.npy
  torchrun --nproc-per-node 4 -m windrow.distributed lookup model.safetensors --name wte.weight \\
    --indices ids.npy --out rows.npy

exit codes: 0 the rows are written; 2 they are not, and rank 0 says why on standard error
"""


class _Parser(argparse.ArgumentParser):
    """A parser of which rank 0 alone prints, an error as one line."""

    def __init__(self, *, first: bool, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)
        self._first = first

    def print_help(self, file: Any = None) -> None:
        if self._first:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        sys.exit(_end(self._first, message))


def _shape(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,19}(x[0-9]{1,19})*", text):
        raise argparse.ArgumentTypeError(f"{text}: must be extents such as 1000000x128")
    return tuple(map(int, text.split("x")))


def _request(words: Sequence[str], first: bool) -> Request:
    parser = _Parser(first=first, prog="python -m windrow.distributed", description="Tables over ranks.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("lookup", first=first, help="write rows of a table in files", epilog=_EPILOG,
                                  description="Takes rows of a table in files, by all ranks together.")  # fmt: skip
    command.add_argument("tables", nargs="+", metavar="TABLE", help="the table, or the files whose rows make it")
    command.add_argument("--indices", required=True, metavar="IDS", help="a file of row numbers, of any shape")
    command.add_argument("-o", "--out", required=True, metavar="ROWS", help="the .npy file to write")
    command.add_argument("--name", default="", help="the tensor's name in its file")
    command.add_argument("--dtype", metavar="TYPE", help="the elements' type, where the file does not say it")
    command.add_argument("--shape", type=_shape, default=(), help="of each TABLE, where the file does not say it")
    command.add_argument("--on-disk", action="store_true", help="read rows when they are wanted, not all of them")
    return Request(**vars(parser.parse_args(words)))


def _end(first: bool, message: str) -> int:
    if first:
        print(f"windrow: error: {printable(message)}", file=sys.stderr, flush=True)
    return 2


def main() -> int:
    """Runs the command with this process's arguments and returns its exit code, the same on all ranks."""
    try:
        launch = find_launch()
    except Error as error:
        return _end(True, str(error))
    request = _request(sys.argv[1:], launch.rank == 0)
    done = message = ""
    try:
        with exchange_of(launch) as exchange:
            try:
                done = lookup(exchange, request)
            except Error as error:  # the same one on all ranks, which leave the exchange in order
                message = str(error)
    except (Error, ImportError) as error:
        message = str(error)
    if message:
        return _end(launch.rank == 0, message)
    if launch.rank == 0:
        print(done, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
