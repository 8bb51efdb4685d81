"""Calls of up to some megabytes against NumPy: what only large calls do by themselves, for rows of every width.

By NumPy's own functions: numpy_models.py visits every index in Python, which would take minutes.

WINDROW_RANDOM_SECONDS above 60 makes the calls random and more; else they are the same every time.
"""

import math
import os
import random
import time

import numpy as np
import pytest
import windrow

SECONDS = float(os.environ.get("WINDROW_RANDOM_SECONDS", "60"))
CALLS = 200  # of each operator: two to four seconds
DTYPES = ["u1", "f2", "f4", "f8", "c16", "c8", "i4", "i8", "?"]
SUMMED = ["u1", "f4", "f8", "i4", "i8"]  # NumPy rounds sums of the others in its own way
SUPPORTED = [name for name, supported in windrow.kernel_sets().items() if supported]
LEVERS = ["", ",stream=on", ",pack=on", ",tile=64,pack=on", ",flat-runs=off", ",straight=off", ",gathers=off",
          ",prefetch=7", ",tasks=7"]


class Drawn:
    """The common parts of the calls of one seed: data, an axis, options."""

    def __init__(self, seed, dtypes):
        self.choose = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.dtype = np.dtype(self.choose.choice(dtypes))
        self.shape = self.draw_shape()
        self.rank = len(self.shape)
        self.axis = self.choose.randrange(self.rank)
        self.extent = self.shape[self.axis]
        self.data = self.array(self.shape)
        self.options = {"threads": self.choose.choice([1, 2, 3, 8])}
        if self.choose.random() < 0.6:
            self.options["kernels"] = self.choose.choice(SUPPORTED) + self.choose.choice(LEVERS)

    def draw_shape(self):
        left = int(10 ** self.choose.uniform(4.5, 6.5))
        shape = []
        for _ in range(self.choose.choice([0, 1, 1, 2, 2, 3])):
            shape.append(max(1, int(left ** self.choose.uniform(0.05, 0.8))))
            left //= shape[-1]
        shape.append(max(1, left))
        self.choose.shuffle(shape)
        if len(shape) > 1 and self.choose.random() < 0.5:  # a few elements last: rows of some bytes
            few = self.choose.randrange(1, 17)
            shape = [max(1, shape[0] * shape[-1] // few), *shape[1:-1], few]
        return shape

    def array(self, shape):
        return self.numbers.integers(0, 200, shape).astype(self.dtype)

    def indices(self, low, high, shape):
        return self.numbers.integers(low, high, shape).astype(self.choose.choice(["i4", "i8"]))

    def count_along_axis(self, most_elements=4_000_000):
        count = int(self.extent * self.choose.choice([0.1, 0.5, 1, 1, 2]))
        return max(1, min(count, most_elements * self.extent // self.data.size))

    def along_axis(self, count, broadcasts=False):
        """The data's shape with `count` along the axis and, for indices that broadcast, some other axes of 1."""
        shape = [*self.shape]
        shape[self.axis] = count
        for axis in range(self.rank):
            if broadcasts and axis != self.axis and self.choose.random() < (0.8 if axis == self.rank - 1 else 0.3):
                shape[axis] = 1
        return shape

    def coordinates(self):
        length = self.choose.randrange(1, self.rank + 1)
        slices = max(1, math.prod(self.shape[length:]))
        count = max(1, int(min(1_000_000, 3_000_000 // slices) * self.choose.random()))
        parts = [self.numbers.integers(0, extent, count) for extent in self.shape[:length]]
        return np.stack(parts, -1), [count, *self.shape[length:]]


def take(drawn):
    rows = drawn.indices(-drawn.extent, drawn.extent, drawn.count_along_axis())
    return windrow.array.take(drawn.data, rows, drawn.axis, **drawn.options), np.take(drawn.data, rows, drawn.axis)


def take_along_axis(drawn):
    shape = drawn.along_axis(drawn.count_along_axis(), drawn.choose.random() < 0.5)
    indices = drawn.indices(-drawn.extent, drawn.extent, shape)
    result = windrow.array.take_along_axis(drawn.data, indices, drawn.axis, **drawn.options)
    return result, np.take_along_axis(drawn.data, indices.astype("i8"), drawn.axis)


def put_along_axis(drawn):
    count = min(drawn.count_along_axis(), drawn.extent)
    shape = drawn.along_axis(drawn.extent, drawn.choose.random() < 0.5)
    places = np.argsort(drawn.numbers.random(shape), axis=drawn.axis)
    places = np.take(places, range(count), drawn.axis)  # none twice: NumPy leaves the order open
    values = drawn.array(drawn.along_axis(count))
    expected = drawn.data.copy()
    np.put_along_axis(expected, places, values, drawn.axis)
    return windrow.array.put_along_axis(drawn.data, places, values, drawn.axis, **drawn.options), expected


def index_add(drawn):
    rows = drawn.indices(0, drawn.extent, drawn.count_along_axis(2_000_000))
    values = drawn.array(drawn.along_axis(len(rows)))
    expected = drawn.data.copy()
    np.add.at(expected, (slice(None),) * drawn.axis + (rows,), values)
    return windrow.array.index_add(drawn.data, rows, values, drawn.axis, **drawn.options), expected


def scatter_elements(drawn):
    shape = drawn.along_axis(drawn.count_along_axis(2_000_000))
    indices, updates = drawn.indices(0, drawn.extent, shape), drawn.array(shape)
    expected = drawn.data.copy()
    cells = list(np.indices(shape, sparse=True))
    cells[drawn.axis] = indices
    np.add.at(expected, tuple(cells), updates)
    options = drawn.options | {"axis": drawn.axis, "reduction": "add"}
    return windrow.onnx.scatter_elements(drawn.data, indices, updates, **options), expected


def gather_nd(drawn):
    tuples, _ = drawn.coordinates()
    return windrow.onnx.gather_nd(drawn.data, tuples, **drawn.options), drawn.data[tuple(tuples.T)]


def scatter_nd(drawn):
    tuples, shape = drawn.coordinates()
    updates = drawn.array(shape)
    expected = drawn.data.copy()
    np.add.at(expected, tuple(tuples.T), updates)
    return windrow.onnx.scatter_nd(drawn.data, tuples, updates, reduction="add", **drawn.options), expected


GATHERS_AND_PUTS = [take, take_along_axis, put_along_axis, gather_nd]
SUMS = [index_add, scatter_elements, scatter_nd]


@pytest.mark.parametrize("call", GATHERS_AND_PUTS + SUMS)
def test_calls(call):
    long = SECONDS > 60
    seed = random.SystemRandom().randrange(1 << 31) if long else 0
    end = time.monotonic() + SECONDS / 10
    done = 0
    while done < CALLS or (long and time.monotonic() < end):
        drawn = Drawn(seed + done, SUMMED if call in SUMS else DTYPES)
        result, expected = call(drawn)
        drawn_as = (seed + done, drawn.shape, drawn.dtype, drawn.axis, drawn.options)
        assert result.tobytes() == expected.tobytes(), drawn_as
        done += 1
