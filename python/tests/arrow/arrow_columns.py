"""Draws Arrow columns and ids: types, offsets, slices, nulls, chunks."""

import numpy as np
import pyarrow as pa

_FIXED = [
    pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(),
    pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"),
    pa.timestamp("s"), pa.timestamp("us", "Europe/Oslo"), pa.timestamp("ns"), pa.duration("ms"),
    pa.month_day_nano_interval(), pa.decimal32(7, 2), pa.decimal64(12, 3), pa.decimal128(30, 4), pa.decimal256(60, 5),
]  # fmt: skip
_FLOATS = [pa.float16(), pa.float32(), pa.float64()]
_TEXTS = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view()]
ID_TYPES = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


class Draw:
    """Random columns of one seed."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def chance(self, one_in):
        """True once in `one_in` times."""
        return self.random.integers(one_in) == 0

    def pick(self, choices):
        return choices[self.random.integers(len(choices))]

    def valid(self, count):
        """Truth values, or None for no nulls."""
        if self.chance(2):
            return None
        return self.random.random(count) >= self.pick([0.1, 0.5, 1.0])

    def array(self, kind, count):
        """An Array of `count` rows, which is sometimes a slice of a longer one."""
        before, after = (int(self.random.integers(20)) if self.chance(2) else 0 for _ in range(2))
        return self._whole(kind, before + count + after).slice(before, count)

    def column(self, kind, count):
        """The same, or a ChunkedArray."""
        if self.chance(2):
            return self.array(kind, count)
        cuts = sorted(self.random.integers(count + 1, size=self.random.integers(5)).tolist())
        sizes = np.diff([0, *cuts, count]).tolist()
        return pa.chunked_array([self.array(kind, size) for size in sizes], type=kind)

    def _whole(self, kind, count):
        valid = self.valid(count)
        mask = None if valid is None else ~valid
        if pa.types.is_null(kind):
            return pa.nulls(count)
        if pa.types.is_boolean(kind):
            return pa.array(self.random.integers(2, size=count).astype(bool), kind, mask=mask)
        if kind in _FLOATS:
            return pa.array(self.random.integers(-99, 99, size=count).astype(kind.to_pandas_dtype()), kind, mask=mask)
        if kind in _TEXTS:
            words = [bytes(self.random.integers(97, 123, size=self.pick([0, 1, 5, 12, 13, 40]), dtype=np.uint8))
                     for _ in range(count)]  # fmt: skip
            keep = [None if valid is not None and not valid[at] else word for at, word in enumerate(words)]
            return pa.array(keep, pa.binary()).cast(kind)
        if pa.types.is_fixed_size_list(kind):
            values = self._whole(kind.value_type, count * kind.list_size)
            return pa.FixedSizeListArray.from_arrays(values, type=kind, mask=None if mask is None else pa.array(mask))
        if pa.types.is_struct(kind):
            fields = [self.array(field.type, count) for field in kind]
            return pa.StructArray.from_arrays(fields, fields=list(kind), mask=None if mask is None else pa.array(mask))
        # What lies under a null is drawn too. The numbers stay small, so that decimals and times are valid.
        width = kind.bit_width // 8
        rows = np.zeros((count, width), np.uint8)
        rows[:, : min(width, 2)] = self.random.integers(0, 60, size=(count, min(width, 2)))
        if pa.types.is_date64(kind):
            rows = (self.random.integers(-9999, 9999, size=count) * 86_400_000).view(np.uint8)
        bits = None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little").tobytes())
        return pa.Array.from_buffers(kind, count, [bits, pa.py_buffer(rows.tobytes())])

    def text_kind(self):
        return self.pick(_TEXTS)

    def kind(self, deep=True):
        """A type that take() has."""
        choice = self.random.integers(10 if deep else 6)
        if choice < 3:
            return self.pick(_FIXED)
        if choice == 3:
            return self.pick(_FLOATS)
        if choice == 4:
            return pa.bool_()
        if choice == 5:
            return pa.binary(int(self.random.integers(1, 20)))
        if choice == 6:
            return pa.list_(self.kind(deep=False), int(self.random.integers(1, 5)))
        if choice == 7:
            inner = [self.pick(_TEXTS) if self.chance(3) else self.kind(deep=self.chance(3)) for _ in range(3)]
            return pa.struct([pa.field(f"f{at}", one) for at, one in enumerate(inner[: self.random.integers(1, 4)])])
        if choice == 8 and self.chance(4):
            return pa.null()
        return self.pick(_TEXTS)

    def ids(self, rows):
        """Ids of `rows` rows as Python has them, with None, and the type that they are to have."""
        kind = self.pick(ID_TYPES)
        count = int(self.random.integers(40_000, 70_000) if self.chance(100) else self.random.integers(60))
        if rows == 0:
            return ([None] * count if self.chance(2) else []), kind
        info = np.iinfo(kind.to_pandas_dtype())
        numbers = self.random.integers(max(-rows, info.min), min(rows, info.max), size=count, dtype=np.int64)
        if info.min == 0 or self.chance(2):
            numbers = np.abs(numbers)
            numbers[numbers >= min(rows, info.max)] = 0  # -rows, and the lowest number of the type
        if self.chance(4):
            numbers = np.sort(numbers)
        elif self.chance(4):  # long runs
            numbers = (numbers[:1].repeat(count) + np.arange(count)) % min(rows, info.max)
        valid = self.valid(count)
        return [int(n) if valid is None or valid[at] else None for at, n in enumerate(numbers)], kind


def from_front(ids, rows):
    """The ids counted from the front."""
    return [None if one is None else one % rows for one in ids]


def equal(a, b):
    """Whether two columns hold the same, whatever their chunks are."""
    if pa.types.is_null(a.type):
        return len(a) == len(b) and a.type == b.type
    return a.type == b.type and pa.chunked_array(a if isinstance(a, pa.ChunkedArray) else [a], a.type).equals(
        pa.chunked_array(b if isinstance(b, pa.ChunkedArray) else [b], b.type))  # fmt: skip
