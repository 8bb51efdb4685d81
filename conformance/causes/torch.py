"""Causes in PyTorch."""

from __future__ import annotations

from .cause import NO_ERROR, REFUSED, Cause, Failures, Table
from .conditions import has_an_extent_of_0
from .sentences import ANY_RANK_1, OUT_OF_BOUNDS, SAME_SHAPE, UPDATES_SHAPE

_CAUSES = (
    Cause(
        "array/take_along_axis/bad_indices_default",
        NO_ERROR,
        "torch.take_along_dim takes an index outside modulo the extent: 100 of an axis of 3 is 1.",
        'NumPy take_along_axis: "out_1d[j] = a_1d[indices_1d[j]]", which for an index outside is an IndexError',
        explains=(Failures("array/TakeAlongAxis", "ARRAY-TakeAlongAxis-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather/bad_index_of_an_empty_result",
        NO_ERROR,
        "Indexing does not look at indices where the result has no elements; neither does torch.index_add.",
        OUT_OF_BOUNDS,
        explains=(
            Failures(
                "onnx/Gather onnx/GatherND array/IndexAdd",
                "ONNX-Gather-C3 ONNX-GatherND-C5 ARRAY-IndexAdd-C4",
                (NO_ERROR,),
                when=has_an_extent_of_0,
            ),
        ),
    ),
    Cause(
        "onnx/scatter_elements/drawn_C2_5a1a2186d1",
        NO_ERROR,
        "By contract torch.scatter takes updates that are larger than indices.",
        SAME_SHAPE,
        explains=(Failures("onnx/Scatter onnx/ScatterElements", "ONNX-Scatter*-C2", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_elements/rank_0",
        NO_ERROR,
        "By contract torch takes tensors of rank 0 for tensors of rank 1.",
        ANY_RANK_1,
        explains=(
            Failures(
                "array/* onnx/GatherElements onnx/Scatter onnx/ScatterElements",
                "ARRAY-*-C1 ONNX-*-C1",
                (NO_ERROR,),
                names="rank_0",
            ),
        ),
    ),
    Cause(
        "onnx/one_hot/values_int64",
        REFUSED,
        "torch.nn.functional.one_hot refuses an index outside.",
        'ONNX OneHot: "values outside the range [-depth, depth-1] will result in one-hot representation with all'
        " 'off_value' values\"",
    ),
    Cause(
        "onnx/scatter_nd/updates_too_short",
        NO_ERROR,
        "By contract an assignment broadcasts updates.",
        UPDATES_SHAPE,
        explains=(Failures("onnx/ScatterND", "ONNX-ScatterND-C3", (NO_ERROR,)),),
    ),
)

TABLE = Table("torch", "2.15.0", _CAUSES)
