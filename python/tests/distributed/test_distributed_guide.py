"""The programs that docs/guide/distributed_tables.md shows, run as it says."""

import functools
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import windrow
from launch import run_command, run_mpi
from test_mpi_ranks import needs_mpi
from test_sharded_table import run
from test_torch_ranks import needs_torch
from windrow.distributed import ShardedTable, ShardMap

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "guide" / "distributed_tables.md").read_text()
# What the page says that they print: a line each.
PRINTED = [line for line in PAGE.split("\n") if line.startswith("(4000, 16)")]

EXAMPLES = ["distributed_torch.py", "distributed_mpi.py", "distributed_embedding.py"]
# The beginnings of the other blocks of Python.
FRAGMENTS = ["for rows in table.batches", 'table = ShardedTable.open(exchange, f"shard', "table = ShardedTable.open(exchange, path",
             "def take_of_partitions"]  # fmt: skip


def code_of(example):
    return (ROOT / "examples" / example).read_text().split('"""\n\n', 1)[1]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_page_shows_the_example(example):
    assert f"```python\n{code_of(example)}```" in PAGE


@needs_mpi
def test_by_mpirun():
    ended = run_mpi(4, program=ROOT / "examples" / "distributed_mpi.py")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() in PRINTED, ended.stdout


@needs_torch
@pytest.mark.parametrize("example", ["distributed_torch.py", "distributed_embedding.py"])
def test_by_torchrun(example):
    ended = run_command([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "4",
                         str(ROOT / "examples" / example)])  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert f"torchrun --nproc-per-node 4 {example}\n{ended.stdout.strip()}\n" in PAGE, ended.stdout


def fragment(beginning):
    """The block of Python that begins so."""
    [found] = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if block.startswith(beginning)]
    return found


def test_every_block_of_python_is_run():
    shown = [f"```python\n{code_of(example)}```" for example in EXAMPLES]
    blocks = re.findall(r"```python\n.*?```", PAGE, re.DOTALL)
    assert [block for block in blocks if block not in shown] == [f"```python\n{fragment(each)}```" for each in FRAGMENTS]


def test_the_loop_over_batches():
    def body(exchange):
        table = ShardedTable(exchange, np.full((3, 2), exchange.rank, np.float32))
        trained = []
        exec(fragment(FRAGMENTS[0]), {"table": table, "batches_of_ids": [[0, -1], [3]], "train": trained.append})
        return [rows[:, 0].tolist() for rows in trained]

    assert run(2, body) == [[[0, 1], [1]]] * 2


def test_shards_on_disk_and_a_call_that_some_ranks_lack(tmp_path, monkeypatch):
    """The second fragment makes a call on all ranks; one rank gets its files of before back; the third makes it up."""
    monkeypatch.chdir(tmp_path)
    for rank in range(2):
        np.save(f"shard{rank}.npy", np.zeros((3, 2), np.float32))
    shutil.copy("shard1.npy", "before.npy")
    call = {"ShardedTable": ShardedTable, "ids": np.array([1, 4, 4]), "gradients": np.ones((3, 2), np.float32)}

    def first(exchange):
        names = {**call, "exchange": exchange}
        exec(fragment(FRAGMENTS[1]), names)
        return names["rows"][:, 0].tolist()

    def again(exchange):
        exec(fragment(FRAGMENTS[2]), {**call, "exchange": exchange, "path": f"shard{exchange.rank}.npy"})

    assert run(2, first) == [[2, 4, 4]] * 2
    shutil.copy("before.npy", "shard1.npy")
    Path("shard1.npy.windrow-calls").unlink()
    run(2, again)
    assert [np.load(f"shard{rank}.npy")[:, 0].tolist() for rank in range(2)] == [[0, 2, 0], [0, 4, 0]]


@pytest.mark.parametrize("by", ["contiguous", "hash"])
def test_partitions_of_another_engine(by):
    """Executors of concurrent.futures stand for Dask's client, and functions of no arguments for Ray's references."""
    table = np.random.default_rng(4).standard_normal((50, 3)).astype(np.float32)
    shards = ShardMap.contiguous([20, 0, 30]) if by == "contiguous" else ShardMap.hashed(50, 3)
    partitions = [table[shards.rows_at(rank)] for rank in range(3)]
    names = {"np": np, "windrow": windrow}
    exec(fragment(FRAGMENTS[3]), names)
    for ids in ([49, 0, 0, 20, 7], [], range(50)):
        ids = np.array(ids, np.int64)
        with ThreadPoolExecutor() as workers:
            assert np.array_equal(names["take_of_partitions"](partitions, shards, ids, workers.submit), table[ids])
        late = names["take_of_partitions"](partitions, shards, ids, functools.partial, lambda reference: reference())
        assert np.array_equal(late, table[ids])
    with pytest.raises(windrow.Error):
        names["take_of_partitions"](partitions, shards, [50], functools.partial, lambda reference: reference())
