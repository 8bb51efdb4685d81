"""Causes in ONNX Runtime, on the CPU."""

from __future__ import annotations

from . import of_two_runtimes
from .cause import NO_ERROR, WRONG, Cause, Failures, Table
from .conditions import data_is_of, has_an_extent_of_0
from .sentences import OUT_OF_BOUNDS

_CAUSES = (
    Cause(
        "onnx/gather/string_int32",
        WRONG,
        "Gather of text whose slices have several elements copies the first element of each slice; the others are empty.",
        'ONNX Gather: "Each entry in `indices` produces a `r-1` dimensional slice of the input tensor."',
        explains=(Failures("onnx/Gather", "ONNX-V2", (WRONG,), when=data_is_of("string")),),
    ),
    Cause(
        "onnx/gather_nd/batch_extents_differ",
        NO_ERROR,
        "GatherND reads batches of data that the indices do not belong to.",
        'ONNX GatherND: "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C2", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_nd/drawn_A1_e241b8fea9",
        NO_ERROR,
        "GatherND takes a negative number of batch dimensions, where the result has no elements.",
        'ONNX GatherND: "`batch_dims` (denoted as `b`) is an integer indicating the number of batch dimensions"',
    ),
    Cause(
        "onnx/gather_nd/empty_tuples",
        NO_ERROR,
        "GatherND takes tuples of no coordinates.",
        'ONNX GatherND: "The `indices_shape[-1]` should have a value between 1 (inclusive) and rank `r-b` (inclusive)"',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_nd/bad_index_of_an_empty_result",
        NO_ERROR,
        "GatherND does not look at indices whose slices have no elements.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C5", (NO_ERROR,), when=has_an_extent_of_0),),
    ),
    Cause(
        "onnx/one_hot/negative_indices_int64_version_9",
        WRONG,
        "OneHot-9 counts a negative index from the end, as OneHot-11 does.",
        'ONNX OneHot-9: "values outside the range [0, depth) will result in one-hot representation with all'
        " 'off_value' values\"",
        explains=(Failures("onnx/OneHot", "ONNX-V4", (WRONG,), names="*_version_9"),),
    ),
    of_two_runtimes.UNKNOWN_REDUCTION_OF_ELEMENTS,
    of_two_runtimes.UNKNOWN_REDUCTION_OF_TUPLES,
)

TABLE = Table("onnxruntime", "1.32.0", _CAUSES)
