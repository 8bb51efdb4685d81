"""One step of a reduction, cell and update to cell, for every element type."""

from . import types


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
    return types.from_float(types.round_to(dtype, a + u if reduction == "add" else a * u))


def _complex(dtype, reduction, cell, update):
    part = types.COMPLEX[dtype]
    ar, ai = map(types.to_float, cell)
    ur, ui = map(types.to_float, update)

    def rounded(value):
        return types.round_to(part, value)

    if reduction == "add":
        result = rounded(ar + ur), rounded(ai + ui)
    else:
        result = (rounded(rounded(ar * ur) - rounded(ai * ui)),
                  rounded(rounded(ar * ui) + rounded(ai * ur)))
    return [types.from_float(value) for value in result]


def combine(dtype, reduction, cell, update):
    if reduction == "none":
        return update
    if dtype == "bool":
        either = reduction in ("add", "max")
        return (cell or update) if either else (cell and update)
    if dtype == "string":
        return cell + update if reduction == "add" else _choose(reduction, cell, update)
    if dtype in types.FLOATS:
        return _float(dtype, reduction, cell, update)
    if dtype in types.COMPLEX:
        return _complex(dtype, reduction, cell, update)
    if reduction in ("min", "max"):
        return _choose(reduction, cell, update)
    return types.wrap(dtype, cell + update if reduction == "add" else cell * update)
