"""Causes in the reference of ONNX."""

from __future__ import annotations

from . import of_two_runtimes
from .cause import HANG, MEMORY, NO_ERROR, REFUSED, WRONG, Cause, Failures, Table
from .conditions import depth_is_a_vector, has_an_extent_of_0, values_are_of
from .sentences import ANY_RANK_1, AXIS_RANGE, DEPTH, LINEAR, OUT_OF_BOUNDS, SAME_SHAPE, UPDATES_SHAPE

_CAUSES = (
    Cause(
        "onnx/gather/drawn_C3_72799966f4",
        NO_ERROR,
        "Gather (numpy.take) does not look at indices where the result has no elements.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/Gather", "ONNX-Gather-C3", (NO_ERROR,), when=has_an_extent_of_0),),
    ),
    Cause(
        "onnx/gather_elements/drawn_C3_e7e84faa48",
        NO_ERROR,
        "GatherElements calls numpy.choose with wrap, which takes an index outside modulo the extent.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/GatherElements", "ONNX-GatherElements-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_elements/drawn_C3_7786833afb",
        HANG,
        "The same with an index of 64 bits: numpy.choose adds the extent to it until it is in the range.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "onnx/gather_elements/drawn_A1_2f0b09f3a7",
        NO_ERROR,
        "GatherElements does not look at the axis where indices have no elements.",
        AXIS_RANGE,
        explains=(Failures("onnx/GatherElements", "ONNX-GatherElements-A1", (NO_ERROR,), when=has_an_extent_of_0),),
    ),
    Cause(
        "onnx/gather_elements/drawn_6bcdd9de94",
        REFUSED,
        "GatherElements along axis -1 compares the wrong extents, and refuses indices of another length than data.",
        'ONNX GatherElements: "Its output shape is the same as the shape of `indices`"; along the axis nothing binds it',
        explains=(Failures("onnx/GatherElements", "ONNX-V1 ONNX-V2", (REFUSED,), message="Except for dimension -"),),
    ),
    Cause(
        "onnx/gather_nd/empty_batch",
        REFUSED,
        "GatherND with a batch of extent 0 reshapes an empty array to an unknown extent.",
        'ONNX GatherND: "output tensor of rank `q + r - indices_shape[-1] - 1 - b`"; no extent is excluded',
    ),
    Cause(
        "onnx/one_hot/depth_int8_vector",
        REFUSED,
        "OneHot takes no depth of rank 1.",
        DEPTH,
        explains=(Failures("onnx/OneHot", "ONNX-V1", (REFUSED,), message="^TypeError", when=depth_is_a_vector),),
    ),
    Cause(
        "onnx/one_hot/values_bool",
        REFUSED,
        "OneHot of bool values or text subtracts them, which NumPy refuses.",
        'ONNX OneHot, T3: "tensor(bool)" and "tensor(string)" are in the list of types',
        explains=(
            Failures("onnx/OneHot", "ONNX-V?", (REFUSED,), message="^TypeError", when=values_are_of("bool", "string")),
        ),
    ),
    Cause(
        "onnx/one_hot/negative_indices_int8_version_9",
        WRONG,
        "OneHot-9 counts a negative index from the end, as OneHot-11 does.",
        'ONNX OneHot-9: "values outside the range [0, depth) will result in one-hot representation with all'
        " 'off_value' values\"",
        explains=(Failures("onnx/OneHot", "ONNX-V4", (WRONG,), names="*_version_9"),),
    ),
    Cause(
        "onnx/one_hot/axis_9223372036854775807",
        NO_ERROR,
        "OneHot with an axis outside of the range appends an axis.",
        'ONNX OneHot: "Accepted range is [-r-1, r] where r = rank(indices)."',
        explains=(Failures("onnx/OneHot", "ONNX-OneHot-A1", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/scatter_elements/axis_too_small",
        NO_ERROR,
        "ScatterElements adds the rank to an axis below -r, and scatters along another one.",
        AXIS_RANGE,
        explains=(Failures("onnx/ScatterElements", "ONNX-ScatterElements-A1", (NO_ERROR,)),),
    ),
    of_two_runtimes.UNKNOWN_REDUCTION_OF_ELEMENTS,
    of_two_runtimes.UNKNOWN_REDUCTION_OF_TUPLES,
    Cause(
        "onnx/scatter_elements/ranks_differ",
        NO_ERROR,
        "ScatterElements broadcasts indices, and takes updates of another rank.",
        'ONNX ScatterElements: "three inputs `data`, `updates`, and `indices` of the same rank r >= 1"',
        explains=(Failures("onnx/ScatterElements", "ONNX-ScatterElements-C1", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/scatter_elements/drawn_C2_5a1a2186d1",
        NO_ERROR,
        "ScatterElements takes updates that are larger than indices.",
        SAME_SHAPE,
        explains=(Failures("onnx/ScatterElements", "ONNX-ScatterElements-C2", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/scatter_nd/data_of_rank_0",
        NO_ERROR,
        "ScatterND takes data of rank 0.",
        ANY_RANK_1,
        explains=(Failures("onnx/ScatterND", "ONNX-ScatterND-C1", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/scatter_nd/updates_with_another_tail",
        NO_ERROR,
        "ScatterND broadcasts updates, and leaves those that are too many.",
        UPDATES_SHAPE,
        explains=(Failures("onnx/ScatterND", "ONNX-ScatterND-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/tensor_scatter/bad_index_without_update",
        NO_ERROR,
        "TensorScatter does not look at write indices where update has no elements.",
        LINEAR,
        explains=(Failures("onnx/TensorScatter", "ONNX-TensorScatter-C5", (NO_ERROR,), when=has_an_extent_of_0),),
    ),
    Cause(
        "onnx/one_hot/other_values_float32",
        WRONG,
        "OneHot computes off + one_hot * (on - off), which rounds, and is NaN for infinities.",
        "ONNX OneHot: \"The locations represented by the index values in the 'indices' input tensor will have"
        " 'on_value' and"
        " the other locations will have 'off_value' in the output tensor\"",
        explains=(Failures("onnx/OneHot", "ONNX-V4", (WRONG,), names="*values_*float* *values_complex*"),),
    ),
    Cause(
        "onnx/one_hot/no_indices_and_a_large_depth",
        REFUSED,
        "OneHot allocates an array of all numbers below depth even if there are no indices: 8 TiB for a depth of 2^40.",
        'ONNX OneHot: "The size of the additional dimension is specified by required scalar input \'depth\'."',
        also=(MEMORY,),
    ),
)

TABLE = Table("onnx", "1.23.2", _CAUSES)
