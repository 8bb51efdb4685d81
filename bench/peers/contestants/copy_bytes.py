"""The limit: a copy that reads and writes as many bytes as the case moves."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from peers.cases import Case
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {}


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    """NumPy releases the interpreter lock while it copies, so that its threads copy at once."""
    del inputs
    size = case.bytes_moved // 2
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    edges = [size * part // threads for part in range(threads + 1)]
    parts = [(target[low:high], source[low:high]) for low, high in zip(edges, edges[1:])]
    yield Spelling("one copy", lambda: np.copyto(target, source))
    if threads > 1:
        pool = ThreadPoolExecutor(threads - 1)

        def copy_parts() -> None:
            others = [pool.submit(np.copyto, *part) for part in parts[1:]]
            np.copyto(*parts[0])
            wait(others)

        yield Spelling("a part per thread", copy_parts)
