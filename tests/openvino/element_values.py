"""Random elements of OpenVINO's element types."""

import ml_dtypes
import numpy as np

# How a type's elements are stored here and in .npy files: one item per element.
STORAGE = {
    "boolean": np.dtype(bool),
    "i4": np.dtype(np.int8),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u4": np.dtype(np.uint8),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "u1": np.dtype(np.uint8),
    "nf4": np.dtype(np.uint8),
    "string": np.dtype(object),
}
# Types of less than a byte: bits, and whether the first element lies in the highest bits.
PACKED = {"i4": (4, False), "u4": (4, False), "nf4": (4, False), "u1": (1, True)}
INTEGERS = ["i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64"]
FLOATS = ["f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64"]
WORDS = ["", "a", "ab", "Ä", "日本", "gather", "a longer piece of text, past any small buffer"]


def integer_range(name):
    """The lowest and highest value of an integer type, of u1 and of the codes of nf4."""
    if name in PACKED:
        bits = PACKED[name][0]
        return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name == "i4" else (0, (1 << bits) - 1)
    limits = np.iinfo(STORAGE[name])
    return limits.min, limits.max


def _integers(rng, shape, name):
    low, high = integer_range(name)
    if name not in PACKED and rng.random() < 0.6:
        low, high = max(low, -9), min(high, 9)
    return rng.integers(low, high, shape, dtype=STORAGE[name], endpoint=True)


def _floats(rng, shape, name):
    """Numbers whose sums round; in some tensors also NaN, infinities, zeros of both signs and extremes."""
    storage = STORAGE[name]
    values = rng.standard_normal(shape) * 10.0 ** rng.integers(-2, 3)
    if rng.random() < 0.25:
        limits = ml_dtypes.finfo(storage)
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, float(limits.max), float(limits.min)])
        values = np.where(rng.random(shape) < 0.3, rng.choice(special, shape), values)
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(storage)


def random_elements(rng, shape, name):
    if name == "string":
        return np.array(rng.choice(np.array(WORDS, object), shape), dtype=object).reshape(shape)
    if name == "boolean":
        return np.asarray(rng.integers(0, 2, shape)).astype(bool)
    if name in FLOATS:
        return _floats(rng, shape, name)
    return np.asarray(_integers(rng, shape, name), dtype=STORAGE[name]).reshape(shape)
