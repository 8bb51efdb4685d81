"""Causes in OpenVINO's CPU plugin, by records that it is given as models of ONNX."""

from __future__ import annotations

from .cause import CRASH, FOREIGN_READ, HANG, NO_ERROR, PASSED, WRONG, Cause, Failures
from .conditions import data_is_of, has_an_index_below_the_axis, values_are_of
from .sentences import DEPTH, OUT_OF_BOUNDS, REDUCTIONS

CAUSES = (
    Cause(
        "onnx/gather/int8_int32",
        FOREIGN_READ,
        'Gather of elements of 8 and 16 bits loads 4 bytes for each one: up to 3 behind the end of data.',
        "memory that is not the input's is read, whatever becomes of it; at the end of a page the process ends",
        also=(PASSED,),
        explains=(
            Failures(
                "onnx/Gather",
                "ONNX-V?",
                (FOREIGN_READ,),
                when=data_is_of("int8", "uint8", "int16", "uint16", "float16", "bfloat16", "bool"),
            ),
        ),
    ),
    Cause(
        "onnx/gather/index_too_large",
        NO_ERROR,
        "An ONNX model's Gather becomes Gather-8: an index outside gives zeros.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/Gather", "ONNX-Gather-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather/indices_of_type_uint8",
        NO_ERROR,
        "ONNX's lists of types are not checked, neither those of indices nor those of older versions.",
        'ONNX Gather, Tind: "tensor(int32), tensor(int64)"',
        explains=(Failures("onnx/*", "ONNX-*-T?", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather/unknown_attribute",
        NO_ERROR,
        'Attributes that an ONNX operator does not have are dropped; so is what a later version brought.',
        "ONNX's checker: 'Unrecognized attribute'; the operator's schema lists its attributes",
        explains=(Failures("onnx/*", "ONNX-*-A2", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_nd/drawn_A1_67497e402a",
        HANG,
        'GatherND of an ONNX model with batch_dims 2^31 loops over as many axes.',
        'ONNX GatherND: "b < min(q, r) is to be honored."',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-A1", (HANG,)),),
    ),
    Cause(
        "onnx/gather_nd/drawn_C1_2d5dcb2e83",
        CRASH,
        'GatherND of an ONNX model with data of rank 0 and batch dimensions ends the process while the model is read.',
        'ONNX GatherND: "r >= 1 and q >= 1 are to be honored."',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C1", (CRASH,)),),
    ),
    Cause(
        "onnx/gather_nd/drawn_C2_a49c0d6b2b",
        NO_ERROR,
        'GatherND of an ONNX model takes batch extents that differ.',
        'ONNX GatherND: "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C2", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/gather_nd/empty_tuples",
        NO_ERROR,
        'GatherND of an ONNX model takes tuples of no coordinates.',
        'ONNX GatherND: "The `indices_shape[-1]` should have a value between 1 (inclusive) and rank `r-b` (inclusive)"',
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C3", (NO_ERROR,)),),
    ),
    Cause(
        "onnx/one_hot/values_string",
        CRASH,
        'OneHot of text frees memory that it does not own.',
        'ONNX OneHot, T3: "tensor(string)" is in the list of types',
        explains=(
            Failures("onnx/OneHot", "ONNX-V? ONNX-OneHot-A2 ONNX-OneHot-T2", (CRASH,), when=values_are_of("string")),
        ),
    ),
    Cause(
        "onnx/one_hot/no_indices_and_a_large_depth",
        WRONG,
        'OneHot cuts a depth to 32 bits: 2^40 becomes 0.',
        'ONNX OneHot: "The size of the additional dimension is specified by required scalar input \'depth\'."',
    ),
    Cause(
        "onnx/one_hot/depth_matrix",
        NO_ERROR,
        'OneHot takes a depth of rank 2.',
        DEPTH,
    ),
    Cause(
        "onnx/one_hot/drawn_C1_c8510f5b39",
        NO_ERROR,
        'OneHot accepts values of rank 2 if there are no indices.',
        'ONNX OneHot, values: "Rank 1 tensor containing exactly two elements"',
    ),
    Cause(
        "onnx/scatter_elements/index_too_small",
        CRASH,
        'ScatterElements with an index below -s writes outside of its output.',
        OUT_OF_BOUNDS,
        also=(NO_ERROR,),
        explains=(
            Failures(
                "onnx/ScatterElements openvino/ScatterElementsUpdate",
                "ONNX-ScatterElements-C4 OPENVINO-ScatterElementsUpdate-C4",
                (CRASH, NO_ERROR),
                when=has_an_index_below_the_axis,
            ),
        ),
    ),
    Cause(
        "onnx/scatter_elements/max_before_18",
        NO_ERROR,
        'ScatterElements of opset 16 takes reductions of opset 18.',
        REDUCTIONS,
        explains=(
            Failures(
                "onnx/ScatterElements onnx/ScatterND",
                "ONNX-Scatter*-A3",
                (NO_ERROR,),
                names="max_before_18 min_before_18",
            ),
        ),
    ),
    Cause(
        "onnx/gather_nd/index_too_large",
        NO_ERROR,
        "GatherND does not look at indices: memory beside data is the result.",
        OUT_OF_BOUNDS,
        explains=(Failures("onnx/GatherND", "ONNX-GatherND-C5", (NO_ERROR,)),),
    ),
)
