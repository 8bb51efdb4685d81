"""Messages, bytes, memory and time of one collective take for growing numbers of ranks: formulas beside a simulation.

Nothing is sent and no time is measured: latency, bandwidth and the rest are what the options say. The tests of this
folder compare the counts with those of the library. `python -m distributed --help` lists the options.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from distributed.model import ROUNDS, Traffic, buffer_bytes, expected_times, expected_traffic
from distributed.setting import Network, Setting
from distributed.simulation import drawn_traffic, owners_by, simulated_times

COUNTS = "{:>6} {:<10} {:>12} {:>12} {:>12} {:>12} {:>12}"
TIMES = "{:>6} {:<10}" + " {:>9}" * (len(ROUNDS) + 2)


def parse_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m distributed", description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 8, 32, 128, 512, 1024], metavar="N")
    parser.add_argument("--ids", type=int, default=16384, help="of each rank")
    parser.add_argument("--rows", type=int, default=1 << 30, help="of the whole table")
    parser.add_argument("--row-bytes", type=int, default=256)
    parser.add_argument("--exponent", type=float, default=1.0, help="of Zipf's law; 0: all rows equally often")
    parser.add_argument("--by", choices=("contiguous", "hash"), default="hash")
    parser.add_argument("--kept", type=int, default=0, help="rows of other ranks that each rank keeps")
    parser.add_argument("--latency", type=float, default=5e-6, help="s")
    parser.add_argument("--message", type=float, default=1e-6, help="s that a message occupies either end")
    parser.add_argument("--bandwidth", type=float, default=12.5e9, help="bytes/s of a rank, each way")
    parser.add_argument("--numbers", choices=("direct", "log"), default="direct", help="how counts are exchanged")
    parser.add_argument("--per-id", type=float, default=0, help="s of work on an id")
    parser.add_argument("--memory", type=float, default=np.inf, help="bytes/s at which rows are gathered")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(words)


def draw_traffic(setting: Setting, seed: int) -> Traffic:
    """What travels for drawn ids and, by hash, drawn owners."""
    generator = np.random.default_rng(seed)
    return drawn_traffic(setting, lambda _: setting.skew.draw(generator, setting.ids), owners_by(setting, seed))


def counts_line(setting: Setting, name: str, traffic: Traffic) -> str:
    """What travels and what is held: of the mean rank, and of the owner that is asked for most."""
    ranks = setting.ranks
    asked = traffic.rows.sum(axis=0)
    memory = f"{buffer_bytes(setting, traffic).max() / 2**20:.1f}" if not setting.kept else "-"
    return COUNTS.format(ranks, name, f"{traffic.all_messages() / ranks:.0f}",
                         f"{traffic.row_messages() / ranks:.0f}", f"{asked.mean():.0f}", f"{asked.max():.0f}", memory)  # fmt: skip


def times_line(ranks: int, name: str, times: dict[str, float]) -> str:
    return TIMES.format(ranks, name, *(f"{1e6 * times[step]:.0f}" for step in (*ROUNDS, "work", "total")))


def main(words: list[str]) -> int:
    options = parse_arguments(words)
    network = Network(options.latency, options.message, options.bandwidth, options.numbers, options.per_id, options.memory)
    counts = [COUNTS.format("ranks", "", "messages", "of ids, rows", "rows asked", "busiest", "buffers MiB")]
    times = [TIMES.format("ranks", "us", *ROUNDS, "work", "total")]
    for ranks in options.ranks:
        setting = Setting(ranks, options.ids, options.rows, options.row_bytes, options.exponent, options.by, options.kept)
        expected, drawn = expected_traffic(setting), draw_traffic(setting, options.seed)
        counts += [counts_line(setting, "formulas", expected), counts_line(setting, "drawn", drawn)]
        times += [times_line(ranks, "formulas", expected_times(setting, network, expected)),
                  times_line(ranks, "simulated", simulated_times(setting, network, drawn))]  # fmt: skip
    print(f"{options.ids} ids of each rank, {options.rows} rows of {options.row_bytes} bytes, {options.by}, exponent "
          f"{options.exponent}, {options.kept} rows kept\n")  # fmt: skip
    print("\n".join(counts), "\n".join(times), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
