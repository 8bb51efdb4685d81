"""Structures of producers that contradict themselves, and memory that changes during a call."""

import ctypes
import threading

import numpy as np
import pyarrow as pa
import pytest
from arrow_structs import GET_ERROR, GET_NEXT, GET_SCHEMA, RELEASE_ARRAY, RELEASE_SCHEMA, RELEASE_STREAM, Producer, Stream, capsule

import windrow
import windrow.arrow

NUMBERS = np.arange(8, dtype=np.int32)


def numbers():
    return Producer(b"i", 8, [None, NUMBERS])


def set_field(structure, name, value):
    return lambda producer: setattr(getattr(producer, structure), name, value)


def clear_buffer(producer):
    producer.addresses[1] = None


BREAKS = {
    "negative length": (set_field("array", "length", -1), "length is -1"),
    "huge length": (set_field("array", "length", 2**62), "length is 4611686018427387904"),
    "negative offset": (set_field("array", "offset", -4), "offset is -4"),
    "huge offset": (set_field("array", "offset", 2**63 - 1), "offset is 9223372036854775807"),
    "null count": (set_field("array", "null_count", 9), "null_count is 9"),
    "null count below -1": (set_field("array", "null_count", -2), "null_count is -2"),
    "nulls without a bitmap": (set_field("array", "null_count", 1), "there is no validity bitmap"),
    "no buffers": (set_field("array", "n_buffers", 0), "n_buffers is 0, must be 2"),
    "many buffers": (set_field("array", "n_buffers", 3), "n_buffers is 3, must be 2"),
    "negative buffers": (set_field("array", "n_buffers", -1), "n_buffers is -1"),
    "null buffers": (set_field("array", "buffers", None), "the buffers are a null pointer"),
    "null data": (clear_buffer, "buffer 1 is a null pointer"),
    "children": (set_field("array", "n_children", 1), "n_children is 1, must be 0"),
    "negative children": (set_field("array", "n_children", -1), "n_children is -1"),
    "released array": (set_field("array", "release", RELEASE_ARRAY()), "the array has been released"),
    "released schema": (set_field("schema", "release", RELEASE_SCHEMA()), "the schema has been released"),
    "null format": (set_field("schema", "format", None), "the schema's format is a null pointer"),
    "schema children": (set_field("schema", "n_children", 7), "has 7 children"),
}


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("role", ["values", "ids"])
def test_contradictions(name, role):
    break_it, message = BREAKS[name]
    producer = numbers()
    break_it(producer)
    alive = {"schema": bool(producer.schema.release), "array": bool(producer.array.release)}
    arguments = (producer, [0]) if role == "values" else (pa.array([1]), producer)
    with pytest.raises(windrow.ArgumentError, match=role) as caught:
        windrow.arrow.take(*arguments)
    assert message in str(caught.value)
    assert producer.released == alive  # each that was there once


def test_children_that_are_too_short():
    child = numbers()
    parent = Producer(b"+s", 9, [None], [child])
    with pytest.raises(windrow.ArgumentError, match=r"column 'a\.a' of values: length is 8, less than"):
        windrow.arrow.take(parent, [0])
    lists = Producer(b"+w:3", 3, [None], [numbers()])
    with pytest.raises(windrow.ArgumentError, match=r"column 'a\.a' of values: length is 8, less than"):
        windrow.arrow.take(lists, [0])


def test_children_that_are_null():
    parent = Producer(b"+s", 8, [None], [numbers()])
    parent.arrays[0] = type(parent.arrays[0])()
    with pytest.raises(windrow.ArgumentError, match=r"column 'a\.a' of values: the array is a null pointer"):
        windrow.arrow.take(parent, [0])


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 5, 3, 6], "the text of row 1 has the offsets 5 and 3"),
        ([0, 3, 900, 6], "the text of row 1 has the offsets 3 and 900"),
        ([2, -3, 4, 6], "the text of row 1 has the offsets -3 and 4"),
        ([-1, 3, 4, 6], "the first offset of the text is -1, the last one is 6"),
        ([7, 3, 4, 6], "the first offset of the text is 7, the last one is 6"),
    ],
)
@pytest.mark.parametrize(("kind", "dtype"), [(b"u", np.int32), (b"Z", np.int64)])
def test_offsets(offsets, message, kind, dtype):
    text = np.frombuffer(b"abcdef", np.uint8)
    producer = Producer(kind, 3, [None, np.array(offsets, dtype), text])
    with pytest.raises(windrow.ArgumentError) as caught:
        windrow.arrow.take(producer, [1])
    assert message in str(caught.value) and "column 'a' of values" in str(caught.value)
    assert producer.released == {"schema": 1, "array": 1}


def test_an_error_outlives_the_release_of_the_columns():
    """The release functions are Python code, which runs while the exception is on its way."""
    for make in (lambda one, other: windrow.arrow.scatter(one, [9], other), lambda one, other: windrow.arrow.take(one, [0, 9])):
        column, values = numbers(), numbers()
        values.array.length = 1
        with pytest.raises(windrow.IndexOutOfRange, match="is 9, out of range") as caught:
            make(column, values)
        assert column.released == {"schema": 1, "array": 1}
        assert values.released in ({"schema": 1, "array": 1}, {"schema": 0, "array": 0})
        del caught


def test_text_without_bytes():
    producer = Producer(b"u", 1, [None, np.array([0, 4], np.int32), None])
    with pytest.raises(windrow.ArgumentError, match="buffer 2 is a null pointer, but there is text"):
        windrow.arrow.take(producer, [0])


def make_stream(codes, arrays=()):
    """A stream whose functions return these codes: of get_schema, then of each get_next."""
    released = []
    given = list(arrays)

    def schema(_, out):
        source = numbers()
        given_schemas.append(source)
        ctypes.memmove(out, ctypes.addressof(source.schema), ctypes.sizeof(source.schema))
        return codes[0]

    def following(_, out):
        code = codes[1] if len(codes) == 2 or not given else 0
        if given and code == 0:
            ctypes.memmove(out, ctypes.addressof(given.pop(0).array), ctypes.sizeof(out.contents))
        return code

    def release(pointer):
        released.append(1)
        pointer.contents.release = RELEASE_STREAM()

    given_schemas = []
    words = ctypes.create_string_buffer(b"no more disks")
    said = GET_ERROR(lambda _: ctypes.addressof(words))
    stream = Stream(GET_SCHEMA(schema), GET_NEXT(following), said, RELEASE_STREAM(release), None)
    stream.released, stream.schemas = released, given_schemas
    return stream


class Streamed:
    def __init__(self, stream):
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(self.stream, b"arrow_array_stream")


@pytest.mark.parametrize("codes", [(5,), (0, 5)])
def test_streams_that_fail(codes):
    stream = make_stream(codes)
    with pytest.raises(windrow.FileError, match="values: the stream failed: no more disks"):
        windrow.arrow.take(Streamed(stream), [0])
    assert stream.released == [1]


def test_a_stream_is_released_once_with_its_arrays():
    arrays = [numbers(), numbers()]
    stream = make_stream((0, 0), arrays)
    # After its arrays the stream leaves the structure as it was given: released.
    result = windrow.arrow.take(Streamed(stream), [15, 0])
    assert pa.array(result).to_pylist() == [7, 0]
    assert stream.released == [1] and stream.schemas[0].released["schema"] == 1
    assert [one.released["array"] for one in arrays] == [1, 1]


def test_capsules_of_other_kinds():
    class Wrong:
        def __arrow_c_array__(self, requested_schema=None):
            return self.pair

    wrong = Wrong()
    producer = numbers()
    schema, array = producer.__arrow_c_array__()
    for pair in [(array, schema), (schema,), (1, 2), None]:
        wrong.pair = pair
        with pytest.raises((ValueError, TypeError)):
            windrow.arrow.take(wrong, [0])
    assert producer.released == {"schema": 0, "array": 0}


def test_ids_that_change_during_the_call():
    """Every result is a row, or an error that names an id that is out of range."""
    ids = np.zeros(200_000, np.int64)
    values = pa.array(np.arange(1000), pa.int64())
    text = pa.array([str(at) for at in range(1000)])
    stop = threading.Event()

    def change():
        while not stop.is_set():
            ids[::7] = 2**40
            ids[::7] = 999

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(60):
            try:
                taken = windrow.arrow.take(pa.table({"v": values, "t": text}), pa.array(ids))
            except windrow.IndexOutOfRange as error:
                assert error.value == 2**40
                continue
            assert taken["v"].cast(pa.string()).equals(taken["t"])
    finally:
        stop.set()
        thread.join()
