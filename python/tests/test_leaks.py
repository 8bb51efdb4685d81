"""Memory and references that calls leave behind."""

import gc
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import windrow
from array_kinds import DLPackOnly

PAGE = os.sysconf("SC_PAGE_SIZE")
WARM_UP = 20_000
# Of a million calls: less than a byte and a half per call. An allocator keeps some of what it had.
MOST_GROWTH = 1_500_000

TABLE = np.arange(1600, dtype="f4").reshape(100, 16)
ROWS = np.array([3, 1, 99, 0, 5, 5, 2, 7])
OUT = np.empty((8, 16), "f4")
PLAN = windrow.compile("onnx", "Gather", TABLE, ROWS)
BAD_ROWS = np.array([3, 1, 100])
TEXTS = np.array(["a", "bc", "a longer text, past any small buffer"], object)
BFLOATS = TABLE.astype(ml_dtypes.bfloat16)
NIBBLES = (TABLE % 8).astype(ml_dtypes.int4)
SHARED = DLPackOnly(TABLE)
WRITTEN = TABLE.copy()


def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except windrow.Error:
        return
    raise AssertionError("no error")


def changing_shapes(rows=np.zeros(999, "i8")):
    """More plans than are kept."""
    changing_shapes.count = (changing_shapes.count + 1) % len(rows)
    windrow.onnx.gather(TABLE, rows[:changing_shapes.count])


changing_shapes.count = 0

# A call, and how often it is made.
CALLS = {
    "a new result": (lambda: windrow.onnx.gather(TABLE, ROWS), 1_000_000),
    "into out": (lambda: windrow.onnx.gather(TABLE, ROWS, out=OUT), 1_000_000),
    "a plan": (lambda: PLAN(TABLE, ROWS), 1_000_000),
    "a plan into out": (lambda: PLAN(TABLE, ROWS, out=OUT), 1_000_000),
    "an error": (lambda: refused(windrow.onnx.gather, TABLE, BAD_ROWS), 100_000),
    "an error of a plan": (lambda: refused(PLAN, TABLE, BAD_ROWS), 100_000),
    "a wrong option": (lambda: refused(windrow.onnx.gather, TABLE, ROWS, out_of_range="x"), 100_000),
    "a wrong out": (lambda: refused(windrow.onnx.gather, TABLE, ROWS, out=TABLE), 100_000),
    "a scatter in place": (lambda: windrow.onnx.scatter_nd(WRITTEN, ROWS[:, None], OUT, out=WRITTEN), 100_000),
    "lists": (lambda: windrow.onnx.gather([1.0, 2.0, 3.0], [2, 0]), 50_000),
    "text": (lambda: windrow.onnx.gather(TEXTS, [2, 0]), 50_000),
    "bfloat16": (lambda: windrow.onnx.gather(BFLOATS, ROWS), 50_000),
    "4 bits": (lambda: windrow.openvino.gather(NIBBLES, ROWS, 0), 20_000),
    "DLPack": (lambda: windrow.onnx.gather(SHARED, ROWS), 50_000),
    "a buffer": (lambda: windrow.onnx.gather(b"abc", ROWS[1:2]), 50_000),
    "text refused": (lambda: refused(windrow.onnx.gather, [b"a"], [0]), 20_000),
    "shapes that change": (changing_shapes, 50_000),
    "compile": (lambda: windrow.compile("onnx", "Gather", TABLE, ROWS), 20_000),
}


def resident_bytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def least_growth(name):
    """The fewest bytes that many calls leave behind, of up to three rounds: a leak grows in every one."""
    call, count = CALLS[name]
    for _ in range(min(WARM_UP, count // 2)):
        call()
    most = MOST_GROWTH * max(0.2, count / 1_000_000)
    growths = []
    while len(growths) < 3 and min(growths, default=most) >= most:
        before = resident_bytes()
        for _ in range(count):
            call()
        growths.append(resident_bytes() - before)
    return min(growths), most


@pytest.mark.parametrize("name", CALLS)
def test_memory_stays_flat(name):
    """Runs in a process of its own, because libraries of other tests allocate and release pages meanwhile."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        growth, most = process.submit(least_growth, name).result(timeout=300)
    assert growth < most


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("lists", "text refused")])
def test_references_are_given_back(name):
    call, _ = CALLS[name]
    objects = [TABLE, ROWS, OUT, PLAN, BAD_ROWS, TEXTS, BFLOATS, NIBBLES, SHARED, WRITTEN, TEXTS[2], np.dtype("f4")]
    call()
    before = [sys.getrefcount(each) for each in objects]
    for _ in range(100):
        call()
    # A frame or a cache may hold one now and then; a leak holds a hundred.
    assert max(abs(sys.getrefcount(each) - count) for each, count in zip(objects, before, strict=True)) < 50
