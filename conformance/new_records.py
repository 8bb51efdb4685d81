"""Runs of the records alone that are new or changed since a commit, so that a change of the corpus needs no run of it all.

python3 conformance/new_records.py list COMMIT FILE        writes the paths of these records, for the kit's --paths
python3 conformance/new_records.py join COMMIT RUN.json    keeps the outcomes of such a run; all other records keep theirs

COMMIT is one whose docs/conformance/outcomes.json is of its own corpus. A record is the same if its call and its
expected result are; the rule that it cites does not matter. `./dev scoreboard --since COMMIT` does all of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kept_outcomes import OUTCOMES_FILE, asked_of, kept_text, read_kept

from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.reports.files import read_run, write_file
from windrow_conformance.results import Failure, RunResults, RuntimeResults

ROOT = OUTCOMES_FILE.parents[2]
KEPT = str(OUTCOMES_FILE.relative_to(ROOT))
CASES = ROOT / "cases"

def calls(folder: Path) -> dict[str, dict[str, Any]]:
    """The call and the expected result of every line of a corpus, by the path of its newest version."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return {
        path: call
        for row in index["files"]
        if is_of_records(row)
        for path, call in calls_of(row["path"], json.loads((folder / row["path"]).read_text(encoding="utf-8")))
    }


def is_of_records(row: Mapping[str, Any]) -> bool:
    return "records" in row or "recipes" in row


def calls_of(file: str, lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    stem = file.removesuffix(".json")
    for line in lines:
        # As the kit names records: recipes of all dialects are in one file.
        name = f"{line['dialect']}/{line['name']}" if "/" not in file else line["name"]
        yield f"{stem}/{name}", {key: value for key, value in line.items() if key != "rule"}


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the cases and the kept outcomes of a commit."""
    archive = subprocess.run(
        ["git", "archive", commit, "cases", KEPT], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def unchanged(before: Path, corpus: Corpus) -> set[str]:
    """The paths of the records that are the same in `before`."""
    old, new = calls(before), calls(CASES)
    newest = {path for path, call in new.items() if old.get(path) == call}
    return {path for path in corpus.paths() if path.split("@")[0] in newest}


def joined(kept: RunResults, same: Collection[str], run: RunResults, corpus: Corpus) -> RunResults:
    """The kept run of the records `same`, and of all others the new one.

    A runtime that could not be run for the kept run has no outcomes in this one either. Raises ValueError if another one
    has no new outcomes, or other versions now.
    """
    fresh = {runtime.name: runtime for runtime in run.runtimes}
    return replace(
        kept,
        corpus=corpus.version,
        records=asked_of(corpus),
        runtimes=tuple(_joined(old, same, fresh.get(old.name), corpus) for old in kept.runtimes),
    )


def _joined(old: RuntimeResults, same: Collection[str], new: RuntimeResults | None, corpus: Corpus) -> RuntimeResults:
    if old.fault:
        return old
    if new is None or new.fault:
        raise ValueError(f"{old.name} was not run: {new.fault if new else 'it is not in the run'}")
    if dict(new.versions) != dict(old.versions):
        raise ValueError(f"{old.name} was run with {dict(new.versions)}, and before with {dict(old.versions)}")
    outcomes: dict[str, Outcome] = {}
    failures: dict[str, Failure] = {}
    for results, wanted in ((old, same), (new, set(corpus.paths()).difference(same))):
        outcomes.update({path: outcome for path, outcome in results.outcomes.items() if path in wanted})
        failures.update({failure.path: failure for failure in results.failures if failure.path in wanted})
    return replace(
        old,
        outcomes={path: outcomes[path] for path in corpus.paths() if path in outcomes},
        failures=tuple(failures[path] for path in corpus.paths() if path in failures),
        unguarded=old.unguarded + new.unguarded,
        seconds=old.seconds + new.seconds,
    )


def failing(run: RunResults) -> list[str]:
    """The names of this project's runtimes that fail a record."""
    return [runtime.name for runtime in run.runtimes if runtime.name.startswith("windrow") and runtime.failures]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("list", "join"))
    parser.add_argument("commit")
    parser.add_argument("file", type=Path, help="the list to write, or the run to keep")
    options = parser.parse_args(arguments)
    with checked_out(options.commit) as before:
        corpus = Corpus.open(CASES)
        same = unchanged(before / "cases", corpus)
        if options.what == "list":
            paths = [path for path in corpus.paths() if path not in same]
            options.file.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
            print(f"{len(paths):,} records are new or changed since {options.commit}")
            return
        try:
            kept = read_kept(Corpus.open(before / "cases"), (before / KEPT).read_text(encoding="utf-8"))
            run = joined(kept, same, read_run(options.file), corpus)
            text = kept_text(run, corpus)
        except ValueError as error:
            parser.error(str(error))
        write_file(OUTCOMES_FILE, text)
        # This project has to pass; a runtime of it that the new records do not concern has its kept outcomes.
        if wrong := failing(run):
            sys.exit(f"records fail on {', '.join(wrong)}")


if __name__ == "__main__":
    main()
