"""Lifetimes, and what is not copied."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from arrow_structs import Producer

import windrow.arrow


def test_structures_are_released_when_the_call_ends():
    values = Producer(b"l", 4, [None, np.arange(4)])
    ids = Producer(b"I", 2, [None, np.array([3, 1], np.uint32)])
    result = windrow.arrow.take(values, ids)
    assert values.released == ids.released == {"schema": 1, "array": 1}
    assert pa.array(result).to_pylist() == [3, 1]


def test_views_keep_the_array_until_the_result_is_gone():
    text = np.frombuffer(b"a text that is longer than twelve", np.uint8)
    views = np.array([len(text), 0, 0, 0], np.int32)
    producer = Producer(b"vu", 1, [None, views, text, np.array([len(text)])])
    result = windrow.arrow.take(producer, [0, 0])
    assert producer.released == {"schema": 1, "array": 0}
    array = pa.array(result)
    del result
    gc.collect()
    assert array.to_pylist() == [bytes(text).decode()] * 2
    assert producer.released["array"] == 0
    del array
    gc.collect()
    assert producer.released["array"] == 1


def test_results_outlive_their_source():
    series = pl.Series(["x" * 20, "y" * 30, None])
    result = windrow.arrow.take(series, [1, 2, 0])
    del series
    gc.collect()
    pl.Series(["z" * 25] * 1000)
    assert result.to_list() == ["y" * 30, None, "x" * 20]


def test_a_result_may_be_exported_many_times_and_moved_apart():
    table = windrow.arrow.take(pa.table({"a": [1, 2], "b": ["x", "y"]}).to_reader(), [1]).read_all()
    columns = windrow.arrow.take(pl.DataFrame({"a": [1, 2]}), [1])
    assert table.to_pydict() == {"a": [2], "b": ["y"]} and columns.to_dict(as_series=False) == {"a": [2]}
    result = windrow.arrow.take(Wrapped(pa.table({"a": [1, 2], "b": ["x", "y"]})), [1])
    first, second = pa.table(result), pa.table(result)
    alone = first["b"]
    del first, result
    gc.collect()
    assert alone.to_pylist() == ["y"] and second["a"].to_pylist() == [2]


class Wrapped:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_exports_share_their_memory():
    result = windrow.arrow.take(Wrapped(pa.table({"a": np.arange(9)})), [1, 2])
    addresses = {pa.table(result)["a"].chunk(0).buffers()[1].address for _ in range(3)}
    assert len(addresses) == 1


PAGES = """
import ctypes, mmap, sys
import numpy as np, pyarrow as pa
sys.path.insert(0, sys.argv[1])
from arrow_structs import Producer
import windrow.arrow

# Three pages of numbers, of which the middle one cannot be read: who copies the column ends by SIGSEGV.
memory = mmap.mmap(-1, 3 * mmap.PAGESIZE)
values = np.frombuffer(memory, np.int64)
values[:] = np.arange(len(values))
protect = ctypes.CDLL(None).mprotect
protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
assert protect(values.ctypes.data + mmap.PAGESIZE, mmap.PAGESIZE, 0) == 0
page = mmap.PAGESIZE // 8
ids = np.array([0, 2 * page, 3 * page - 1, page - 1] * 1000)
for kind, width in ((b"l", 1), (b"w:16", 2), (b"tsu:", 1)):
    result = windrow.arrow.take(Producer(kind, len(values) // width, [None, values]), ids // width)
    array = pa.array(result)
    got = np.frombuffer(array.buffers()[1], np.int64)[: len(ids) * width]
    assert np.array_equal(got[::width], ids // width * width), kind
column = pa.chunked_array([pa.Array.from_buffers(pa.int64(), 2 * page, [None, pa.py_buffer(memory)], offset=at) for at in (0, page)])
assert windrow.arrow.take(column, [0, 4 * page - 1]).to_pylist() == [0, 3 * page - 1]
"""


def test_values_are_read_where_they_are():
    folder = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", PAGES, folder], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                          capture_output=True, text=True, timeout=100, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
