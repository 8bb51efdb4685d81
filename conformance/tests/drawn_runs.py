"""Runs that nobody made: outcomes drawn over the records of the corpus, for the tests of reports."""

from __future__ import annotations

import random
from collections.abc import Sequence

from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome, Verdict
from windrow_conformance.results import Asked, RunResults, RuntimeResults

# Of 1000 records: how many have such an outcome.
SOUND: dict[Outcome, int] = {}
USUAL = {Outcome.UNSUPPORTED: 90, Outcome.WRONG_VALUE: 12, Outcome.NO_ERROR: 25, Outcome.REFUSED: 8, Outcome.CRASH: 1}
BAD = {
    Outcome.UNSUPPORTED: 300,
    Outcome.WRONG_VALUE: 100,
    Outcome.NO_ERROR: 200,
    Outcome.HANG: 3,
    Outcome.FOREIGN_READ: 9,
    Outcome.FOREIGN_WRITE: 2,
    Outcome.MEMORY: 2,
}


def draw_runtime(
    corpus: Corpus, name: str, paths: Sequence[str], shares: dict[Outcome, int], seed: int, version: str = "1.2.3"
) -> RuntimeResults:
    """A runtime with such shares of outcomes, and messages and results where they have some."""
    random_numbers = random.Random(seed)
    outcomes = [outcome for outcome, share in shares.items() for _ in range(share)]
    judged = []
    for path in paths:
        record = corpus.record(path)
        at = random_numbers.randrange(1000)
        outcome = outcomes[at] if at < len(outcomes) else Outcome.PASSED
        is_possible = (outcome is not Outcome.NO_ERROR or record.must_fail) and (
            outcome not in (Outcome.REFUSED, Outcome.WRONG_VALUE) or not record.must_fail
        )
        got = record.inputs[0] if outcome is Outcome.WRONG_VALUE else None
        message = {
            Outcome.WRONG_VALUE: "the element at [0, 1] is 3.0; expected 4.0",
            Outcome.REFUSED: "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : indices element out of data bounds",
            Outcome.CRASH: "ended by SIGSEGV",
        }.get(outcome, "")
        verdict = Verdict(path, outcome if is_possible else Outcome.PASSED, message, got, guarded=seed % 2 == 0)
        judged.append((record, verdict))
    return RuntimeResults.of(name, {name: version}, judged, seconds=12.5)


def draw_run(corpus: Corpus, step: int, names: Sequence[tuple[str, str, dict[Outcome, int]]]) -> RunResults:
    """Every step-th record; names: of each runtime its name, dialect ("" for all) and shares of outcomes."""
    runtimes = []
    records: dict[str, Asked] = {}
    for seed, (name, dialect, shares) in enumerate(names):
        paths = [path for path, (owner, _, _) in corpus.operators.items() if dialect in ("", owner)]
        paths = [path for path in paths if not path.startswith("deterministic/")][::step]
        records.update({path: Asked.of(corpus.record(path)) for path in paths if path not in records})
        runtimes.append(draw_runtime(corpus, name, paths, shares, seed))
    return RunResults(
        corpus=corpus.version,
        date="2026-11-23T09:00:00Z",
        machine={"processor": "A processor", "cores": "2"},
        records=records,
        runtimes=tuple(runtimes),
        runs=20,
        threads=(1, 2, 4, 8),
    )
