"""Causes in NumPy."""

from __future__ import annotations

from .cause import HANG, NO_ERROR, Cause, Failures, Table
from .conditions import has_an_extent_of_0
from .sentences import ANY_RANK_1, OUT_OF_BOUNDS, UPDATES_SHAPE

_CAUSES = (
    Cause(
        "onnx/gather/drawn_C3_72799966f4",
        NO_ERROR,
        "By contract numpy.take, which is defined by a loop, looks at no index where the result has no elements.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/Gather", "ONNX-Gather-C3", (NO_ERROR,), when=has_an_extent_of_0),),
    ),
    Cause(
        "onnx/gather/data_without_an_axis",
        NO_ERROR,
        "By contract numpy.take takes data of rank 0 for one element.",
        ANY_RANK_1,
        explains=(Failures("onnx/Gather", "ONNX-Gather-C1", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/scatter_nd/updates_too_short",
        NO_ERROR,
        "By contract an assignment and numpy.put_along_axis broadcast updates.",
        UPDATES_SHAPE,
        explains=(
            Failures(
                "onnx/ScatterND onnx/Scatter onnx/ScatterElements", "ONNX-Scatter*-C3 ONNX-Scatter*-C1", (NO_ERROR,)
            ),
        ),
    ),
)

TABLE = Table("numpy", "2.4.6", _CAUSES)

BESIDE = Table(
    "numpy",
    "2.4.6",
    (
        Cause(
            "array/take/far_out_of_range_modulo",
            HANG,
            'numpy.take(mode="wrap") adds the extent to an index until it is in the range: an index of 2^62 takes years.',
            'NumPy take: "\'wrap\' -- wrap around"',
        ),
    ),
)
