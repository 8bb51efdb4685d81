"""Worker processes that stay from call to call, for tests whose calls each start their own.

A worker imports a host and forks a process for each run: runs are as apart as they are without this, and the host is imported
once. The tests in runners/ start every worker anew.
"""

import collections
import contextlib
import os
import sys

import pytest
from windrow.processes import Pool


def _surroundings():
    """What a worker takes over from this process when it starts."""
    variables = (item for item in os.environ.items() if item[0] != "PYTEST_CURRENT_TEST")
    return os.getcwd(), *sys.path, *sorted(variables)


@contextlib.contextmanager
def kept_workers():
    """Until it ends, a pool that closes leaves its workers to the next one of the same handler, modules and surroundings."""
    kept = collections.defaultdict(list)
    start, close = Pool.__init__, Pool.close

    def start_with_kept(pool, handler, *, preload=(), **options):
        start(pool, handler, preload=preload, **options)
        pool.kept = kept[handler, *preload, *_surroundings()]
        pool._workers = [pool.kept.pop() if pool.kept else worker for worker in pool._workers]

    def close_to_keep(pool):
        pool.kept += [worker for worker in pool._workers if worker.item is None]
        pool._workers = [worker for worker in pool._workers if worker.item is not None]
        close(pool)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pool, "__init__", start_with_kept)
        patch.setattr(Pool, "close", close_to_keep)
        try:
            yield
        finally:
            for workers in kept.values():
                for worker in workers:
                    worker.end()
