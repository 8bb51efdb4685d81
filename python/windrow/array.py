"""The operators with NumPy's and the Array API's meaning, made from the operator table.

windrow.take and similar functions are the same operators with NumPy's own parameters.
"""

from windrow._ops.table import functions_of as _functions_of

_functions = _functions_of("array")
globals().update(_functions)
__all__ = list(_functions)
