"""The native limits do what they are said to do. Need their library."""

import importlib
import os

import numpy as np
import pytest

if not os.environ.get("WINDROW_RANDOM_READS"):
    pytest.skip("WINDROW_RANDOM_READS does not say where the library is", allow_module_level=True)
accesses = importlib.import_module("peers.memory_reads")
ROWS, VISITS = 60, 501


def visit(dtype, elements, access, threads=1, distance=8):
    random = np.random.default_rng(3)
    rows = random.integers(0, 4, (ROWS, elements)).astype(dtype)
    updates = random.integers(0, 4, (VISITS, elements)).astype(dtype)
    offsets = random.integers(0, ROWS, VISITS).astype(np.uint32)
    before = rows.copy()
    job = accesses.make_visits(rows, offsets, updates, rows[0].nbytes, distance, access)
    total = accesses.Team(threads).visit(job)
    return before, rows, updates, offsets, total


@pytest.mark.parametrize("distance", [0, 8, 1000])
@pytest.mark.parametrize("elements", [1, 2, 5, 600])
@pytest.mark.parametrize("dtype", [name for name in accesses.ADD if name != "float16"])
def test_sums(dtype, elements, distance):
    before, rows, updates, offsets, _ = visit(dtype, elements, accesses.ADD[dtype], distance=distance)
    np.add.at(before, offsets, updates)
    assert np.array_equal(rows, before)


@pytest.mark.parametrize("elements", [1, 3, 600])
def test_stores(elements):
    before, rows, updates, offsets, _ = visit("float16", elements, accesses.STORE)
    before[offsets] = updates
    assert np.array_equal(rows, before)


@pytest.mark.parametrize("threads", [1, 2])
def test_touched_lines(threads):
    before, rows, _, offsets, total = visit("uint8", 130, accesses.TOUCH, threads)
    touched = before[offsets][:, [0, 64, 128, 129]]
    assert total == touched.sum() and np.array_equal(rows, before)


def test_unknown_access_is_refused():
    with pytest.raises(ValueError, match="access 99"):
        visit("uint8", 1, 99)
