"""Causes in JAX."""

from __future__ import annotations

from .cause import NO_ERROR, WRONG, Cause, Failures, Table
from .conditions import has_a_negative_index, has_an_extent_of_0
from .sentences import DEPTH, LINEAR, OUT_OF_BOUNDS, UPDATES_SHAPE

_CAUSES = (
    Cause(
        "array/take/drawn_fa40d6c442",
        WRONG,
        "jnp.take of an empty axis with empty indices of rank 2 loses an axis of the result.",
        'NumPy take: "out : ndarray (Ni..., Nj..., Nk...)", with "Ni, Nk = a.shape[:axis], a.shape[axis+1:]" and'
        ' "Nj = indices.shape"',
        explains=(
            Failures(
                "array/Take onnx/Gather",
                "ARRAY-V1 ONNX-V1",
                (WRONG,),
                message="^the result has the shape",
                when=has_an_extent_of_0,
            ),
        ),
    ),
    Cause(
        "onnx/gather/index_too_large",
        NO_ERROR,
        "By contract jnp.take and jnp.take_along_axis fill an index outside with NaN or an extreme integer.",
        OUT_OF_BOUNDS,
        explains=(
            Failures(
                "array/Take array/TakeAlongAxis onnx/Gather onnx/GatherElements",
                "ARRAY-Take*-C3 ONNX-Gather*-C3",
                (NO_ERROR,),
            ),
        ),
    ),
    Cause(
        "onnx/scatter_elements/index_too_large",
        NO_ERROR,
        "By contract .at[] and jnp.put_along_axis drop an update outside.",
        OUT_OF_BOUNDS,
        explains=(
            Failures(
                "array/IndexAdd array/IndexReduce array/PutAlongAxis onnx/ScatterElements",
                "ARRAY-*-C4 ONNX-ScatterElements-C4",
                (NO_ERROR,),
            ),
        ),
    ),
    Cause(
        "onnx/scatter_elements/float64_subnormal_sum",
        WRONG,
        "XLA's CPU code takes subnormal numbers for zero, in sums, products and extremes.",
        'ONNX ScatterElements: "where the `f` is `+`, `*`, `max` or `min` as specified"; 5e-324 + 5e-324 is 1e-323',
        explains=(Failures("onnx/ScatterElements onnx/ScatterND", "ONNX-V6", (WRONG,), names="*_subnormal_*"),),
    ),
    Cause(
        "onnx/one_hot/negative_indices_int8",
        WRONG,
        "By contract jax.nn.one_hot gives zeros for negative indices.",
        'ONNX OneHot-11: "values outside the range [-depth, depth-1]" alone are off',
        explains=(Failures("onnx/OneHot", "ONNX-V2 ONNX-V4", (WRONG,), when=has_a_negative_index),),
    ),
    Cause(
        "array/segment_reduce/drawn_57e1a81825",
        WRONG,
        "segment_min of float8_e4m3fn gives NaN for an empty segment: the type has no infinity.",
        "docs/operators/array.md, SegmentReduce: where a type has no infinity, min starts with its largest value",
    ),
    Cause(
        "onnx/gather_nd/index_too_large",
        NO_ERROR,
        "By contract indexing clamps an index outside.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C5", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/tensor_scatter/linear_index_too_large",
        NO_ERROR,
        "By contract jax.lax.dynamic_update_slice_in_dim clamps a write index.",
        LINEAR,
        explains=(Failures("onnx/TensorScatter", "ONNX-TensorScatter-C5", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/tensor_scatter/extents_off_the_axis_differ",
        NO_ERROR,
        "By contract jax.lax.dynamic_update_slice_in_dim takes updates that are smaller off the axis.",
        'ONNX TensorScatter: "The `update` tensor\'s shape only differs from the cache tensors in the sequence'
        ' dimension"',
    ),
    Cause(
        "onnx/scatter_nd/updates_too_short",
        NO_ERROR,
        "By contract .at[] and jnp.put_along_axis broadcast updates.",
        UPDATES_SHAPE,
        explains=(
            Failures(
                "onnx/ScatterND onnx/Scatter onnx/ScatterElements", "ONNX-Scatter*-C3 ONNX-Scatter*-C1", (NO_ERROR,)
            ),
        ),
    ),
    Cause(
        "onnx/one_hot/depth_matrix",
        NO_ERROR,
        "By contract jax.nn.one_hot takes a number of classes and no tensor: the rank of depth is lost.",
        DEPTH,
    ),
)

TABLE = Table("jax", "0.10.2", _CAUSES)
