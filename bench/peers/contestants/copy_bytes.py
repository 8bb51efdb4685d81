"""The limit: a copy that reads and writes as many bytes as the case moves; if "fresh", to new memory."""

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
    source = np.ones(case.bytes_moved // 2, np.uint8)
    given = np.zeros_like(source)

    def find_target() -> np.ndarray:
        return np.empty_like(source) if case.mode == "fresh" else given

    yield Spelling("one copy", lambda: np.copyto(find_target(), source))
    if threads > 1:
        pool = ThreadPoolExecutor(threads - 1)
        edges = [source.size * part // threads for part in range(threads + 1)]
        parts = [slice(low, high) for low, high in zip(edges, edges[1:])]

        def copy_parts() -> None:
            target = find_target()
            others = [pool.submit(np.copyto, target[part], source[part]) for part in parts[1:]]
            np.copyto(target[parts[0]], source[parts[0]])
            wait(others)

        yield Spelling("a part per thread", copy_parts)
