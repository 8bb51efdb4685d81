"""Elements by type and level: plain ones, whose folds are exact, rough ones, NaN, zeros of both signs."""

import math

from .. import types

LEVELS = ["plain", "rough", "nan", "zero"]
_CODES = {"float8_e4m3fn": (["0x30", "0x38", "0x40", "0xb8"], 0x7F),
                            "float8_e5m2": (["0x38", "0x3c", "0x40", "0xbc"], 0x7C)}
_SPECIAL = {"float8_e4m3fn": ("0x7f", "0x80", "0x00"), "float8_e5m2": ("0x7e", "0x80", "0x00"),
            **dict.fromkeys(types.FLOATS, ("nan", -0.0, 0.0))}
_TEXTS = ["", "a", "b", "ab", "é", "z"]
_SINGLE = [0.5, 1.0, -1.5, 2.0, -3.0]


def levels_of(dtype):
    if dtype in _SPECIAL:
        return LEVELS
    return LEVELS[:2] if dtype in types.INTEGERS or dtype in types.SMALL_INTEGERS else LEVELS[:1]


def _plain(dtype, reduction, draw):
    product = reduction in ("mul", "prod")
    if dtype in _CODES:
        return draw.pick(_CODES[dtype][0])
    if dtype in types.FLOATS:
        return draw.pick([1.0, 2.0, 0.5, -1.0]) if product else draw.between(-8, 8) / 2 + 0.0
    if dtype in types.COMPLEX:
        return [draw.pick(_SINGLE), draw.pick(_SINGLE)]
    if dtype == "bool":
        return draw.chance(2)
    if dtype == "string":
        return draw.pick(_TEXTS)
    if dtype in types.INTEGERS or dtype in types.SMALL_INTEGERS:
        signed = {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype][1]
        small = dtype in types.SMALL_INTEGERS
        return draw.pick([1, 1, -1, 1] if signed else [1, 1, 2, 1]
                         ) if product else draw.between(-small if signed else 0, 1 + small)
    return draw.pick(types.SAMPLES[dtype])


def _rough(dtype, draw):
    if dtype in _CODES:
        return f"0x{draw.below(_CODES[dtype][1]) | (draw.below(2) << 7):02x}"
    if dtype in types.FLOATS:
        value = math.ldexp(draw.between(1, 2**53), draw.between(-60, -44)) * draw.pick([1.0, -1.0])
        return "inf" if draw.chance(12) else types.round_to(dtype, value)
    bits, signed = {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype]
    low = -(1 << (bits - 1)) if signed else 0
    return draw.pick([low, low + (1 << bits) - 1, low + draw.below(1 << bits)])


def elements(dtype, count, level, reduction, draw):
    """`count` elements; of the levels nan and zero at least one is special, if there is one."""
    if level == "rough":
        return [_rough(dtype, draw) for _ in range(count)]
    result = [_plain(dtype, reduction, draw) for _ in range(count)]
    if level in ("nan", "zero"):
        nan, negative, positive = _SPECIAL[dtype]
        for place in draw.shuffled(range(count))[:max(1, count // 3)]:
            result[place] = nan if level == "nan" else draw.pick([negative, negative, positive])
    return result
