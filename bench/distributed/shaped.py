"""Times takes of two ranks of torch.distributed (gloo) whose network has a bandwidth that was chosen, beside the model's times.

The ranks run in network namespaces that a pair of virtual links joins, each end limited by a token bucket. The latency of a
round, the part of the bandwidth that is of use and the work on an id are fitted to the takes at the first two rates; the
others are foretold. As root, with ip and tc (Debian's iproute2): `PYTHONPATH=build/release/python:bench python -m distributed.shaped`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from distributed.drawn_ids import Floats
from distributed.model import ROUNDS, expected_times, expected_traffic
from distributed.setting import Network, Setting

RANKS = 2
TURNS = 7


def parse_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m distributed.shaped", description=__doc__.splitlines()[0])
    parser.add_argument("--mbits", type=int, nargs="+", default=[2000, 200, 1000, 500, 100], help="rates, in 10^6 bits/s; the fit is to the first two")
    parser.add_argument("--ids", type=int, nargs="+", default=[500, 5000, 20000, 60000], help="of each rank")
    parser.add_argument("--rows", type=int, default=400_000, help="of the whole table")
    parser.add_argument("--row-bytes", type=int, default=256)
    parser.add_argument("--exponent", type=float, default=0.8, help="of Zipf's law")
    parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def settings_of(options: argparse.Namespace) -> list[Setting]:
    return [Setting(RANKS, ids, options.rows, options.row_bytes, options.exponent, "hash") for ids in options.ids]


def run_rank(options: argparse.Namespace) -> None:
    """Takes of each number of ids. Rank 0 prints the medians of the slower rank's times."""
    import torch
    from windrow.distributed import ShardedTable, ShardMap, TorchExchange

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method="tcp://10.77.0.1:29511", rank=options.rank, world_size=RANKS)
    exchange = TorchExchange()
    rows = ShardMap.hashed(options.rows, RANKS).rows_of(options.rank)
    table = ShardedTable(exchange, np.ones((rows, options.row_bytes // 4), np.float32), by="hash")
    medians = []
    for setting in settings_of(options):
        times = []
        for turn in range(TURNS + 1):
            ids = setting.skew.draw(np.random.default_rng([options.rank, turn]), setting.ids)
            torch.distributed.barrier()
            begun = time.perf_counter()
            table.take(ids)
            slower = torch.tensor(time.perf_counter() - begun)
            torch.distributed.all_reduce(slower, torch.distributed.ReduceOp.MAX)
            times.append(slower.item())
        medians.append(statistics.median(times[1:]))
    if options.rank == 0:
        print(json.dumps(medians), flush=True)
    torch.distributed.destroy_process_group()


def run(*words: str) -> None:
    subprocess.run(words, check=True)


class Namespaces:
    """Two network namespaces, 10.77.0.1 and 10.77.0.2, with a link between them; they go with the block."""

    def __init__(self) -> None:
        self.names = [f"windrow{os.getpid()}-{rank}" for rank in range(RANKS)]

    def __enter__(self) -> Namespaces:
        for name in self.names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", "w0", "netns", self.names[0], "type", "veth", "peer", "name", "w1", "netns", self.names[1])
        for rank, name in enumerate(self.names):
            run("ip", "-n", name, "addr", "add", f"10.77.0.{rank + 1}/24", "dev", f"w{rank}")
            run("ip", "-n", name, "link", "set", f"w{rank}", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
        return self

    def __exit__(self, *error: Any) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def limit(self, mbits: int) -> None:
        for rank, name in enumerate(self.names):
            run("ip", "netns", "exec", name, "tc", "qdisc", "replace", "dev", f"w{rank}", "root", "tbf", "rate", f"{mbits}mbit",
                "burst", "16kb", "latency", "200ms")  # fmt: skip

    def times(self, words: list[str]) -> list[float]:
        """What rank 0 prints."""
        with tempfile.TemporaryFile("w+") as said:
            ranks = []
            for rank, name in enumerate(self.names):
                environment = os.environ | {"GLOO_SOCKET_IFNAME": f"w{rank}", "OMP_NUM_THREADS": "1"}
                command = ["ip", "netns", "exec", name, sys.executable, "-m", "distributed.shaped", *words, "--rank", str(rank)]
                ranks.append(subprocess.Popen(command, env=environment, stdout=said if rank == 0 else None))
            if any([rank.wait() for rank in ranks]):
                raise SystemExit("a rank has failed")
            said.seek(0)
            return list(json.loads(said.read()))


def parts_of(setting: Setting, mbits: int) -> Floats:
    """What a take's time is the sum of, each times a number that is fitted: rounds, seconds for its bytes, ids."""
    traffic = expected_traffic(setting)
    rounds = len(ROUNDS) - traffic.is_small
    bytes_only = expected_times(setting, Network(0, 0, mbits * 1e6 / 8), traffic)["total"]
    return np.array([rounds, bytes_only, setting.ids])


def main(words: list[str]) -> int:
    options = parse_arguments(words)
    if options.rank is not None:
        run_rank(options)
        return 0
    if os.geteuid() != 0 or not all(any(Path(folder, tool).exists() for folder in os.get_exec_path()) for tool in ("ip", "tc")):
        print("left out: namespaces of the network need root, and ip and tc (as root: apt-get install iproute2)")
        return 0
    with Namespaces() as spaces:
        measured = {}
        for mbits in options.mbits:
            spaces.limit(mbits)
            measured[mbits] = spaces.times(words)
    first = options.mbits[:2]
    parts = {mbits: np.array([parts_of(setting, mbits) for setting in settings_of(options)]) for mbits in options.mbits}
    # Each take counts as much as any other: relative errors are fitted.
    scale = np.concatenate([measured[mbits] for mbits in first])[:, np.newaxis]
    fitted = np.linalg.lstsq(np.concatenate([parts[mbits] for mbits in first]) / scale, np.ones(len(scale)), rcond=None)[0]
    print(f"fitted at {' and '.join(map(str, first))} Mbit/s: {1e6 * fitted[0]:.0f} us a round, {100 / fitted[1]:.0f} % of the bandwidth, "
          f"{1e9 * fitted[2]:.0f} ns an id")  # fmt: skip
    print(f"{'Mbit/s':>7} {'ids':>7} {'measured ms':>12} {'model ms':>9} {'ratio':>6}")
    for mbits in options.mbits:
        for setting, seconds, part in zip(settings_of(options), measured[mbits], parts[mbits], strict=True):
            due = float(part @ fitted)
            print(f"{mbits:7} {setting.ids:7} {1e3 * seconds:12.2f} {1e3 * due:9.2f} {seconds / due:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
