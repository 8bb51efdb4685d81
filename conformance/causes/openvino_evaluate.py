"""Causes in OpenVINO's reference code."""

from __future__ import annotations

from windrow_conformance.element_bytes import PACKED_BITS

from . import of_two_runtimes
from .cause import CRASH, FOREIGN_READ, FOREIGN_WRITE, NO_ERROR, REFUSED, WRONG, Cause, Failures, Table
from .conditions import axis_is_of, data_is_of, values_are_of
from .sentences import BATCH_DIMS, NON_EXISTING, ONE_HOT_VALUES

_CAUSES = (
    Cause(
        "openvino/scatter_update/moves_int4",
        WRONG,
        "ScatterUpdate takes an element of less than a byte for a byte: wrong values, and writes outside its tensors.",
        'OpenVINO ScatterUpdate-3: "T_NUMERIC: any numeric type."',
        explains=(
            Failures(
                "openvino/ScatterUpdate",
                "OPENVINO-V1",
                (WRONG, CRASH),
                when=data_is_of(*PACKED_BITS),
            ),
        ),
    ),
    Cause(
        "openvino/scatter_update/scalar_index_of_a_vector",
        REFUSED,
        "ScatterUpdate of one element by a scalar index asks an empty shape for its last extent.",
        'OpenVINO ScatterUpdate-3: "indices is a 0 D tensor: data[indices, ...] = updates[...]"',
        explains=(Failures("openvino/ScatterUpdate", "OPENVINO-V1", (REFUSED,), message="^IndexError: vector"),),
    ),
    Cause(
        "openvino/scatter_elements_update/wide_mean_int64",
        WRONG,
        "The mean of 64-bit integers is computed as float64.",
        'OpenVINO ScatterElementsUpdate-12: "For integer types the calculated mean is rounded down (towards negative'
        ' infinity)."',
    ),
    of_two_runtimes.BACKWARDS_FROM_BEFORE,
    of_two_runtimes.SLICES_OF_4_BITS,
    of_two_runtimes.SLICES_BEYOND_INT64,
    of_two_runtimes.MORE_INDICES_THAN_DATA,
    Cause(
        "openvino/scatter_elements_update/far_out_of_range_uint64",
        NO_ERROR,
        "Indices of u64 above 2^63 are taken for negative ones.",
        NON_EXISTING,
    ),
    Cause(
        "openvino/scatter_nd_update/two_updates_of_one_point",
        NO_ERROR,
        "ScatterNDUpdate of one element takes the first of any number of updates.",
        'OpenVINO ScatterNDUpdate-15: "updates is a tensor with shape indices.shape[:-1] +'
        ' data.shape[indices.shape[-1]:]"',
        explains=(Failures("openvino/ScatterNDUpdate", "OPENVINO-ScatterNDUpdate-C3", (NO_ERROR,)),),
    ),
    Cause(
        "openvino/scatter_update/drawn_4d58324c6f",
        WRONG,
        "ScatterUpdate takes other slices of updates where indices or slices have an extent of 1 behind others.",
        'OpenVINO ScatterUpdate-3: "data[..., indices[m, n, ..., p], ...] = updates[..., m, n, ..., p, ...]"',
    ),
    Cause(
        "openvino/gather/batch_dims_-3",
        FOREIGN_READ,
        "Gather does not check batch_dims below the rank of indices, and reads indices behind their end.",
        BATCH_DIMS,
        explains=(Failures("openvino/Gather", "OPENVINO-Gather-A4", (FOREIGN_READ,)),),
    ),
    of_two_runtimes.BROADCAST_REFUSED,
    of_two_runtimes.NEGATIVE_INT4_AXIS,
    Cause(
        "openvino/scatter_update/axis_18446744073709551615",
        NO_ERROR,
        "An axis of type u64 above 2^63 is taken for a negative one.",
        'OpenVINO ScatterUpdate-3, axis: "The value can be in the range [ -r, r - 1]"',
        explains=(
            Failures(
                "openvino/Gather openvino/ScatterUpdate openvino/ScatterElementsUpdate",
                "OPENVINO-*-A1",
                (NO_ERROR,),
                when=axis_is_of("uint64"),
            ),
        ),
    ),
    Cause(
        "openvino/scatter_elements_update/axis_of_type_nf4",
        NO_ERROR,
        "An axis of type nf4 is taken.",
        'OpenVINO ScatterElementsUpdate-12: "T_AXIS: any integer numeric type."',
        explains=(
            Failures(
                "openvino/Gather openvino/ScatterUpdate openvino/ScatterElementsUpdate",
                "OPENVINO-*-T4",
                (NO_ERROR,),
                when=axis_is_of("nf4"),
            ),
        ),
    ),
    of_two_runtimes.AXIS_OF_TWO_ELEMENTS,
    of_two_runtimes.AXIS_OF_NO_ELEMENT,
    of_two_runtimes.REDUCTION_IN_UPPER_CASE,
    Cause(
        "openvino/scatter_elements_update/rank_0",
        CRASH,
        "ScatterElementsUpdate of data of rank 0 has no axis to go along, and ends the process.",
        'OpenVINO ScatterElementsUpdate-12, axis: "The value can be in range [-r, r - 1] where r is the rank of data."; for'
        " rank 0 there is none",
    ),
    Cause(
        "openvino/one_hot/values_int4",
        WRONG,
        "OneHot takes an element of less than a byte for a byte: wrong values, and writes outside its tensors.",
        ONE_HOT_VALUES,
        explains=(
            Failures(
                "openvino/OneHot",
                "OPENVINO-V?",
                (WRONG, CRASH, FOREIGN_WRITE),
                when=values_are_of(*PACKED_BITS),
            ),
        ),
    ),
    Cause(
        "openvino/one_hot/values_string",
        CRASH,
        "OneHot of text frees memory that it does not own.",
        ONE_HOT_VALUES,
        explains=(Failures("openvino/OneHot", "OPENVINO-V?", (CRASH,), when=values_are_of("string")),),
    ),
    of_two_runtimes.DEPTH_OF_ANY_INTEGERS,
)

TABLE = Table("openvino-evaluate", "2026.4.1", _CAUSES, what="Model.evaluate()")
