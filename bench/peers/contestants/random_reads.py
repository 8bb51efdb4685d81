"""The limit of random accesses: native code that visits a case's cells and does nothing else.

It reads ready-made offsets, loads each cell, with prefetches ahead, and sums what it loads; of a
scatter it reads, changes and writes each. There is no check, no conversion, no output.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from peers.cases import ELEMENTWISE, Case
from peers.check import row_offsets
from peers.contestants import Inputs, NotOffered, Spelling
from peers.memory_reads import Team, make_reads

DISTANCES = (0, 32, 64, 96, 128, 192)  # 0: no prefetch.
ROW_BYTES = (1, 2, 4, 8, 16)
LINE_BYTES = 64


def versions() -> dict[str, str]:
    return {}


def orders(case: Case, offsets: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """The direct tensor's order and, where columns are walked, that of column tiles of a line."""
    yield "", offsets.reshape(-1)
    width = LINE_BYTES // case.row_bytes
    if case.operator in ELEMENTWISE and case.axis != offsets.ndim - 1 and offsets.ndim == 2:
        tiles = [offsets[:, at : at + width].reshape(-1) for at in range(0, len(offsets[0]), width)]
        yield "column tiles, ", np.concatenate(tiles)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if not case.moves_single_elements or case.row_bytes not in ROW_BYTES:
        raise NotOffered("the case moves no single elements")
    rows = np.zeros_like(inputs["data"]) if case.is_scatter else inputs["data"]
    ordered = orders(case, row_offsets(case, inputs["indices"]))
    # One thread may be the fastest: to wake another takes longer than a small job.
    teams = [Team(count) for count in sorted({1, threads})]
    for (order, offsets), team, distance in itertools.product(ordered, teams, DISTANCES):
        job = make_reads(rows, offsets, case.row_bytes, distance, case.is_scatter)
        ahead = f"prefetch {distance} ahead" if distance else "no prefetch"
        yield Spelling(f"{order}{ahead}, threads {team.threads}",
                       functools.partial(team.run, job), keep=(rows, offsets))
