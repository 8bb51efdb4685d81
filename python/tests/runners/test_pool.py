"""Worker processes: whatever an item does to its process affects only that item."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from windrow.processes import Limits, Pool

HERE = Path(__file__).parent
pytestmark = pytest.mark.usefixtures("workers_of_its_own")


@pytest.fixture
def pool(monkeypatch):
    """Makes pools of workers that know this folder's handlers."""
    monkeypatch.syspath_prepend(str(HERE))
    return lambda **options: Pool("handlers:act", **options)


def job(do, *arguments):
    return {"do": do, "arguments": list(arguments)}


def run_between(pool, item, **options):
    """The ending of the item; the items before and after it must come back."""
    with pool(**options) as workers:
        before, ending, after = workers.run([job("echo", "before"), item, job("echo", "after")])
    assert (before.value, after.value) == ("before", "after")
    assert before.failure is None and after.failure is None
    return ending


def is_there(process):
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_a_signal_is_the_ending_of_its_item(pool, number):
    failure = run_between(pool, job("kill_itself", int(number))).failure
    assert (failure.kind, failure.signal) == ("signal", number)
    assert number.name in failure.message


def test_a_fault_is_told_with_what_was_said_before(pool):
    failure = run_between(pool, job("read_address_zero")).failure
    assert (failure.kind, failure.signal, failure.said) == ("signal", signal.SIGSEGV, "about to fault")


def test_a_killed_worker_is_restarted(pool):
    failure = run_between(pool, job("kill_its_worker")).failure
    assert (failure.kind, failure.signal) == ("signal", signal.SIGKILL)


def test_an_exit_is_told(pool):
    failure = run_between(pool, job("leave", 7)).failure
    assert failure.kind == "exit" and "7" in failure.message


def test_an_exit_without_an_answer_is_no_success(pool):
    assert run_between(pool, job("leave", 0)).failure.kind == "exit"
    assert run_between(pool, job("end_by_exception")).failure.kind == "refused"


def test_a_hang_ends_at_the_limit(pool):
    failure = run_between(pool, job("hang"), limits=Limits(seconds=0.5)).failure
    assert failure.kind == "timeout" and "0.5 s" in failure.message


def test_memory_is_limited(pool):
    failure = run_between(pool, job("take_memory", 4 << 30), limits=Limits(memory=400 << 20)).failure
    assert failure.kind == "memory" and str(400 << 20) in failure.message


def test_memory_below_the_limit_is_given(pool):
    assert run_between(pool, job("take_memory", 64 << 20), limits=Limits(memory=400 << 20)).value == 4


def test_a_refused_allocation_is_a_lack_of_memory(pool):
    assert run_between(pool, job("ask_for_too_much")).failure.kind == "memory"


def test_noise_does_not_reach_the_answers(pool, capfd):
    assert run_between(pool, job("make_noise", 1000)).value == 1000
    assert capfd.readouterr() == ("", "")


def test_much_noise_is_dropped(pool):
    assert run_between(pool, job("make_noise", 60000)).value == 60000


def test_standard_input_is_empty(pool):
    assert run_between(pool, job("read_standard_input")).value == ""


def test_an_exception_is_a_refusal(pool):
    failure = run_between(pool, job("raise_error", "not \U0001f600 here")).failure
    assert (failure.kind, failure.message) == ("refused", "ValueError: not \U0001f600 here")


def test_a_long_message_is_cut(pool):
    assert run_between(pool, job("raise_error", "\U0001f600" * 100_000)).failure.kind == "refused"


def test_what_cannot_travel_is_a_failure(pool):
    assert "cannot go to another process" in run_between(pool, job("give_no_value")).failure.message


def test_a_module_that_is_missing_is_told(pool):
    with pool(preload=["no_such_module"]) as workers:
        endings = workers.run([job("echo", 1), job("echo", 2)])
    assert [ending.failure.kind for ending in endings] == ["not installed", "not installed"]
    assert "no_such_module" in endings[0].failure.message


def test_what_a_worker_said_is_heard_after_its_end(pool):
    """It ends without reading its request, of which the connection tells before it gives the answer."""
    with pool(preload=["no_such_module"]) as workers:
        (worker,) = workers._workers
        worker.give(0, job("echo", 1), Limits())
        worker._process.wait()
        assert worker.listen().failure.kind == "not installed"


def test_every_item_has_a_process_of_its_own(pool):
    with pool() as workers:
        numbers = [ending.value for ending in workers.run([job("process_number")] * 5)]
        parents = {ending.value for ending in workers.run([job("parent_number")] * 5)}
    assert len(set(numbers)) == 5 and len(parents) == 1


def test_workers_share_the_items(pool):
    with pool(processes=2) as workers:
        endings = workers.run([job("echo", number) for number in range(20)])
        parents = {ending.value for ending in workers.run([job("parent_number")] * 20)}
    assert [ending.value for ending in endings] == list(range(20))
    assert len(parents) == 2


def test_items_are_taken_as_workers_are_free(pool):
    taken = []

    def items():
        for number in range(6):
            taken.append(number)
            yield job("echo", number)

    with pool() as workers:
        endings = workers.each(items())
        assert next(endings)[0] == 0
        assert len(taken) < 3
        endings.close()
        assert workers.run([job("echo", "again")])[0].value == "again"


def test_a_pool_outlives_the_thread_that_used_it_first(pool):
    with pool() as workers:
        thread = threading.Thread(target=lambda: workers.run([job("echo", 1)]))
        thread.start()
        thread.join()
        assert workers.run([job("echo", 2)])[0].value == 2


def test_what_an_item_starts_ends_with_it(pool):
    with pool() as workers:
        process = workers.run([job("leave_a_process_behind")])[0].value
        assert wait_until(lambda: not is_there(process))


def test_nothing_is_left_of_a_pool(pool):
    with pool(processes=2) as workers:
        numbers = {ending.value for ending in workers.run([job("parent_number")] * 4)}
        descriptors = len(os.listdir("/proc/self/fd"))
        workers.run([job("echo", 1)] * 4)
        assert len(os.listdir("/proc/self/fd")) == descriptors
    assert not any(map(is_there, numbers))


CALLER = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it
sys.path.insert(0, {here!r})
from windrow.processes import Pool
try:
    with Pool("handlers:act") as workers:
        workers.run([{{"do": "hang_and_tell", "arguments": [{path!r}]}}])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_caller_that_is_ended(tmp_path, number):
    path = tmp_path / "numbers"
    script = CALLER.format(here=str(HERE), path=str(path))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    caller = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment)
    assert wait_until(lambda: path.exists() and path.read_text(encoding="ascii").endswith("\n"), 30)
    numbers = [int(word) for word in path.read_text(encoding="ascii").split()]
    assert all(map(is_there, numbers))
    caller.send_signal(number)
    said, _ = caller.communicate(timeout=30)
    assert said == (b"interrupted\n" if number == signal.SIGINT else b"")
    assert wait_until(lambda: not any(map(is_there, numbers)))
