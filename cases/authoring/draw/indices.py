"""Index tensors: coordinates with or without duplicates, written as indices of a type, and some of them outside."""

import math

from .. import types

OUTSIDE = ["below", "above", "far", "beyond"]
WIDE = ["int64", "uint64"]


def limits(dtype):
    """The lowest and the largest index of the type; floats take part in OneHot."""
    if dtype in types.FLOATS:
        return -1000, 1000
    bits, signed = {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def is_signed(dtype):
    return limits(dtype)[0] < 0


def coordinates(count, extent, row, draw):
    """`count` coordinates on one axis; row["duplicates"] says whether two of them are equal."""
    if not extent:
        return [0] * count  # outside in any case
    edge = {"first": 0, "last": extent - 1}.get(row["bounds"])
    if row.get("duplicates") == "no":
        result = draw.shuffled(range(extent))
        if edge is not None:
            result.remove(edge)
            result.insert(draw.below(max(count, 1)), edge)
        assert count <= extent
        return result[:count]
    result = [draw.below(extent) for _ in range(count)]
    if edge is not None and count:
        result[draw.below(count)] = edge
    if row.get("duplicates") == "yes":
        result[-1] = result[0]
    return result


def encode(coordinates_of, extents, row, draw):
    """Coordinates as indices, some of them counted from the end where row["negative"] says so."""
    result = list(coordinates_of)
    if row.get("negative") == "yes":
        chosen = draw.shuffled(range(len(result)))[:max(1, len(result) // 2)]
        for place in chosen:
            result[place] -= extents[place]
    return result


def outside(extent, level, dtype, draw, *, from_end=True):
    """An index that no coordinate has: just outside, far outside, beyond 32 bits."""
    low, high = limits(dtype)
    if level == "below":
        return -extent - 1 if from_end else -1
    if level == "above":
        return extent
    if level == "far":
        return max(low, -extent - 100) if low < 0 and draw.chance(2) else min(high, extent + 100)
    return draw.pick([2**32, 2**32 + 1, 2**40 + 1, *([-2**32, -2**40] if low < 0 else [2**63 + 1])])


def as_type(dtype, numbers):
    return [float(number) for number in numbers] if dtype in types.FLOATS else list(numbers)


def put_outside(numbers, extents, row, draw, *, from_end=True):
    """Replaces one index, or two, by ones outside, where row["bounds"] says so."""
    if row["bounds"] in OUTSIDE:
        for place in draw.shuffled(range(len(numbers)))[:1 + draw.chance(3)]:
            numbers[place] = outside(extents[place], row["bounds"], row["itype"], draw, from_end=from_end)
    return numbers


def product(shape):
    return math.prod(shape)
