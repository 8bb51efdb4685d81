"""Random elements of every type that an array can have."""

import ml_dtypes
import numpy as np
from case_data import CODES, numpy_dtype

WORDS = np.array(["", "a", "ab", "Ä", "日本", "gather", "a longer piece of text, past any small buffer"], object)


def is_integer(dtype):
    return dtype.kind in "iu" or dtype.name in ("int4", "uint4", "uint2")


def integer_limits(dtype):
    limits = ml_dtypes.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _integers(rng, shape, dtype):
    low, high = integer_limits(dtype)
    if rng.random() < 0.6:
        low, high = max(low, -9), min(high, 9)
    wide = np.uint64 if high > 2**63 - 1 else np.int64
    return np.asarray(rng.integers(low, high, shape, dtype=wide, endpoint=True)).astype(dtype)


def _any_bits(rng, shape, dtype):
    """Elements of any bit pattern, including NaN with payloads."""
    codes = rng.integers(0, 256, (*shape, dtype.itemsize), dtype=np.uint8)
    if dtype.name == "float4_e2m1fn":
        codes &= 15
    return codes.view(dtype).reshape(shape)


def _numbers(rng, shape, dtype):
    """Numbers whose sums round; some arrays also have NaN, infinities, zeros of both signs, and huge numbers."""
    values = rng.standard_normal(shape) * 10.0 ** rng.integers(-2, 3)
    if rng.random() < 0.3:
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e5, -1e5])
        values = np.where(rng.random(shape) < 0.3, rng.choice(special, shape), values)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(values).astype(dtype)


def random_elements(rng, shape, name, arithmetic=False):
    """An array of the type with that name. With `arithmetic`, NaN has no payload, as in sums."""
    dtype = numpy_dtype(name)
    if name in CODES:
        return np.asarray(rng.integers(0, 2 if name == "uint1" else 16, shape)).astype(dtype)
    if dtype == object:
        return np.array(rng.choice(WORDS, shape), dtype=object).reshape(shape)
    if dtype.kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(bool)
    if is_integer(dtype):
        return _integers(rng, shape, dtype)
    if arithmetic or rng.random() < 0.4:
        return _numbers(rng, shape, dtype)
    return _any_bits(rng, shape, dtype)
