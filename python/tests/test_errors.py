"""Bad calls of many kinds: the right exception, a message that says what to do, and nothing written."""

import pickle

import numpy as np
import onnx.parser
import pytest
import windrow
from numpy.lib.stride_tricks import as_strided
from small_table import ROWS, TABLE, check, gather, scatter


# What is given; the exception; words of the message.
INPUTS = {
    "data of rank 0": (lambda: gather(np.float32(1), ROWS), windrow.ShapeError, ["data", "rank"]),
    "axis outside": (lambda: gather(TABLE, ROWS, axis=2), windrow.AxisError, ["axis", "2", "[-2, 1]"]),
    "axis far outside": (lambda: gather(TABLE, ROWS, axis=2**62), windrow.AxisError, ["axis"]),
    "axis beyond 64 bits": (lambda: gather(TABLE, ROWS, axis=2**64), windrow.AxisError, ["axis", "64 bits"]),
    "axis of text": (lambda: gather(TABLE, ROWS, axis="0"), windrow.ArgumentTypeError, ["axis"]),
    "axis with a fraction": (lambda: gather(TABLE, ROWS, axis=1.0), windrow.ArgumentTypeError, ["axis"]),
    "axis of truth": (lambda: gather(TABLE, ROWS, axis=True), windrow.ArgumentTypeError, ["axis"]),
    "axis a tuple": (lambda: gather(TABLE, ROWS, axis=(0, 1)), windrow.ArgumentTypeError, ["axis", "tuple"]),
    "reduction unknown": (
        lambda: scatter(TABLE, [[0]], TABLE[:1], reduction="plus"), windrow.ArgumentError, ["plus", "add"]),
    "float indices": (lambda: gather(TABLE, ROWS.astype("f8")), windrow.DTypeError, ["indices", "float64", "int64"]),
    "a list of floats as indices": (lambda: gather(TABLE, [0.0, 1.0]), windrow.DTypeError, ["indices", "float64"]),
    "boolean indices": (
        lambda: gather(TABLE, np.array([True, False, True, True])), windrow.DTypeError, ["indices", "bool", "int64"]),
    "a list of truths as indices": (lambda: gather(TABLE, [True, False]), windrow.DTypeError, ["indices", "bool"]),
    "unsigned indices in ONNX": (lambda: gather(TABLE, ROWS.astype("u4")), windrow.DTypeError, ["indices", "uint32"]),
    "indices of text": (lambda: gather(TABLE, ["a"]), windrow.DTypeError, ["indices", "string"]),
    "indices with None": (lambda: gather(TABLE, [0, None]), windrow.DTypeError, ["indices"]),
    "indices absent": (lambda: gather(TABLE, None), windrow.ArgumentError, ["indices"]),
    "data absent": (lambda: gather(None, ROWS), windrow.ArgumentError, ["data"]),
    "ragged indices": (lambda: gather(TABLE, [[0], [1, 2]]), windrow.ShapeError, ["indices", "one length"]),
    "ragged data": (lambda: gather([[1.0], [1.0, 2.0]], [0]), windrow.ShapeError, ["data", "one length"]),
    "indices a dict": (lambda: gather(TABLE, {0: 1}), windrow.DTypeError, ["indices"]),
    "indices a generator": (lambda: gather(TABLE, (i for i in ROWS)), windrow.DTypeError, ["indices"]),
    "indices beyond 64 bits": (lambda: gather(TABLE, [2**64]), windrow.DTypeError, ["indices"]),
    "indices beyond 63 bits": (lambda: gather(TABLE, [2**63]), windrow.DTypeError, ["indices", "uint64"]),
    "the largest index": (lambda: gather(TABLE, [0, 2**63 - 1]), windrow.IndexOutOfRange, [str(2**63 - 1), "extent 4"]),
    "the smallest index": (lambda: gather(TABLE, [-2**63]), windrow.IndexOutOfRange, [str(-2**63), "-4 to 3"]),
    "updates of another type": (
        lambda: scatter(TABLE, [[0]], np.zeros((1, 3))), windrow.DTypeError, ["updates", "float64", "float32"]),
    "updates of another shape": (
        lambda: scatter(TABLE, [[0]], np.zeros((2, 3), "f4")), windrow.ShapeError, ["updates", "[2, 3]", "[1, 3]"]),
    "a list of updates that data can't hold": (
        lambda: scatter(np.zeros(3, "i1"), [[0]], [128]), windrow.DTypeError, ["updates", "int8"]),
    "tuples too long": (lambda: scatter(TABLE, [[0, 0, 0]], [1]), windrow.ShapeError, ["index tuples", "3"]),
    "text with a reduction": (
        lambda: scatter(["a"], [[0]], ["b"], reduction="mul"), windrow.DTypeError, ["mul", "string"]),
    "a foreign byte order": (lambda: gather(TABLE.astype(">f4"), ROWS), windrow.DTypeError, ["data", "astype"]),
}

OPTIONS = {
    "policy unknown": (lambda: gather(TABLE, ROWS, out_of_range="raise"), windrow.ArgumentError, ["raise", "modulo"]),
    "policy of a scatter": (lambda: gather(TABLE, ROWS, out_of_range="skip"), windrow.ArgumentError, ["skip"]),
    "policy of a gather": (
        lambda: scatter(TABLE, [[0]], TABLE[:1], out_of_range="zero"), windrow.ArgumentError, ["zero"]),
    "policy a number": (lambda: gather(TABLE, ROWS, out_of_range=0), windrow.ArgumentError, ["out_of_range", "str"]),
    "meaning of negative indices unknown": (
        lambda: gather(TABLE, ROWS, negative="wrap"), windrow.ArgumentError,
        ["negative", "wrap", "from_end, out_of_range, error"]),
    "meaning of negative indices a number": (
        lambda: gather(TABLE, ROWS, negative=-1), windrow.ArgumentError, ["negative", "str"]),
    "padding beyond 64 bits": (
        lambda: gather(TABLE, ROWS, padding_index=2**63), windrow.ArgumentError, ["padding_index", "beyond 64 bits"]),
    "padding of tuples": (
        lambda: windrow.onnx.gather_nd(TABLE, [[0, 0]], padding_index=-1), windrow.ArgumentError,
        ["CALL-O4", "one axis must be indexed", "has 2"]),
    "negative index refused": (
        lambda: gather(TABLE, [0, -1], negative="error", out_of_range="zero"), windrow.IndexOutOfRange,
        ["CALL-O3", "indices[1] is -1, negative", "negative=error"]),
    "duplicates unknown": (
        lambda: gather(TABLE, ROWS, duplicates="deny"), windrow.ArgumentError, ["deny", "allow", "error"]),
    "kernels unknown": (lambda: gather(TABLE, ROWS, kernels="sse"), windrow.Unsupported, ["sse"]),
    "kernels a number": (lambda: gather(TABLE, ROWS, kernels=2), windrow.ArgumentError, ["kernels", "str"]),
    "no threads": (lambda: gather(TABLE, ROWS, threads=0), windrow.ArgumentError, ["threads", "1 to"]),
    "fewer than no threads": (lambda: gather(TABLE, ROWS, threads=-1), windrow.ArgumentError, ["threads"]),
    "too many threads": (lambda: gather(TABLE, ROWS, threads=2**70), windrow.ArgumentError, ["threads"]),
    "threads of text": (lambda: gather(TABLE, ROWS, threads="2"), windrow.ArgumentError, ["threads", "integer"]),
    "half a thread": (lambda: gather(TABLE, ROWS, threads=1.5), windrow.ArgumentError, ["threads", "integer"]),
    "a version before the first": (lambda: gather(TABLE, ROWS, version=0), windrow.Unsupported, ["0"]),
    "a version that is not there": (
        lambda: windrow.openvino.gather(TABLE, ROWS, 0, version=2), windrow.Unsupported, ["2"]),
    "out for compile": (
        lambda: windrow.onnx.gather.compile(TABLE, ROWS, out=TABLE), windrow.ArgumentError, ["out", "call"]),
    "duplicates refused": (
        lambda: scatter(TABLE, [[0], [0]], TABLE[:2], duplicates="error"), windrow.DuplicateIndex, ["updates"]),
    "duplicates refused by strict": (
        lambda: scatter(TABLE, [[0], [0]], TABLE[:2], strict=True), windrow.DuplicateIndex, ["updates"]),
    "an unknown dialect": (lambda: windrow.call("onyx", "Gather", TABLE, ROWS), windrow.Unsupported, ["onyx", "onnx"]),
    "an unknown operator": (
        lambda: windrow.call("onnx", "GatherNd", TABLE, ROWS), windrow.Unsupported, ["GatherNd", "GatherND"]),
}

OUTS = {
    "out read-only": (lambda: read_only(np.zeros((3, 3), "f4")), windrow.ArgumentError, ["out", "read-only"]),
    "out of another shape": (lambda: np.zeros((3, 4), "f4"), windrow.ShapeError, ["[3, 4]", "[3, 3]"]),
    "out of another rank": (lambda: np.zeros(9, "f4"), windrow.ShapeError, ["[9]"]),
    "out of another type": (lambda: np.zeros((3, 3)), windrow.DTypeError, ["float64", "float32"]),
    "out of objects": (lambda: np.zeros((3, 3), object), windrow.DTypeError, ["object"]),
    "out of the other byte order": (lambda: np.zeros((3, 3), ">f4"), windrow.DTypeError, ["out", "byte order"]),
    "out a list": (lambda: [[0.0] * 3] * 3, windrow.ArgumentError, ["out", "list"]),
    "out a number": (lambda: 0, windrow.ArgumentError, ["out", "int"]),
    "out of bytes": (lambda: bytes(36), windrow.ArgumentError, ["out", "bytes"]),
    "out with a stride of 0": (
        lambda: as_strided(np.zeros(3, "f4"), (3, 3), (0, 4)), windrow.ArgumentError, ["out"]),
    "out that meets itself": (
        lambda: as_strided(np.zeros(9, "f4"), (3, 3), (4, 4)), windrow.ArgumentError, ["out"]),
}


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("name", INPUTS)
def test_inputs(name):
    before = TABLE.tobytes()
    check(*INPUTS[name])
    assert TABLE.tobytes() == before


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name):
    check(*OPTIONS[name])


@pytest.mark.parametrize("name", OUTS)
def test_out(name):
    make, exception, words = OUTS[name]
    out = make()
    before = np.array(out)
    check(lambda: gather(TABLE, ROWS, out=out), exception, words)
    plan = windrow.compile("onnx", "Gather", TABLE, ROWS)
    check(lambda: plan(TABLE, ROWS, out=out), exception, words)
    assert np.array_equal(before, np.array(out))


def test_out_that_meets_an_input():
    room = np.arange(30, dtype="f4")
    data = room[:12].reshape(4, 3)
    before = room.copy()
    for out in (room[3:12].reshape(3, 3), data[:3], data[1:], room[10:19].reshape(3, 3)):
        check(lambda out=out: gather(data, ROWS, out=out), windrow.ArgumentError, ["out", "overlap"])
        assert np.array_equal(room, before)
    gather(data, ROWS, out=room[12:21].reshape(3, 3))  # side by side is fine


def test_out_of_a_scatter_that_is_nearly_data():
    room = np.arange(30, dtype="f4")
    data = room[:12].reshape(4, 3)
    before = room.copy()
    updates = np.full((1, 3), 9, "f4")
    for out in (room[1:13].reshape(4, 3), data[::-1], room[3:15].reshape(4, 3)):
        check(lambda out=out: scatter(data, [[0]], updates, out=out), windrow.ArgumentError, ["out"])
        assert np.array_equal(room, before)
    check(lambda: scatter(data, [[0]], data[1:2], out=data), windrow.ArgumentError, ["updates"])
    assert np.array_equal(room, before)


def test_indices_in_the_memory_of_data_in_place():
    room = np.zeros((4, 1), np.int64)
    check(lambda: scatter(room, room[:2], np.ones((2, 1), np.int64), out=room), windrow.ArgumentError, ["indices"])
    assert not room.any()


IN_PLACE = {
    "onnx.ScatterND": lambda data: scatter(data, [[0], [9]], TABLE[:2], out=data),
    "onnx.ScatterElements": lambda data: windrow.onnx.scatter_elements(data, [[0, 0, 9]], TABLE[1:2], out=data),
    "onnx.ScatterElements add": lambda data: windrow.onnx.scatter_elements(
        data, [[0, 0, -5]], TABLE[1:2], reduction="add", out=data),
    "openvino.ScatterUpdate": lambda data: windrow.openvino.scatter_update(data, [0, -1], TABLE[:2], 0, out=data),
    "tensorrt.Scatter": lambda data: windrow.tensorrt.scatter(
        data, [[0, 0, 9]], TABLE[1:2], out_of_range="error", out=data),
    "array.IndexAdd": lambda data: windrow.index_add(data, [0, 9], TABLE[:2], out=data),
    "array.PutAlongAxis": lambda data: windrow.put_along_axis(data, [[0], [9], [0], [0]], 7, 1),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_an_error_in_place_changes_nothing(name):
    data = TABLE.copy()
    with pytest.raises(windrow.IndexOutOfRange):
        IN_PLACE[name](data)
    assert np.array_equal(data, TABLE)


def test_a_duplicate_in_place_changes_nothing():
    data = TABLE.copy()
    with pytest.raises(windrow.DuplicateIndex) as caught:
        scatter(data, [[0], [1], [0]], TABLE[:3] + 50, duplicates="error", out=data)
    assert np.array_equal(data, TABLE)
    assert caught.value.constraint == "ONNX-ScatterND-D1"


def test_what_an_index_error_knows():
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        gather(TABLE, [[0, 1], [-5, 2], [4, 0]])
    error = caught.value
    assert isinstance(error, IndexError)
    assert (error.operator, error.constraint) == ("onnx.Gather-13", "ONNX-Gather-C3")
    assert (error.input, error.position, error.value) == ("indices", (1, 0), -5)
    assert (error.axis, error.extent, error.count) == (0, 4, 2)


IDS = np.array([[0, 1], [-5, 2], [4, 0]])
MODEL_OF_IDS = onnx.parser.parse_model(
    """<ir_version: 8, opset_import: ["" : 13]> g (float[4, 3] table, int64[3, 2] ids) => (float[3, 2, 3] rows)
    { rows = Gather(table, ids) }"""
)


@pytest.mark.parametrize("call", {
    "function": lambda ids: gather(TABLE, ids),
    "plan": lambda ids: windrow.onnx.gather.compile(TABLE, ids)(TABLE, ids),
    "model": lambda ids: windrow.load(MODEL_OF_IDS).run({"table": TABLE[:, :3].astype("f4"), "ids": ids}),
}.items(), ids=lambda call: call[0])  # fmt: skip
def test_an_index_error_lists_all_bad_indices_of_the_array_as_it_is(call):
    ids = IDS.copy()
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        call[1](ids)
    error = caught.value
    found = error.positions()
    assert found.positions.tolist() == [[1, 0], [2, 0]]
    assert found.values.tolist() == [-5, 4]
    assert error.positions(1).positions.tolist() == [[1, 0]]
    assert error.positions(0).positions.shape == (0, 2)
    ids[0, 1] = 77
    assert error.positions().values.tolist() == [77, -5, 4]
    ids[:] = 0
    assert error.positions().positions.shape == (0, 2)
    assert error.position == (1, 0)


def test_bad_indices_of_lists_of_tuples_and_of_large_unsigned_numbers():
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.onnx.gather_nd(TABLE, [[0, 9], [8, 0], [1, 1], [-9, -9]])
    assert caught.value.positions().positions.tolist() == [[0, 1], [1, 0], [3, 0], [3, 1]]
    assert caught.value.positions(3).values.tolist() == [9, 8, -9]
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        windrow.array.take(TABLE, np.array(2**64 - 1, "u8"), axis=0)
    assert caught.value.positions().positions.shape == (1, 0)
    assert caught.value.positions().values.tolist() == [2**64 - 1]


def test_positions_of_arrays_that_are_not_there_any_more():
    ids = IDS.copy()
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        gather(TABLE, ids)
    ids.shape = (6,)
    with pytest.raises(windrow.ShapeError, match="compiled for"):
        caught.value.positions()
    with pytest.raises(windrow.ArgumentError, match="limit is -1"):
        caught.value.positions(-1)
    restored = pickle.loads(pickle.dumps(caught.value))
    assert (restored.position, restored.count) == ((1, 0), 2)
    with pytest.raises(windrow.Unsupported, match="arrays"):
        restored.positions()


@pytest.mark.parametrize("exception", [windrow.ArgumentError, windrow.ShapeError, windrow.DTypeError,
                                       windrow.IndexOutOfRange, windrow.DuplicateIndex, windrow.Unsupported,
                                       windrow.FormatError, windrow.FileError, windrow.OutOfMemory,
                                       windrow.InternalError])
def test_python_s_own_exceptions_catch_them(exception):
    assert issubclass(exception, windrow.Error)
    assert len([base for base in exception.__mro__ if base.__module__ == "builtins"]) > 2


# --- Sizes ---


def huge(shape, dtype="f4"):
    """An array of that shape in the memory of one element."""
    return as_strided(np.zeros(1, dtype), shape, (0,) * len(shape))


def test_a_huge_input_of_few_bytes():
    rows = huge((2**40, 3))
    assert gather(rows, [0, 2**40 - 1, -1]).shape == (3, 3)
    with pytest.raises(windrow.IndexOutOfRange, match=str(2**40)):
        gather(rows, [2**40])


@pytest.mark.parametrize("shape", [(2**30, 2**29), (2**59,), (2**52,)])
def test_a_result_that_no_memory_holds(shape):
    with pytest.raises(windrow.OutOfMemory, match="float32"):
        gather(TABLE, huge(shape, "i8"))


def test_text_that_no_memory_holds():
    with pytest.raises(windrow.OutOfMemory):
        gather(["a"], huge((2**52,), "i8"))


def test_a_result_that_no_size_counts():
    with pytest.raises(windrow.ShapeError, match="CALL-I2"):
        gather(TABLE.astype("f8"), huge((2**59,), "i8"))


def test_a_result_of_bytes_beyond_63_bits():
    with pytest.raises(windrow.ShapeError):
        windrow.compile("onnx", "Gather", windrow.Spec("f8", (2**40, 2**20)), windrow.Spec("i8", (2**30,)))
