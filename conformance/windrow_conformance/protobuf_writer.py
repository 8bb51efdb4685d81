"""The wire format of protobuf, as far as writing ONNX's messages needs it.

A message is the concatenation of its fields, so that every function here returns bytes and a message is made by joining
them. See https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Iterable

_VARINT = 0
_LENGTH_DELIMITED = 2


def varint(value: int) -> bytes:
    """A 64-bit integer in groups of seven bits, the lowest first; negative ones as their two's complement."""
    if not -(1 << 63) <= value < 1 << 64:
        raise ValueError(f"{value} has no 64 bits")
    left = value & ((1 << 64) - 1)
    groups = bytearray()
    while left > 0x7F:
        groups.append(left & 0x7F | 0x80)
        left >>= 7
    groups.append(left)
    return bytes(groups)


def integer(field: int, value: int) -> bytes:
    """A field of type int32, int64, uint64, bool or of an enumeration."""
    return varint(field << 3 | _VARINT) + varint(value)


def packed_integers(field: int, values: Iterable[int]) -> bytes:
    """A packed repeated field of integers; nothing if it is empty."""
    content = b"".join(map(varint, values))
    return data(field, content) if content else b""


def data(field: int, value: bytes) -> bytes:
    """A field of type bytes, or a message within a message."""
    return varint(field << 3 | _LENGTH_DELIMITED) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    return data(field, value.encode())
