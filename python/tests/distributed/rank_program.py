"""What one rank does: python rank_program.py ENGINE TASK [ARGUMENT]. The last line of a task that is done begins with "done".

ENGINE: mpi, or torch, whose ranks find each other by the variables RANK, WORLD_SIZE and MEETING, a file.
"""

import datetime
import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import windrow
from drawn_tables import DrawnTable
from windrow.distributed import MpiExchange, ShardedTable, TorchExchange

# Seconds that ranks wait for one that is there but does not answer.
TIMEOUT = 3


def say(*words):
    """Prints a line at once: other ranks print, too."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def make_exchange(engine, timeout, level):
    if engine == "mpi":
        if level:
            import mpi4py

            mpi4py.rc.thread_level = level
        # Pieces so small that most messages have several.
        return MpiExchange(timeout=timeout, piece_bytes=1000)
    import torch.distributed

    torch.distributed.init_process_group(
        "gloo", init_method=Path(os.environ["MEETING"]).as_uri(), rank=int(os.environ["RANK"]),
        world_size=int(os.environ["WORLD_SIZE"]), timeout=datetime.timedelta(seconds=timeout))  # fmt: skip
    return TorchExchange()


def draws(exchange, count):
    done = {"right": 0, "refused": 0}
    for seed in range(int(count)):
        drawn = DrawnTable(exchange, 1000 + seed)
        drawn.run(10)
        for name in done:
            done[name] += drawn.done[name]
    say("done", done["right"], done["refused"])


def whole_shard(exchange):
    return np.full((4, 2), exchange.rank, np.float32)


def bad_id(exchange, _):
    """The last rank has an id out of range."""
    table = ShardedTable(exchange, whole_shard(exchange), by="hash")
    ids = [0, 1, 4 * exchange.ranks] if exchange.rank == exchange.ranks - 1 else [0]
    for call in (lambda: table.take(ids), lambda: table.index_add(ids, np.ones((len(ids), 2), np.float32))):
        try:
            call()
        except windrow.IndexOutOfRange as error:
            say("error", type(error).__name__, error, error.position)
    assert np.array_equal(table.shard, whole_shard(exchange))
    assert table.take([0]).shape == (1, 2)
    say("done")


def on_disk(exchange, folder):
    """Every rank adds 1 to every row of a table whose shards are in files."""
    path = Path(folder) / f"{exchange.rank}.npy"
    if not path.exists():
        np.save(path, np.zeros((4, 2), np.float32))
    table = ShardedTable.open(exchange, path, writable=True)
    table.index_add(np.arange(len(table)), np.ones(table.shape, np.float32))
    say("done", table.call_numbers)


def killed_on_disk(exchange, folder):
    """As on_disk(), again and again, until rank 1 is killed."""
    np.save(Path(folder) / f"{exchange.rank}.npy", np.zeros((200, 50), np.float32))
    table = ShardedTable.open(exchange, Path(folder) / f"{exchange.rank}.npy", writable=True, durability="process")
    if exchange.rank == 1:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    while True:
        table.index_add(np.arange(exchange.rank, len(table), exchange.ranks), np.ones((200, 50), np.float32))


def train_embedding(exchange, folder):
    from trained_embedding import save_training

    save_training(exchange, folder)
    say("done")


def train_on_a_graph(exchange, folder):
    from sampled_graph import KINDS, train

    for kind in KINDS:
        losses = train(exchange, kind, Path(folder))
        say(f"losses of {kind}:", *(loss.hex() for loss in losses))
    say("done")


def bad_id_of_an_embedding(exchange, _):
    """As bad_id(), with a module of a network; before that, one good look-up, whose gradients wait."""
    import torch
    from trained_embedding import make_embedding

    for mode in (None, "sum"):
        module = make_embedding(exchange, "hash", mode=mode)
        before = module.table.shard.copy()
        module(torch.tensor([[1, 2]])).sum().backward()
        ids = [[0, 1], [2, len(module.table)]] if exchange.rank == exchange.ranks - 1 else [[0, 0]]
        try:
            module(torch.tensor(ids))
        except windrow.IndexOutOfRange as error:
            say("error", type(error).__name__, error, error.position)
        assert np.array_equal(module.table.shard, before) and len(module.gradients()) == 1
        try:
            module.apply_gradients(lr=0.5 if exchange.rank == 1 else 0.25)
        except windrow.ArgumentError as error:
            say("step", error)
        assert np.array_equal(module.table.shard, before) and len(module.gradients()) == 1
        module.apply_gradients(lr=0.5)
        assert module.table.take([0, 1]).tolist() != before.tolist() and module.gradients() == []
    say("done")


def end_between_calls(exchange, how):
    """Rank 1 ends, in one of these ways, while the others are in a call."""
    table = ShardedTable(exchange, whole_shard(exchange))
    table.take([0])
    if exchange.rank == 1:
        time.sleep(0.5)
        if how == "raise":
            raise ValueError("this rank cannot go on")
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "exit":
            with exchange:
                sys.exit(5)
        time.sleep(20)
    table.take([0])
    say("done")


def end_inside_a_call(exchange, how):
    """Rank 1 is interrupted while it waits for the others, which come later."""
    table = ShardedTable(exchange, whole_shard(exchange))
    if exchange.rank == 1:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
    else:
        time.sleep(1)
    for _ in range(20):
        table.take([0])
        time.sleep(0.2)
    say("done")


def catch(exchange, _):
    """Rank 1 is late: the others raise, and can still work before they end."""
    table = ShardedTable(exchange, whole_shard(exchange))
    if exchange.rank == 1:
        time.sleep(20)
    try:
        table.take([0])
    except windrow.FileError as error:
        say("kept", table.shard[0, 0], error)
        raise


def train_batches(exchange, _):
    """A loop over batches, of which ranks have different numbers, with messages of the program's own in between."""
    table = ShardedTable(exchange, np.full((4, 2), exchange.rank, np.float32), remote_cache=1 << 16)
    asked = [[exchange.rank, 4 * exchange.ranks - 1 - turn] for turn in range(5 + exchange.rank)]
    rounds = 0
    for turn, rows in enumerate(table.batches(asked)):
        assert own_sum(exchange, turn) == exchange.ranks * turn
        if turn < len(asked):
            added = max(turn - 2, 0)
            assert rows[:, 0].tolist() == [row // 4 + added for row in asked[turn]], (turn, rows)
        table.index_add(np.arange(len(table))[exchange.rank :: exchange.ranks], np.ones((4, 2), np.float32))
        rounds += 1
    assert rounds == 4 + exchange.ranks
    say("done", any(thread.name.startswith("windrow-exchange") for thread in threading.enumerate()))


def own_sum(exchange, number):
    """The sum over ranks, by the program's own use of the engine."""
    if isinstance(exchange, TorchExchange):
        import torch

        given = torch.tensor([number])
        torch.distributed.all_reduce(given)
        return given.item()
    from mpi4py import MPI

    return MPI.COMM_WORLD.allreduce(number)


def killed_in_a_step(exchange, words):
    from killed_step import train_until_killed

    folder, name, numbers = words.split()
    train_until_killed(exchange, folder, name, int(numbers))


def resumed_after_a_kill(exchange, folder):
    from killed_step import NAMES, numbers_of, resume

    for name in NAMES:
        numbers, error = numbers_of(exchange, folder, name)
        say(name, *numbers, error)
    np.save(f"{folder}/resumed{exchange.rank}.npy", resume(exchange, folder))
    say("done")


def end_in_a_loop(exchange, how):
    """Rank 1 ends, in one of these ways, in a loop over batches."""
    table = ShardedTable(exchange, whole_shard(exchange))
    for turn, _ in enumerate(table.batches([[0, -1]] * 1000)):
        if exchange.rank != 1 or turn != 20:
            continue
        if how == "raise":
            raise ValueError("this rank cannot go on")
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(20)
    say("done")


TASKS = {task.__name__: task for task in (
    draws, bad_id, on_disk, killed_on_disk, end_between_calls, end_inside_a_call, catch, train_batches, end_in_a_loop,
    killed_in_a_step, resumed_after_a_kill, train_embedding, train_on_a_graph,
    bad_id_of_an_embedding)}  # fmt: skip
# Tasks whose ranks wait for one that does not answer.
WAITING = ("end_between_calls", "end_inside_a_call", "catch", "end_in_a_loop")


def main(engine, task, argument=""):
    level = argument if task == "train_batches" else ""
    exchange = make_exchange(engine, TIMEOUT if task in WAITING else 120, level)
    TASKS[task](exchange, argument)
    if engine == "mpi":
        exchange.close()
    else:
        import torch.distributed

        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
