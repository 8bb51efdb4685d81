"""Causes in OpenVINO's CPU plugin, by records of its own operators."""

from __future__ import annotations

from . import of_two_runtimes, openvino_of_onnx
from .cause import CRASH, FOREIGN_WRITE, HANG, NO_ERROR, PASSED, REFUSED, WRONG, Cause, Failures, Table
from .conditions import (
    both,
    data_has_an_extent_of_0,
    data_is_a_vector,
    data_is_of,
    fills_with_the_lowest,
    has_an_extent_of_0,
    has_an_index_beyond_32_bits,
    has_no_extent_of_0,
    indices_are_of,
    there_is_one_batch,
    values_are_of,
)
from .sentences import (
    BATCH_DIMS,
    EMPTY_SEGMENTS,
    FILLED_WITH_ZEROS,
    ONE_HOT_INTEGERS,
    ONE_HOT_VALUES,
    SEGMENT_IDS,
    SLICES,
)

_ODD_BITS = ("nf4", "float4_e2m1fn", "uint2")
_CUT_TYPES = ("int64", "uint64", "uint32", "float64")
_CUT = both(has_no_extent_of_0, has_an_index_beyond_32_bits)
_CAUSES = (
    Cause(
        "openvino/gather/example_7",
        WRONG,
        "Gather along a vector of at most 64 elements does not check indices: memory beside data is the result.",
        'OpenVINO Gather-8, whose example 7 it is: "If index value exceed allowed range output data for corresponding'
        ' index will be filled with zeros"',
        also=(PASSED,),
        explains=(Failures("openvino/Gather", "OPENVINO-V4", (WRONG,), when=data_is_a_vector),),
    ),
    Cause(
        "openvino/gather/no_indices",
        CRASH,
        "Gather with an extent of 0 in data or indices divides by zero: SIGFPE.",
        "OpenVINO Gather-8: the output's shape is \"data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis"
        " + 1:]\"; no extent is excluded",
        also=(PASSED,),
        explains=(
            Failures(
                "openvino/Gather", "OPENVINO-V? OPENVINO-Gather-A4", (CRASH,), message="SIGFPE", when=has_an_extent_of_0
            ),
            Failures(
                "onnx/Gather", "ONNX-V? ONNX-Gather-?? CALL-I1", (CRASH,), message="SIGFPE", when=has_an_extent_of_0
            ),
        ),
    ),
    Cause(
        "openvino/gather/small_nf4_odd",
        WRONG,
        "Elements of nf4, f4e2m1 and u2 are taken for other elements.",
        'OpenVINO Gather-8: "tensor gathered from data", of "any supported type"; the model is neither refused nor right',
        explains=(
            Failures("openvino/*", "OPENVINO-V?", (WRONG,), when=data_is_of(*_ODD_BITS)),
            Failures("openvino/Gather", "OPENVINO-V?", (CRASH,), message="SIGSEGV", when=data_is_of(*_ODD_BITS)),
            Failures("openvino/OneHot", "OPENVINO-V?", (WRONG,), when=values_are_of(*_ODD_BITS)),
            Failures(
                "openvino/OneHot", "OPENVINO-V? OPENVINO-OneHot-T2", (CRASH, HANG), when=values_are_of(*_ODD_BITS)
            ),
        ),
    ),
    Cause(
        "openvino/scatter_nd_update/moves_uint2",
        REFUSED,
        "Scatters of u2 compute in f32 and cannot convert the result back.",
        'OpenVINO ScatterNDUpdate-15: "T: any numeric type."',
        explains=(
            Failures(
                "openvino/ScatterNDUpdate openvino/ScatterElementsUpdate",
                "OPENVINO-V?",
                (REFUSED,),
                when=data_is_of("uint2"),
            ),
        ),
    ),
    Cause(
        "openvino/gather_nd/moves_int64",
        WRONG,
        "64-bit integers are cut to 32 bits; so are unsigned ones of 32 bits, and float64 is rounded to float32.",
        'OpenVINO GatherND-8: "Tensor with gathered values of type T", and T is "any supported type"',
        explains=(
            Failures(
                "openvino/Gather* openvino/Scatter* openvino/Slice* openvino/Embedding*",
                "OPENVINO-V1 OPENVINO-V2 OPENVINO-V6",
                (WRONG,),
                when=data_is_of(*_CUT_TYPES),
            ),
            Failures(
                "onnx/Gather* onnx/Scatter*",
                "ONNX-V?",
                (WRONG,),
                when=data_is_of(*_CUT_TYPES),
            ),
            Failures("onnx/OneHot openvino/OneHot", "ONNX-V? OPENVINO-V?", (WRONG,), when=values_are_of(*_CUT_TYPES)),
        ),
    ),
    of_two_runtimes.BROADCAST_REFUSED,
    Cause(
        "openvino/gather/batch_dims_-3",
        NO_ERROR,
        "Gather does not check batch_dims below the rank of indices.",
        BATCH_DIMS,
        explains=(Failures("openvino/Gather", "OPENVINO-Gather-A4", (NO_ERROR,)),),
    ),
    Cause(
        "openvino/scatter_update/scalar_index",
        REFUSED,
        "ScatterUpdate refuses a scalar index.",
        'OpenVINO ScatterUpdate-3: "indices is a 0 D tensor: data[indices, ...] = updates[...]"',
        explains=(
            Failures("openvino/ScatterUpdate", "OPENVINO-V1", (REFUSED,), message="do not support scalar input"),
        ),
    ),
    Cause(
        "openvino/scatter_update/bad_index_of_rows_of_nothing",
        NO_ERROR,
        "A scatter with an extent of 0 in data or indices checks nothing.",
        'OpenVINO ScatterUpdate-3: "If an index points to a non-existing output tensor element or is negative, then an'
        ' exception is raised."',
        explains=(
            Failures(
                "openvino/ScatterUpdate openvino/ScatterElementsUpdate",
                "OPENVINO-Scatter*-C3 OPENVINO-Scatter*-C4",
                (NO_ERROR,),
                message="indices has",
                when=has_an_extent_of_0,
            ),
            Failures("onnx/ScatterElements", "ONNX-ScatterElements-C4", (NO_ERROR,), when=has_an_extent_of_0),
        ),
    ),
    Cause(
        "openvino/scatter_elements_update/mean_int32_goes_down",
        WRONG,
        "The mean of integers is rounded toward zero.",
        'OpenVINO ScatterElementsUpdate-12: "For integer types the calculated mean is rounded down (towards negative'
        ' infinity)."',
        explains=(Failures("openvino/ScatterElementsUpdate", "OPENVINO-V6", (WRONG,), names="mean_int*"),),
    ),
    of_two_runtimes.MORE_INDICES_THAN_DATA,
    Cause(
        "openvino/scatter_elements_update/indices_of_type_bool",
        NO_ERROR,
        "Indices of booleans are taken.",
        'OpenVINO ScatterElementsUpdate-12: "T_IND: any integer numeric type."',
        explains=(
            Failures(
                "openvino/ScatterElementsUpdate",
                "OPENVINO-ScatterElementsUpdate-T2",
                (NO_ERROR,),
                when=indices_are_of("bool"),
            ),
        ),
    ),
    of_two_runtimes.REDUCTION_IN_UPPER_CASE,
    of_two_runtimes.AXIS_OF_TWO_ELEMENTS,
    of_two_runtimes.AXIS_OF_NO_ELEMENT,
    of_two_runtimes.NEGATIVE_INT4_AXIS,
    Cause(
        "openvino/scatter_nd_update/one_point_updates_of_rank_1",
        REFUSED,
        "ScatterNDUpdate of one element refuses updates of rank 1.",
        'OpenVINO ScatterNDUpdate-15: "If expected updates rank is 0D it can be a tensor with single element."',
        explains=(Failures("openvino/ScatterNDUpdate", "OPENVINO-V2 OPENVINO-V6", (REFUSED,), names="one_point_*"),),
    ),
    Cause(
        "openvino/scatter_nd_update/bad_index_without_updates",
        NO_ERROR,
        "ScatterNDUpdate of data with an extent of 0 checks nothing.",
        'OpenVINO ScatterNDUpdate-15: "If an index points to non-existing element then exception is raised."',
        explains=(
            Failures("openvino/ScatterNDUpdate", "OPENVINO-ScatterNDUpdate-C4", (NO_ERROR,), when=has_an_extent_of_0),
        ),
    ),
    Cause(
        "openvino/gather/zero_on_an_empty_axis",
        WRONG,
        "Gather along an axis of extent 0 reads memory where it should give zeros.",
        FILLED_WITH_ZEROS,
        also=(PASSED,),
        explains=(Failures("openvino/Gather", "OPENVINO-V4", (WRONG,), when=data_has_an_extent_of_0),),
    ),
    Cause(
        "openvino/gather/drawn_0f4ef676ca",
        CRASH,
        "Gather of one batch with fewer indices than a register holds reads far outside, for legal indices too: SIGSEGV.",
        'OpenVINO Gather-8, batch_dims: "It requires the first b dimensions in data and indices tensors to be equal."; no'
        " extent is excluded",
        also=(PASSED, WRONG),
        explains=(
            Failures(
                "openvino/Gather", "OPENVINO-V4", (CRASH, WRONG), when=both(has_no_extent_of_0, there_is_one_batch)
            ),
        ),
    ),
    Cause(
        "openvino/scatter_update/drawn_C3_17c863b363",
        NO_ERROR,
        "Indices of 64 bits are cut to 32: 2^32 is 0, and 2^64 - 1 of uint64 is -1.",
        'OpenVINO ScatterUpdate-3: "If an index points to a non-existing output tensor element or is negative, then an'
        ' exception is raised."',
        explains=(
            Failures("openvino/Gather openvino/OneHot openvino/SegmentMax", "OPENVINO-V4", (WRONG,), when=_CUT),
            Failures(
                "openvino/*",
                "OPENVINO-GatherElements-C3 OPENVINO-ScatterUpdate-C3 OPENVINO-Scatter*-C4",
                (NO_ERROR, CRASH),
                when=_CUT,
            ),
            Failures("onnx/OneHot", "ONNX-V?", (WRONG,), when=_CUT),
            Failures(
                "onnx/GatherElements onnx/ScatterElements",
                "ONNX-GatherElements-C3 ONNX-ScatterElements-C4",
                (NO_ERROR, CRASH),
                when=_CUT,
            ),
        ),
    ),
    Cause(
        "openvino/scatter_update/axis_of_type_uint1",
        CRASH,
        "ScatterUpdate with an axis of type u1 writes outside of its output.",
        'OpenVINO ScatterUpdate-3: "T_AXIS: any supported integer types."; the model is neither refused nor right',
        also=(NO_ERROR,),
    ),
    Cause(
        "openvino/gather_elements/drawn_C3_e0133f63d3",
        NO_ERROR,
        "GatherElements along an axis of extent 0 does not look at indices: memory is the result.",
        'OpenVINO GatherElements-6: "All index values are expected to be within bounds [0, s-1]"; for s = 0 none is',
        explains=(
            Failures(
                "openvino/GatherElements onnx/GatherElements",
                "OPENVINO-GatherElements-C3 ONNX-GatherElements-C3",
                (NO_ERROR,),
                when=data_has_an_extent_of_0,
            ),
        ),
    ),
    Cause(
        "openvino/one_hot/values_uint1",
        REFUSED,
        "OneHot of u1 makes a byte of each element: another size than the output has, or writes outside of it.",
        ONE_HOT_VALUES,
        also=(CRASH,),
        explains=(Failures("openvino/OneHot", "OPENVINO-V?", (REFUSED, CRASH), when=values_are_of("uint1")),),
    ),
    Cause(
        "openvino/one_hot/values_string",
        WRONG,
        "OneHot of text gives empty texts.",
        ONE_HOT_VALUES,
        also=(CRASH,),
        explains=(Failures("openvino/OneHot", "OPENVINO-V?", (WRONG, CRASH), when=values_are_of("string")),),
    ),
    Cause(
        "openvino/one_hot/last_values_float32",
        WRONG,
        "OneHot writes a subnormal on_value as 0.",
        'OpenVINO OneHot-16, on_value: "fills the locations in output tensor specified in indices"',
    ),
    Cause(
        "openvino/one_hot/no_indices_and_a_large_depth",
        WRONG,
        "OneHot takes a depth beyond 32 bits for 2^31 - 1.",
        'OpenVINO OneHot-16: "A new axis of the size depth is inserted at the dimension axis."',
    ),
    Cause(
        "openvino/one_hot/indices_of_type_int16",
        NO_ERROR,
        "OneHot takes indices of 16 bits, and unsigned ones of 32 and 64.",
        ONE_HOT_INTEGERS,
        explains=(Failures("openvino/OneHot", "OPENVINO-OneHot-T2", (NO_ERROR,)),),
    ),
    of_two_runtimes.DEPTH_OF_ANY_INTEGERS,
    Cause(
        "openvino/segment_max/zero_of_no_rows",
        WRONG,
        "SegmentMax of no rows leaves in its result what the memory held.",
        EMPTY_SEGMENTS,
        also=(PASSED,),
        explains=(
            Failures("openvino/SegmentMax", "OPENVINO-V4 OPENVINO-V6", (WRONG,), when=data_has_an_extent_of_0),
        ),
    ),
    Cause(
        "openvino/segment_max/zero_without_num_segments_of_no_rows",
        REFUSED,
        "SegmentMax of no ids without num_segments is refused in the run.",
        'openvino.opset16.segment_max, num_segments: "An optional scalar value representing the segments count."',
        also=(CRASH,),
        explains=(
            Failures(
                "openvino/SegmentMax", "OPENVINO-V6", (REFUSED, CRASH), names="*_without_num_segments_of_no_rows"
            ),
        ),
    ),
    Cause(
        "openvino/segment_max/minus_infinity_is_a_maximum",
        WRONG,
        "SegmentMax of minus infinity alone gives the lowest finite number.",
        'OpenVINO SegmentMax-16: "finds the maximum value in each specified segment"',
        explains=(Failures("openvino/SegmentMax", "OPENVINO-V6", (WRONG,), names="minus_infinity*"),),
    ),
    Cause(
        "openvino/segment_max/lowest_int64",
        WRONG,
        "SegmentMax fills with the lowest number of the type in which the plug-in computes, not of the type of data.",
        'OpenVINO SegmentMax-16, LOWEST: "the empty segments are filled with the lowest value of the data type T."',
        explains=(
            Failures(
                "openvino/SegmentMax",
                "OPENVINO-V4 OPENVINO-V6",
                (WRONG,),
                when=both(fills_with_the_lowest, data_is_of("int4", "int16", *_CUT_TYPES)),
            ),
        ),
    ),
    Cause(
        "openvino/segment_max/minus_infinity_float8_e5m2",
        WRONG,
        "SegmentMax of f8 gives elements that data does not have.",
        'OpenVINO SegmentMax-16: "T: any supported numerical data type"; the model is neither refused nor right',
        explains=(
            Failures(
                "openvino/SegmentMax", "OPENVINO-V?", (WRONG,), when=data_is_of("float8_e4m3fn", "float8_e5m2")
            ),
        ),
    ),
    Cause(
        "openvino/segment_max/id_minus_one_by_default",
        CRASH,
        "SegmentMax writes outside its memory for a negative id.",
        SEGMENT_IDS,
        also=(NO_ERROR, WRONG, FOREIGN_WRITE),
        explains=(Failures("openvino/SegmentMax", "OPENVINO-SegmentMax-C5", (NO_ERROR, CRASH, FOREIGN_WRITE)),),
    ),
    Cause(
        "openvino/segment_max/ids_fall",
        NO_ERROR,
        "SegmentMax checks the order of its ids only where they are constants.",
        SEGMENT_IDS,
        explains=(Failures("openvino/SegmentMax", "OPENVINO-SegmentMax-C4", (NO_ERROR, CRASH, FOREIGN_WRITE)),),
    ),
    Cause(
        "openvino/segment_max/drawn_C3_6289d315a0",
        NO_ERROR,
        "SegmentMax takes a negative number of segments for one that is not known yet.",
        'OpenVINO SegmentMax-16, num_segments: "A scalar value of type T_IDX2 representing the segments count"',
        explains=(Failures("openvino/SegmentMax", "OPENVINO-SegmentMax-C3", (NO_ERROR,)),),
    ),
    of_two_runtimes.BACKWARDS_FROM_BEFORE,
    of_two_runtimes.SLICES_OF_4_BITS,
    of_two_runtimes.SLICES_BEYOND_INT64,
    Cause(
        "openvino/slice_scatter/lowest_step",
        WRONG,
        "SliceScatter by a step of -2^63 writes nothing.",
        SLICES,
    ),
    Cause(
        "openvino/slice_scatter/drawn_T3_int64",
        NO_ERROR,
        "SliceScatter takes updates of another type than that of data.",
        'OpenVINO SliceScatter-15, updates: "tensor of type T", which is the type of data',
        explains=(Failures("openvino/SliceScatter", "OPENVINO-SliceScatter-T3", (NO_ERROR,)),),
    ),
    Cause(
        "openvino/embedding_bag_offsets/empty_last_default_absent_sum",
        REFUSED,
        "The bags refuse an offset that is the number of indices: an empty last bag.",
        'OpenVINO EmbeddingBagOffsets-15, offsets: "Maximum value of offsets cannot be greater than length of indices."',
        explains=(
            Failures(
                "openvino/EmbeddingBagOffsets*", "OPENVINO-V6 OPENVINO-V1", (REFUSED,), message="offsetsData_"
            ),
        ),
    ),
    Cause(
        "openvino/embedding_bag_packed_sum/rank_32",
        NO_ERROR,
        "Bags of packed rows take a table of rank 32, whose gathered rows have rank 33: the corpus ends at rank 32.",
        "OpenVINO EmbeddingBagPacked-15 names no highest rank of emb_table",
        explains=(
            Failures(
                "openvino/EmbeddingBagPacked*",
                "OPENVINO-EmbeddingBagPackedSum-C1 OPENVINO-EmbeddingBagPacked-C1",
                (NO_ERROR,),
                names="rank_32",
            ),
        ),
    ),
    Cause(
        "openvino/embedding_bag_packed_sum/sum_of_no_samples",
        REFUSED,
        "The bags refuse rows of no indices.",
        'OpenVINO EmbeddingBagPacked-15: "ReduceSum(Multiply(gather_op, Unsqueeze(per_sample_weights, -1)), axis=1)"; no'
        " extent is excluded",
        explains=(
            Failures(
                "openvino/EmbeddingBagPacked*", "OPENVINO-V6", (REFUSED,), message="_batch", when=has_an_extent_of_0
            ),
        ),
    ),
    Cause(
        "openvino/embedding_segments_sum/no_rows_and_no_samples",
        WRONG,
        "Pooled look-ups in a table without rows leave in their result what the memory held.",
        'OpenVINO EmbeddingSegmentsSum-3, default_index: "If not provided empty segments are filled with zeros."',
        also=(PASSED,),
        explains=(Failures("openvino/Embedding*", "OPENVINO-V6", (WRONG,), when=data_has_an_extent_of_0),),
    ),
    Cause(
        "openvino/embedding_segments_sum/num_segments_lowest",
        NO_ERROR,
        "EmbeddingSegmentsSum takes a number of segments below -1.",
        'OpenVINO EmbeddingSegmentsSum-3, num_segments: "scalar of type T_IND indicating the number of segments"',
        explains=(Failures("openvino/EmbeddingSegmentsSum", "OPENVINO-EmbeddingSegmentsSum-C3", (NO_ERROR,)),),
    ),
    Cause(
        "openvino/embedding_bag_offsets/reduction_SUM",
        NO_ERROR,
        "The bags accept the names of reductions in upper case, too.",
        'OpenVINO EmbeddingBagOffsets-15, reduction: "sum", "mean"',
        explains=(Failures("openvino/EmbeddingBag*", "OPENVINO-*-A3", (NO_ERROR,), names="reduction_SUM"),),
    ),
    Cause(
        "openvino/gather_tree/beams_int8",
        REFUSED,
        "GatherTree of i8, u8 and bf16 is refused, although other types are converted.",
        'OpenVINO GatherTree-1: "T: any supported numeric type."',
        explains=(
            Failures(
                "openvino/GatherTree", "OPENVINO-V1", (REFUSED,), when=data_is_of("int8", "uint8", "bfloat16")
            ),
        ),
    ),
)

TABLE = Table("openvino", "2026.4.1", (*_CAUSES, *openvino_of_onnx.CAUSES), what="CPU plugin")
