"""Writes docs/conformance/causes.md: each cause of a failure in the specification tier, by one record that shows it.

python3 conformance/write_causes.py. Every row was verified by hand: the sentence is the specification's, and the record's
expected result follows from it. The tests run the records and compare their outcomes with these rows.
The file is long because it is the table of the causes, which is read from the first row to the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.registry import find

PAGE = Path(__file__).resolve().parents[1] / "docs" / "conformance" / "causes.md"
VERSIONS = {
    "onnxruntime": "1.31.1",
    "onnx": "1.23.2",
    "openvino": "2026.4.1, CPU plugin",
    "openvino-evaluate": "2026.4.1, Model.evaluate()",
    "jax": "0.10.2",
    "torch": "2.15.0",
    "numpy": "2.4.6",
}

# Sentences that several causes break.
OUT_OF_BOUNDS = "ONNX: \"It is an error if any of the index values are out of bounds.\""
ANY_RANK_1 = "ONNX: \"Tensor of rank r >= 1.\""
SAME_SHAPE = "ONNX ScatterElements, updates: \"Tensor of rank r >=1 (same rank and shape as indices)\""
AXIS_RANGE = "ONNX: \"Accepted range is [-r, r-1] where r = rank(data).\""
UPDATES_SHAPE = "ONNX ScatterND: \"the shape of `updates` must equal indices.shape[0:q-1] ++ data.shape[k:r]\""
DEPTH = "ONNX OneHot, depth: \"Scalar or rank 1 tensor containing exactly one element\""
REDUCTIONS = "ONNX: \"Type of reduction to apply: none (default), add, mul\" (16), \"max, min\" (18)"
UPDATES_LESS_OR_EQUAL = (
    'OpenVINO ScatterElementsUpdate-12: "The dimensions of updates tensor are allowed to be less or equal to the'
    ' corresponding dimensions of data tensor"'
)
NON_EXISTING = (
    'OpenVINO ScatterElementsUpdate-12: "If an index points to non-existing element then exception is raised."'
)
ONE_AXIS = 'OpenVINO ScatterElementsUpdate-12: "axis tensor with scalar or 1D tensor with one element"'


@dataclass(frozen=True)
class Cause:
    """One cause. record: one that shows it. gives: what the runtime does. text: what decides, with the sentence.

    also: outcomes that the record has on other processors, or by what memory that is not the operator's holds.
    """

    runtime: str
    record: str
    outcome: Outcome
    gives: str
    text: str
    also: tuple[Outcome, ...] = ()


WRONG, NO_ERROR, REFUSED, CRASH = Outcome.WRONG_VALUE, Outcome.NO_ERROR, Outcome.REFUSED, Outcome.CRASH
HANG, FOREIGN_READ = Outcome.HANG, Outcome.FOREIGN_READ

CAUSES = (
    Cause(
        "onnxruntime",
        "onnx/gather/string_int32",
        WRONG,
        "Gather of text whose slices have several elements copies the first element of each slice; the others are empty.",
        'ONNX Gather: "Each entry in `indices` produces a `r-1` dimensional slice of the input tensor."',
    ),
    Cause(
        "onnxruntime",
        "onnx/gather_nd/batch_extents_differ",
        NO_ERROR,
        "GatherND reads batches of data that the indices do not belong to.",
        'ONNX GatherND: "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."',
    ),
    Cause(
        "onnxruntime",
        "onnx/gather_nd/drawn_A1_e241b8fea9",
        NO_ERROR,
        "GatherND takes a negative number of batch dimensions, where the result has no elements.",
        'ONNX GatherND: "`batch_dims` (denoted as `b`) is an integer indicating the number of batch dimensions"',
    ),
    Cause(
        "onnxruntime",
        "onnx/gather_nd/empty_tuples",
        NO_ERROR,
        "GatherND takes tuples of no coordinates.",
        'ONNX GatherND: "The `indices_shape[-1]` should have a value between 1 (inclusive) and rank `r-b` (inclusive)"',
    ),
    Cause(
        "onnxruntime",
        "onnx/gather_nd/bad_index_of_an_empty_result",
        NO_ERROR,
        "GatherND does not look at indices whose slices have no elements.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "onnxruntime",
        "onnx/one_hot/negative_indices_int64_version_9",
        WRONG,
        "OneHot-9 counts a negative index from the end, as OneHot-11 does.",
        'ONNX OneHot-9: "values outside the range [0, depth) will result in one-hot representation with all'
        " 'off_value' values\"",
    ),
    Cause(
        "onnxruntime",
        "onnx/scatter_elements/reduction_mean_is_unknown",
        NO_ERROR,
        "A reduction that the operator does not have is taken for none.",
        REDUCTIONS,
    ),
    Cause("onnxruntime", "onnx/scatter_nd/unknown_reduction", NO_ERROR, "The same in ScatterND.", REDUCTIONS),
    Cause(
        "onnx",
        "onnx/gather/drawn_C3_72799966f4",
        NO_ERROR,
        "Gather (numpy.take) does not look at indices where the result has no elements.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "onnx",
        "onnx/gather_elements/drawn_C3_e7e84faa48",
        NO_ERROR,
        "GatherElements along the first axis (numpy.choose with wrap) takes an index outside modulo the extent.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "onnx",
        "onnx/gather_elements/drawn_C3_7786833afb",
        HANG,
        "The same with an index of 64 bits: numpy.choose adds the extent to it until it is in the range.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "onnx",
        "onnx/gather_elements/drawn_A1_2f0b09f3a7",
        NO_ERROR,
        "GatherElements does not look at the axis where indices have no elements.",
        AXIS_RANGE,
    ),
    Cause(
        "onnx",
        "onnx/gather_elements/drawn_6bcdd9de94",
        REFUSED,
        "GatherElements along axis -1 compares the wrong extents, and refuses indices of another length than data.",
        'ONNX GatherElements: "Its output shape is the same as the shape of `indices`"; along the axis nothing binds it',
    ),
    Cause(
        "onnx",
        "onnx/gather_nd/empty_batch",
        REFUSED,
        "GatherND with a batch of extent 0 reshapes an empty array to an unknown extent.",
        'ONNX GatherND: "output tensor of rank `q + r - indices_shape[-1] - 1 - b`"; no extent is excluded',
    ),
    Cause(
        "onnx",
        "onnx/one_hot/depth_int8_vector",
        REFUSED,
        "OneHot takes no depth of rank 1.",
        DEPTH,
    ),
    Cause(
        "onnx",
        "onnx/one_hot/values_bool",
        REFUSED,
        "OneHot of bool values subtracts them, which NumPy refuses.",
        'ONNX OneHot, T3: "tensor(bool)" is in the list of types',
    ),
    Cause(
        "onnx",
        "onnx/one_hot/negative_indices_int8_version_9",
        WRONG,
        "OneHot-9 counts a negative index from the end, as OneHot-11 does.",
        'ONNX OneHot-9: "values outside the range [0, depth) will result in one-hot representation with all'
        " 'off_value' values\"",
    ),
    Cause(
        "onnx",
        "onnx/one_hot/axis_9223372036854775807",
        NO_ERROR,
        "OneHot with an axis outside of the range appends an axis.",
        'ONNX OneHot: "Accepted range is [-r-1, r] where r = rank(indices)."',
    ),
    Cause(
        "onnx",
        "onnx/scatter_elements/axis_too_small",
        NO_ERROR,
        "ScatterElements adds the rank to an axis below -r, and scatters along another one.",
        AXIS_RANGE,
    ),
    Cause(
        "onnx",
        "onnx/scatter_elements/reduction_mean_is_unknown",
        NO_ERROR,
        "A reduction that the operator does not have is taken for none.",
        REDUCTIONS,
    ),
    Cause("onnx", "onnx/scatter_nd/unknown_reduction", NO_ERROR, "The same in ScatterND.", REDUCTIONS),
    Cause(
        "onnx",
        "onnx/scatter_elements/ranks_differ",
        NO_ERROR,
        "ScatterElements broadcasts indices of another rank.",
        'ONNX ScatterElements: "three inputs `data`, `updates`, and `indices` of the same rank r >= 1"',
    ),
    Cause(
        "onnx",
        "onnx/scatter_elements/drawn_C2_5a1a2186d1",
        NO_ERROR,
        "ScatterElements takes updates that are larger than indices.",
        SAME_SHAPE,
    ),
    Cause(
        "onnx",
        "onnx/scatter_nd/data_of_rank_0",
        NO_ERROR,
        "ScatterND takes data of rank 0.",
        ANY_RANK_1,
    ),
    Cause(
        "onnx",
        "onnx/scatter_nd/updates_with_another_tail",
        NO_ERROR,
        "ScatterND broadcasts updates.",
        UPDATES_SHAPE,
    ),
    Cause(
        "onnx",
        "onnx/tensor_scatter/bad_index_without_update",
        NO_ERROR,
        "TensorScatter does not look at write indices where update has no elements.",
        'ONNX TensorScatter: "`linear` mode requires write_indices+sequence_length<=max_sequence_length"',
    ),
    Cause(
        "openvino",
        "openvino/gather/example_7",
        WRONG,
        "Gather along a vector of at most 64 elements does not check indices: memory beside data is the result.",
        'OpenVINO Gather-8, whose example 7 it is: "If index value exceed allowed range output data for corresponding'
        ' index will be filled with zeros"',
        also=(Outcome.PASSED,),
    ),
    Cause(
        "openvino",
        "openvino/gather/no_indices",
        CRASH,
        "Gather with an extent of 0 in data or indices divides by zero: SIGFPE.",
        "OpenVINO Gather-8: the output's shape is \"data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:]\";"
        " no extent is excluded",
        also=(Outcome.PASSED,),
    ),
    Cause(
        "openvino",
        "openvino/gather/small_nf4_odd",
        WRONG,
        "Elements of nf4 are taken for other elements.",
        'OpenVINO Gather-8: "tensor gathered from data", of "any supported type"; the model is neither refused nor right',
    ),
    Cause(
        "openvino",
        "openvino/gather_nd/moves_int64",
        WRONG,
        "64-bit integers are cut to 32 bits; so are unsigned ones of 32 bits, and float64 is rounded to float32.",
        'OpenVINO GatherND-8: "Tensor with gathered values of type T", and T is "any supported type"',
    ),
    Cause(
        "openvino",
        "openvino/gather_nd/broadcast_3x4_by_1x1",
        REFUSED,
        "GatherND refuses batch extents of which one is 1, when the node is made.",
        'OpenVINO GatherND-8: "It requires the first b dimensions in data and indices tensors to be broadcastable (i.e.,'
        ' either equal or one of them equals 1, which will be broadcast to the other dimension)."',
    ),
    Cause(
        "openvino",
        "openvino/gather/batch_dims_-3",
        NO_ERROR,
        "Gather does not check batch_dims below the rank of indices.",
        'OpenVINO Gather-8, batch_dims: "Range of values: [-min(data.rank, indices.rank); min(data.rank, indices.rank)]"',
    ),
    Cause(
        "openvino",
        "openvino/scatter_update/scalar_index",
        REFUSED,
        "ScatterUpdate refuses a scalar index.",
        'OpenVINO ScatterUpdate-3: "indices is a 0 D tensor: data[indices, ...] = updates[...]"',
    ),
    Cause(
        "openvino",
        "openvino/scatter_update/bad_index_of_rows_of_nothing",
        NO_ERROR,
        "A scatter with an extent of 0 in data or indices checks nothing.",
        'OpenVINO ScatterUpdate-3: "If an index points to a non-existing output tensor element or is negative, then an'
        ' exception is raised."',
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/mean_int32_goes_down",
        WRONG,
        "The mean of integers is rounded toward zero.",
        'OpenVINO ScatterElementsUpdate-12: "For integer types the calculated mean is rounded down (towards negative'
        ' infinity)."',
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/more_indices_than_data_off_the_axis",
        NO_ERROR,
        "ScatterElementsUpdate with more indices than data off the axis writes outside of its output.",
        UPDATES_LESS_OR_EQUAL,
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/far_out_of_range_uint64",
        NO_ERROR,
        "Indices of u64 above 2^63 are taken for negative ones.",
        NON_EXISTING,
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/indices_of_type_bool",
        NO_ERROR,
        "Indices of booleans are taken.",
        'OpenVINO ScatterElementsUpdate-12: "T_IND: any integer numeric type."',
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/reduction_SUM_is_unknown",
        NO_ERROR,
        "Names of reductions are taken in any case.",
        'OpenVINO ScatterElementsUpdate-12: "one of none, sum, prod, min, max, mean"',
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/axis_of_two_elements",
        NO_ERROR,
        "An axis input of several elements is read as its first.",
        ONE_AXIS,
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/axis_of_no_element",
        CRASH,
        "An axis input without elements is read nevertheless.",
        ONE_AXIS,
    ),
    Cause(
        "openvino",
        "openvino/scatter_elements_update/axis_of_type_int4_negative",
        REFUSED,
        "A negative axis of type i4 loses its sign: -1 is 15.",
        'OpenVINO ScatterElementsUpdate-12: "T_AXIS: any integer numeric type.", "Negative axis means reverse indexing"',
    ),
    Cause(
        "openvino",
        "openvino/scatter_nd_update/one_point_updates_of_rank_1",
        REFUSED,
        "ScatterNDUpdate of one element refuses updates of rank 1.",
        'OpenVINO ScatterNDUpdate-15: "If expected updates rank is 0D it can be a tensor with single element."',
    ),
    Cause(
        "openvino",
        "openvino/scatter_nd_update/bad_index_without_updates",
        NO_ERROR,
        "ScatterNDUpdate of data with an extent of 0 checks nothing.",
        'OpenVINO ScatterNDUpdate-15: "If an index points to non-existing element then exception is raised."',
    ),
    Cause(
        "openvino",
        "onnx/gather/int8_int32",
        FOREIGN_READ,
        'Gather of elements of 8 and 16 bits loads 4 bytes for each one: up to 3 behind the end of data.',
        "memory that is not the input's is read, whatever becomes of it; at the end of a page the process ends",
        also=(Outcome.PASSED,),
    ),
    Cause(
        "openvino",
        "onnx/gather/index_too_large",
        NO_ERROR,
        "An ONNX model's Gather becomes Gather-8: an index outside gives zeros.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "openvino",
        "onnx/gather/indices_of_type_uint8",
        NO_ERROR,
        "ONNX's lists of types are not checked, neither those of indices nor those of older versions.",
        'ONNX Gather, Tind: "tensor(int32), tensor(int64)"',
    ),
    Cause(
        "openvino",
        "onnx/gather/unknown_attribute",
        NO_ERROR,
        'Attributes that an ONNX operator does not have are dropped; so is what a later version brought.',
        "ONNX's checker: 'Unrecognized attribute'; the operator's schema lists its attributes",
    ),
    Cause(
        "openvino",
        "onnx/gather_nd/drawn_A1_67497e402a",
        HANG,
        'GatherND of an ONNX model with batch_dims 2^31 loops over as many axes.',
        'ONNX GatherND: "b < min(q, r) is to be honored."',
    ),
    Cause(
        "openvino",
        "onnx/gather_nd/drawn_C1_2d5dcb2e83",
        CRASH,
        'GatherND of an ONNX model with data of rank 0 and batch dimensions ends the process while the model is read.',
        'ONNX GatherND: "r >= 1 and q >= 1 are to be honored."',
    ),
    Cause(
        "openvino",
        "onnx/gather_nd/drawn_C2_a49c0d6b2b",
        NO_ERROR,
        'GatherND of an ONNX model takes batch extents that differ.',
        'ONNX GatherND: "The first `b` dimensions of the shape of `indices` tensor and `data` tensor must be equal."',
    ),
    Cause(
        "openvino",
        "onnx/gather_nd/empty_tuples",
        NO_ERROR,
        'GatherND of an ONNX model takes tuples of no coordinates.',
        'ONNX GatherND: "The `indices_shape[-1]` should have a value between 1 (inclusive) and rank `r-b` (inclusive)"',
    ),
    Cause(
        "openvino",
        "onnx/one_hot/values_string",
        CRASH,
        'OneHot of text frees memory that it does not own.',
        'ONNX OneHot, T3: "tensor(string)" is in the list of types',
    ),
    Cause(
        "openvino",
        "onnx/one_hot/indices_uint64_beyond_int64",
        WRONG,
        'OneHot takes an index of uint64 above 2^63 for one in the range.',
        'ONNX OneHot: "values outside the range [-depth, depth-1] will result in one-hot representation with all'
        " 'off_value' values\"",
    ),
    Cause(
        "openvino",
        "onnx/one_hot/no_indices_and_a_large_depth",
        WRONG,
        'OneHot cuts a depth to 32 bits: 2^40 becomes 0.',
        'ONNX OneHot: "The size of the additional dimension is specified by required scalar input \'depth\'."',
    ),
    Cause(
        "openvino",
        "onnx/one_hot/depth_matrix",
        NO_ERROR,
        'OneHot takes a depth of rank 2.',
        DEPTH,
    ),
    Cause(
        "openvino",
        "onnx/one_hot/drawn_C1_c8510f5b39",
        NO_ERROR,
        'OneHot takes values of rank 2, where there are no indices.',
        'ONNX OneHot, values: "Rank 1 tensor containing exactly two elements"',
    ),
    Cause(
        "openvino",
        "onnx/scatter_elements/index_too_small",
        CRASH,
        'ScatterElements with an index below -s writes outside of its output.',
        OUT_OF_BOUNDS,
        also=(NO_ERROR,),
    ),
    Cause(
        "openvino",
        "onnx/scatter_elements/max_before_18",
        NO_ERROR,
        'ScatterElements of opset 16 takes reductions of opset 18.',
        REDUCTIONS,
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_update/moves_int4",
        WRONG,
        "ScatterUpdate takes an element of less than a byte for a byte: wrong values, and writes outside its tensors.",
        'OpenVINO ScatterUpdate-3: "T_NUMERIC: any numeric type."',
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_update/scalar_index_of_a_vector",
        REFUSED,
        "ScatterUpdate of one element by a scalar index asks an empty shape for its last extent.",
        'OpenVINO ScatterUpdate-3: "indices is a 0 D tensor: data[indices, ...] = updates[...]"',
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_elements_update/wide_mean_int64",
        WRONG,
        "The mean of 64-bit integers is computed as float64.",
        'OpenVINO ScatterElementsUpdate-12: "For integer types the calculated mean is rounded down (towards negative'
        ' infinity)."',
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_elements_update/more_indices_than_data_off_the_axis",
        NO_ERROR,
        "ScatterElementsUpdate with more indices than data off the axis writes outside of its output.",
        UPDATES_LESS_OR_EQUAL,
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_elements_update/far_out_of_range_uint64",
        NO_ERROR,
        "Indices of u64 above 2^63 are taken for negative ones.",
        NON_EXISTING,
    ),
    Cause(
        "openvino-evaluate",
        "openvino/scatter_nd_update/two_updates_of_one_point",
        NO_ERROR,
        "ScatterNDUpdate of one element takes the first of any number of updates.",
        'OpenVINO ScatterNDUpdate-15: "updates is a tensor with shape indices.shape[:-1] + data.shape[indices.shape[-1]:]"',
    ),
    Cause(
        "jax",
        "array/take/drawn_fa40d6c442",
        WRONG,
        "jnp.take of an empty axis with empty indices of rank 2 loses an axis of the result.",
        'NumPy take: "out : ndarray (Ni..., Nj..., Nk...)", with "Ni, Nk = a.shape[:axis], a.shape[axis+1:]" and'
        ' "Nj = indices.shape"',
    ),
    Cause(
        "jax",
        "onnx/gather/index_too_large",
        NO_ERROR,
        "By contract jnp.take fills an index outside with NaN or an extreme integer.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "jax",
        "onnx/scatter_elements/index_too_large",
        NO_ERROR,
        "By contract .at[] drops an update outside.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "jax",
        "onnx/scatter_elements/float64_subnormal_sum",
        WRONG,
        "XLA's CPU code takes subnormal numbers for zero, in sums, products and extremes.",
        'ONNX ScatterElements: "where the `f` is `+`, `*`, `max` or `min` as specified"; 5e-324 + 5e-324 is 1e-323',
    ),
    Cause(
        "jax",
        "onnx/one_hot/negative_indices_int8",
        WRONG,
        "By contract jax.nn.one_hot gives zeros for negative indices.",
        'ONNX OneHot-11: "values outside the range [-depth, depth-1]" alone are off',
    ),
    Cause(
        "jax",
        "array/segment_reduce/drawn_57e1a81825",
        WRONG,
        "segment_min of float8_e4m3fn gives NaN for an empty segment: the type has no infinity.",
        "docs/operators/array.md, SegmentReduce: where a type has no infinity, min starts with its largest value",
    ),
    Cause(
        "torch",
        "array/take_along_axis/bad_indices_default",
        NO_ERROR,
        "torch.take_along_dim takes an index outside modulo the extent: 100 of an axis of 3 is 1.",
        'NumPy take_along_axis: "out_1d[j] = a_1d[indices_1d[j]]", which for an index outside is an IndexError',
    ),
    Cause(
        "torch",
        "onnx/gather/bad_index_of_an_empty_result",
        NO_ERROR,
        "Indexing does not look at indices where the result has no elements; neither does torch.index_add.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "torch",
        "onnx/scatter_elements/drawn_C2_5a1a2186d1",
        NO_ERROR,
        "By contract torch.scatter takes updates that are larger than indices.",
        SAME_SHAPE,
    ),
    Cause(
        "torch",
        "onnx/gather_elements/rank_0",
        NO_ERROR,
        "By contract torch takes tensors of rank 0 for tensors of rank 1.",
        ANY_RANK_1,
    ),
    Cause(
        "torch",
        "onnx/one_hot/values_int64",
        REFUSED,
        "torch.nn.functional.one_hot refuses an index outside.",
        'ONNX OneHot: "values outside the range [-depth, depth-1] will result in one-hot representation with all'
        " 'off_value' values\"",
    ),
    Cause(
        "numpy",
        "onnx/gather/drawn_C3_72799966f4",
        NO_ERROR,
        "By contract numpy.take, which is defined by a loop, looks at no index where the result has no elements.",
        OUT_OF_BOUNDS,
    ),
    Cause(
        "numpy",
        "onnx/gather/data_without_an_axis",
        NO_ERROR,
        "By contract numpy.take takes data of rank 0 for one element.",
        ANY_RANK_1,
    ),
    Cause(
        "numpy",
        "onnx/scatter_nd/updates_too_short",
        NO_ERROR,
        "By contract an assignment broadcasts updates.",
        UPDATES_SHAPE,
    ),
)

# Of the decision tier, because everybody should know.
BESIDE = (
    Cause(
        "numpy",
        "array/take/far_out_of_range_modulo",
        HANG,
        'numpy.take(mode="wrap") adds the extent to an index until it is in the range: an index of 2^62 takes years.',
        'NumPy take: "\'wrap\' -- wrap around"',
    ),
)

HEAD = """# Causes of failures

Written by conformance/write_causes.py; do not edit. What is behind the failures of the specification tier, one record for
each cause, verified by hand. The outcomes are those of the versions below; a test runs every record again. How the
runtimes are asked, and what they are not asked, stands in their files in `conformance/windrow_conformance/runtimes/`.

A row that says *by contract* is no defect of the runtime: its function documents another behaviour than the operator that
it is used for. The other rows are bug reports: the record, what the runtime gives, and the sentence that decides.

To see one again: `python -m windrow_conformance RUNTIME --filter RECORD`.
"""


def page(corpus: Corpus) -> str:
    lines = [HEAD]
    for runtime, version in VERSIONS.items():
        lines += [f"## {runtime} {version}", ""]
        lines += _rows(corpus, [cause for cause in CAUSES if cause.runtime == runtime])
    lines += ["## Beside the specification tier", ""]
    lines += _rows(corpus, list(BESIDE))
    return "\n".join(lines)


def _rows(corpus: Corpus, causes: list[Cause]) -> Iterator[str]:
    for cause in causes:
        record = corpus.record(cause.record)
        yield f"### {cause.gives}"
        yield ""
        yield f"`{cause.record}` ({record.rule}): {_outcomes(cause)}. {cause.text}"
        yield ""
        reproduction = find(cause.runtime).reproduction(record)
        if reproduction and max(map(len, reproduction.splitlines())) < MOST_COLUMNS:
            yield from ("```python", reproduction, "```", "")


def _outcomes(cause: Cause) -> str:
    beside = ", ".join(outcome.value for outcome in cause.also)
    return f"**{cause.outcome.value}**" + (f" (on other processors, or by what memory holds: {beside})" if beside else "")


# Longer lines are left out; `export` writes the record for them.
MOST_COLUMNS = 900

if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(Corpus.open()), encoding="utf-8")
    print(PAGE)
