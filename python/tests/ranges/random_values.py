"""Element types and arrays of random models: mostly small numbers, and numbers that break proofs."""

import numpy as np

SIGNED = [np.dtype(name) for name in ("int8", "int16", "int32", "int64")]
UNSIGNED = [np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")]
FLOATS = [np.dtype(name) for name in ("float16", "float32", "float64")]
BOOL = np.dtype(bool)
INT32, INT64, FLOAT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float32)
INTEGERS = SIGNED + UNSIGNED
NUMBERS = INTEGERS + FLOATS


def extremes(dtype):
    """The numbers of a type at which bounds fail."""
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        ends = [limits.max, limits.min, limits.tiny, limits.smallest_subnormal]
        special = [np.nan, np.inf, -np.inf, -0.0, 0.5, -0.5, 1e-3, 2.0**24 + 1, 2.0**31, 2.0**53, -(2.0**63)]
        with np.errstate(over="ignore"):
            return np.array(ends + special).astype(dtype)
    limits = np.iinfo(dtype)
    ends = [limits.min, limits.min + 1, limits.max - 1, limits.max, limits.max // 2 + 1]
    powers = [sign * (1 << bits) + off for bits in (7, 8, 15, 16, 24, 31, 32, 53, 62) for sign in (1, -1) for off in (-1, 0, 1)]
    return np.array(ends + [power for power in powers if limits.min <= power <= limits.max], dtype)


def random_array(random, dtype, shape, wild):
    """wild: the part of elements, from 0 to 1, that are extremes of the type. random: a numpy Generator."""
    if dtype.kind == "b":
        return np.asarray(random.random(shape) < random.random())
    low = 0 if dtype.kind == "u" else -4
    array = np.asarray(random.integers(low, 9, shape), dtype)
    if dtype.kind == "f" and random.random() < 0.5:
        array = np.asarray(array + random.random(shape), dtype)
    if wild:
        chosen = random.random(shape) < wild
        array = np.where(chosen, random.choice(extremes(dtype), shape), array)
    return array
