"""python -m windrow_conformance export: writes the corpus in another form."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..corpus import Corpus, CorpusError
from ..parser import Parser
from ..record import DIALECTS, TIERS
from . import FORMATS
from .files import ExportError, write_folder

_FORMATS = """\
formats:
  onnx       folders in the layout of ONNX's node tests: must_pass/NAME, must_fail/NAME
  openvino   folders with OpenVINO IR, inputs and outputs as .npy
  npz        NumPy archives, one for each file of the corpus
  archives   a zip archive for each dialect with all of these
"""


def main(arguments: Sequence[str]) -> int:
    """Exit codes: 0 written; 2 a bad argument, no record chosen, a bad corpus, or a folder that cannot be written."""
    choice = _parser().parse_args(arguments)
    try:
        corpus = Corpus.open(choice.corpus)
        tiers = choice.tier or [tier for tier in TIERS if tier != "deterministic"]
        form = FORMATS[choice.format]
        dialects = [dialect for dialect in form.dialects if dialect in (choice.dialect or DIALECTS)]
        paths = corpus.paths(choice.filter, tiers=tiers, dialects=dialects)
        if not paths:
            raise ExportError("no record is chosen")
        count = write_folder(form.write(corpus, map(corpus.record, paths)), choice.output)
    except (CorpusError, ExportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error.filename or choice.output}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{count} files of {len(paths)} records in {choice.output}; its index lists records that it cannot express")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m windrow_conformance export",
        description="Writes the conformance corpus in another form, into a folder that is empty or not there yet.",
        epilog=_FORMATS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("format", choices=list(FORMATS))
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--filter", metavar="TEXT", help="a part of the records' paths, or a pattern with *, ? or [")
    parser.add_argument("--dialect", action="append", choices=DIALECTS, help="only this one; may be repeated")
    parser.add_argument("--tier", action="append", choices=TIERS[:2], help="only this one; may be repeated")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="another folder with a corpus")
    return parser
