"""Causes of failures, a table for each runtime; write_causes.py writes a page from them.

Every row was verified by hand: the sentence is the specification's, and the record's expected result follows from it.
"""

from . import jax, numpy, onnx_reference, onnxruntime, openvino, openvino_evaluate, torch

TABLES = (
    onnxruntime.TABLE,
    onnx_reference.TABLE,
    openvino.TABLE,
    openvino_evaluate.TABLE,
    jax.TABLE,
    torch.TABLE,
    numpy.TABLE,
)

# Failures of the decision tier that users of these functions should know about.
BESIDE = (numpy.BESIDE,)
