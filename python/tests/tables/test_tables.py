"""Tables on disk: the rows of an array in memory, from files of every format, by every way to read."""

import itertools
import mmap
import os
import pickle
import threading

import numpy as np
import pytest
import windrow
from table_files import FORMATS, write_table

WAYS = [
    {"reads": "io_uring"},
    {"reads": "io_uring", "direct": False, "depth": 3},
    {"reads": "threads", "depth": 5},
    {"reads": "threads", "direct": False},
    {"reads": "read_ahead"},
    {"cache": 1 << 20},
]


def open_or_skip(*arguments, **options):
    try:
        return windrow.open_table(*arguments, **options)
    except windrow.Unsupported as error:
        if "io_uring" in str(error) or "past the page cache" in str(error):
            pytest.skip(str(error))
        raise


def drawn_table(random, rank=2):
    dtype = random.choice(["float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8"])
    shape = [int(random.integers(1, 400)), *random.integers(1, 40, rank - 1)]
    return random.integers(-100, 100, shape).astype(dtype)


@pytest.mark.parametrize("kind", FORMATS)
def test_files_of_every_format(kind, tmp_path):
    random = np.random.default_rng(FORMATS.index(kind))
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        array = drawn_table(random, rank=1 + number % 2)
        path, arguments = write_table(folder, kind, array)
        table = windrow.open_table(path, **arguments)
        assert (table.shape, table.dtype, len(table)) == (array.shape, str(array.dtype), len(array))
        ids = random.integers(-len(array), len(array), (3, 50))
        rows = table.take(ids)
        assert rows.dtype == array.dtype
        np.testing.assert_array_equal(rows, windrow.take(array, ids, axis=0))


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_drawn_calls(way, tmp_path):
    random = np.random.default_rng(os.getpid() + WAYS.index(way))
    print("seed", os.getpid() + WAYS.index(way))
    for number in range(60):
        rank = int(random.integers(1, 4))
        array = drawn_table(random, rank)
        np.save(tmp_path / f"{number}.npy", array)
        table = open_or_skip(tmp_path / f"{number}.npy", **way)
        axis = int(random.integers(rank))
        extent = array.shape[axis]
        ids = random.integers(-extent, extent, random.integers(0, 200)).astype(random.choice(["int64", "int32"]))
        options = {}
        if random.random() < 0.3:
            options = {"out_of_range": str(random.choice(["zero", "clamp", "modulo"])), "padding_index": 0}
            ids = ids * 2
        expected = windrow.array.take(array, ids, axis=axis, **options)
        for _ in range(2):
            assert table.take(ids, axis=axis, **options).tobytes() == expected.tobytes()
        out = np.full((*expected.shape, 2), 7, array.dtype)[..., 0]
        assert table.take(ids, axis=axis, out=out, **options) is out
        np.testing.assert_array_equal(out, expected)


CALLS = {
    "onnx.Gather": ("onnx", "Gather", [[2, -1, 0]], {"axis": 1}),
    "onnx.GatherND": ("onnx", "GatherND", [[[0, 1], [2, -3]]], {}),
    "onnx.GatherND of batches": ("onnx", "GatherND", [[[1]] * 5], {"batch_dims": 1}),
    "onnx.GatherElements": ("onnx", "GatherElements", [np.zeros((2, 3, 4), np.int64) + 2], {}),
    "openvino.Gather": ("openvino", "Gather", [[4, 9, -9, 0], 0], {"version": 8}),
    "tensorrt.Gather": ("tensorrt", "Gather", [np.int32([0, 8])], {"axis": 0}),
}


@pytest.mark.parametrize("name", CALLS)
def test_gathers_of_every_dialect(name, tmp_path):
    dialect, operator, indices, options = CALLS[name]
    array = np.arange(60, dtype=np.float32).reshape(5, 3, 4)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy", cache=1 << 20)
    expected = windrow.call(dialect, operator, array, *indices, **options)
    np.testing.assert_array_equal(table.call(dialect, operator, *indices, **options), expected)


def test_other_operators_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((5, 3), np.float32))
    table = windrow.open_table(tmp_path / "a.npy")
    with pytest.raises(windrow.Unsupported, match=r"onnx.ScatterND-18 does not run on a table on disk: it is a scatter"):
        table.call("onnx", "ScatterND", [[1]], np.ones((1, 3), np.float32))
    plan = windrow.compile("array", "Take", windrow.Spec("float32", (6, 3)), np.arange(2))
    with pytest.raises(windrow.ArgumentError, match=r"compiled for float32 \[6, 3\], the table is float32 \[5, 3\]"):
        table.run(plan, np.arange(2))


def test_rows_of_several_files(tmp_path):
    parts = [np.random.default_rng(i).random((n, 30)).astype(np.float32) for i, n in enumerate([40, 0, 1, 700])]
    for i, part in enumerate(parts):
        np.save(tmp_path / f"{i}.npy", part)
    whole = np.concatenate(parts)
    table = windrow.open_table([tmp_path / f"{i}.npy" for i in range(4)])
    assert table.shape == whole.shape
    ids = np.random.default_rng(9).integers(-len(whole), len(whole), 500)
    np.testing.assert_array_equal(table[ids], whole[ids])
    np.testing.assert_array_equal(table[30:60:2], whole[30:60:2])
    np.testing.assert_array_equal(table[-1], whole[-1])
    np.testing.assert_array_equal(table.take([3, 29], axis=1), whole[:, [3, 29]])
    np.save(tmp_path / "wide.npy", np.zeros((2, 31), np.float32))
    with pytest.raises(windrow.ShapeError, match=r"wide.npy' has shape \[2, 31\], whose rows are not those of"):
        windrow.open_table([tmp_path / "0.npy", tmp_path / "wide.npy"])
    np.save(tmp_path / "double.npy", np.zeros((2, 30)))
    with pytest.raises(windrow.DTypeError, match=r"double.npy' has type float64, the parts before it have float32"):
        windrow.open_table([tmp_path / "0.npy", tmp_path / "double.npy"])


def test_long_rows(tmp_path):
    array = np.random.default_rng(0).integers(0, 255, (5, 700_001), np.uint8)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy", cache=64 << 20)
    for _ in range(2):
        np.testing.assert_array_equal(table[[4, 0, 4, 2]], array[[4, 0, 4, 2]])


def test_bad_indices_are_those_of_the_call_in_memory(tmp_path):
    array = np.zeros((5, 3), np.float32)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy")
    ids = np.array([[0, 5], [-6, 1]])
    with pytest.raises(windrow.IndexOutOfRange) as here:
        table.take(ids)
    with pytest.raises(windrow.IndexOutOfRange) as memory:
        windrow.array.take(array, ids, axis=0)
    assert str(here.value) == str(memory.value)
    np.testing.assert_array_equal(here.value.positions().positions, [[0, 1], [1, 0]])
    with pytest.raises(windrow.DTypeError):
        table.take(np.array([0.5]))
    for ids in [0.5, "0", True, [True, False, True, True, False], 1 << 70]:
        with pytest.raises(windrow.DTypeError):
            table[ids]
    with pytest.raises(windrow.ArgumentError, match="a table takes rows only"):
        table[1, 2]  # NumPy's element, not two rows


def test_what_cannot_be_opened(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((5, 3), np.float32))
    with pytest.raises(windrow.FileError, match="none.npy"):
        windrow.open_table(tmp_path / "none.npy")
    with pytest.raises(windrow.ArgumentError, match="no part is given"):
        windrow.open_table([])
    with pytest.raises(windrow.ArgumentError, match=r"depth is 0, must be in \[1, 1024\]"):
        windrow.open_table(tmp_path / "a.npy", depth=0)
    with pytest.raises(windrow.ArgumentError, match="reads is 'fast'"):
        windrow.open_table(tmp_path / "a.npy", reads="fast")
    with pytest.raises(windrow.ArgumentError, match="go through the page cache, and direct is true"):
        windrow.open_table(tmp_path / "a.npy", reads="read_ahead", direct=True)
    with pytest.raises(windrow.ArgumentError, match="a cache of rows has 5 bytes"):
        windrow.open_table(tmp_path / "a.npy", cache=5)
    np.save(tmp_path / "scalar.npy", np.float32(1))
    with pytest.raises(windrow.ShapeError, match="scalar.npy' holds a scalar"):
        windrow.open_table(tmp_path / "scalar.npy")
    for given, message in [
        ({"shape": (5, 3)}, "a shape is given for '.*a.npy' without a type"),
        ({"first_byte": 128}, "first_byte is given for '.*a.npy' without a type and a shape"),
        ({"dtype": "float64"}, "a.npy' has type float32, the type given is float64"),
    ]:
        with pytest.raises(windrow.DTypeError if "dtype" in given else windrow.ArgumentError, match=message):
            windrow.open_table(tmp_path / "a.npy", **given)
    (tmp_path / "raw").write_bytes(bytes(59))
    with pytest.raises(windrow.FormatError, match="raw"):
        windrow.open_table(tmp_path / "raw", dtype="float32", shape=(5, 3))
    with pytest.raises(windrow.ArgumentError, match="given to each TablePart"):
        windrow.open_table([tmp_path / "a.npy"], name="x")
    np.savez_compressed(tmp_path / "small.npz", a=np.zeros(9))
    with pytest.raises(windrow.Unsupported, match="savez"):
        windrow.open_table(tmp_path / "small.npz")


@pytest.mark.parametrize("way", WAYS[:5], ids=str)
def test_a_file_that_is_cut(way, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((1000, 300), np.float32))
    table = open_or_skip(tmp_path / "a.npy", **way)
    os.truncate(tmp_path / "a.npy", 500_000)
    np.testing.assert_array_equal(table[[0, 300]], np.zeros((2, 300)))
    with pytest.raises(windrow.FormatError, match=r"a.npy' was cut while it was read: it had 1200128 bytes"):
        table.take([0, 999])
    np.testing.assert_array_equal(table[[0, 300]], np.zeros((2, 300)))
    os.unlink(tmp_path / "a.npy")  # the table has it open
    np.testing.assert_array_equal(table[[7]], np.zeros((1, 300)))


def test_reads_and_statistics(tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).random((10_000, 128)).astype(np.float32))
    table = windrow.open_table(tmp_path / "a.npy", cache=8 << 20)
    ids = np.repeat(np.arange(0, 10_000, 100), 7)
    table.take(ids)
    now = table.statistics()
    assert now["rows"] == 700
    assert now["row_bytes"] == 700 * 512
    assert now["reads"] == 100  # each row once
    assert now["cached"] == 0
    table.take(ids)
    again = table.statistics()
    assert again["reads"] == 100
    assert again["cached"] == 700
    dense = windrow.open_table(tmp_path / "a.npy")
    dense.take(np.arange(10_000))
    assert dense.statistics()["reads"] < 60  # neighbours together
    text = table.describe()
    assert text.startswith(f"float32 [10000, 128] in '{tmp_path / 'a.npy'}'; {table.description['reads']}, ")


def _resident_share(path):
    """The share of a file's pages that the page cache holds."""
    import ctypes

    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_PRIVATE) as mapped:
        pages = (len(mapped) + 4095) // 4096
        states = (ctypes.c_ubyte * pages)()
        address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(len(mapped)), states) == 0
        return sum(state & 1 for state in states) / pages


def test_direct_reads_leave_the_page_cache_alone(tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).random((4000, 1024)).astype(np.float32))
    with open(tmp_path / "a.npy", "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    before = _resident_share(tmp_path / "a.npy")
    table = open_or_skip(tmp_path / "a.npy", direct=True)
    table.take(np.arange(0, 4000, 3))
    assert _resident_share(tmp_path / "a.npy") <= before + 0.05


def test_sixteen_threads_on_one_table(tmp_path):
    array = np.arange(20_000 * 64, dtype=np.int32).reshape(20_000, 64)
    np.save(tmp_path / "a.npy", array)
    cache = windrow.TableCache(256 << 10)
    tables = [windrow.open_table(tmp_path / "a.npy", cache=cache, depth=8) for _ in range(2)]
    wrong = []

    def work(number):
        random = np.random.default_rng(number)
        for _ in range(20):
            ids = random.zipf(1.3, 300) % 20_000
            if not np.array_equal(tables[number % 2].take(ids), array[ids]):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert cache.statistics()["bytes"] <= 256 << 10
    assert cache.statistics()["hits"] > 0


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_bags_are_those_of_the_array_in_memory(dtype, tmp_path):
    seed = os.getpid()
    print("seed", seed)
    draw = np.random.default_rng(seed)
    array = draw.integers(-50, 50, (40, 6)).astype(dtype)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy", cache=1 << 20)
    for _ in range(60):
        count = int(draw.integers(0, 80))
        ids = draw.integers(-40, 40 + (draw.random() < 0.2), count)
        options = {"mode": str(draw.choice(["sum", "mean", "max"]))}
        if draw.random() < 0.5:
            options["offsets"] = np.sort(draw.integers(0, count + 1, 5))
            options["offsets"][0] = 0
        else:
            ids = ids[: count // 4 * 4].reshape(-1, 4)
        if options["mode"] == "sum" and draw.random() < 0.5:
            options["weights"] = draw.integers(-3, 3, ids.shape).astype(dtype)
        if draw.random() < 0.5:
            options["padding_index"] = int(draw.integers(40))
        if draw.random() < 0.3:
            options["out_of_range"] = "skip"
        if dtype == "float16" and draw.random() < 0.5:
            options["accumulate"] = "float32"
        try:
            expected = windrow.embedding_bag(array, ids, **options)
        except windrow.IndexOutOfRange as error:
            with pytest.raises(windrow.IndexOutOfRange) as found:
                table.embedding_bag(ids, **options)
            assert str(found.value) == str(error)
        else:
            pooled = table.embedding_bag(ids, **options)
            assert pooled.dtype == expected.dtype and pooled.shape == expected.shape
            assert pooled.tobytes() == expected.tobytes()
    with pytest.raises(TypeError, match="unexpected keyword argument 'paddings'"):
        table.embedding_bag([[1]], paddings=1)


def test_batches_and_futures(tmp_path):
    array = np.arange(1000 * 8, dtype=np.float64).reshape(1000, 8)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy")
    batches = [np.random.default_rng(i).integers(0, 1000, 64) for i in range(9)]
    for ids, rows in zip(batches, table.batches(batches, ahead=3), strict=True):
        np.testing.assert_array_equal(rows, array[ids])
    np.testing.assert_array_equal(table.take_async(batches[0]).result(), array[batches[0]])
    walk = table.batches([np.arange(3), np.array([1000])])
    with pytest.raises(windrow.IndexOutOfRange):
        list(walk)
    with pytest.raises(windrow.ArgumentError):
        table.batches(batches, ahead=0)
    early = table.batches(itertools.repeat(np.arange(2)))
    next(early)
    early.close()


def test_another_process(tmp_path):
    array = np.arange(1000 * 8, dtype=np.float64).reshape(1000, 8)
    np.save(tmp_path / "a.npy", array)
    table = windrow.open_table(tmp_path / "a.npy", cache=1 << 20)
    table.take(np.arange(100))
    copy = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(copy[[5, 999]], array[[5, 999]])
    child = os.fork()
    if child == 0:
        try:
            same = np.array_equal(table.take(np.arange(500)), array[:500])
        finally:
            os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    np.testing.assert_array_equal(table[[5, 999]], array[[5, 999]])


def test_rows_of_other_element_types(tmp_path):
    import ml_dtypes

    array = np.arange(64, dtype=np.float32).reshape(8, 8).astype(ml_dtypes.bfloat16)
    (tmp_path / "raw").write_bytes(array.tobytes())
    table = windrow.open_table(tmp_path / "raw", dtype="bfloat16", shape=(8, 8))
    rows = table[[7, 1]]
    assert rows.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(rows, array[[7, 1]])
    (tmp_path / "half").write_bytes(bytes(range(32)))
    packed = windrow.open_table(tmp_path / "half", dtype="int4", shape=(8, 8))
    np.testing.assert_array_equal(packed[[2]].astype(np.int8)[0], [-8, 0, -7, 0, -6, 0, -5, 0])
