"""The limit of reading: native code that reads as many bytes as the case has to read, in order.

Of a gather: the indices and as many bytes of data as the output has, none twice. Of a scatter,
which leaves its data as it was: data, indices, updates. Nothing is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from peers.cases import Case
from peers.contestants import Inputs, NotOffered, Spelling
from peers.memory_reads import Reads, Team, make_scan

DISTANCES = (0, 64, 256)  # In 8 bytes.
LEAST_BYTES = 1 << 20  # To start a smaller job takes longer than the job.


def versions() -> dict[str, str]:
    return {}


def read_by(case: Case, inputs: Inputs) -> list[np.ndarray]:
    """What the case has to read."""
    if case.is_scatter:
        return list(inputs.values())
    data = inputs["data"].reshape(-1)
    return [data[: case.direct_elements], inputs["indices"]]


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    arrays = read_by(case, inputs)
    if sum(array.nbytes for array in arrays) < LEAST_BYTES:
        raise NotOffered("the case reads little")

    def scan(team: Team, jobs: list[Reads]) -> Callable[[], None]:
        def run() -> None:
            for job in jobs:
                team.run(job)

        return run

    teams = [Team(count) for count in sorted({1, threads})]
    for team, distance in itertools.product(teams, DISTANCES):
        jobs = [make_scan(array, distance) for array in arrays]
        ahead = f"prefetch {distance * 8} bytes ahead" if distance else "no prefetch"
        yield Spelling(f"{ahead}, threads {team.threads}", scan(team, jobs), keep=arrays)
