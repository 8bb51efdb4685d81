"""The limits of reading: that they read what a case reads. Need their library."""

import importlib
import os

import numpy as np
import pytest
from peers.cases import find_case, make_inputs
from peers.check import row_offsets
from peers.workers import Worker

VARIABLE = "WINDROW_RANDOM_READS"


def import_with_library(module):
    if not os.environ.get(VARIABLE):
        pytest.skip(f"{VARIABLE} does not say where the library is")
    return importlib.import_module(module)


@pytest.fixture(scope="module")
def memory():
    return import_with_library("peers.memory_reads")


@pytest.fixture(scope="module")
def reads():
    return import_with_library("peers.contestants.random_reads")


@pytest.fixture(scope="module")
def plain_reads():
    return import_with_library("peers.contestants.plain_reads")


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
def test_sum_is_of_the_rows_at_the_offsets(memory, row_bytes, offset_type, threads):
    rows, offsets = make_visits(row_bytes, offset_type)
    team = memory.Team(threads)
    for distance in (0, 1, 300, 2 * VISITS):
        job = memory.make_reads(rows, offsets, row_bytes, distance, False)
        assert team.run(job) == int(rows[offsets].sum(dtype=np.uint64)), distance


@pytest.mark.parametrize("offset_type", [np.uint32, np.uint64])
@pytest.mark.parametrize("row_bytes", WORDS)
def test_every_visit_of_a_scatter_changes_its_row(memory, row_bytes, offset_type):
    rows, offsets = make_visits(row_bytes, offset_type)
    expected = rows.copy()
    np.add.at(expected, offsets, WORDS[row_bytes](1))
    memory.Team(1).run(memory.make_reads(rows, offsets, row_bytes, 16, True))
    assert np.array_equal(rows, expected)


def test_threads_change_every_row_once(memory):
    rows, _ = make_visits(4, np.uint32)
    offsets = np.random.default_rng(3).permutation(ROWS).astype(np.uint32)
    before = rows.copy()
    memory.Team(3).run(memory.make_reads(rows, offsets, 4, 16, True))
    assert np.array_equal(rows, before + 1)


def test_other_sizes_are_refused(memory):
    rows, offsets = make_visits(4, np.uint32)
    with pytest.raises(ValueError, match="rows of 12 bytes"):
        memory.Team(1).run(memory.make_reads(rows, offsets, 12, 0, False))
    with pytest.raises(ValueError, match="offsets of 2"):
        memory.Team(1).run(memory.make_reads(rows, offsets.astype(np.uint16), 4, 0, False))


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


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("count", [1, 7, 64, 1003])
def test_scan_is_of_all_words(memory, count, threads):
    array = np.random.default_rng(4).integers(0, 2**63, count, dtype=np.uint64)
    team = memory.Team(threads)
    for distance in (0, 64):
        assert team.run(memory.make_scan(array, distance)) == int(array.sum(dtype=np.uint64))


def test_reads_of_a_gather_are_of_no_byte_twice(plain_reads):
    case = find_case("gather_1d_of_4096", False)
    inputs = {"data": np.zeros(4096, np.float32), "indices": np.zeros(4_000_000, np.int64)}
    data, indices = plain_reads.read_by(case, inputs)
    assert data.nbytes == 4 * 4096 and indices.nbytes == 8 * 4_000_000


def test_reads_of_a_scatter_are_of_all_inputs(plain_reads):
    case = find_case("scatter_elements_1d_add", True)
    inputs = make_inputs(case)
    read = sum(array.nbytes for array in plain_reads.read_by(case, inputs))
    assert read == sum(array.nbytes for array in inputs.values())
    (spelling, *_) = plain_reads.spellings(case, inputs, 1)
    spelling.run()


@pytest.mark.parametrize("path, says", [(None, VARIABLE), ("/no/such/library.so", "library.so")])
def test_absent_library(monkeypatch, path, says):
    if path is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, path)
    assert says in Worker("random_reads", 1).absent
