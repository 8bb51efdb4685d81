"""Training of an embedding on disk by two ranks, of which the second is killed in the middle of a step of Adagrad.

Every rank has the files `weight<rank>.npy` and `squares<rank>.npy`, and a copy of them of the end of the second step.
"""

import os
import shutil
import signal
from pathlib import Path

import numpy as np
import torch
import windrow.torch
from trained_embedding import ROWS, WIDTH, drawn_batches, drawn_weight, map_of, take_steps
from windrow.distributed import ShardedTable

NAMES = ("weight", "squares")
RANKS = 2
# The batches of the steps before the copy, and of the step after it that all ranks take.
COPIED, TAKEN = 4, 6


def open_table(exchange, folder, name, **options):
    path = Path(folder) / f"{name}{exchange.rank}.npy"
    return ShardedTable.open(exchange, path, writable=True, durability="process", **options)


def open_module(exchange, folder):
    weight, squares = (open_table(exchange, folder, name) for name in NAMES)
    return windrow.torch.ShardedEmbedding(weight, squares=squares)


def make_files(exchange, folder):
    own = map_of("contiguous", RANKS).rows_at(exchange.rank)
    for name, values in zip(NAMES, (drawn_weight(), np.zeros((ROWS, WIDTH), np.float32)), strict=True):
        np.save(Path(folder) / f"{name}{exchange.rank}.npy", values[own])


def copy_files(exchange, folder, to):
    """The rank's files, which no table has open, with the numbers of their calls."""
    for name in NAMES:
        for path in Path(folder).glob(f"{name}{exchange.rank}.npy*"):
            shutil.copy(path, to)


def kill_in_a_call(exchange, table, numbers):
    """Ends this process in the next assign() of the table, after that number of exchanges of numbers."""
    exchange_numbers, assign = exchange.exchange_numbers, table.assign
    left = []

    def exchange_or_end(to):
        got = exchange_numbers(to)
        if left:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return got

    def assign_to_the_end(*arguments):
        left.append(numbers)
        assign(*arguments)

    exchange.exchange_numbers, table.assign = exchange_or_end, assign_to_the_end


def train_until_killed(exchange, folder, name, numbers):
    """Rank 1 ends in the fourth step, in the call that writes the table of that name."""
    make_files(exchange, folder)
    module, batches = open_module(exchange, folder), list(drawn_batches())
    take_steps(module, batches[:COPIED], "adagrad")
    torch.save(module.state_dict(), Path(folder) / f"{exchange.rank}.pt")
    del module
    copy = Path(folder) / "copy"
    copy.mkdir(exist_ok=True)
    copy_files(exchange, folder, copy)
    module = open_module(exchange, folder)
    take_steps(module, batches[COPIED:TAKEN], "adagrad")
    if exchange.rank == 1:
        kill_in_a_call(exchange, {"weight": module.table, "squares": module.squares}[name], numbers)
    take_steps(module, batches[TAKEN:], "adagrad")


def numbers_of(exchange, folder, name):
    """What opening a table says: the numbers of the ranks' calls as they are, and the error if they differ."""
    said = ""
    try:
        open_table(exchange, folder, name)
    except windrow.FileError as error:
        said = str(error)
    return open_table(exchange, folder, name, accept_torn=True).call_numbers, said


def resume(exchange, folder):
    """Puts back the copy and trains to the end. Returns this rank's rows."""
    copy_files(exchange, Path(folder) / "copy", folder)
    module = open_module(exchange, folder)
    module.load_state_dict(torch.load(Path(folder) / f"{exchange.rank}.pt", weights_only=True))
    take_steps(module, list(drawn_batches())[COPIED:], "adagrad")
    return module.table.take(map_of("contiguous", RANKS).rows_at(exchange.rank))
