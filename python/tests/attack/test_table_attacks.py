"""Tables on disk: files that change under them, systems that refuse what they ask for, and memory that is short."""

import os
import signal
import threading
import time

import numpy as np
import pytest
import windrow
from run_program import end, run, start

ROWS, WIDTH = 4000, 96
WAYS = ["io_uring", "threads", "read_ahead"]


@pytest.fixture
def array():
    return np.arange(ROWS * WIDTH, dtype=np.int32).reshape(ROWS, WIDTH)


@pytest.fixture
def path(tmp_path, array):
    np.save(tmp_path / "table.npy", array)
    return tmp_path / "table.npy"


def open_or_skip(path, **options):
    try:
        return windrow.open_table(path, **options)
    except windrow.Unsupported as error:
        pytest.skip(str(error))


def cut(path, _):
    os.truncate(path, path.stat().st_size // 2)


def extend(path, _):
    os.truncate(path, path.stat().st_size * 3)


def empty(path, _):
    os.truncate(path, 0)


def overwrite(path, array):
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size - array.nbytes)
        file.write((array + ROWS * WIDTH).tobytes())


def replace(path, array):
    np.save(path.with_name("other.npy"), array + 7)
    os.replace(path.with_name("other.npy"), path)


def delete(path, _):
    path.unlink()


def forbid(path, _):
    path.chmod(0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("change", [cut, extend, empty, overwrite, replace, delete, forbid])
def test_a_file_changes_while_threads_take(change, way, path, array):
    """Rows are the old ones, or what was written in their place; a file that is too short is an error."""
    table = open_or_skip(path, reads=way, depth=8)
    expected = "error" if change in (cut, empty) else "rows"
    seen, wrong, stop = set(), [], threading.Event()

    def work(seed):
        random = np.random.default_rng(seed)
        while not stop.is_set():
            ids = random.integers(0, ROWS, 200)
            try:
                rows = table.take(ids)
            except windrow.FormatError as error:
                seen.add("error")
                if expected != "error" or "'" + str(path) + "' was cut while it was read" not in str(error):
                    wrong.append(str(error))
                continue
            seen.add("rows")
            # A write may be seen in part.
            is_right = (rows == array[ids]) | ((rows == array[ids] + ROWS * WIDTH) if change is overwrite else False)
            if not is_right.all():
                wrong.append(ids[~is_right.all(axis=1)][:3])

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    change(path, array)
    ends = time.monotonic() + 30
    stop.wait(0.1)
    while expected not in seen and time.monotonic() < ends:
        stop.wait(0.005)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert expected in seen
    if expected == "error":
        with pytest.raises(windrow.FormatError, match="was cut while it was read"):
            table.take([ROWS - 1])
    else:
        after = array[-1] + ROWS * WIDTH if change is overwrite else array[-1]
        np.testing.assert_array_equal(table[-1], after)


@pytest.mark.parametrize("name", ["pipe", "folder", "/dev/zero", "/dev/null"])
def test_what_is_not_a_regular_file(name, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(windrow.FileError, match=f"{name}' is not a regular file"):
        windrow.open_table(tmp_path / name, dtype="uint8", shape=(4,))


def test_a_file_of_the_system():
    """Its size is 0, whatever it holds."""
    with pytest.raises(windrow.FormatError, match="'/proc/self/status': .* the file has 0"):
        windrow.open_table("/proc/self/status", dtype="uint8", shape=(4,))


def test_a_file_system_without_direct_reads(array):
    folder = "/dev/shm"
    if not os.access(folder, os.W_OK):
        pytest.skip("no file system in memory")
    path = f"{folder}/windrow-{os.getpid()}.npy"
    try:
        np.save(path, array)
        table = windrow.open_table(path)
        np.testing.assert_array_equal(table[[5, -1]], array[[5, -1]])
        if not table.description["direct"]:
            with pytest.raises(windrow.Unsupported, match="cannot be read past the page cache"):
                windrow.open_table(path, direct=True)
    finally:
        os.unlink(path)


def test_ids_of_every_type_and_none(path, array):
    table = windrow.open_table(path, cache=1 << 20)
    for name in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
        ids = np.array([[0, 100], [3, 127]], name)
        np.testing.assert_array_equal(table[ids], array[ids])
        np.testing.assert_array_equal(table[ids.T[::-1]], array[ids.T[::-1]])
        assert table[ids[:0]].shape == (0, 2, WIDTH)
    reversed_out = np.zeros((2, WIDTH), np.int32)[::-1]
    assert table.take([1, 2], out=reversed_out) is reversed_out
    np.testing.assert_array_equal(reversed_out, array[[1, 2]])


def test_an_output_that_the_ids_stand_in(path):
    table = windrow.open_table(path)
    memory = np.zeros((2, WIDTH), np.int32)
    with pytest.raises(windrow.ArgumentError, match="overlap"):
        table.take(memory[0, :2], out=memory)


def test_tables_without_bytes(tmp_path):
    np.save(tmp_path / "rows.npy", np.zeros((0, 5), np.float32))
    np.save(tmp_path / "thin.npy", np.zeros((4, 0), np.float32))
    empty_table = windrow.open_table(tmp_path / "rows.npy", cache=1 << 16)
    assert empty_table.take(np.zeros((2, 0), np.int64)).shape == (2, 0, 5)
    with pytest.raises(windrow.IndexOutOfRange, match="extent 0"):
        empty_table.take([0])
    thin = windrow.open_table(tmp_path / "thin.npy", cache=1 << 16)
    assert thin.take([3, -4]).shape == (2, 0)
    with pytest.raises(windrow.IndexOutOfRange):
        thin.take([4])
    (tmp_path / "nothing").write_bytes(b"")
    nothing = windrow.open_table(tmp_path / "nothing", dtype="int8", shape=(0, 3))
    assert nothing.take(np.zeros(0, np.int64)).shape == (0, 3)


def test_rows_larger_than_the_cache(tmp_path):
    array = np.random.default_rng(0).integers(0, 255, (9, 200_000), np.uint8)
    np.save(tmp_path / "wide.npy", array)
    cache = windrow.TableCache(1 << 16)
    table = windrow.open_table(tmp_path / "wide.npy", cache=cache)
    for _ in range(2):
        np.testing.assert_array_equal(table[[8, 0, 8]], array[[8, 0, 8]])
    assert cache.statistics()["rows"] == 0


PROGRAM = """
import ctypes, os, resource, sys, threading, time, warnings
import numpy as np
import windrow
warnings.simplefilter("ignore", DeprecationWarning)
path, way = {path!r}, {way!r}
array = np.load(path)
ids = np.arange(-{rows}, {rows}, 7)
def is_right(table):
    return np.array_equal(table.take(ids), array[ids])
def reads_of(way, error=windrow.Unsupported):
    try:
        return windrow.open_table(path, reads=way).description["reads"]
    except error as refused:
        return str(refused)
"""


def run_attack(program, path, way="best", **variables):
    run_ = run(PROGRAM.format(path=str(path), way=way, rows=ROWS) + program, **variables)
    assert run_.returncode == 0, run_.stderr
    return run_.stdout


REFUSED_RING = """
class Filter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]
class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint16), ("filters", ctypes.POINTER(Filter))]
# The number of the call; if it is io_uring_setup, an errno; else as usual.
filters = (Filter * 4)(
    Filter(0x20, 0, 0, 0), Filter(0x15, 0, 1, 425), Filter(6, 0, 0, 0x50000 | {errno}), Filter(6, 0, 0, 0x7FFF0000)
)
libc = ctypes.CDLL(None, use_errno=True)
no_more = libc.prctl(38, 1, 0, 0, 0)
before = windrow.open_table(path) if {before} else None
if no_more != 0 or libc.prctl(22, 2, ctypes.byref(Program(4, filters)), 0, 0) != 0:
    sys.exit("cannot refuse it")
table = before or windrow.open_table(path)
stuck = threading.Barrier(12)
right = []
def work():
    stuck.wait()
    right.append(is_right(table))
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(table.description["reads"] if not before else "any", sum(right))
print(reads_of("io_uring"))
"""


@pytest.mark.parametrize("before", [False, True], ids=["at first", "after it was opened"])
@pytest.mark.parametrize("errno", [1, 38], ids=["EPERM", "ENOSYS"])
def test_a_system_that_refuses_rings(errno, before, path):
    out = run_attack(REFUSED_RING.replace("{errno}", str(errno)).replace("{before}", str(before)), path)
    first, second = out.splitlines()
    way = windrow.open_table(path).description["direct"] and "threads" or "read_ahead"
    assert first == ("any 12" if before else f"{way} 12")
    assert second.startswith("no io_uring: ")


FILE_NUMBERS = """
table = windrow.open_table(path)
right = is_right(table)
resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
taken = []
try:
    while True: taken.append(os.dup(0))
except OSError:
    pass
try:
    windrow.open_table(path)
except windrow.FileError as error:
    print(error)
barrier = threading.Barrier(20)
results = []
def work():
    barrier.wait()
    results.append(is_right(table))
threads = [threading.Thread(target=work) for _ in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
for number in taken: os.close(number)
print(right, sum(results), is_right(windrow.open_table(path)))
"""


def test_no_file_number_is_left(path):
    first, second = run_attack(FILE_NUMBERS, path).splitlines()
    assert first == f"cannot open '{path}': Too many open files"
    assert second == "True 20 True"


LOCKED_MEMORY = """
if os.getuid() == 0: os.setuid(47_114)
resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
print(is_right(windrow.open_table(path)))
"""


def test_no_memory_may_be_locked(path):
    path.chmod(0o644)
    for folder in list(path.parents)[:-1]:
        if folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 1:
            folder.chmod(0o755)
    assert run_attack(LOCKED_MEMORY, path) == "True\n"


ADDRESS_SPACE = """
table = windrow.open_table(path, reads=way)
idle = [table.take([0])]
table = windrow.open_table(path, reads=way, depth=1024)  # its slots are 128 MiB
pages = int(open("/proc/self/statm").read().split()[0])
answers = set()
for more in range(0, 260 << 20, 4 << 20):
    resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + more, -1))
    for call in (lambda: is_right(table), lambda: is_right(windrow.open_table(path, reads=way, depth=1024)),
                 lambda: is_right(windrow.open_table(path, reads=way, cache=32 << 20))):
        try:
            answers.add(call())
        except MemoryError as error:
            answers.add(type(error).__name__)
        except windrow.Unsupported as error:
            answers.add(str(error))
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
print(sorted(map(str, answers)), is_right(table))
"""


@pytest.mark.parametrize("way", WAYS)
def test_short_of_address_space(way, path):
    open_or_skip(path, reads=way)
    assert run_attack(ADDRESS_SPACE, path, way) == "['OutOfMemory', 'True'] True\n"


FORKS = """
table = windrow.open_table(path, reads=way, cache=1 << 18)
stop = threading.Event()
def keep_taking():
    while not stop.is_set():
        is_right(table)
callers = [threading.Thread(target=keep_taking) for _ in range(2)]
for caller in callers: caller.start()
ended = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        os._exit(0 if is_right(table) and is_right(windrow.open_table(path, reads=way, cache=1 << 18)) else 1)
    ended.append(os.waitpid(child, 0)[1])
stop.set()
for caller in callers: caller.join()
print(ended, is_right(table))
"""


@pytest.mark.parametrize("way", WAYS)
def test_children_of_forks_during_takes(way, path):
    open_or_skip(path, reads=way)
    assert run_attack(FORKS, path, way) == f"{[0] * 8} True\n"


CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
table = windrow.open_table(path, reads=way)
flat = windrow.open_table(path, reads=way, dtype="uint8", shape=(os.path.getsize(path),))
many = np.broadcast_to(np.int64(5), (1 << 30,))
out = np.empty(1 << 30, np.uint8)
before = time.monotonic()
try:
    print("begins", flush=True)
    flat.take(many, out=out)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - before < 20)
print(is_right(table), flat[5] == np.fromfile(path, np.uint8)[5])
"""


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_ends_long_takes(way, path):
    open_or_skip(path, reads=way)
    process = start(PROGRAM.format(path=str(path), way=way, rows=ROWS) + CTRL_C)
    assert process.stdout.readline() == "begins\n"
    process.send_signal(signal.SIGINT)
    run_ = end(process)
    assert (run_.stdout, run_.returncode) == ("interrupted True\nTrue True\n", 0), run_.stderr


BOUND = """
def status(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) << 10
rows, batch, cached, call = {sizes}
large = path + ".large"
table = windrow.open_table(large, dtype="int32", shape=(rows, 256), cache=cached, reads=way)
out = np.empty((batch, 256), np.int32)
table.take(np.arange(batch), out=out)  # whatever a first call needs besides
limit = status("VmData") + cached + call
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
assert 3 * limit < os.path.getsize(large), limit
try:
    np.fromfile(large, np.int32)
except MemoryError:
    print("cannot be loaded")
before = status("VmRSS") - out.nbytes
random = np.random.default_rng(0)
for first in range(0, rows, batch):
    ids = np.arange(first, first + batch)
    random.shuffle(ids)
    table.take(ids, out=out)
    expected = np.where(ids % 64 == 0, ids + 1, 0)
    assert (out[:, 0] == expected).all() and (out[:, 255] == expected).all()
used, bound = status("VmHWM") - before, out.nbytes + cached + call
print(used <= bound or (used, bound), table.statistics()["rows"] == rows + batch)
"""


@pytest.mark.parametrize("way", WAYS)
def test_memory_stays_within_its_bound(way, path):
    """All rows of a table of three times the memory that the process may have; most of its file is a hole."""
    open_or_skip(path, reads=way)
    rows, batch, call = 1 << 21, 1 << 15, 144 << 20  # kTableCallBytes
    with open(f"{path}.large", "wb") as file:
        for row in range(0, rows, 64):
            file.seek(row * 1024)
            file.write(np.full(256, row + 1, np.int32).tobytes())
        file.truncate(rows * 1024)
    program = BOUND.replace("{sizes}", str((rows, batch, 32 << 20, call)))
    assert run_attack(program, path, way, OPENBLAS_NUM_THREADS="1") == "cannot be loaded\nTrue True\n"
