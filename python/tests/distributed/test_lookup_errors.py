"""Look-ups from files by ranks that are threads: what one rank alone meets, and a rank that leaves at any time."""

import numpy as np
import pytest
import windrow
from thread_ranks import ThreadExchange, ThreadRanks
from windrow.distributed._lookup import Request, lookup

TABLE = np.arange(60, dtype=np.float32).reshape(12, 5)
IDS = np.array([[3, 0], [11, -1], [3, 7]])
RANKS = 3


@pytest.fixture
def request_of_all(tmp_path):
    np.save(tmp_path / "table.npy", TABLE)
    np.save(tmp_path / "ids.npy", IDS)
    return Request([str(tmp_path / "table.npy")], str(tmp_path / "ids.npy"), str(tmp_path / "rows.npy"))


def said_by_all(body):
    """The message of the windrow.Error that every rank raises."""
    errors = ThreadRanks(RANKS).run(body)
    assert all(isinstance(error, windrow.Error) for error in errors), errors
    (message,) = {str(error) for error in errors}
    return message


def with_rank_1(request, **other):
    """A look-up that rank 1 makes with another request: where it sees other files than the others."""
    return lambda exchange: lookup(exchange, request._replace(**other) if exchange.rank == 1 else request)


def test_what_one_rank_does_not_see(request_of_all, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    absent = str(tmp_path / "absent" / "file.npy")
    assert said_by_all(with_rank_1(request_of_all, tables=[absent])).startswith(f"rank 1: cannot open '{absent}': ")
    assert said_by_all(with_rank_1(request_of_all, indices=absent)).startswith(f"rank 1: cannot open '{absent}': ")
    message = said_by_all(with_rank_1(request_of_all, out=absent))
    assert message.startswith(f"rank 1: cannot write '{absent}.") and message.endswith("No such file or directory")
    assert sorted(tmp_path.rglob("*")) == before


def test_ranks_that_see_different_files(request_of_all, tmp_path):
    np.save(tmp_path / "others.npy", IDS[:, :1])
    others = str(tmp_path / "others.npy")
    message = said_by_all(with_rank_1(request_of_all, indices=others))
    assert message.startswith("rank 1 sees a table of 12 rows and 3 ids") and message.endswith("must see the same files")
    message = said_by_all(with_rank_1(request_of_all, tables=request_of_all.tables * 2))
    assert message.startswith("rank 1 sees a table of 24 rows and 6 ids")
    np.save(tmp_path / "others.npy", TABLE.astype(np.int32))
    message = said_by_all(with_rank_1(request_of_all, tables=[others]))
    assert "int32" in message
    assert not (tmp_path / "rows.npy").exists() and not list(tmp_path.glob("*.part"))


class LeavingExchange(ThreadExchange):
    """A rank that leaves at an exchange."""

    def __init__(self, exchange, left):
        super().__init__(exchange._all, exchange.rank)
        self._exchanges_left = left

    def _meet(self, value):
        self._exchanges_left -= 1
        if self._exchanges_left < 0:
            raise InterruptedError("this rank leaves")
        return super()._meet(value)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_rank_that_leaves_at_any_exchange_leaves_no_part_of_the_file(rank, request_of_all, tmp_path):
    out = tmp_path / "rows.npy"

    def body(exchange):
        return lookup(LeavingExchange(exchange, exchanges) if exchange.rank == rank else exchange, request_of_all)

    refused = 0
    for exchanges in range(100):
        results = ThreadRanks(RANKS).run(body)
        assert not list(tmp_path.glob("*.part"))
        if all(isinstance(result, str) for result in results):
            break
        refused += 1
        # The very last agreement comes when the file is there, as a whole.
        if out.exists():
            np.testing.assert_array_equal(np.load(out), TABLE[IDS], strict=True)
            out.unlink()
    assert refused > 8, results
    np.testing.assert_array_equal(np.load(out), TABLE[IDS], strict=True)
