"""Memory-mapped files: only the requested elements are read."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest
import windrow
from array_kinds import GIB, ROWS, STRIDED, numbers, same


def test_memmap(tmp_path):
    path = tmp_path / "table"
    numbers("f4").tofile(path)
    table = np.memmap(path, "f4", "r", shape=(4, 3))
    same(windrow.onnx.gather(table, ROWS), np.asarray(table)[ROWS])
    with pytest.raises(windrow.ArgumentError, match="read-only"):
        windrow.onnx.scatter_nd(table, [[1]], [[7, 8, 9]], out=table)
    writable = np.memmap(path, "f4", "r+", shape=(4, 3))
    assert windrow.onnx.scatter_nd(writable, [[1]], [[7, 8, 9]], out=writable) is writable
    writable.flush()
    assert np.fromfile(path, "f4").reshape(4, 3)[1].tolist() == [7, 8, 9]


@pytest.fixture
def huge(tmp_path):
    """40 GiB of rows, none of them in memory or on the disk."""
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(40 * GIB)
    return np.memmap(path, "f4", "r+", shape=(40 * GIB // 256, 64))


def test_rows_of_a_huge_file(huge):
    last = len(huge) - 1
    rows = [0, last, last // 2, -1, 5, last - 1, 1, 2]
    huge[last] = 7
    result = windrow.onnx.gather(huge, rows)
    assert result[:, 0].tolist() == [0, 7, 0, 7, 0, 0, 0, 0]
    plan = windrow.compile("onnx", "Gather", huge, np.array(rows))
    same(plan(huge, rows), result)


def test_rows_into_a_huge_file(huge):
    last = len(huge) - 1
    indices = np.array([[last], [3], [last]])
    updates = np.ones((3, 64), "f4")
    for _ in range(2):
        windrow.onnx.scatter_nd(huge, indices, updates, reduction="add", out=huge)
    assert huge[[3, last, 4], 0].tolist() == [2, 4, 0]
    with pytest.raises(windrow.IndexOutOfRange):
        windrow.onnx.scatter_nd(huge, [[3], [last + 1]], updates[:2], out=huge)
    assert huge[3, 0] == 2


@pytest.mark.parametrize("dtype", ["f4", ml_dtypes.bfloat16])
@pytest.mark.parametrize("way", ["C", "Fortran", "reversed"])
def test_nothing_is_copied(dtype, way):
    data = STRIDED[way](np.zeros((1 << 20, 8), dtype))
    updates = np.ones((4, 8), dtype)
    out = np.empty((4, 8), dtype)
    windrow.onnx.gather(data, [0, 1, 2, 3], out=out)
    windrow.onnx.scatter_nd(data, [[0], [1], [2], [3]], updates, out=data)
    tracemalloc.start()
    try:
        windrow.onnx.gather(data, [0, 1, 2, 3])
        windrow.onnx.gather(data, [0, 1, 2, 3], out=out)
        windrow.onnx.scatter_nd(data, [[0], [1], [2], [3]], updates, out=data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000 < data.nbytes
