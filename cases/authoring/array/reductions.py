"""What every reduction does to every type: the tables of the OpenVINO scatters, and complex numbers."""

from .. import types
from ..openvino import reductions as real
from ..semantics import tensor

CELLS = {**real.CELLS, **{name: [[1.0, 2.0], [-0.0, 0.0], [0.5, -3.0], [7.0, 0.0], [0.0, 8.0]]
                          for name in types.COMPLEX}}
UPDATES = {**real.UPDATES, **{name: [[2.5, -1.0], [0.0, 0.0], [-3.0, 0.5], ["inf", 0.0], [1.0, 1.0], [2.0, -0.0]]
                              for name in types.COMPLEX}}
REDUCTIONS = ["sum", "prod", "min", "max", "mean"]
REFUSED = ["string", "float8_e8m0fnu", "float8_e4m3fnuz", "float4_e2m1fn", "uint1", "uint2", "nf4"]


def has(dtype, reduction):
    """Whether a type has a reduction."""
    if dtype in types.COMPLEX:
        return reduction in ("sum", "prod")
    return dtype != "bool" or reduction != "mean"


def folds(reductions):
    """name, type, cell, updates, reduction, note."""
    return [row for row in real.FOLDS if row[4] in reductions]


def bits(reductions):
    """name, type, cell, updates, result, reduction."""
    return [row for row in real.BITS if row[5] in reductions]


def row(dtype, values):
    return tensor(dtype, [len(values)], values)
