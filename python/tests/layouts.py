"""Equal arrays with other layouts: sliced, reversed, transposed, unaligned, read-only, as other kinds of strings."""

import numpy as np

TEXTS = (object, np.dtypes.StringDType(), None)


def _as_text(choose, array):
    kind = TEXTS[choose(0, len(TEXTS) - 1)]
    if kind is None:
        return array.astype(f"U{max([1, *map(len, array.ravel())])}")
    return array.astype(kind)


def _spread(choose, array):
    """Every axis with steps of 1 to 3, forward or backward, in a larger buffer."""
    if array.ndim == 0:
        return array
    steps = [choose(1, 3) for _ in array.shape]
    room = np.zeros([extent * step + 1 for extent, step in zip(array.shape, steps, strict=True)], array.dtype)
    place = room[tuple(slice(0, extent * step, step) for extent, step in zip(array.shape, steps, strict=True))]
    flips = tuple(slice(None, None, -1) if choose(0, 1) else slice(None) for _ in array.shape)
    place[flips] = array
    return place[flips]


def _transposed(choose, array):
    order = sorted(range(array.ndim), key=lambda _: choose(0, 99))
    return array.transpose(order).copy(order="C").transpose(np.argsort(order))


def _unaligned(choose, array):
    if array.dtype.hasobject or array.dtype.kind == "T":
        return array
    room = np.zeros(array.nbytes + 8, np.uint8)
    place = np.ndarray(array.shape, array.dtype, room, offset=choose(1, 7))
    place[...] = array
    return place


def _read_only(choose, array):
    del choose
    array = array.copy()
    array.flags.writeable = False
    return array


def _dense(choose, array):
    del choose
    return array


WAYS = (_dense, _spread, _transposed, _unaligned, _read_only)


def lay_out(choose, array):
    """An equal array with another layout; choose(low, high) returns integers."""
    if array is None:
        return None
    if array.dtype == object:
        array = _as_text(choose, array)
    return WAYS[choose(0, len(WAYS) - 1)](choose, array)


def repeated(choose, array):
    """An array of that shape whose elements repeat along one axis, with a stride of 0."""
    if array.ndim == 0 or 0 in array.shape:
        return array
    axis = choose(0, array.ndim - 1)
    return np.broadcast_to(array.take([0], axis), array.shape)


class GuardedOut:
    """Space for a result between other elements, which a run must not change."""

    def __init__(self, choose, shape, dtype):
        steps = [choose(1, 3) for _ in shape]
        extents = [extent * step + 2 for extent, step in zip(shape, steps, strict=True)]
        filling = np.arange(np.prod(extents, dtype=int) * dtype.itemsize) % 251
        self.room = filling.astype(np.uint8).view(dtype).reshape(extents)
        place = tuple(slice(1, 1 + extent * step, step) for extent, step in zip(shape, steps, strict=True))
        flips = tuple(slice(None, None, -1) if choose(0, 1) else slice(None) for _ in shape)
        self.out = self.room[(*place, ...)][(*flips, ...)]
        self.inside = np.zeros(extents, bool)
        self.inside[place] = True
        self.before = self.room.copy()

    def assert_untouched_around(self):
        bytes_of = [array[~self.inside].tobytes() for array in (self.before, self.room)]
        assert bytes_of[0] == bytes_of[1]
