"""Tables over ranks whose shards are on disk, by ranks that are threads and by MPI."""

import numpy as np
import pytest
import windrow
from drawn_tables import DrawnTable, same_bits
from launch import run_mpi
from test_mpi_ranks import needs_mpi
from test_sharded_table import count_drawn_calls, rows_of_rank, run
from windrow.distributed import ShardedTable


def open_rank(exchange, folder, rows=3, **options):
    """Opens the file of this rank, which is made the first time."""
    path = folder / f"shard{exchange.rank}.npy"
    if not path.exists():
        np.save(path, rows_of_rank(exchange, rows))
    return ShardedTable.open(exchange, path, **{"writable": True, "durability": "process"} | options)


class DrawnDiskTable(DrawnTable):
    """One whose shards are in files, on all ranks or on the odd ones."""

    def __init__(self, exchange, seed, folder):
        self.path = folder / f"{seed}-{exchange.rank}.npy"
        self.everywhere = seed % 2 == 0
        super().__init__(exchange, seed)

    def make_table(self, rows, by):
        if not self.everywhere and self.exchange.rank % 2 == 0:
            return super().make_table(rows, by)
        self.path.write_bytes(rows.tobytes())
        part = windrow.TablePart(self.path, dtype=rows.dtype.name, shape=rows.shape)
        return ShardedTable.open(self.exchange, part, by=by, writable=True, durability="process", cache=1 << 16,
                                 remote_cache=self.remote_cache)  # fmt: skip

    def own_shard(self):
        return self.table.take(self.own_rows)


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_drawn_calls_give_the_bits_of_one_process(ranks, tmp_path):
    done = count_drawn_calls(ranks, 20, 8, lambda exchange, seed: DrawnDiskTable(exchange, seed, tmp_path))
    assert done["right"] > 80 and done["refused"] > 5, done


def test_what_calls_leave_in_the_files(tmp_path):
    def body(exchange):
        table = open_rank(exchange, tmp_path)
        table.index_add([0, 3, 0], np.ones((3, 2), np.float32))
        table.assign([5] if exchange.rank == 0 else [], np.full((1 - exchange.rank, 2), 7, np.float32))
        assert table.call_numbers == [2, 2]
        with pytest.raises(windrow.Unsupported, match=r"the shard of this rank is on disk"):
            _ = table.shard

    run(2, body)
    assert np.load(tmp_path / "shard0.npy")[:, 0].tolist() == [4, 0, 0]
    assert np.load(tmp_path / "shard1.npy")[:, 0].tolist() == [3, 1, 7]
    assert (tmp_path / "shard0.npy.windrow-calls").read_text().endswith("02\n")
    table = run(1, lambda exchange: ShardedTable.open(exchange, [tmp_path / "shard0.npy", tmp_path / "shard1.npy"]))[0]
    assert table.take([0, 3, -1])[:, 0].tolist() == [4, 3, 7]


def test_errors_of_one_rank_are_those_of_all(tmp_path):
    def body(exchange):
        absent = tmp_path / "absent.npy"
        wrong = {
            "missing": ({"source": absent}, windrow.FileError, "rank 1: cannot open"),
            "an option": ({"reads": "slowly"}, windrow.ArgumentError, "rank 1: reads is 'slowly'"),
            "a type": ({"depth": "x"}, windrow.ArgumentError, "rank 1: an argument has a type that it cannot have"),
            "rows": ({"rows": (1, 9), "writable": False}, windrow.ArgumentError, "rank 1: .*rows 1 and 9"),
        }
        open_rank(exchange, tmp_path)
        for given, kind, message in wrong.values():
            with pytest.raises(kind, match=message):
                if exchange.rank == 1:
                    options = dict(given)
                    ShardedTable.open(exchange, options.pop("source", tmp_path / "shard1.npy"), **options)
                else:
                    open_rank(exchange, tmp_path)
        with pytest.raises(TypeError if exchange.rank == 1 else windrow.ArgumentError, match="keyword argument 'deep'"):
            open_rank(exchange, tmp_path, **({"deep": 1} if exchange.rank == 1 else {}))
        table = open_rank(exchange, tmp_path, writable=exchange.rank == 0)
        with pytest.raises(windrow.Unsupported, match="rank 1: .* opened for reading"):
            table.assign([0], rows_of_rank(exchange, 1))

    run(2, body)


def test_ranks_that_have_made_different_calls(tmp_path):
    np.save(tmp_path / "shard0.npy", np.zeros((3, 2), np.float32))
    run(1, lambda exchange: open_rank(exchange, tmp_path).index_add([0], np.ones((1, 2), np.float32)))

    def body(exchange):
        message = "the shard of rank 1 was last written to by call 0, that of rank 0 by call 1"
        with pytest.raises(windrow.FileError, match=message):
            open_rank(exchange, tmp_path)
        table = open_rank(exchange, tmp_path, accept_torn=True)
        assert table.call_numbers == [1, 0]
        # The call again, for the rows of the ranks that lack it.
        behind = [rank for rank, number in enumerate(table.call_numbers) if number == 0]
        ids = [row for row in (0, 3) if exchange.rank == 0 and table.map.place(row)[0] in behind]
        table.index_add(ids, np.ones((len(ids), 2), np.float32))
        assert table.call_numbers == [2, 2] and table.take([0, 3])[:, 0].tolist() == [1, 2]

    run(2, body)


@needs_mpi
def test_by_mpi(tmp_path):
    for call in (1, 2):
        ended = run_mpi(3, "mpi", "on_disk", str(tmp_path))
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.count(f"done [{call}, {call}, {call}]") == 3, ended.stdout
    assert [same_bits(np.load(tmp_path / f"{rank}.npy"), np.full((4, 2), 6, np.float32)) for rank in range(3)] == [True] * 3


@needs_mpi
def test_a_rank_of_mpi_that_is_killed(tmp_path):
    """Each file has a whole number of calls, which stands beside it."""
    ended = run_mpi(3, "mpi", "killed_on_disk", str(tmp_path))
    assert ended.returncode != 0 and "Killed" in ended.stderr, ended.stderr
    numbers = []
    for rank in range(3):
        rows = windrow.open_table(tmp_path / f"{rank}.npy")[:]
        numbers.append(int((tmp_path / f"{rank}.npy.windrow-calls").read_text().split()[-1]))
        assert (rows == numbers[-1]).all(), rank
    assert min(numbers) > 0 and max(numbers) - min(numbers) <= 1, numbers
