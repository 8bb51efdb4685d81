"""What take_python.py times with Dask: rows of a table whose halves are on two workers, which stay there."""

from __future__ import annotations

import argparse
import sys
import time

import dask.array
import numpy as np
from dask.distributed import Client, LocalCluster, wait
from take_python import RANKS, draw_ids, parse_arguments, report, rows_of


def time_dask(options: argparse.Namespace) -> None:
    rows_of_rank = options.rows // RANKS
    with LocalCluster(n_workers=RANKS, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster):
        table = dask.array.from_array(rows_of(options, 0, options.rows), chunks=(rows_of_rank, options.columns)).persist()
        wait(table)
        for skew in options.skew:
            times = []
            for turn in range(options.turns + 1):
                ids = np.concatenate([draw_ids(options, skew, turn, rank) for rank in range(RANKS)])
                begin = time.perf_counter()
                taken = dask.array.take(table, ids, axis=0).persist()
                wait(taken)
                times.append(time.perf_counter() - begin)
                if turn == 0:
                    assert np.array_equal(taken.compute(), rows_of(options, 0, options.rows)[ids])
            report(f"Dask, {RANKS} workers, skew {skew:g}, new ids", {"dask.array.take": times[1:]})


if __name__ == "__main__":
    time_dask(parse_arguments(sys.argv[1:]))
