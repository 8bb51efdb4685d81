"""Causes that two runtimes have in common, shown by the same record."""

from __future__ import annotations

from .cause import CRASH, NO_ERROR, REFUSED, Cause, Failures
from .conditions import axis_is_of, goes_back_from_before_the_first, slices_are_of
from .sentences import (
    BROADCASTABLE,
    NEGATIVE_AXIS,
    ONE_AXIS,
    ONE_HOT_INTEGERS,
    REDUCTION_NAMES,
    REDUCTIONS,
    SLICE_INTEGERS,
    SLICES,
    UPDATES_LESS_OR_EQUAL,
)

MORE_INDICES_THAN_DATA = Cause(
    "openvino/scatter_elements_update/more_indices_than_data_off_the_axis",
    NO_ERROR,
    "ScatterElementsUpdate with more indices than data off the axis writes outside of its output.",
    UPDATES_LESS_OR_EQUAL,
    explains=(Failures("openvino/ScatterElementsUpdate", "OPENVINO-ScatterElementsUpdate-C3", (NO_ERROR, CRASH)),),
)

BROADCAST_REFUSED = Cause(
    "openvino/gather_nd/broadcast_3x4_by_1x1",
    REFUSED,
    "GatherND refuses batch extents of which one is 1, when the node is made.",
    BROADCASTABLE,
    explains=(
        Failures("openvino/GatherND", "OPENVINO-V?", (REFUSED,), names="broadcast_*", message="DimType::merge"),
    ),
)

NEGATIVE_INT4_AXIS = Cause(
    "openvino/scatter_elements_update/axis_of_type_int4_negative",
    REFUSED,
    "A negative axis of type i4 loses its sign: -1 is 15.",
    NEGATIVE_AXIS,
    explains=(
        Failures(
            "openvino/Gather openvino/ScatterUpdate openvino/ScatterElementsUpdate",
            "OPENVINO-V?",
            (REFUSED,),
            message="Check 'is_axis_valid",
            when=axis_is_of("int4"),
        ),
    ),
)

BACKWARDS_FROM_BEFORE = Cause(
    "openvino/slice_scatter/backwards_from_before",
    REFUSED,
    "A backwards slice that begins before the first element has that element; in NumPy it has none.",
    SLICES,
    explains=(
        Failures(
            "openvino/SliceScatter",
            "OPENVINO-V1 OPENVINO-SliceScatter-C3",
            (REFUSED, NO_ERROR),
            when=goes_back_from_before_the_first,
        ),
    ),
)

SLICES_OF_4_BITS = Cause(
    "openvino/slice_scatter/vectors_of_type_uint4",
    REFUSED,
    "Start, stop and step of u4 and i4 are read as other numbers.",
    SLICE_INTEGERS,
    explains=(
        Failures(
            "openvino/SliceScatter",
            "OPENVINO-V1",
            (REFUSED,),
            message="slice_scatter_shape_inference",
            when=slices_are_of("int4", "uint4"),
        ),
    ),
)

SLICES_BEYOND_INT64 = Cause(
    "openvino/slice_scatter/highest_uint64",
    REFUSED,
    "A stop or a step of u64 above 2^63 is taken for a negative one.",
    'OpenVINO SliceScatter-15, stop: "A value larger than the size of a dimension is silently clamped."',
)

AXIS_OF_TWO_ELEMENTS = Cause(
    "openvino/scatter_elements_update/axis_of_two_elements",
    NO_ERROR,
    "An axis input of several elements is read as its first.",
    ONE_AXIS,
)

AXIS_OF_NO_ELEMENT = Cause(
    "openvino/scatter_elements_update/axis_of_no_element",
    CRASH,
    "An axis input without elements is read nevertheless.",
    ONE_AXIS,
)

REDUCTION_IN_UPPER_CASE = Cause(
    "openvino/scatter_elements_update/reduction_SUM_is_unknown",
    NO_ERROR,
    "Names of reductions are accepted in upper case, too.",
    REDUCTION_NAMES,
    explains=(
        Failures(
            "openvino/ScatterElementsUpdate openvino/ScatterNDUpdate",
            "OPENVINO-Scatter*Update-A3",
            (NO_ERROR,),
            names="reduction_S*_is_unknown",
        ),
    ),
)

DEPTH_OF_ANY_INTEGERS = Cause(
    "openvino/one_hot/depth_of_type_int8",
    NO_ERROR,
    "OneHot takes a depth of any integer type.",
    ONE_HOT_INTEGERS,
    explains=(Failures("openvino/OneHot", "OPENVINO-OneHot-T4", (NO_ERROR,)),),
)

UNKNOWN_REDUCTION_OF_ELEMENTS = Cause(
    "onnx/scatter_elements/reduction_mean_is_unknown",
    NO_ERROR,
    "ScatterElements takes a reduction that it does not have for none.",
    REDUCTIONS,
    explains=(Failures("onnx/ScatterElements", "ONNX-ScatterElements-A3", (NO_ERROR,)),),
)

UNKNOWN_REDUCTION_OF_TUPLES = Cause(
    "onnx/scatter_nd/unknown_reduction",
    NO_ERROR,
    "ScatterND takes a reduction that it does not have for none.",
    REDUCTIONS,
    explains=(Failures("onnx/ScatterND", "ONNX-ScatterND-A3", (NO_ERROR,)),),
)
