"""Children that are forked in the middle of calls, and systems that refuse threads or memory."""

import pytest
from run_program import run

FORKS = """
import os, sys, threading, warnings
import large_calls
warnings.simplefilter("ignore", DeprecationWarning)
results = large_calls.expected()
stop = threading.Event()

def keep_calling(call):
    while not stop.is_set():
        call(threads=2)

callers = [threading.Thread(target=keep_calling, args=(call,)) for call in large_calls.CALLS.values()]
for caller in callers:
    caller.start()
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        stop.set()
        sys.exit(0 if large_calls.are_right(results, 2) and large_calls.are_right(results, 3) else 1)
    children.append(child)
ended = [os.waitpid(child, 0)[1] for child in children]
stop.set()
for caller in callers:
    caller.join()
print(ended)
"""

REFUSED_THREADS = """
import os, resource, sys
import large_calls
results = large_calls.expected()
if os.getuid() == 0:  # limits of threads do not apply to root
    os.setuid(47_114)
resource.setrlimit(resource.RLIMIT_NPROC, (1 + {more}, 1 + {more}))
print(all(large_calls.are_right(results, threads) for threads in (2, 5, 2)))
"""


def test_children_of_forks_during_calls_call_and_end():
    run_ = run(FORKS)
    assert (run_.stdout, run_.returncode) == (f"{[0] * 8}\n", 0), run_.stderr


# NumPy's own library of linear algebra needs no threads here.
@pytest.mark.parametrize("more", [0, 1, 2])
def test_calls_run_on_the_threads_that_there_are(more):
    run_ = run(REFUSED_THREADS.format(more=more), OPENBLAS_NUM_THREADS="1")
    assert (run_.stdout, run_.returncode) == ("True\n", 0), run_.stderr
