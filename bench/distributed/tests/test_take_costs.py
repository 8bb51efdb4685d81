"""Formulas and simulation beside each other, and beside what the library counts."""

import heapq
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from distributed.__main__ import draw_traffic, main
from distributed.drawn_ids import Skew
from distributed.model import ROUNDS, buffer_bytes, expected_times, expected_traffic
from distributed.setting import ANNOUNCED_BYTES, Network, Setting
from distributed.shaped import parts_of
from distributed.simulation import Clock, drawn_traffic, simulated_times
from thread_ranks import ThreadExchange, ThreadRanks
from windrow.distributed import ShardedTable

RANKS = [1, 2, 3, 5, 8]


@pytest.mark.parametrize("exponent", [0, 0.7, 1, 1.4])
def test_ids_have_the_distribution(exponent):
    skew = Skew(1000, exponent)
    drawn = skew.draw(np.random.default_rng(2), 100_000)
    assert drawn.min() == 0 and drawn.max() <= 999
    assert skew.below(0) == 0 and skew.below(1000) == pytest.approx(1)
    for row in (1, 2, 10, 300, 999):
        due = float(skew.below(row))
        assert np.mean(drawn < row) == pytest.approx(due, abs=5 * np.sqrt(due * (1 - due) / len(drawn)) + 1e-9)


def run_ranks(ranks, body, exchange_of=lambda exchange: exchange):
    results = ThreadRanks(ranks).run(lambda exchange: body(exchange_of(exchange)))
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def table_of(exchange, setting, **options):
    starts = [0, *setting.ends.tolist()]
    rows = starts[exchange.rank + 1] - starts[exchange.rank]
    if setting.by == "hash":
        rows = (setting.rows - exchange.rank - 1) // setting.ranks + 1
    return ShardedTable(exchange, np.ones((rows, setting.row_bytes // 4), np.float32), by=setting.by, **options)


def counted(setting, ids, **options):
    """The statistics of each rank after each of two takes of ids[rank], and the table's map."""

    def body(exchange):
        table = table_of(exchange, setting, **options)
        seen = [table.statistics()]
        for _ in range(2):
            table.take(ids[exchange.rank])
            seen.append(table.statistics())
        calls = [{name: after[name] - before[name] for name in after} for before, after in pairwise(seen)]
        return calls, table.map

    results = run_ranks(setting.ranks, body)
    return [result[0] for result in results], results[0][1]


@pytest.mark.parametrize(("exponent", "row_bytes"), [(0, 20), (1.2, 20), (0, 1 << 16)])
@pytest.mark.parametrize("by", ["contiguous", "hash"])
@pytest.mark.parametrize("ranks", RANKS)
def test_what_travels_is_what_the_library_counts(ranks, by, exponent, row_bytes):
    """On the same ids: messages, ids and rows of every rank."""
    setting = Setting(ranks, ids=40, rows=600, row_bytes=row_bytes, exponent=exponent, by=by)
    ids = setting.skew.draw(np.random.default_rng(ranks), (ranks, setting.ids))
    statistics, shards = counted(setting, ids)
    traffic = drawn_traffic(setting, lambda rank: ids[rank], shards.ranks_of)
    assert traffic.is_small == (row_bytes == 20 or ranks == 1)
    for rank, calls in enumerate(statistics):
        asks, asked = traffic.rows[rank].sum(), traffic.rows[:, rank].sum()
        sends = (2 if traffic.is_small else 3) * (ranks - 1) + traffic.messages[rank].sum() + traffic.messages[:, rank].sum()
        for call in calls:
            assert call["rounds"] == len(ROUNDS) - traffic.is_small
            assert call["messages"] == sends
            assert (call["sent_id_bytes"], call["received_id_bytes"]) == (4 * asks, 4 * asked)
            assert (call["sent_row_bytes"], call["received_row_bytes"]) == (row_bytes * asked, row_bytes * asks)
    assert sum(call[0]["messages"] for call in statistics) == traffic.all_messages()


@pytest.mark.parametrize("by", ["contiguous", "hash"])
def test_rows_that_are_kept_do_not_travel(by):
    """Where all rows of others are kept, nothing but numbers travels."""
    setting = Setting(3, ids=40, rows=600, row_bytes=20, exponent=1, by=by, kept=600)
    ids = setting.skew.draw(np.random.default_rng(5), (3, setting.ids))
    statistics, _ = counted(setting, ids, remote_cache=1 << 20)
    assert expected_traffic(setting).all_messages() == 2 * 3 * 2
    for calls in statistics:
        assert calls[1]["messages"] == 2 * 2 and calls[1]["sent_row_bytes"] == 0


def test_the_rows_that_the_library_keeps_are_fewer_than_the_best_ones():
    """The model keeps the most frequent rows; the library learns which they are."""
    room = 1 << 18
    # A row of 64 bytes takes 96, and 5 % of the memory is an index.
    setting = Setting(4, ids=2000, rows=40_000, row_bytes=64, exponent=1, by="hash", kept=room * 95 // 100 // 96)
    ids = setting.skew.draw(np.random.default_rng(3), (4, 20, setting.ids))

    def body(exchange):
        table = table_of(exchange, setting, remote_cache=room)
        seen = []
        for given in ids[exchange.rank]:
            table.take(given)
            seen.append(table.statistics())
        return [seen[-1][name] - seen[9][name] for name in ("cached_rows", "remote_rows")]

    cached, remote = np.sum(run_ranks(4, body), axis=0)
    travels, all_rows = (expected_traffic(replace(setting, kept=kept)).rows.sum() for kept in (setting.kept, 0))
    assert 0.75 < (cached / remote) / (1 - travels / all_rows) <= 1


@pytest.mark.parametrize("kept", [0, 100])
@pytest.mark.parametrize("by", ["contiguous", "hash"])
@pytest.mark.parametrize("exponent", [0, 0.8, 1, 1.3])
def test_formulas_are_the_mean_of_draws(by, exponent, kept):
    setting = Setting(7, ids=20, rows=20_000, row_bytes=64, exponent=exponent, by=by, kept=kept)
    expected = expected_traffic(setting)
    draws = [draw_traffic(setting, seed) for seed in range(200)]
    for name in ("rows", "messages"):
        drawn = np.array([getattr(traffic, name).sum(axis=1) for traffic in draws])
        error = drawn.std(axis=0, ddof=1) / np.sqrt(len(draws))
        due = getattr(expected, name).sum(axis=1)
        # Two events in all draws: what is rare may not have been drawn.
        assert np.all(np.abs(drawn.mean(axis=0) - due) <= 5 * error + 2 / len(draws)), name
    buffers = np.mean([buffer_bytes(setting, traffic) for traffic in draws], axis=0)
    assert buffers.sum() == pytest.approx(buffer_bytes(setting, expected).sum(), rel=0.02)


def test_the_hottest_rows_are_asked_of_one_rank_unless_they_are_spread():
    one, spread = (expected_traffic(Setting(64, 4096, 1 << 24, 256, 1.0, by)).rows.sum(axis=0)
                   for by in ("contiguous", "hash"))  # fmt: skip
    assert one[0] > 20 * one[1:].mean() and spread.max() == pytest.approx(spread.min())


def events(now, sizes, present, network):
    """Clock.exchange() by a queue of events, one after another."""
    ranks = len(now)
    queue, free, done = [], list(now), list(now)
    for sender in range(ranks):
        clock = now[sender]
        for step in range(1, ranks):
            target = (sender + step) % ranks
            if not present[sender, target]:
                continue
            clock += network.message + sizes[sender, target] / network.bandwidth
            begins = clock - sizes[sender, target] / network.bandwidth + network.latency
            heapq.heappush(queue, (begins, sender, target))
        done[sender] = clock
    while queue:
        comes, sender, target = heapq.heappop(queue)
        free[target] = max(free[target], comes) + network.message + sizes[sender, target] / network.bandwidth
        done[target] = max(done[target], free[target])
    return done


@pytest.mark.parametrize("seed", range(20))
def test_an_exchange_is_that_of_single_events(seed):
    draw = np.random.default_rng(seed)
    ranks = int(draw.integers(1, 9))
    network = Network(latency=float(draw.random()), message=float(draw.random()), bandwidth=float(draw.random() + 0.1))
    clock = Clock(ranks, network)
    clock.work(draw.random(ranks))
    present = (draw.random((ranks, ranks)) < draw.choice([0, 0.3, 1])) & ~np.eye(ranks, dtype=bool)
    sizes = np.where(present, draw.random((ranks, ranks)) * 3, 0)
    due = events(clock.now, sizes, present, network)
    clock.exchange(sizes, present)
    assert clock.now == pytest.approx(due)


@pytest.mark.parametrize("numbers", ["direct", "log"])
@pytest.mark.parametrize("ranks", [1, 2, 7, 64])
def test_numbers_take_the_time_of_the_formula(ranks, numbers):
    network = Network(2e-6, 1e-6, 1e9, numbers)
    clock = Clock(ranks, network)
    clock.numbers()
    setting = Setting(ranks, 1, ranks, 4)
    due = expected_times(setting, network, expected_traffic(setting))["announce"]
    assert clock.now.max() == pytest.approx(due, rel=0.02 if numbers == "direct" or ranks & (ranks - 1) == 0 else 0.2)
    if numbers == "direct" and ranks > 1:
        assert due == pytest.approx(2e-6 + ranks * 1e-6 + (ranks - 1) * ANNOUNCED_BYTES / 1e9)


@pytest.mark.parametrize("by", ["contiguous", "hash"])
def test_times_of_the_simulation_are_those_of_the_formulas(by):
    """Where each rank has enough ids for the busiest one to be like the mean of all draws."""
    setting = Setting(32, ids=20_000, rows=1 << 22, row_bytes=256, exponent=1, by=by)
    network = Network(5e-6, 1e-6, 1e10, per_id=1e-8, memory=1e10)
    due = expected_times(setting, network, expected_traffic(setting))
    got = simulated_times(setting, network, draw_traffic(setting, 1))
    assert got["total"] == pytest.approx(due["total"], rel=0.1)
    assert set(got) == set(due) and got["total"] == pytest.approx(sum(got.values()) - got["total"])


class Paused(ThreadExchange):
    """An exchange each of whose rounds takes at least `pause` seconds."""

    def __init__(self, exchange, pause):
        super().__init__(exchange._all, exchange.rank)
        self.pause = pause

    def exchange_numbers(self, to):
        time.sleep(self.pause)
        return super().exchange_numbers(to)

    def exchange_bytes(self, to, sends, receives):
        time.sleep(self.pause)
        return super().exchange_bytes(to, sends, receives)


@pytest.mark.parametrize(("call", "rounds"), [("take", len(ROUNDS) - 1), ("take_by", 2)])
def test_a_take_lasts_as_many_latencies_as_it_has_rounds(call, rounds):
    pause = 0.1
    setting = Setting(3, ids=30, rows=300, row_bytes=8, exponent=1)
    ids = setting.skew.draw(np.random.default_rng(1), (3, setting.ids))

    def body(exchange):
        table = table_of(exchange, setting)
        given = ids[exchange.rank] if call == "take" else table.plan_take(ids[exchange.rank])
        times = []
        for _ in range(3):
            begun = time.monotonic()
            getattr(table, call)(given)
            times.append(time.monotonic() - begun)
        return min(times)

    lasted = max(run_ranks(3, body, lambda exchange: Paused(exchange, pause)))
    assert rounds <= lasted / pause < rounds + 0.8
    if call == "take":
        network = Network(latency=pause)
        drawn = drawn_traffic(setting, lambda rank: ids[rank], lambda rows: rows // 100)
        assert lasted == pytest.approx(simulated_times(setting, network, drawn)["total"], rel=0.16)


@pytest.mark.parametrize("ids", [40, 60_000])
def test_what_is_fitted_to_a_shaped_network_adds_up_to_the_model(ids):
    setting = Setting(2, ids, 400_000, 256, 0.8, "hash")
    network = Network(latency=3e-4, bandwidth=0.9 * 200e6 / 8, per_id=5e-7)
    due = expected_times(setting, network, expected_traffic(setting))["total"]
    assert parts_of(setting, 200) @ [3e-4, 1 / 0.9, 5e-7] == pytest.approx(due, rel=0.01)


def test_the_command_prints_both(capsys):
    assert main(["--ranks", "2", "16", "--ids", "500", "--rows", "100000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.strip()[:2] in ("2 ", "16")] == [
        "formulas", "drawn", "formulas", "drawn", "formulas", "simulated", "formulas", "simulated"]  # fmt: skip
