"""The limit of random accesses: native code that visits a case's rows and does nothing else.

Of a gather it loads single elements or touches the lines of longer rows. Of a scatter it writes the
rows or, of sums, reads, adds to and writes each. Offsets are ready-made and memory is contiguous.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator

import numpy as np

from peers.cases import Case
from peers.check import row_offsets
from peers.contestants import Inputs, NotOffered, Spelling
from peers.contestants.random_reads import orders, versions  # noqa: F401
from peers.memory_reads import ADD, STORE, TOUCH, Team, make_reads, make_visits

DISTANCES = (0, 8, 32, 96)  # In rows; 0: no prefetch.
LONG_ROWS = 512  # Bytes; of such few are fetched ahead.


def _call(case: Case, inputs: Inputs, offsets: np.ndarray, distance: int,
          team: Team) -> Callable[[], object]:
    """inputs: contiguous."""
    rows = inputs["data"]
    if not case.is_scatter and case.moves_single_elements:
        return functools.partial(team.run, make_reads(rows, offsets, case.row_bytes, distance, False))
    access = TOUCH
    if case.is_scatter:
        access = ADD[case.dtype] if case.reduction == "add" else STORE
    job = make_visits(rows, offsets, inputs.get("updates"), case.row_bytes, distance, access)
    return functools.partial(team.visit, job)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if not case.is_scatter and 0 in inputs["data"].strides:
        raise NotOffered("broadcast data would be read from more memory than it has")
    arrays = {name: np.ascontiguousarray(array) for name, array in inputs.items()}
    offsets = row_offsets(case, arrays["indices"])
    # Updates are in the direct tensor's order, so that a scatter has that one alone.
    ordered = [("", offsets.reshape(-1))]
    if not case.is_scatter and case.moves_single_elements:
        ordered = list(orders(case, offsets))
    distances = DISTANCES[:2] if case.row_bytes >= LONG_ROWS else DISTANCES
    # One thread may be the fastest: to wake another takes longer than a small job.
    teams = [Team(count) for count in sorted({1, threads})]
    for (order, places), team, distance in itertools.product(ordered, teams, distances):
        ahead = f"prefetch {distance} ahead" if distance else "no prefetch"
        yield Spelling(f"{order}{ahead}, threads {team.threads}",
                       _call(case, arrays, places, distance, team), keep=(arrays, places))
