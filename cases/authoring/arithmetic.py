"""One step of a reduction, cell and update to cell, for every element type; the division of a mean.

Both dialects' names: add and sum, mul and prod; a mean is summed first.
"""

import operator

from . import types

STEPS = {"add": operator.add, "sum": operator.add, "mean": operator.add, "sub": operator.sub,
         "mul": operator.mul, "prod": operator.mul}


def _order(value):
    """A key that puts texts in the order of their bytes and leaves numbers as they are."""
    return value.encode() if isinstance(value, str) else value


def _choose(reduction, cell, update):
    a, u = _order(cell), _order(update)
    is_nan = a != a
    keep = is_nan or (a > u if reduction == "max" else a < u)
    return cell if keep else update


def _float(dtype, reduction, cell, update):
    a, u = types.to_float(cell), types.to_float(update)
    if reduction in ("min", "max"):
        return types.from_float(_choose(reduction, a, u))
    return types.from_float(types.round_to(dtype, STEPS[reduction](a, u)))


def _float8(dtype, reduction, cell, update):
    a, u = (types.float8_to_float(dtype, value) for value in (cell, update))
    if reduction in ("min", "max"):
        keep = a != a or (a > u if reduction == "max" else a < u)
        return cell if keep else update
    return types.float_to_float8(dtype, types.round_to("float32", STEPS[reduction](a, u)))


def _bool(reduction, cell, update):
    if reduction == "sub":
        return cell != update
    return (cell or update) if reduction in ("add", "sum", "max") else (cell and update)


def _complex(dtype, reduction, cell, update):
    part = types.COMPLEX[dtype]
    ar, ai = map(types.to_float, cell)
    ur, ui = map(types.to_float, update)

    def rounded(value):
        return types.round_to(part, value)

    if reduction in ("add", "sum"):
        result = rounded(ar + ur), rounded(ai + ui)
    else:
        result = (rounded(rounded(ar * ur) - rounded(ai * ui)),
                  rounded(rounded(ar * ui) + rounded(ai * ur)))
    return [types.from_float(value) for value in result]


def combine(dtype, reduction, cell, update):
    if reduction == "none":
        return update
    if dtype == "bool":
        return _bool(reduction, cell, update)
    if dtype == "string":
        return cell + update if reduction == "add" else _choose(reduction, cell, update)
    if dtype in types.FLOATS:
        return _float(dtype, reduction, cell, update)
    if dtype in types.FLOAT8_FORMATS:
        return _float8(dtype, reduction, cell, update)
    if dtype in types.COMPLEX:
        return _complex(dtype, reduction, cell, update)
    if reduction in ("min", "max"):
        return _choose(reduction, cell, update)
    return types.wrap(dtype, STEPS[reduction](cell, update))


def divide(dtype, total, count):
    """The mean of `count` numbers from their sum."""
    if dtype in types.FLOAT8_FORMATS:
        quotient = types.round_to("float32", types.float8_to_float(dtype, total) / count)
        return types.float_to_float8(dtype, quotient)
    if dtype in types.FLOATS:
        return types.from_float(types.round_to(dtype, types.to_float(total) / count))
    return total // count


def neutral(dtype, reduction):
    """What a fold starts with that leaves out the cell of data."""
    place = {"prod": 1, "min": 2, "max": 3}.get(reduction, 0)
    if dtype == "bool":
        return (False, True, True, False)[place]
    if dtype in types.COMPLEX:
        return [float(reduction == "prod"), 0.0]
    if dtype in types.FLOAT8_FORMATS:
        one, largest, lowest = {"float8_e4m3fn": ("0x38", "0x7e", "0xfe"),
                                "float8_e5m2": ("0x3c", "0x7b", "0xfb")}[dtype]
        return ("0x00", one, largest, lowest)[place]
    if dtype in types.FLOATS:
        largest = types.LARGEST[dtype]
        return (0.0, 1.0, largest, -largest)[place]
    bits, signed = {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype]
    largest = 2 ** (bits - signed) - 1
    return (0, 1, largest, -largest - 1 if signed else 0)[place]


def identity(dtype, reduction):
    """What a fold of nothing gives: neutral(), but infinities where the type has them."""
    infinities = {"float8_e5m2": ("0x7c", "0xfc"), **dict.fromkeys(types.FLOATS, ("inf", "-inf"))}
    if reduction in ("min", "max") and dtype in infinities:
        return infinities[dtype][reduction == "max"]
    return neutral(dtype, reduction)
