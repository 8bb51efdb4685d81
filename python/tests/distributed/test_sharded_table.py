"""Tables over ranks that are threads of one process, by an exchange that is written in Python."""

import gc
import threading
import weakref

import numpy as np
import pytest
import windrow
from drawn_tables import DrawnTable
from page_examples import run_examples
from thread_ranks import RankLeftError, ThreadExchange, ThreadRanks
from windrow.distributed import ShardedTable, ShardMap


def run(ranks, body):
    """What body(exchange) returned on each rank. Raises what a rank raised, not that others waited for it."""
    results = ThreadRanks(ranks).run(body)
    raised = [result for result in results if isinstance(result, BaseException)]
    for error in sorted(raised, key=lambda error: isinstance(error, RankLeftError)):
        raise error
    return results


def count_drawn_calls(ranks, tables, calls, make_table):
    """Compares the calls of each table, make_table(exchange, seed), and returns how many ended in which way."""
    done = {"right": 0, "refused": 0}
    for seed in range(tables):

        def body(exchange, seed=seed):
            drawn = make_table(exchange, seed)
            drawn.run(calls)
            return drawn.done

        for name, count in run(ranks, body)[0].items():
            done[name] += count
    return done


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_drawn_calls_give_the_bits_of_one_process(ranks):
    done = count_drawn_calls(ranks, 60, 10, DrawnTable)
    assert done["right"] > 300 and done["refused"] > 20, done


def rows_of_rank(exchange, rows=3):
    return np.full((rows, 2), exchange.rank, np.float32)


def test_an_error_of_one_rank_is_that_of_all():
    wrong = {
        "a position": ([0, 1, 9], windrow.IndexOutOfRange, r"rank 1: .*indices\[2\] is 9"),
        "a type": ([0.5], windrow.DTypeError, "rank 1: .*float64"),
        "a null": ([0, None], windrow.DTypeError, "rank 1: ids has a null"),
        "a mask": (np.ma.masked_array([1], [True]), windrow.DTypeError, "rank 1: ids is a masked array"),
    }

    def body(exchange):
        table = ShardedTable(exchange, rows_of_rank(exchange))
        for ids, kind, message in wrong.values():
            own = ids if exchange.rank == 1 else [0]
            updates = np.ones((len(own), 2), np.float32)
            for call in (lambda: table.take(own), lambda: table.index_add(own, updates),
                         lambda: table.assign(own, updates)):
                with pytest.raises(kind, match=message) as caught:
                    call()
                if kind is windrow.IndexOutOfRange:
                    assert (caught.value.position, caught.value.value, caught.value.extent) == ((2,), 9, 9)
        with pytest.raises(windrow.ArgumentError, match="rank 1: threads"):
            table.take([0], threads=0 if exchange.rank == 1 else 1)
        with pytest.raises(windrow.ArgumentError, match="rank 1 makes another call than rank 0"):
            table.take([0], out_of_range="clamp" if exchange.rank == 1 else "error")
        assert np.array_equal(table.shard, rows_of_rank(exchange))
        assert table.take([3]).tolist() == [[1, 1]]

    run(3, body)


def test_shards_that_do_not_fit_together():
    def shapes(exchange):
        with pytest.raises(windrow.ShapeError, match="rank 2"):
            ShardedTable(exchange, np.zeros((2, 3 if exchange.rank < 2 else 4)))

    def types(exchange):
        with pytest.raises(windrow.DTypeError, match="rank 1"):
            ShardedTable(exchange, np.zeros((2, 3), "f4" if exchange.rank != 1 else "f8"))

    def one_has_none(exchange):
        # The rank itself raises what was wrong with its argument.
        with pytest.raises(windrow.DTypeError, match="set" if exchange.rank == 1 else "rank 1 has type absent"):
            ShardedTable(exchange, {1, 2} if exchange.rank == 1 else [[1.0]])

    def not_by_hash(exchange):
        with pytest.raises(windrow.ArgumentError, match="rank 0 has 1 rows, must have 2 of 6 by hash"):
            ShardedTable(exchange, np.zeros((exchange.rank + 1, 2)), by="hash")

    def texts(exchange):
        with pytest.raises(windrow.Unsupported, match="string"):
            ShardedTable(exchange, ["a"])

    for body in (shapes, types, one_has_none, not_by_hash, texts):
        run(3, body)


def test_the_memory_of_a_shard():
    def body(exchange):
        given = rows_of_rank(exchange)
        table = ShardedTable(exchange, given)
        lent = ShardedTable(exchange, given, copy=False)
        for each in (table, lent):
            each.assign([3] if exchange.rank == 0 else [], np.full((1 - exchange.rank, 2), 7, np.float32))
        assert given[0].tolist() == ([0, 0] if exchange.rank == 0 else [7, 7])
        shard = table.shard
        assert not shard.flags.writeable and np.array_equal(shard, given)
        assert np.shares_memory(lent.shard, given)
        gone = weakref.ref(given)
        del table, given
        gc.collect()
        assert shard[0, 0] == (0 if exchange.rank == 0 else 7) and gone() is not None
        del lent, each
        gc.collect()
        assert gone() is None

    run(2, body)
    readonly = np.zeros((2, 2))
    readonly.flags.writeable = False
    for given in (readonly, np.zeros((2, 4))[:, ::2], [[1.0]]):
        with pytest.raises(windrow.ArgumentError, match="row-major NumPy array that may be written"):
            ShardedTable(ThreadExchange(ThreadRanks(1), 0), given, copy=False)


def test_what_it_says_of_itself():
    def body(exchange):
        table = ShardedTable(exchange, rows_of_rank(exchange))
        assert (len(table), table.shape, table.dtype, table.map.by) == (6, (6, 2), "float32", "contiguous")
        taken = table.take([[0], [5]])
        assert taken.shape == (2, 1, 2) and taken.flags.writeable
        statistics = table.statistics()
        # One row of the other rank: an int32 and two floats.
        assert statistics["sent_id_bytes"] == 4 and statistics["received_row_bytes"] == 8
        assert f"3 rows on rank {exchange.rank} of 2" in repr(table)
        assert f"rank {exchange.rank} of 2" in repr(exchange)

    run(2, body)


def test_rows_of_other_ranks_that_are_kept():
    def body(exchange):
        # The first rank keeps none.
        kept = None if exchange.rank == 0 else np.int32(1 << 16)
        table = ShardedTable(exchange, rows_of_rank(exchange), remote_cache=kept)
        for _ in range(3):
            assert table.take([0, 5, 8, 8])[:, 0].tolist() == [0, 1, 2, 2]
        statistics = table.statistics()
        assert (statistics["remote_rows"], statistics["cached_rows"]) == (6, 4 * (exchange.rank > 0))
        assert statistics["received_row_bytes"] == 8 * (6 - statistics["cached_rows"])
        table.assign([8] if exchange.rank == 1 else [], np.full((int(exchange.rank == 1), 2), 7, np.float32))
        assert table.take([8])[0, 0] == 7
        is_bad = exchange.rank == 1
        for wrong, said in ((65535, "remote_cache is 65535, must be at least 65536, or None"), (-1, "remote_cache is -1")):
            kind, message = (windrow.ArgumentError, said) if is_bad else (windrow.DTypeError, "rank 1")
            with pytest.raises(kind, match=message):
                ShardedTable(exchange, rows_of_rank(exchange), remote_cache=wrong if is_bad else None)
        with pytest.raises(windrow.Error, match="not enough memory for a cache"):
            ShardedTable(exchange, rows_of_rank(exchange), remote_cache=2**62)

    run(3, body)


class Failing(ThreadExchange):
    """Raises, or returns something, at the exchange of that number on rank 1."""

    def __init__(self, all_ranks, rank, number, fault):
        super().__init__(all_ranks, rank)
        self.left, self.fault = number, fault

    def exchange_numbers(self, to):
        if self._rank == 1:
            self.left -= 1
            if self.left < 0:
                return self.fault()
        return super().exchange_numbers(to)


def raise_interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("number", [2, 3, 4, 5])
@pytest.mark.parametrize("fault", [lambda: 1 // 0, raise_interrupt], ids=["error", "interrupt"])
def test_what_an_exchange_raises_ends_the_call_of_each_rank(number, fault):
    """Two exchanges make the table, the others are those of the calls."""
    ranks = ThreadRanks(3)

    def body(exchange):
        failing = Failing(ranks, exchange.rank, number, fault)
        table = ShardedTable(failing, rows_of_rank(exchange))
        with pytest.raises(BaseException) as first:
            for _ in range(2):
                table.take([0, 5])
        if exchange.rank == 1:
            ranks.leave()  # what an engine does when a rank has gone
        with pytest.raises(windrow.FileError, match=f"the exchange of rank {exchange.rank} raised") as again:
            table.take([0])
        assert type(first.value).__name__ in str(again.value)
        return type(first.value)

    kinds = ranks.run(body)
    assert kinds[1] in (ZeroDivisionError, KeyboardInterrupt)
    assert kinds[0] is kinds[2] is RankLeftError


WRONG_ANSWERS = {
    "nothing": lambda: None,
    "a list": lambda: [[0, 0, 0]],
    "another shape": lambda: np.zeros(3, np.int64),
    "another type": lambda: np.zeros((1, 3), np.int32),
    "not row-major": lambda: np.zeros((1, 6), np.int64)[:, ::2],
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS)
def test_an_exchange_that_returns_something_else(answer):
    class Wrong(ThreadExchange):
        def exchange_numbers(self, to):
            return to if to.shape[1] != 3 else WRONG_ANSWERS[answer]()

    with pytest.raises(windrow.ArgumentError, match="must return a row-major NumPy array of type int64 and shape"):
        ShardedTable(Wrong(ThreadRanks(1), 0), np.zeros((2, 2)))


WRONG_PAIRS = {
    "nothing": (lambda rows, numbers: None, "must return a tuple of two arrays"),
    "one array": (lambda rows, numbers: (rows,), "must return a tuple of two arrays"),
    "a list": (lambda rows, numbers: [rows, numbers], "must return a tuple of two arrays"),
    "the other order": (lambda rows, numbers: (numbers, rows), r"exchange_both\(\) .* array of type uint8 and shape \[0\]"),
    "other numbers": (lambda rows, numbers: (rows, numbers[:, :2]), r"exchange_both\(\) .* array of type int64 and shape \[1, 3\]"),
}


@pytest.mark.parametrize("name", WRONG_PAIRS)
def test_an_exchange_of_both_that_returns_something_else(name):
    answer, message = WRONG_PAIRS[name]

    class Wrong(ThreadExchange):
        def exchange_both(self, to, sends, receives, numbers):
            return answer(*super().exchange_both(to, sends, receives, numbers))

    table = ShardedTable(Wrong(ThreadRanks(1), 0), np.zeros((2, 2)))
    with pytest.raises(windrow.ArgumentError, match=message):
        table.take([0])


def test_a_call_inside_a_call_is_refused():
    errors = []

    class Inside(ThreadExchange):
        table = None

        def exchange_numbers(self, to):
            for call in (lambda: self.table.take([0]), lambda: self.table.statistics()):
                if self.table is not None:
                    with pytest.raises(windrow.ArgumentError, match="another call of this table is under way"):
                        call()
                    errors.append(call)
            return to

    exchange = Inside(ThreadRanks(1), 0)
    exchange.table = ShardedTable(exchange, np.zeros((2, 2)))
    exchange.table.take([0])
    assert errors
    exchange.table = None


def test_other_threads_run_during_an_exchange():
    seen = threading.Event()

    class Waiting(ThreadExchange):
        def exchange_numbers(self, to):
            assert seen.wait(30)
            return to

    thread = threading.Timer(0.05, seen.set)
    thread.start()
    ShardedTable(Waiting(ThreadRanks(1), 0), np.zeros((2, 2)))
    thread.join()


def test_maps():
    spread = ShardMap.hashed(1000, 7)
    rows = [spread.rows_at(rank) for rank in range(7)]
    assert sorted(np.concatenate(rows).tolist()) == list(range(1000))
    assert all(len(rows[rank]) == spread.rows_of(rank) for rank in range(7))
    assert all(rows[rank][at] == row for row in range(0, 1000, 37) for rank, at in [spread.place(row)])
    assert (spread.by, spread.ranks, spread.rows) == ("hash", 7, 1000)
    parts = ShardMap.contiguous([2, 0, np.int32(3)])
    assert [parts.rows_at(rank).tolist() for rank in range(3)] == [[0, 1], [], [2, 3, 4]]
    for given in (spread, parts, ShardMap.contiguous([0, 0, 4, 0])):
        owners = given.ranks_of(np.arange(given.rows)[::-1])
        assert owners.dtype == np.int64 and owners.tolist() == [given.place(row)[0] for row in reversed(range(given.rows))]
        assert given.ranks_of(np.empty(0, np.int64)).shape == (0,)
    for call in (lambda: parts.ranks_of(np.array([0, 5])), lambda: parts.ranks_of(np.array([-1])), lambda: parts.place(5), lambda: parts.place(-1), lambda: parts.rows_at(3), lambda: parts.rows_of(-1),
                 lambda: ShardMap.contiguous([]), lambda: ShardMap.contiguous([-1]), lambda: ShardMap.hashed(-1, 2),
                 lambda: ShardMap.hashed(2, 0)):  # fmt: skip
        with pytest.raises(windrow.ArgumentError, match="must|number of ranks"):
            call()


def test_what_is_no_exchange():
    with pytest.raises(windrow.ArgumentError, match=r"exchange is a int, must be a windrow\.distributed\.Exchange"):
        ShardedTable(3, [[1.0]])

    class Odd(ThreadExchange):
        rank, ranks = 2, 2

    with pytest.raises(windrow.ArgumentError, match="the exchange's rank is 2, must be below 2"):
        ShardedTable(Odd(ThreadRanks(1), 0), [[1.0]])


@pytest.mark.parametrize("name", ["contiguous", "hashed"])
def test_docstring(name):
    assert run_examples(getattr(ShardMap, name).__doc__, name, {}) == 2 + (name == "hashed")


def test_every_public_name_is_documented():
    for name in windrow.distributed.__all__:
        thing = getattr(windrow.distributed, name)
        assert all(part.__doc__ for part in [thing, *(value for key, value in vars(thing).items() if key[0] != "_")]), name


def test_bags_of_rows_of_all_ranks_are_pooled():
    def body(exchange):
        table = ShardedTable(exchange, rows_of_rank(exchange))
        pooled = table.embedding_bag([0, 3, 8, 6, 6], offsets=[0, 3], weights=np.array([1, 2, 3, 4, 5], np.float32))
        assert pooled.tolist() == [[8, 8], [18, 18]]
        with pytest.raises(windrow.ArgumentError, match="rank 1: .*offsets"):
            table.embedding_bag([0, 3], offsets=[1 if exchange.rank == 1 else 0])

    run(3, body)


def test_a_route_is_for_its_own_table():
    def body(exchange):
        table, other = ShardedTable(exchange, rows_of_rank(exchange)), ShardedTable(exchange, rows_of_rank(exchange))
        route = table.plan_take([8, exchange.rank])
        before = table.statistics()
        assert table.take_by(route).tolist() == [[2, 2], [0, 0]]
        after = table.statistics()
        assert (after["rounds"] - before["rounds"], after["sent_id_bytes"]) == (2, before["sent_id_bytes"])
        with pytest.raises(windrow.ArgumentError, match="rank 0: .*the route is of another one"):
            other.take_by(route)
        with pytest.raises(windrow.ArgumentError, match="rank 1: route is no TakeRoute"):
            table.take_by(None if exchange.rank == 1 else route)
        with pytest.raises(windrow.IndexOutOfRange, match="rank 2: "):
            table.plan_take([9 if exchange.rank == 2 else 0])
        assert table.take_by(route).tolist() == [[2, 2], [0, 0]]

    run(3, body)
