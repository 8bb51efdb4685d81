"""Element types and arrays of random models: mostly small numbers, and numbers that break proofs."""

import ml_dtypes
import numpy as np

SIGNED = [np.dtype(name) for name in ("int8", "int16", "int32", "int64")]
UNSIGNED = [np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")]
FLOATS = [np.dtype(name) for name in ("float16", "float32", "float64")]
# Types that NumPy lacks, and whose arrays have ml_dtypes' types.
SHORT_FLOATS = [np.dtype(getattr(ml_dtypes, name)) for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")]
NIBBLES = [np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)]
BOOL = np.dtype(bool)
INT32, INT64, FLOAT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float32)
INTEGERS = SIGNED + UNSIGNED
NUMBERS = INTEGERS + FLOATS
# The numbers of bits at which a runtime's arithmetic changes: ends of types, and the integers that float32 and float64 hold.
EDGES = (7, 8, 11, 15, 16, 24, 31, 32, 53, 62, 63)


def limits_of(dtype):
    """The ends of a type of integers. Raises ValueError for other types."""
    return np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.iinfo(dtype)


def plain(array):
    """The array with a type of NumPy's that holds the same numbers."""
    if array.dtype.kind in "biuf" and array.dtype.isbuiltin == 1:
        return array
    try:
        limits_of(array.dtype)
    except ValueError:
        return array.astype(np.float32)
    return array.astype(np.int8)


def extremes(dtype):
    """The numbers of a type at which bounds fail."""
    powers = [sign * (1 << bits) + off for bits in EDGES for sign in (1, -1) for off in (-1, 0, 1)]
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        ends = [limits.max, limits.min, limits.tiny, limits.smallest_subnormal]
        special = [np.nan, np.inf, -np.inf, -0.0, 0.5, -0.5, 1e-3, 2.0**24 + 1, 2.0**31, 2.0**53, -(2.0**63)]
        with np.errstate(over="ignore"):
            edges = np.array(ends + special + powers, np.float64).astype(dtype)
            return np.concatenate([edges, np.nextafter(edges, dtype.type(0)), np.nextafter(edges, dtype.type(np.inf))])
    limits = np.iinfo(dtype)
    ends = [limits.min, limits.min + 1, limits.max - 1, limits.max, limits.max // 2 + 1]
    return np.array(ends + [power for power in powers if limits.min <= power <= limits.max], dtype)


def any_bits(random, dtype, shape):
    """Numbers of which every bit is drawn: floats of all magnitudes, subnormal ones, NaN and infinities."""
    count = int(np.prod(shape))
    return np.frombuffer(random.bytes(count * dtype.itemsize), dtype)[:count].reshape(shape).copy()


def wild_numbers(random, dtype, shape):
    """Numbers that break proofs."""
    choice = random.random()
    if choice < 0.25:
        return any_bits(random, dtype, shape)
    if choice < 0.35 and dtype.kind == "f":
        return np.asarray(random.integers(-9, 10, shape) + 0.5, dtype)
    return random.choice(extremes(dtype), shape)


def random_array(random, dtype, shape, wild):
    """wild: the part of elements, from 0 to 1, that are extremes of the type. random: a numpy Generator."""
    if dtype.kind == "b":
        return np.asarray(random.random(shape) < random.random())
    if dtype.kind not in "iuf" or dtype.isbuiltin != 1:
        return np.asarray(random.integers(0 if dtype.name.startswith("u") else -4, 8, shape)).astype(dtype)
    low = 0 if dtype.kind == "u" else -4
    array = np.asarray(random.integers(low, 9, shape), dtype)
    if dtype.kind == "f" and random.random() < 0.5:
        array = np.asarray(array + random.random(shape), dtype)
    if wild:
        chosen = random.random(shape) < wild
        array = np.where(chosen, wild_numbers(random, dtype, shape), array)
    return array


def random_input(random, dtype, shape, wild):
    """As random_array(); bools may have bytes that are neither 0 nor 1, as NumPy's views of bytes do."""
    if dtype.kind == "b" and wild and random.random() < 0.5:
        return np.asarray(random.integers(0, 256, shape), np.uint8).view(bool)
    return random_array(random, dtype, shape, wild)
