"""Quantised look-ups in NumPy: the whole table as numbers, of which what the indices name is taken."""

import ml_dtypes
import numpy as np


def unpacked(codes, bits):
    """The values of bytes that hold several, from the low end on, along the last axis."""
    each = 8 // bits
    shifts = np.arange(each, dtype=np.uint8) * bits
    return ((codes[..., None] >> shifts) & (2**bits - 1)).reshape(*codes.shape[:-1], codes.shape[-1] * each)


def whole_table(data, scales, zero_points, quantize_axis, block_size, bits):
    """Every value as float32."""
    packed = data.dtype == np.uint8 and bits in (2, 4)
    values = unpacked(data, bits) if packed else data
    numbers = values.astype(np.float32)
    axis, extent = quantize_axis % data.ndim, values.shape[quantize_axis]
    blocks = np.arange(extent) // (block_size or max(extent, 1))
    if zero_points is not None:
        zeros = unpacked(zero_points, bits)[..., :scales.shape[-1]] if packed else zero_points
        zeros = np.take(zeros.astype(np.float32), blocks, axis)
    else:
        zeros = np.float32(2 ** ((bits if packed else 8) - 1) if data.dtype == np.uint8 else 0)
    with np.errstate(all="ignore"):
        return (numbers - zeros) * np.take(scales.astype(np.float32), blocks, axis)


def look_up(data, indices, scales, zero_points, take, quantize_axis, block_size, bits, dtype):
    """take(table, indices) is the gather."""
    table = whole_table(data, scales, zero_points, quantize_axis, block_size, bits)
    with np.errstate(all="ignore"):
        result = np.asarray(take(table, indices)).astype(getattr(ml_dtypes, dtype, dtype) if dtype else scales.dtype)
    result[np.isnan(result)] = np.nan
    return result
