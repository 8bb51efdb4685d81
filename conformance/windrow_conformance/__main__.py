"""The command: python -m windrow_conformance RUNTIME ..."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

from .corpus import Corpus, CorpusError
from .interrupts import Interrupts
from .machine import describe_machine
from .outcome import Verdict
from .parser import Parser
from .progress import Progress
from .record import DIALECTS, TIERS
from .registry import UnknownRuntime, find
from .reports import Background
from .reports.files import read_run, write_file
from .reports.formats import COMPARING, FORMATS, report
from .results import Asked, RunResults, RuntimeResults, is_difference
from .run import CannotRun, Settings, run
from .runtime import Runtime
from .runtimes import all_runtimes

_DESCRIPTION = "Measures runtimes by the conformance corpus of gather and scatter operators."
_EPILOG = """\
RUNTIME is a name that --list shows, "all" for every installed one, or the file of your own
runtime, ./mine.py. A runtime gets the records of its dialects. Other commands:

  export FORMAT -o FOLDER   writes the corpus as node tests, OpenVINO IR or NumPy archives
  report FILE.json ...      makes reports of runs that were kept as JSON, and joins them

exit codes: 0 every record passed, is unsupported, or differs where the specification decides nothing; 1 a record
failed; 2 bad arguments, corpus or output; 3 a runtime cannot be run; 130 interrupted, with a report of the results so far
"""
_FORMATS_BY_SUFFIX = {".json": "json", ".xml": "junit", ".md": "markdown", ".html": "html"}
_FAILED, _BAD_USE, _CANNOT_RUN, _INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None, program: str = "windrow_conformance") -> int:
    """Runs the command and returns its exit code. program: the module's name as the user called it."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["export"]:
        from .exports.command import main as export

        return export(words[1:])
    if words[:1] == ["report"]:
        from .reports.__main__ import main as make_report

        return make_report(words[1:])
    parser = _parser(program)
    options = parser.parse_args(words)
    if options.list:
        return _list()
    if not options.runtime:
        parser.error("which RUNTIME? --list shows the names")
    try:
        return _measure(options)
    except (CorpusError, UnknownRuntime, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return _BAD_USE


def _measure(options: argparse.Namespace) -> int:
    # Errors in the arguments are reported before hours of work.
    corpus = Corpus.open(options.corpus)
    against = None if options.against is None else read_run(options.against)
    if options.output is not None and not os.access(options.output.absolute().parent, os.W_OK | os.X_OK):
        raise ValueError(f"{options.output}: the folder is not there or cannot be written")
    runtimes = _asked_for(options.runtime)
    chosen = _chosen(corpus, options)
    results, code = _run_all(corpus, runtimes, chosen, options)
    background = Background.of(corpus, {runtime.name: runtime for runtime in runtimes.values()})
    text = report(_format(options), results, background, against)
    if options.output is None:
        sys.stdout.write(text)
    else:
        write_file(options.output, text)
    return code


def _asked_for(called: Sequence[str]) -> dict[str, Runtime]:
    """The runtimes by their names on the command line, each once."""
    if "all" in called:
        installed = [name for name, runtime in all_runtimes().items() if not runtime.fault()]
        called = [*(one for one in called if one != "all"), *installed]
    found: dict[str, Runtime] = {}
    for one in called:
        runtime = find(one)
        if runtime.name not in (other.name for other in found.values()):
            found[one] = runtime
    return found


def _chosen(corpus: Corpus, options: argparse.Namespace) -> list[str]:
    paths = corpus.paths(options.filter, tiers=options.tier, dialects=options.dialect)
    if options.paths is not None:
        listed = set(options.paths.read_text(encoding="utf-8").split())
        if unknown := sorted(listed.difference(corpus.paths())):
            raise ValueError(f"{options.paths} names {len(unknown)} records that the corpus has not, such as {unknown[0]}")
        paths = [path for path in paths if path in listed]
    if not paths:
        raise ValueError("no record is chosen")
    if options.sample is not None and options.sample < len(paths):
        drawn = set(random.Random(options.seed or 0).sample(paths, options.sample))
        paths = [path for path in paths if path in drawn]
    return paths


def _run_all(
    corpus: Corpus, runtimes: dict[str, Runtime], chosen: Sequence[str], options: argparse.Namespace
) -> tuple[RunResults, int]:
    settings = Settings(
        options.jobs, options.runs, options.threads, options.time_limit, options.memory_limit << 20, options.seed
    )
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    asked: dict[str, Asked] = {}
    results, code = [], 0
    with Interrupts() as interrupts:
        for called, runtime in runtimes.items():
            paths = [path for path in chosen if corpus.operators[path][0] in runtime.dialects]
            asked.update({path: Asked.of(corpus.record(path)) for path in paths})
            result, end = _run_one(called, runtime, corpus, paths, settings, interrupts)
            results.append(result)
            code = max(code, end)
            if end == _INTERRUPTED:
                break
    if code == 0 and any(_is_wrong(asked, result) for result in results):
        code = _FAILED
    records = {path: asked[path] for path in chosen if path in asked}
    complete = code != _INTERRUPTED
    run_results = RunResults(
        corpus.version, date, describe_machine(), records, tuple(results), _selection(options),
        options.runs, options.threads, complete,
    )
    return run_results, code


def _is_wrong(asked: Mapping[str, Asked], result: RuntimeResults) -> bool:
    """Whether a record failed; a difference where the specification decides nothing does not count."""
    return any(not is_difference(asked[failure.path].tier, failure.outcome) for failure in result.failures)


def _run_one(
    called: str, runtime: Runtime, corpus: Corpus, paths: Sequence[str], settings: Settings, interrupts: Interrupts
) -> tuple[RuntimeResults, int]:
    """The results of a runtime (if interrupted, those so far) and their exit code."""
    told: dict[str, Verdict] = {}
    progress = Progress(runtime.name, len(paths), sys.stderr)

    def tell(verdict: Verdict) -> None:
        told[verdict.path] = verdict
        progress.tell(verdict)

    started, code = time.monotonic(), 0
    try:
        with interrupts.allowed():
            told = run(called, corpus, paths, settings, tell)
    except CannotRun as error:
        print(f"error: {error}", file=sys.stderr)
        return RuntimeResults(runtime.name, runtime.versions(), str(error)), _CANNOT_RUN
    except KeyboardInterrupt:
        code = _INTERRUPTED
    finally:
        progress.end()
    judged = ((corpus.record(path), told[path]) for path in paths if path in told)
    return RuntimeResults.of(runtime.name, runtime.versions(), judged, time.monotonic() - started), code


def _selection(options: argparse.Namespace) -> dict[str, str]:
    """The options that select a part of the corpus."""
    given = {name: getattr(options, name) for name in ("filter", "tier", "dialect", "paths", "sample", "seed")}
    texts = {name: ", ".join(value) if isinstance(value, list) else str(value) for name, value in given.items()}
    return {name: texts[name] for name, value in given.items() if value is not None}


def _format(options: argparse.Namespace) -> str:
    if options.format is not None:
        return str(options.format)
    return "text" if options.output is None else _FORMATS_BY_SUFFIX.get(options.output.suffix, "text")


def _list() -> int:
    for name, runtime in all_runtimes().items():
        versions = ", ".join(f"{package} {version}" for package, version in runtime.versions().items())
        print(f"{name:24} {runtime.fault() or versions}")
    return 0


def _parser(program: str) -> argparse.ArgumentParser:
    parser = Parser(
        prog=f"python -m {program}",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runtime", nargs="*", metavar="RUNTIME")
    parser.add_argument("--list", action="store_true", help="show the runtimes, and whether they can be run here")
    which = parser.add_argument_group("which records")
    which.add_argument("--filter", metavar="TEXT", help="a part of their paths, or a pattern with *, ? or [")
    which.add_argument("--tier", action="append", choices=TIERS, help="only this one; may be repeated")
    which.add_argument("--dialect", action="append", choices=DIALECTS, help="only this one; may be repeated")
    which.add_argument("--paths", type=Path, metavar="FILE", help="only those whose paths the file lists, one on a line")
    which.add_argument("--sample", type=_count, metavar="N", help="a sample of N records, drawn by the seed")
    which.add_argument("--corpus", type=Path, metavar="FOLDER", help="another corpus than the one of this package")
    how = parser.add_argument_group("how they run")
    how.add_argument("--seed", type=int, metavar="N", help="draws the order (default: the corpus's) and --sample")
    how.add_argument("--jobs", type=_count, default=_cores(), metavar="N", help="processes at a time (%(default)s)")
    how.add_argument("--runs", type=_count, default=20, metavar="N", help="runs of a recipe (%(default)s)")
    how.add_argument(
        "--threads", type=_counts, default=(1, 2, 4, 8), metavar="N,N", help="threads of recipes (1,2,4,8)"
    )
    how.add_argument(
        "--time-limit", type=_seconds, default=10.0, metavar="S",
        help="seconds of a record; of a recipe with all its runs ten times that (%(default)g)",
    )
    how.add_argument(
        "--memory-limit", type=_count, default=4096, metavar="MIB", help="memory of a process, in MiB (%(default)s)"
    )
    what = parser.add_argument_group("what is told")
    what.add_argument("--format", choices=list(FORMATS), help="default: by the output's name, or text")
    what.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    what.add_argument(
        "--against", type=Path, metavar="FILE", help=f"an earlier run as JSON: what changed ({', '.join(COMPARING)})"
    )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(_count, text.split(",")))


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise ValueError(text)
    return number


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
