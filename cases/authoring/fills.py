"""The fillings of recipes: elements from a seed, in a few lines of NumPy. cases/README.md defines them in words."""

import numpy as np

STEP, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def words(seed, count):
    """SplitMix64: word i is the (i + 1)-th output of the generator that starts with the seed."""
    with np.errstate(over="ignore"):
        word = np.uint64(seed) + STEP * np.arange(1, count + 1, dtype=np.uint64)
        word = (word ^ (word >> np.uint64(30))) * FIRST
        word = (word ^ (word >> np.uint64(27))) * SECOND
        return word ^ (word >> np.uint64(31))


def _uniform(count, seed, low, high):
    return low + (words(seed, count) % np.uint64(high - low)).astype(np.int64)


def _affine(count, factor, offset, extent):
    return (factor * np.arange(count, dtype=np.int64) + offset) % extent


def _fraction(count, seed):
    """Multiples of 2^-24 in [-0.5, 0.5)."""
    return (words(seed, count) >> np.uint64(40)).astype(np.float64) / 2**24 - 0.5


def _bits(count, seed, dtype):
    """The lowest bytes of each word."""
    return words(seed, count).astype(f"u{np.dtype(dtype).itemsize}").view(dtype)


KINDS = {"uniform": _uniform, "affine": _affine, "fraction": _fraction, "bits": _bits}


def elements(tensor):
    """A tensor of a recipe as an array: given data, or the elements of its filling."""
    dtype, shape = np.dtype(tensor["dtype"]), tensor["shape"]
    if "data" in tensor:
        return np.array(tensor["data"], dtype).reshape(shape)
    kind, given = tensor["fill"]["kind"], {name: value for name, value in tensor["fill"].items() if name != "kind"}
    count = int(np.prod(shape, dtype=np.int64))
    if kind == "bits":
        given["dtype"] = dtype
    return KINDS[kind](count, **given).astype(dtype).reshape(shape)
