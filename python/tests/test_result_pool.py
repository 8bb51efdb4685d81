"""The pool that keeps the memory of large results."""

import ctypes
import os
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest
import windrow
from numpy._core.multiarray import get_handler_name

LEAST = 32 << 20
TABLE = np.arange(4096 * 64, dtype="f4").reshape(4096, 64)
ROWS = np.random.default_rng(1).integers(0, 4096, (LEAST >> 8) + 1000)


@pytest.fixture(autouse=True)
def pool():
    before = windrow.set_result_pool(256 << 20)
    windrow.release_result_pool()
    yield
    windrow.release_result_pool()
    windrow.set_result_pool(before)


def rows(first=0, **how):
    return windrow.take(TABLE, ROWS[first:], axis=0, **how)


def python(program, *flags, **environment):
    return subprocess.run(
        [sys.executable, *flags, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, timeout=100
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_is_used_again_and_values_are_right(threads):
    result = rows(threads=threads)
    address, size = result.ctypes.data, result.nbytes
    assert windrow.result_pool_held() == 0
    del result
    assert size <= windrow.result_pool_held() <= size + 4096
    for first in range(5):
        again = rows(first, threads=threads)
        assert again.ctypes.data == address
        assert np.array_equal(again, TABLE[ROWS[first:]])
        again[:] = -1
        del again


def test_a_result_is_an_array_like_any_other():
    result = rows()
    assert get_handler_name(result) == "windrow_result_pool"
    assert result.base is None and result.flags.owndata and result.flags.writeable and result.flags.c_contiguous
    assert result.ctypes.data % 64 == 0


def test_small_results_have_numpys_memory():
    assert get_handler_name(windrow.take(TABLE, ROWS[:1000], axis=0)) == "default_allocator"
    windrow.take(TABLE, ROWS[:-2000], axis=0)
    assert windrow.result_pool_held() == 0


@pytest.mark.parametrize("view_of", [lambda a: a[5:9], memoryview, np.from_dlpack, lambda a: a.T, np.lib.stride_tricks.as_strided])
def test_a_view_keeps_the_memory(view_of):
    result = rows()
    expected = np.array(view_of(result))
    view = view_of(result)
    del result
    assert windrow.result_pool_held() == 0
    others = [rows(1), rows(2)]
    for other in others:
        other[:] = -1
    assert np.array_equal(np.asarray(view), expected)
    del view
    assert windrow.result_pool_held() > LEAST


def test_a_failed_call_gives_its_memory_back():
    wrong = ROWS.copy()
    wrong[70_000] = 4096
    with pytest.raises(windrow.IndexOutOfRange):
        windrow.take(TABLE, wrong, axis=0)
    assert windrow.result_pool_held() > LEAST
    assert np.array_equal(rows(), TABLE[ROWS])


@pytest.mark.parametrize("dtype", ["f2", "bfloat16", "i8", "c16"])
def test_element_types(dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    table = (TABLE % 999).astype(dtype)
    for first in range(3):
        ids = np.resize(ROWS, LEAST // table[0].nbytes + 9)[first:]
        assert windrow.take(table, ids, axis=0).tobytes() == table[ids].tobytes()
    assert windrow.result_pool_held() > 0


def test_scatters_use_the_memory_again():
    data = np.zeros((LEAST // 4 + 1000,), "i4")
    updates = np.arange(1000, dtype="i4")
    for step in range(3):
        result = windrow.onnx.scatter_elements(data, updates + step, updates)
        expected = data.copy()
        expected[updates + step] = updates
        assert np.array_equal(result, expected)
    del result
    assert windrow.result_pool_held() > 2 * LEAST


@pytest.mark.parametrize("factor", [0.0001, 0.9, 1.5, 3])
def test_results_can_be_resized(factor):
    result = rows()
    old = result.ravel().copy()
    count = int(result.size * factor)
    result.resize(count, refcheck=False)
    common = min(count, old.size)
    assert np.array_equal(result[:common], old[:common])
    assert not result[common:].any()


def test_the_bound_holds():
    windrow.set_result_pool(2 * LEAST)
    results = [rows() for _ in range(4)]
    del results
    assert LEAST < windrow.result_pool_held() <= 2 * LEAST
    assert windrow.set_result_pool(LEAST) == 2 * LEAST
    assert windrow.result_pool_held() == 0


def test_without_a_pool_results_have_numpys_memory():
    before = rows()
    assert windrow.set_result_pool(0) == 256 << 20
    assert get_handler_name(rows()) == "default_allocator"
    del before
    assert windrow.result_pool_held() == 0


def test_release_frees_what_is_kept():
    rows()
    held = windrow.result_pool_held()
    assert held > LEAST
    assert (windrow.release_result_pool(), windrow.result_pool_held(), windrow.release_result_pool()) == (held, 0, 0)


def test_numpys_own_handler_stays():
    """Other arrays have NumPy's memory, also after a call that failed for want of memory."""
    rows()
    with pytest.raises(windrow.OutOfMemory):
        windrow.take(TABLE, np.broadcast_to(np.int64(0), (1 << 36,)), axis=0)
    assert get_handler_name(np.zeros(2 * LEAST, "u1")) == "default_allocator"


class Handler(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 127), ("version", ctypes.c_uint8), ("functions", ctypes.c_void_p * 5)]


def test_a_handler_of_the_callers_is_respected():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    interface = ctypes.cast(pointer(np._core._multiarray_umath._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(interface[304])
    get_handler = ctypes.PYFUNCTYPE(ctypes.py_object)(interface[305])
    name = b"mem_handler"
    own = Handler.from_buffer_copy(ctypes.cast(pointer(get_handler(), name), ctypes.POINTER(Handler)).contents)
    own.name = b"callers"
    before = set_handler(new(ctypes.addressof(own), name, None))
    try:
        result = rows()
    finally:
        set_handler(before)
    assert get_handler_name(result) == "callers"
    assert np.array_equal(result, TABLE[ROWS])
    del result
    assert windrow.result_pool_held() == 0


def test_threads_do_not_share_memory():
    wrong = []

    def run(number):
        for first in range(number, number + 10):
            result = rows(first, threads=1)
            if not np.array_equal(result, TABLE[ROWS[first:]]):
                wrong.append(first)
            result[:] = number

    workers = [threading.Thread(target=run, args=(100 * number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_tracemalloc_counts_results_and_not_what_is_kept():
    rows()
    tracemalloc.start()
    try:
        result = rows()
        used = tracemalloc.get_traced_memory()[0]
        del result
        left = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert used > LEAST > left


@pytest.mark.parametrize("wrong", [-1, 1 << 63, -(1 << 70)])
def test_bounds_outside_the_range_are_refused(wrong):
    with pytest.raises(windrow.ArgumentError, match="must be from 0 to"):
        windrow.set_result_pool(wrong)


@pytest.mark.parametrize("wrong", [1.5, "1", None])
def test_bounds_of_other_types_are_refused(wrong):
    with pytest.raises(TypeError, match="must be an integer"):
        windrow.set_result_pool(wrong)


@pytest.mark.parametrize(
    "text, bound",
    [("0", 0), ("1000000000", 10**9), *((text, 256 << 20) for text in ["", "-1", "1e9", "1GB", " 5", "9" * 30, "off"])],
)
def test_the_environment_variable(text, bound):
    run = python("import windrow; print(windrow.set_result_pool(5))", WINDROW_RESULT_POOL=text)
    assert (run.stdout, run.returncode) == (f"{bound}\n", 0), run.stderr


CALLS = """
import numpy as np, windrow
table, ids = np.arange(1 << 18).reshape(4096, 64), np.random.default_rng(0).integers(0, 4096, 70_000)
def right():
    return all(np.array_equal(windrow.take(table, ids[first:], axis=0), table[ids[first:]]) for first in range(4))
"""


def test_development_mode():
    run = python(CALLS + "print(right(), windrow.result_pool_held() > 0)\nkept = windrow.take(table, ids, axis=0)", "-X", "dev", "-W", "error")
    assert (run.stdout, run.stderr, run.returncode) == ("True True\n", "", 0)


FORKS = """
import os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)
stop = threading.Event()
def keep_calling():
    while not stop.is_set():
        right()
callers = [threading.Thread(target=keep_calling) for _ in range(2)]
for caller in callers:
    caller.start()
ended = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        stop.set()
        os._exit(0 if right() and windrow.result_pool_held() > 0 else 1)
    ended.append(os.waitpid(child, 0)[1])
stop.set()
for caller in callers:
    caller.join()
print(ended)
"""


def test_children_of_forks_have_a_pool_of_their_own():
    run = python(CALLS + FORKS)
    assert (run.stdout, run.returncode) == (f"{[0] * 8}\n", 0), run.stderr


def test_a_fork_empties_the_pool():
    run = python(CALLS + """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)
right()
child = os.fork()
if child == 0:
    os._exit(windrow.result_pool_held() != 0)
print(os.waitpid(child, 0)[1], windrow.result_pool_held())
""")
    assert (run.stdout, run.returncode) == ("0 0\n", 0), run.stderr
