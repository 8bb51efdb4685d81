"""Times ShardedTable.take() from Python beside other ways to look rows up over the processes of torch.distributed and of Dask.

Two ranks of gloo take in turn, on the same ids: by hand with all_to_all_single, by ShardedTable, and by TorchRec's row-wise
shards where it is installed; one result for each rank. Dask, where it is installed, takes the ids of both ranks from a
table whose halves are on two of its workers, and leaves the result there. `python -m distributed.take_python --help` lists the options.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

RANKS = 2
BENCH = Path(__file__).resolve().parent.parent
Ways = dict[str, Callable[[np.ndarray], np.ndarray]]


def parse_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m distributed.take_python", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000, help="of the whole table")
    parser.add_argument("--columns", type=int, default=64, help="float32 elements of a row")
    parser.add_argument("--ids", type=int, default=100_000, help="of each rank")
    parser.add_argument("--turns", type=int, default=21, help="calls of each way")
    parser.add_argument("--skew", type=float, nargs="+", default=[1, 8], help="1: every row as often as any other")
    parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--meeting", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def rows_of(options: argparse.Namespace, begin: int, end: int) -> np.ndarray:
    """Rows of the table: element i has the value i modulo 2^20."""
    numbers = np.arange(begin * options.columns, end * options.columns, dtype=np.int64) % (1 << 20)
    return numbers.astype(np.float32).reshape(-1, options.columns)


def draw_ids(options: argparse.Namespace, skew: float, turn: int, rank: int) -> np.ndarray:
    draw = np.random.default_rng([turn, rank])
    return (draw.random(options.ids) ** skew * options.rows).astype(np.int64)


def by_hand(shard: Any, rows_of_rank: int, ids: np.ndarray) -> np.ndarray:
    """What people write: ids sorted by rank, counts, ids, rows, and rows put into the order of the ids."""
    import torch
    from torch.distributed import all_to_all_single

    given = torch.from_numpy(ids)
    owners = given // rows_of_rank
    order = owners.argsort(stable=True)
    counts = owners.bincount(minlength=RANKS)
    asked_counts = torch.empty_like(counts)
    all_to_all_single(asked_counts, counts)
    sent, received = counts.tolist(), asked_counts.tolist()
    asked = torch.empty(sum(received), dtype=torch.int64)
    all_to_all_single(asked, given[order] % rows_of_rank, received, sent)
    taken = torch.empty(len(ids), shard.shape[1])
    all_to_all_single(taken, shard[asked], sent, received)
    out = torch.empty_like(taken)
    out[order] = taken
    return out.numpy()


def torchrec_way(options: argparse.Namespace, shard: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """An EmbeddingBagCollection with row-wise shards, of the rows of the table: each bag has one id. (Its EmbeddingCollection,
    which has no bags, raises "Split sizes doesn't match total dim 0 size" over gloo.)"""
    import torch
    from torchrec import EmbeddingBagCollection, EmbeddingBagConfig, KeyedJaggedTensor
    from torchrec.distributed.embeddingbag import EmbeddingBagCollectionSharder
    from torchrec.distributed.shard import shard as shard_module
    from torchrec.distributed.sharding_plan import construct_module_sharding_plan, row_wise
    from torchrec.distributed.types import ShardingEnv

    device = torch.device("cpu")
    module = EmbeddingBagCollection(device=device, tables=[EmbeddingBagConfig(
        name="t", num_embeddings=options.rows, embedding_dim=options.columns, feature_names=["f"])])  # fmt: skip
    sharder = EmbeddingBagCollectionSharder()
    plan = construct_module_sharding_plan(module, {"t": row_wise()}, sharder, local_size=RANKS,
                                          world_size=RANKS, device_type="cpu")  # fmt: skip
    sharded = shard_module(module, plan, ShardingEnv.from_process_group(torch.distributed.group.WORLD), device, sharder)
    (weight,) = sharded.state_dict().values()
    with torch.no_grad():
        weight.local_shards()[0].tensor.copy_(torch.from_numpy(shard))

    def take(ids: np.ndarray) -> np.ndarray:
        lengths = torch.ones(len(ids), dtype=torch.int64)
        with torch.no_grad():
            found = sharded(KeyedJaggedTensor(keys=["f"], values=torch.from_numpy(ids), lengths=lengths)).wait()
        return found["f"].numpy()

    return take


def ways_of_ranks(options: argparse.Namespace) -> Ways:
    import torch
    from windrow.distributed import ShardedTable, TorchExchange

    rows_of_rank = options.rows // RANKS
    shard = rows_of(options, options.rank * rows_of_rank, (options.rank + 1) * rows_of_rank)
    exchange = TorchExchange()
    table = ShardedTable(exchange, shard)
    quarter = options.rows * options.columns  # of the table's bytes
    keeper = ShardedTable(exchange, shard, remote_cache=max(quarter, 65536))
    ways: Ways = {"by hand": partial(by_hand, torch.from_numpy(shard), rows_of_rank),
                  "Windrow": table.take, "Windrow, kept rows": keeper.take}  # fmt: skip
    if importlib.util.find_spec("torchrec"):
        ways["TorchRec"] = torchrec_way(options, shard)
    return ways


def report(title: str, seconds: dict[str, list[float]]) -> None:
    """Medians of the times, and of the ratios to the first way's in the same turn."""
    print(title)
    base = np.array(next(iter(seconds.values())))
    for name, times in seconds.items():
        low, middle, high = np.quantile(np.array(times) / base, [0.25, 0.5, 0.75])
        print(f"  {name:20} {1e3 * np.median(times):8.2f} ms, ratio {middle:.2f} ({low:.2f} to {high:.2f})", flush=True)


def time_ranks(options: argparse.Namespace) -> None:
    """What one rank does; rank 0 prints. A time is the slowest rank's."""
    import torch

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=options.meeting.as_uri(), rank=options.rank, world_size=RANKS)
    ways = ways_of_ranks(options)
    for skew in options.skew:
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(options.turns + 1):
            ids = draw_ids(options, skew, turn, options.rank)
            expected = next(iter(ways.values()))(ids)
            # In an order that all ranks draw alike.
            for name in random.Random(turn).sample(list(ways), len(ways)):
                torch.distributed.barrier()
                begin = time.perf_counter()
                rows = ways[name](ids)
                slowest = torch.tensor(time.perf_counter() - begin)
                torch.distributed.all_reduce(slowest, torch.distributed.ReduceOp.MAX)
                assert np.array_equal(rows, expected), name
                if turn:  # the first one warms up
                    seconds[name].append(slowest.item())
        if options.rank == 0:
            report(f"gloo, {RANKS} ranks, skew {skew:g}, new ids", seconds)
    torch.distributed.destroy_process_group()


def main(words: list[str]) -> int:
    options = parse_arguments(words)
    if options.rank is not None:
        time_ranks(options)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        ranks = [subprocess.Popen([sys.executable, "-m", "distributed.take_python", *words, "--rank", str(rank),
                                   "--meeting", f"{folder}/meeting"], env=environment) for rank in range(RANKS)]  # fmt: skip
        code = max(abs(rank.wait()) for rank in ranks)
    for name, module in (("TorchRec", "torchrec"), ("Dask", "dask")):
        if importlib.util.find_spec(module) is None:
            print(f"{name} is left out: it is not installed")
    if code == 0 and importlib.util.find_spec("dask"):
        # Dask's own package is called distributed, as this folder is where bench/ is on the path.
        path = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if Path(part).resolve() != BENCH]
        dask = Path(__file__).with_name("take_dask.py")
        code = subprocess.run([sys.executable, dask, *words], env=os.environ | {"PYTHONPATH": os.pathsep.join(path)}, check=False).returncode
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
