"""Worker processes that the tests of a file share: each run is in a process of its own, forked from one that has imported the host."""

import functools

import pytest
from hosts import HostPool


@pytest.fixture(scope="module")
def pool_of():
    """The HostPool of a host, by its name."""
    pools = []

    @functools.cache
    def pool(host):
        pools.append(HostPool(host))
        return pools[-1]

    yield pool
    for each in pools:
        each.close()
