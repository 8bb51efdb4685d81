"""Worker processes that stay from call to call, for tests whose calls each start their own.

A worker imports a host and forks a process for each run: runs are as apart as they are without this, and the host is imported
once. The tests of the workers themselves and of the first runs in hosts start every worker anew: new_workers().
"""

import collections
import contextlib
import os
import sys

import pytest
from windrow.processes import Pool

_START, _CLOSE = Pool.__init__, Pool.close


def surroundings():
    """What a worker takes over from this process when it starts."""
    variables = (item for item in os.environ.items() if item[0] != "PYTEST_CURRENT_TEST")
    return os.getcwd(), *sys.path, *sorted(variables)


class KeptWorkers:
    """Workers that no pool uses, by their handlers and modules, and by the surroundings in which they started."""

    def __init__(self):
        self._kept = collections.defaultdict(list)

    def start(self, pool, handler, *, preload=(), **options):
        """In the place of Pool.__init__()."""
        _START(pool, handler, preload=preload, **options)
        pool.kept = self._kept[surroundings(), (handler, *preload)]
        pool._workers = [pool.kept.pop() if pool.kept else worker for worker in pool._workers]

    @staticmethod
    def close(pool):
        """In the place of Pool.close()."""
        pool.kept += [worker for worker in pool._workers if worker.item is None]
        pool._workers = [worker for worker in pool._workers if worker.item is not None]
        _CLOSE(pool)

    def end_all_but(self, home):
        """Ends the workers that started in other surroundings than these, or all of them: None."""
        for place in [place for place in self._kept if place[0] != home]:
            for worker in self._kept.pop(place):
                worker.end()


@contextlib.contextmanager
def _pools(start, close):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pool, "__init__", start)
        patch.setattr(Pool, "close", close)
        yield


@contextlib.contextmanager
def kept_workers():
    """Until it ends, a pool that closes leaves its workers to the next one of the same handler, modules and surroundings."""
    kept = KeptWorkers()
    try:
        with _pools(lambda pool, *given, **options: kept.start(pool, *given, **options), kept.close):
            yield kept
    finally:
        kept.end_all_but(None)


def new_workers():
    """Until it ends, every pool starts and ends workers of its own, as it does outside of these tests."""
    return _pools(_START, _CLOSE)
