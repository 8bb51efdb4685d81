"""The NumPy models of all dialects, called in one way."""

import numpy as np
import numpy_array
import numpy_onnx
import numpy_openvino
import numpy_tensorrt


def _onnx(name, version, inputs, attributes, policy):
    if name == "OneHot":
        return numpy_onnx.one_hot(*inputs, **attributes, policy=policy, version=version)
    return numpy_onnx.OPERATORS[name](*inputs, **attributes, policy=policy or "error")


def _openvino(name, version, inputs, attributes, policy):
    return numpy_openvino.OPERATORS[name](*inputs, **attributes, policy=policy, version=version)


def _tensorrt(name, version, inputs, attributes, policy):
    del version  # the layers compute the same in every release
    return numpy_tensorrt.OPERATORS[name](*inputs, **attributes, policy=policy)


def _array(name, version, inputs, attributes, policy):
    del version  # there is one
    return numpy_array.OPERATORS[name](*inputs, **attributes, policy=policy)


DIALECTS = {"array": _array, "onnx": _onnx, "openvino": _openvino, "tensorrt": _tensorrt}


def compute(dialect, name, version, inputs, attributes, policy=None):
    """The result of a legal call as an array; `policy` None: what the operator says."""
    return np.asarray(DIALECTS[dialect](name, version, inputs, attributes, policy))
