"""python -m windrow_conformance.reports: makes reports of runs that were kept as JSON, and joins them."""

from __future__ import annotations

import argparse
import sys
from functools import reduce
from pathlib import Path

from ..corpus import Corpus, CorpusError
from ..results import join
from ..runtimes import all_runtimes
from . import Background
from .files import read_run, write_file
from .formats import COMPARING, FORMATS, report


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0; 2 if a file is not as it should be, which standard error tells."""
    options = _parser().parse_args(arguments)
    try:
        runs = [read_run(path) for path in options.run]
        against = None if options.against is None else read_run(options.against)
        text = report(options.format, reduce(join, runs), Background.of(Corpus.open(), all_runtimes()), against)
        if options.output is None:
            sys.stdout.write(text)
        else:
            write_file(options.output, text)
    except (ValueError, CorpusError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m windrow_conformance.reports", description=__doc__)
    parser.add_argument("run", type=Path, nargs="+", help="a run as JSON; several are joined: of a runtime in two, the later")
    parser.add_argument("--format", choices=list(FORMATS), default="text")
    parser.add_argument("-o", "--output", type=Path, help="the file to write; default: standard output")
    parser.add_argument(
        "--against", type=Path, help=f"another run as JSON: tells what changed since then ({', '.join(COMPARING)})"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
