"""Rows of tables on disk that are written: the bits of the call in memory, as a whole or not at all."""

import multiprocessing
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import windrow
from table_files import write_table


def in_memory(array, ids, rows, adds, options):
    if adds:
        return windrow.array.index_add(array, ids, rows, axis=0, **options)
    # Indices of one column broadcast over the others.
    shape = (-1, *[1] * (array.ndim - 1))
    return windrow.array.put_along_axis(array, np.asarray(ids).reshape(shape), rows, axis=0, **options)


def drawn_options(draw):
    options = {}
    if draw.random() < 0.5:
        options["out_of_range"] = str(draw.choice(["skip", "clamp", "modulo"]))
    if draw.random() < 0.3:
        options["negative"] = str(draw.choice(["from_end", "out_of_range"]))
    if draw.random() < 0.3:
        options["padding_index"] = int(draw.integers(-3, 5))
    return options


KINDS = ["npy", "safetensors", "raw", "onnx", "arrow"]


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_calls(kind, tmp_path):
    seed = os.getpid() + KINDS.index(kind)
    print("seed", seed)
    draw = np.random.default_rng(seed)
    bad = 0
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        dtype = draw.choice(["float32", "float64", "float16", "int64", "int32", "int8", "uint8"])
        shape = (int(draw.integers(1, 200)), *draw.integers(1, 30, 1 if kind == "arrow" else draw.integers(0, 3)))
        array = (draw.random(shape) * 100).astype(dtype)
        path, arguments = write_table(folder, kind, array)
        durability = str(draw.choice(["power", "process"]))
        cache = [None, 1 << 20][number % 2]
        table = windrow.open_table(path, writable=True, durability=durability, cache=cache, **arguments)
        for _ in range(5):
            count, options, adds = int(draw.integers(0, 300)), drawn_options(draw), bool(draw.integers(2))
            low = 0 if draw.random() < 0.3 else -len(array)
            ids = draw.integers(low, len(array) + (draw.random() < 0.4) * 3, count)
            ids = ids.astype(draw.choice(["int64", "int32"]))
            rows = (draw.random((count, *shape[1:])) * 100).astype(dtype)
            try:
                expected = in_memory(array, ids, rows, adds, options)
            except windrow.IndexOutOfRange:
                bad += 1
                with pytest.raises(windrow.IndexOutOfRange):
                    (table.add if adds else table.assign)(ids, rows, **options)
            else:
                (table.add if adds else table.assign)(ids, rows, **options)
                array = expected
            assert table.take(np.arange(len(array))).tobytes() == array.tobytes()
            assert table.take(np.arange(len(array))).tobytes() == array.tobytes()
        del table
        assert windrow.open_table(path, **arguments).take(np.arange(len(array))).tobytes() == array.tobytes()
        assert not list(folder.glob("*.windrow-log"))
    assert bad < 40


def saved(folder, array, name="a.npy"):
    np.save(folder / name, array)
    return folder / name


def test_errors_are_those_of_the_call_in_memory(tmp_path):
    array = np.zeros((5, 3), np.float32)
    table = windrow.open_table(saved(tmp_path, array), writable=True)
    for ids in ([0, 5], [-6, 1]):
        with pytest.raises(windrow.IndexOutOfRange) as here:
            table.add(ids, np.ones((2, 3), np.float32))
        with pytest.raises(windrow.IndexOutOfRange) as memory:
            windrow.array.index_add(array, ids, np.ones((2, 3), np.float32), axis=0)
        assert str(here.value) == str(memory.value)
    with pytest.raises(windrow.DuplicateIndex):
        table.assign([1, 1], np.ones((2, 3), np.float32), duplicates="error")
    with pytest.raises(windrow.ShapeError, match=r"rows have shape \[2, 2\], must have \[2, 3\]"):
        table.assign([1, 1], np.ones((2, 2), np.float32))
    with pytest.raises(windrow.DTypeError, match="rows have type float64, the table has float32"):
        table.assign([1], np.ones((1, 3)))
    with pytest.raises(windrow.ArgumentError, match="durability is 'none'"):
        windrow.open_table(tmp_path / "a.npy", durability="none")
    np.testing.assert_array_equal(table[:], array)
    np.savez(tmp_path / "a.npz", array)
    with pytest.raises(windrow.Unsupported, match=r"a.npz' cannot be opened for writing: an archive has checksums"):
        windrow.open_table(tmp_path / "a.npz", writable=True)


def test_who_may_open_a_table(tmp_path):
    path = saved(tmp_path, np.zeros((5, 3), np.float32))
    opens = f"import windrow; windrow.open_table({str(path)!r}, writable=%s)"

    def elsewhere(writable):
        command = [sys.executable, "-c", opens % writable]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    reader = windrow.open_table(path)
    assert elsewhere(False) == ""
    assert "a.npy' cannot be opened for writing: another table" in elsewhere(True)
    with pytest.raises(windrow.Unsupported, match="opened for reading"):
        reader.assign([0], np.ones((1, 3), np.float32))
    del reader
    writer = windrow.open_table(path, writable=True)
    for writable in (False, True):
        assert "a.npy' cannot be opened" in elsewhere(writable)
    with pytest.raises(windrow.FileError, match="has it open"):
        pickle.loads(pickle.dumps(writer))
    del writer
    assert elsewhere(True) == ""


def test_a_file_that_may_only_be_read(tmp_path):
    path = saved(tmp_path, np.zeros((5, 3), np.float32))
    child = os.fork()
    if child == 0:
        result = 1
        try:
            path.chmod(0o444)
            tmp_path.chmod(0o755)
            if os.geteuid() == 0:
                os.chdir(tmp_path)  # the folders above are closed to others
                os.setuid(65534)
            windrow.open_table("a.npy" if os.geteuid() == 65534 else path, writable=True)
        except windrow.FileError as error:
            result = 0 if "cannot write" in str(error) and "Permission denied" in str(error) else 2
        finally:
            os._exit(result)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_limit_of_file_sizes_leaves_the_table_as_it_was(tmp_path):
    array = np.arange(3000, dtype=np.float32).reshape(1000, 3)
    table = windrow.open_table(saved(tmp_path, array), writable=True)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (tmp_path / "a.npy").stat().st_size
    for limit in (0, size // 2, size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
        try:
            with pytest.raises(windrow.FileError, match="File too large"):
                table.add(np.arange(1000), np.ones((1000, 3), np.float32))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        np.testing.assert_array_equal(table[:], array)
    table.add(np.arange(1000), np.ones((1000, 3), np.float32))
    np.testing.assert_array_equal(table[:], array + 1)


def writer_until_killed(paths, into):
    """Adds 1 to all rows, again and again; a byte for each call that has returned."""
    try:
        table = windrow.open_table(paths, writable=True, durability="process")
        ids, ones = np.arange(len(table)), np.ones((len(table), *table.shape[1:]), np.int32)
        while True:
            table.add(ids, ones)
            os.write(into, b".")
    finally:
        os._exit(1)


def returned_before_kill(paths):
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        writer_until_killed(paths, into)
    os.close(into)
    returned = len(os.read(out, 1))
    time.sleep(random.random() * 0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(out, 4096):
        returned += len(more)
    os.close(out)
    return returned


def kill_writers(paths, log, rounds):
    """(rounds after which the log had a call to be done again, rounds whose second file was refused alone)."""
    count, replayed, refused = 0, 0, 0
    for _ in range(rounds):
        returned = returned_before_kill(paths)
        assert returned > 0
        replayed += log.stat().st_size > 0
        try:
            alone = windrow.open_table(paths[1])[:]
        except windrow.Unsupported as error:
            assert "open that table first" in str(error), error
            refused += 1
        else:
            assert alone.min() == alone.max(), (alone.min(), alone.max())
        rows = windrow.open_table(paths)[:]  # a reader completes the call that was ended
        assert rows.min() == rows.max(), (rows.min(), rows.max())
        assert rows[0, 0] - (count + returned) in (0, 1), (rows[0, 0], count, returned)
        count = int(rows[0, 0])
    return replayed, refused


def test_a_process_that_is_killed(tmp_path):
    """Elements of two files stay equal to each other, and count the calls that returned, and perhaps one more.

    The writers are forked from a process that has imported little: a fork copies the tables of all memory."""
    paths = [saved(tmp_path, np.zeros((rows, 512), np.int32), f"{rows}.npy") for rows in (100, 300)]
    log = tmp_path / "100.npy.windrow-log"
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        replayed, refused = process.submit(kill_writers, paths, log, 200).result(timeout=600)
    assert replayed >= refused and replayed > 0
