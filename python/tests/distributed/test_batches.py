"""Takes over ranks that go on while the program computes: take_async() and batches()."""

import threading
import time

import numpy as np
import pytest
import windrow
from drawn_tables import same_bits
from launch import run_mpi, run_torch
from test_mpi_ranks import needs_mpi
from test_sharded_table import rows_of_rank, run
from test_torch_ranks import needs_torch
from thread_ranks import ThreadExchange, ThreadRanks
from windrow.distributed import ShardedTable


class Threaded(ThreadExchange):
    """An exchange that other threads may use; it knows which threads did, and how often."""

    def __init__(self, exchange, pause=0.0):
        super().__init__(exchange._all, exchange.rank)
        self.threads, self.pause = {}, pause

    def use_threads(self):
        return True

    def exchange_numbers(self, to):
        name = threading.current_thread().name
        self.threads[name] = self.threads.get(name, 0) + 1
        time.sleep(self.pause)
        return super().exchange_numbers(to)

    def by_own_thread(self):
        return sum(count for name, count in self.threads.items() if name.startswith("windrow-exchange"))


# How ranks make calls: all by threads of their own, none, or the odd ones.
KINDS = {"threads": lambda exchange: Threaded(exchange), "caller": lambda exchange: exchange,
         "mixed": lambda exchange: Threaded(exchange) if exchange.rank % 2 else exchange}  # fmt: skip


def drawn_ids(rank, count, rows=12):
    draw = np.random.default_rng(rank)
    return [draw.integers(-rows, rows, draw.integers(0, 9, 2 if turn % 2 else 1)) for turn in range(count)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("ahead", [1, 2, 5])
def test_batches_are_takes(kind, ranks, ahead):
    def body(exchange):
        whole = np.random.default_rng(5).standard_normal((12, 3)).astype(np.float32)
        own = whole[12 * exchange.rank // ranks : 12 * (exchange.rank + 1) // ranks]
        table = ShardedTable(KINDS[kind](exchange), own, remote_cache=1 << 16 if ahead == 2 else None)
        # Ranks have different numbers of batches, and the first none in the end.
        counts = [(4 + 3 * rank) * (ahead != 5 or rank > 0) for rank in range(ranks)]
        given = drawn_ids(exchange.rank, counts[exchange.rank])
        got = list(table.batches(given, ahead=ahead))
        assert len(got) == max(counts)
        for ids, rows in zip(given, got, strict=False):
            assert same_bits(rows, whole[ids])
        assert all(rows.shape == (0, 3) for rows in got[len(given) :])
        if kind == "threads":
            assert table.exchange.by_own_thread() > 0
        assert same_bits(table.take([0]), whole[[0]])

    run(ranks, body)


@pytest.mark.parametrize("kind", KINDS)
def test_calls_in_between_come_after_what_was_begun(kind):
    def body(exchange):
        table = ShardedTable(KINDS[kind](exchange), rows_of_rank(exchange), remote_cache=1 << 16)
        other = ShardedTable(table.exchange, rows_of_rank(exchange))
        seen = []
        # Of the seven batches each has the rows of before the writes of the loop that came later.
        for turn, rows in enumerate(table.batches([[0, 3]] * (7 if exchange.rank else 5), ahead=2)):
            seen.append(rows[:, 0].tolist())
            table.index_add([0, 3] if exchange.rank == 0 else [], np.ones((2 - 2 * exchange.rank, 2), np.float32))
            assert other.take([3])[0, 0] == 1
            assert table.exchange.exchange_numbers(np.full((2, 1), turn)).tolist() == [[turn]] * 2
        due = [[count, 1 + count] for count in (0, 0, 0, 1, 2, 3, 4)]
        assert seen == (due if exchange.rank else [*due[:5], [], []])
        begun = table.take_async([0, -1])
        table.assign([0], np.full((1, 2), 9, np.float32))
        assert begun.result()[:, 0].tolist() == [7, 1]
        assert table.take_async([0]).result()[0, 0] == 9
        assert table.statistics()["calls"] > 20

    run(2, body)


def test_the_caller_goes_on_meanwhile():
    def body(exchange):
        slow = Threaded(exchange, pause=0.1)
        table = ShardedTable(slow, rows_of_rank(exchange))
        begin = time.monotonic()
        begun = [table.take_async([0, 5]), table.take_async([5])]
        assert time.monotonic() - begin < 0.1 and not begun[1].done()
        assert begun[1].result()[:, 0].tolist() == [1] and begun[0].done()
        assert time.monotonic() - begin > 0.3

    run(2, body)


@pytest.mark.parametrize("kind", KINDS)
def test_errors_are_those_of_all_ranks(kind):
    def loop(table, ids, **options):
        count = 0
        with pytest.raises(windrow.Error) as caught:
            for _ in table.batches(ids, **options):
                count += 1
        return count, caught.value

    def body(exchange):
        table = ShardedTable(KINDS[kind](exchange), rows_of_rank(exchange))
        bad = [[0], [1], [2, 6 if exchange.rank == 1 else 5], [3]]
        for count, error in (loop(table, bad), loop(table, bad, ahead=1)):
            assert isinstance(error, windrow.IndexOutOfRange) and str(error).startswith("rank 1: ")
            assert (count, error.position) == (2, (1,))
        begun = table.take_async([0, 9] if exchange.rank == 0 else [])
        again = table.take_async([3])
        with pytest.raises(windrow.IndexOutOfRange, match="rank 0: "):
            begun.result()
        assert again.result().tolist() == [[1, 1]]
        assert isinstance(loop(table, ["a" if exchange.rank == 1 else [0]])[1], windrow.DTypeError)
        with pytest.raises(windrow.ArgumentError, match="ahead is 0"):
            table.batches([], ahead=0)
        for call in (table.batches, table.take_async):
            with pytest.raises(TypeError, match="strange"):
                call([], strange=1)
        assert table.take([0]).tolist() == [[0, 0]]

    run(2, body)


@pytest.mark.parametrize("kind", KINDS)
def test_an_iterator_that_raises(kind):
    def ids(exchange):
        yield [0]
        if exchange.rank == 1:
            raise KeyError("no more")
        while True:
            yield [5]

    def body(exchange):
        table = ShardedTable(KINDS[kind](exchange), rows_of_rank(exchange))
        got = []
        with pytest.raises(KeyError if exchange.rank == 1 else windrow.ArgumentError, match="no more") as caught:
            for rows in table.batches(ids(exchange)):
                got.append(rows.tolist())
        assert got == [[[0, 0]]]
        if exchange.rank == 0:
            assert str(caught.value) == "rank 1: KeyError: 'no more'"
        assert table.take([5]).tolist() == [[1, 1]]

    run(3 if kind == "mixed" else 2, body)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_that_all_ranks_leave(kind):
    def body(exchange):
        table = ShardedTable(KINDS[kind](exchange), rows_of_rank(exchange))
        for rows in table.batches([k] for k in range(6)):
            if rows[0, 0] == 1:
                break
        assert table.take([5]).tolist() == [[1, 1]]
        loop = table.batches([[0]] * 4)
        next(loop)
        loop.close()
        assert table.take([5]).tolist() == [[1, 1]]

    run(2, body)


def test_a_rank_that_makes_another_call_is_told():
    def body(exchange):
        table = ShardedTable(Threaded(exchange), rows_of_rank(exchange))
        with pytest.raises(windrow.ArgumentError, match="rank 1 makes another call than rank 0"):
            if exchange.rank == 1:
                table.index_add([], np.ones((0, 2), np.float32))
            else:
                list(table.batches([[0]], ahead=1))

    run(2, body)


def test_an_exchange_that_fails():
    """The takes that were begun end, and say what happened."""

    class Failing(Threaded):
        left = 6

        def exchange_numbers(self, to):
            self.left -= 1
            if self.rank == 1 and self.left < 0:
                self._all.leave()
                raise OSError("the cable is cut")
            return super().exchange_numbers(to)

    def body(exchange):
        table = ShardedTable(Failing(exchange), rows_of_rank(exchange))
        with pytest.raises(BaseException) as caught:
            list(table.batches([[0, 5]] * 9))
        with pytest.raises(windrow.FileError, match=type(caught.value).__name__):
            table.take([0])
        with pytest.raises(windrow.FileError, match=type(caught.value).__name__):
            table.take_async([0]).result()

    assert ThreadRanks(2).run(body) == [None, None]


@needs_mpi
@pytest.mark.parametrize("level", ["multiple", "serialized"])
def test_by_mpi(level):
    ended = run_mpi(3, "mpi", "train_batches", level)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count(f"done {level == 'multiple'}") == 3, ended.stdout


@needs_torch
def test_by_torch(tmp_path):
    """The program's own messages in the group do not meet those of the takes."""
    ended = run_torch(3, tmp_path, "train_batches", "")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("done True") == 3, ended.stdout


@needs_mpi
@pytest.mark.parametrize("how", ["raise", "kill", "sleep"])
def test_a_rank_of_mpi_that_ends_in_a_loop_ends_the_others(how):
    ended = run_mpi(3, "mpi", "end_in_a_loop", how)
    assert ended.returncode != 0 and "done" not in ended.stdout
    assert ended.seconds < 45


@needs_torch
@pytest.mark.parametrize("how", ["raise", "kill", "sleep"])
def test_a_rank_of_torch_that_ends_in_a_loop_ends_the_others(how, tmp_path):
    ended = run_torch(3, tmp_path, "end_in_a_loop", how)
    assert ended.returncode != 0 and "done" not in ended.stdout
    assert "windrow.FileError: rank " in ended.stderr.replace("distributed: ", ""), ended.stderr
    assert ended.seconds < 60
