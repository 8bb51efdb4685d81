"""The limit: a copy that reads and writes as many bytes as the case moves; if "fresh", to new memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from draws.cases import DrawnCase
from peers.contestants import Inputs, Spelling, copy_bytes
from peers.contestants.copy_bytes import versions  # noqa: F401


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    if case.mode == "given":
        yield from copy_bytes.spellings(case, inputs, threads)
    else:
        source = np.ones(case.bytes_moved // 2, np.uint8)
        yield from copy_bytes.copies(source, lambda: np.empty_like(source), threads)
