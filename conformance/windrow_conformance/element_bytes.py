"""The bytes of tensors' elements as model files hold them: row-major, little-endian, small types packed."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .tensor import CARRIERS, Tensor

__all__ = ["PACKED_BITS", "element_bytes", "unpacked"]

#: Bits of an element of the types that share bytes.
PACKED_BITS = {"int4": 4, "uint4": 4, "float4_e2m1fn": 4, "nf4": 4, "uint2": 2, "uint1": 1}

BitOrder = Literal["big", "little"]


def element_bytes(tensor: Tensor, bit_order: BitOrder = "little") -> bytes:
    """The elements' bytes; of a type of PACKED_BITS packed, padded with zero bits to whole bytes.

    bit_order: whether the first element of a byte lies in its lowest or in its highest bits. Raises TypeError for
    strings.
    """
    array = tensor.array
    if array.dtype.kind == "O":
        raise TypeError("strings have no bytes of a common size")
    raw = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    bits = PACKED_BITS.get(tensor.dtype)
    if bits is None:
        return raw
    codes = np.frombuffer(raw, np.uint8)
    each = (codes[:, np.newaxis] >> np.arange(bits, dtype=np.uint8)) & 1
    return np.packbits(each.reshape(-1), bitorder=bit_order).tobytes()


def unpacked(raw: bytes, dtype: str, shape: tuple[int, ...], bit_order: BitOrder = "little") -> Tensor:
    """The tensor of such bytes, of a type of CARRIERS or one of NumPy's; bits that pad are dropped."""
    bits = PACKED_BITS.get(dtype)
    if bits is None:
        stored = np.dtype(CARRIERS.get(dtype, dtype))
        return Tensor(dtype, np.frombuffer(raw, stored.newbyteorder("<")).astype(stored).reshape(shape))
    count = int(np.prod(shape, dtype=np.int64))
    stream = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder=bit_order)[: count * bits]
    codes = stream.reshape(count, bits) @ (1 << np.arange(bits, dtype=np.uint8))
    return Tensor(dtype, codes.astype(np.uint8).reshape(shape))
