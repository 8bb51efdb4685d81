"""The gather and scatter operators of OpenVINO, one function each, made from the operator table."""

from windrow._ops.table import functions_of as _functions_of

_functions = _functions_of("openvino")
globals().update(_functions)
__all__ = list(_functions)
