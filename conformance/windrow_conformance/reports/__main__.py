"""The command: python -m windrow_conformance report FILE.json ..."""

from __future__ import annotations

import argparse
import sys
from functools import reduce
from pathlib import Path

from ..corpus import Corpus, CorpusError
from ..parser import Parser
from ..printable import one_line
from ..results import RunResults, join
from ..runtimes import all_runtimes
from . import Background
from .files import read_run, write_file
from .formats import COMPARING, FORMATS, report
from .words import number

_DESCRIPTION = "Makes reports of runs that were saved as JSON, and joins them."


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0; 1 if a runtime of --require fails a record; 2 if a file is not valid.
    Standard error says which.
    """
    options = _parser().parse_args(arguments)
    try:
        runs = [read_run(path) for path in options.run]
        against = None if options.against is None else read_run(options.against)
        run = reduce(join, runs)
        text = report(options.format, run, Background.of(Corpus.open(), all_runtimes()), against)
        if options.output is None:
            sys.stdout.write(text)
        else:
            write_file(options.output, text)
    except (ValueError, CorpusError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    wrong = [reason for name in options.require if (reason := _why_not_met(run, name))]
    for reason in wrong:
        print(f"error: {one_line(reason)}", file=sys.stderr)
    return 1 if wrong else 0


def _why_not_met(run: RunResults, name: str) -> str:
    """Why a runtime has not passed every record that it supports; empty if it has."""
    runtime = next((one for one in run.runtimes if one.name == name), None)
    if runtime is None or runtime.fault or not runtime.outcomes:
        return f"{name} was not run"
    return f"{name} fails {number(len(runtime.failures), 'record')}" if runtime.failures else ""


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m windrow_conformance report", description=_DESCRIPTION)
    parser.add_argument(
        "run", type=Path, nargs="+", help="a run as JSON; several are joined, the later ones prevail"
    )
    parser.add_argument("--format", choices=list(FORMATS), default="text")
    parser.add_argument("-o", "--output", type=Path, help="the file to write; default: standard output")
    parser.add_argument(
        "--against", type=Path, help=f"another run as JSON: reports what changed since then ({', '.join(COMPARING)})"
    )
    parser.add_argument(
        "--require", action="append", default=[], metavar="RUNTIME",
        help="exit with status 1 unless this one passes every record that it supports, in every tier; may be repeated",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
