"""The limit of random accesses: that it visits what a case visits. Needs its library."""

import os

import numpy as np
import pytest
from peers.cases import find_case, make_inputs
from peers.check import row_offsets
from peers.workers import Worker

VARIABLE = "WINDROW_RANDOM_READS"


@pytest.fixture(scope="module")
def reads():
    if not os.environ.get(VARIABLE):
        pytest.skip(f"{VARIABLE} does not say where the library is")
    from peers.contestants import random_reads

    return random_reads


ROWS, VISITS = 500, 1001
WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64, 16: np.uint64}


def make_visits(row_bytes, offset_type):
    random = np.random.default_rng(2)
    rows = random.integers(0, 256, ROWS * row_bytes, dtype=np.uint8).view(WORDS[row_bytes])
    offsets = random.integers(0, ROWS, VISITS).astype(offset_type)
    return rows.reshape(ROWS, -1), offsets


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("offset_type", [np.uint32, np.uint64])
@pytest.mark.parametrize("row_bytes", WORDS)
def test_sum_is_of_the_rows_at_the_offsets(reads, row_bytes, offset_type, threads):
    rows, offsets = make_visits(row_bytes, offset_type)
    team = reads.Team(threads)
    for distance in (0, 1, 300, 2 * VISITS):
        job = reads.make_job(rows, offsets, row_bytes, distance, False)
        assert team.run(job) == int(rows[offsets].sum(dtype=np.uint64)), distance


@pytest.mark.parametrize("offset_type", [np.uint32, np.uint64])
@pytest.mark.parametrize("row_bytes", WORDS)
def test_every_visit_of_a_scatter_changes_its_row(reads, row_bytes, offset_type):
    rows, offsets = make_visits(row_bytes, offset_type)
    expected = rows.copy()
    np.add.at(expected, offsets, WORDS[row_bytes](1))
    reads.Team(1).run(reads.make_job(rows, offsets, row_bytes, 16, True))
    assert np.array_equal(rows, expected)


def test_threads_change_every_row_once(reads):
    rows, _ = make_visits(4, np.uint32)
    offsets = np.random.default_rng(3).permutation(ROWS).astype(np.uint32)
    before = rows.copy()
    reads.Team(3).run(reads.make_job(rows, offsets, 4, 16, True))
    assert np.array_equal(rows, before + 1)


def test_other_sizes_are_refused(reads):
    rows, offsets = make_visits(4, np.uint32)
    with pytest.raises(ValueError, match="rows of 12 bytes"):
        reads.Team(1).run(reads.make_job(rows, offsets, 12, 0, False))
    with pytest.raises(ValueError, match="offsets of 2"):
        reads.Team(1).run(reads.make_job(rows, offsets.astype(np.uint16), 4, 0, False))


def test_column_tiles_visit_the_same_cells(reads):
    case = find_case("elements_axis_0", True)
    by_case = row_offsets(case, make_inputs(case)["indices"])
    (_, plain), (_, tiled) = reads.orders(case, by_case)
    assert np.array_equal(plain, by_case.reshape(-1))
    assert np.array_equal(np.sort(tiled), np.sort(plain))
    # A tile of as many columns as a line has elements, over all rows.
    tile = tiled[: 16 * case.indices[0]] % case.data[1]
    assert set(tile) == set(range(16))
    last_axis = find_case("elements_last_axis", True)
    assert len(list(reads.orders(last_axis, by_case))) == 1


def test_scatter_leaves_the_data(reads):
    case = find_case("scatter_elements_1d_add", True)
    inputs = make_inputs(case)
    before = inputs["data"].copy()
    for spelling in reads.spellings(case, inputs, 1):
        spelling.run()
    assert np.array_equal(inputs["data"], before)


@pytest.mark.parametrize("path, says", [(None, VARIABLE), ("/no/such/library.so", "library.so")])
def test_absent_library(monkeypatch, path, says):
    if path is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, path)
    assert says in Worker("random_reads", 1).absent
