"""Lifetimes of inputs, plans, threads and processes."""

import gc
import multiprocessing
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import windrow


def test_inputs_outlive_their_names():
    """A plan runs in a thread, with the only references to its inputs, while others take all memory that is free."""
    rows = np.random.default_rng(1).integers(0, 20_000, 20_000)
    plan = windrow.compile("onnx", "Gather", windrow.Spec("f4", (20_000, 64)), rows)
    expected = np.arange(20_000 * 64, dtype="f4").reshape(20_000, 64)[rows]
    wrong = []

    def run():
        for _ in range(20):
            result = plan(np.arange(20_000 * 64, dtype="f4").reshape(20_000, 64), rows.copy())
            if not np.array_equal(result, expected):
                wrong.append(result)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        np.full(20_000 * 64, -1, "f4")
        gc.collect()
    assert not wrong


def test_a_plan_outlives_its_function_and_inputs():
    table, rows = np.arange(1600, dtype="f4").reshape(100, 16), np.array([3, 1, 99, 0, 5, 5, 2, 7])
    data = table.copy()
    plan = windrow.onnx.gather.compile(data, rows)
    del data
    gc.collect()
    assert np.array_equal(plan(table, rows), table[rows])


@pytest.mark.parametrize("threads", [1, 2])
def test_many_threads_run_one_plan(threads):
    rng = np.random.default_rng(2)
    data = rng.standard_normal((500, 64)).astype("f4")
    rows = [rng.integers(-500, 500, 400) for _ in range(8)]
    rows[3][200] = 500
    plan = windrow.compile("onnx", "Gather", data, rows[0], threads=threads)
    found = [0] * 8

    def run(number):
        for _ in range(50):
            try:
                found[number] += np.array_equal(plan(data, rows[number]), data[rows[number] % 500])
            except windrow.IndexOutOfRange as error:
                found[number] -= error.position == (200,)

    workers = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [50, 50, 50, -50, 50, 50, 50, 50]


def test_many_threads_call_one_function():
    """Calls with ever new shapes, so that the cached plans change all the time."""
    wrong = []

    def run(seed):
        rng = np.random.default_rng(seed)
        for _ in range(300):
            data = rng.standard_normal((int(rng.integers(1, 99)), int(rng.integers(1, 99))))
            rows = rng.integers(0, len(data), int(rng.integers(0, 99)))
            if not np.array_equal(windrow.onnx.gather(data, rows), data[rows]):
                wrong.append((data.shape, rows))

    workers = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def ticks_within(run):
    """The number of times that another thread continued in the middle of the run."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    run()
    end = time.perf_counter()
    done.set()
    thread.join()
    tenth = (end - start) / 10
    return len([moment for moment in ticks if start + tenth < moment < end - tenth])


def test_other_threads_go_on_during_a_run():
    inputs = np.zeros(1 << 16, "f4"), np.zeros((1 << 24, 1), "i8"), np.ones(1 << 24, "f4")
    plan = windrow.compile("onnx", "ScatterND", *inputs, reduction="add", threads=1)
    # A busy machine may let the other thread wait in one run, not in all; a held lock does in all.
    assert any(ticks_within(lambda: plan(*inputs)) > 5 for _ in range(10))


def test_a_buffer_can_t_move_during_a_run():
    """Resizing it is refused as long as the run reads it."""
    room = bytearray(1 << 26)
    rows = np.zeros(1 << 26, "i8")
    plan = windrow.compile("onnx", "Gather", room, rows, threads=1)
    refusals = 0
    for _ in range(20):
        thread = threading.Thread(target=plan, args=(room, rows))
        thread.start()
        time.sleep(0.002)
        try:
            room.extend(b"x")
            room.pop()
        except BufferError:
            refusals += 1
        thread.join()
        if refusals:
            break
    assert refusals
    room.extend(b"x")


def in_child(queue):
    data = np.arange(1 << 20, dtype="f4").reshape(-1, 64)
    rows = np.arange(len(data))[::-1].copy()
    queue.put(bool(np.array_equal(windrow.onnx.gather(data, rows, threads=2), data[::-1])))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_after_a_fork():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    in_child(queue)  # the threads are there before the fork
    assert queue.get(timeout=30)
    children = [context.Process(target=in_child, args=(queue,)) for _ in range(4)]
    for child in children:
        child.start()
    try:
        assert [queue.get(timeout=60) for _ in children] == [True] * 4
        for child in children:
            child.join(60)
            assert child.exitcode == 0
    finally:
        for child in children:
            child.kill()
    in_child(queue)
    assert queue.get(timeout=30)


EXIT_DURING_A_RUN = """
import threading, time
import numpy as np, windrow
data = np.zeros((1 << 16, 64), "f4")
rows = np.zeros(1 << 16, "i8")
plan = windrow.compile("onnx", "Gather", data, rows, threads={threads})
out = np.empty_like(data)
started = threading.Event()
def run():
    while True:
        plan(data, rows, out=out)
        started.set()
for _ in range(2):
    threading.Thread(target=run, daemon=True).start()
started.wait()
time.sleep({pause})
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_the_interpreter_ends_during_a_run(threads):
    for number in range(6):
        script = EXIT_DURING_A_RUN.format(threads=threads, pause=0.013 * number)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_interpreter_ends_with_plans_and_errors_alive():
    script = """
import numpy as np, windrow
class Last:
    plan = windrow.compile("onnx", "Gather", np.zeros((3, 2)), np.zeros(2, "i8"))
    def __del__(self):
        self.plan(np.zeros((3, 2)), np.zeros(2, "i8"))
kept = [Last(), windrow.onnx.gather]
kept.append(kept)
try:
    windrow.onnx.gather([1], [7])
except windrow.Error as caught:
    error = caught
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "leak" not in done.stderr, done.stderr
