"""Ctrl-C, and the handlers of other signals, in the middle of calls that would take minutes."""

import signal

import long_calls
import pytest
from run_program import end, run, start

CTRL_C = """
import signal
import numpy as np
import large_calls, long_calls
signal.signal(signal.SIGINT, signal.default_int_handler)
results = large_calls.expected()
cells = np.zeros(10, np.int64)
try:
    print("begins", flush=True)
    long_calls.CALLS[{name!r}](cells, threads={threads})
except KeyboardInterrupt:
    print("interrupted")
print(large_calls.are_right(results, 2))
"""

HANDLERS = """
import signal
import numpy as np
import large_calls, long_calls
handled = []

def handle(*_):
    handled.append(large_calls.are_right(results, 2))  # calls within the call
    if {raises} and len(handled) == 3:
        raise LookupError("three")

results = large_calls.expected()
signal.signal(signal.SIGALRM, handle)
cells = np.zeros(10, np.int64)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.05)
try:
    long_calls.index_add(cells, {count}, threads={threads})
except LookupError as error:
    print(error)
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(handled) >= 2, all(handled), cells[3])
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", long_calls.CALLS)
def test_ctrl_c_ends_long_calls(name, threads):
    process = start(CTRL_C.format(name=name, threads=threads))
    assert process.stdout.readline() == "begins\n"
    process.send_signal(signal.SIGINT)
    run_ = end(process)
    assert (run_.stdout, run_.returncode) == ("interrupted\nTrue\n", 0), run_.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_handlers_that_raise_nothing_change_no_result(threads):
    run_ = run(HANDLERS.format(raises=False, count=1 << 30, threads=threads))
    assert (run_.stdout, run_.returncode) == (f"True True {1 << 30}\n", 0), run_.stderr


def test_the_errors_of_handlers_come_out_of_the_call():
    run_ = run(HANDLERS.format(raises=True, count=1 << 36, threads=2))
    first, second = run_.stdout.splitlines()
    assert (first, run_.returncode) == ("three", 0), run_.stderr
    assert second.startswith("True True ")
