"""The same bits with any number of threads, from any number of threads."""

import threading

import pytest
import torch
import windrow.torch as ours


@pytest.fixture
def threads():
    """Sets torch's number of threads; afterwards it is as before."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def edges():
    generator = torch.Generator().manual_seed(3)
    index = torch.randint(500, (20_000,), generator=generator)
    return torch.zeros(500, 64), index, torch.randn(20_000, 64, generator=generator)


def test_sums_have_the_same_bits_every_time(threads):
    data, index, source = edges()
    wide = index[:, None].expand_as(source)
    threads(1)
    sums = ours.index_add(data, 0, index, source)
    means = ours.scatter_reduce(data, 0, wide, source, "mean")
    for run in range(100):
        threads(1 + run % 4)
        assert torch.equal(ours.index_add(data, 0, index, source), sums)
        assert torch.equal(ours.scatter_reduce(data, 0, wide, source, "mean"), means)


def test_sums_fold_in_the_order_of_index():
    data, index, source = edges()
    expected = data.clone()
    for row, update in zip(index[:2000].tolist(), source[:2000], strict=True):
        expected[row] += update
    assert torch.equal(ours.index_add(data, 0, index[:2000], source[:2000]), expected)


def test_the_last_element_stays(threads):
    generator = torch.Generator().manual_seed(4)
    index = torch.randint(100, (200_000,), generator=generator)
    expected = torch.full((100,), -1)
    for place, cell in enumerate(index.tolist()):
        expected[cell] = place
    for count in (1, 2, 4):
        threads(count)
        found = ours.scatter(torch.full((100,), -1), 0, index, torch.arange(len(index)))
        assert torch.equal(found, expected)


def test_several_callers():
    data, index, source = edges()
    expected = ours.index_add(data, 0, index, source)
    shapes = [(rows, 3) for rows in range(2, 40)]
    faults = []

    def call(number):
        try:
            for turn in range(20):
                assert torch.equal(ours.index_add(data, 0, index, source), expected)
                rows, width = shapes[(number * 20 + turn) % len(shapes)]
                table = torch.arange(float(rows * width)).reshape(rows, width)
                last = ours.index_select(table, 0, torch.tensor([rows - 1]))
                assert torch.equal(last[0], table[-1])
                with pytest.raises(RuntimeError, match=rf"= {rows} is out of range"):
                    ours.index_select(table, 0, torch.tensor([rows]))
        except BaseException as fault:
            faults.append(fault)

    callers = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not faults


def test_more_shapes_than_the_cache_has_places():
    for rows in range(1, 1500):
        table = torch.arange(rows)
        assert ours.index_select(table, 0, torch.tensor([rows - 1])).item() == rows - 1
