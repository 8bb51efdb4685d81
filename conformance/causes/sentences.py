"""Sentences of the specifications that several causes break."""

OUT_OF_BOUNDS = 'ONNX: "It is an error if any of the index values are out of bounds."'
ANY_RANK_1 = 'ONNX: "Tensor of rank r >= 1."'
SAME_SHAPE = 'ONNX ScatterElements, updates: "Tensor of rank r >=1 (same rank and shape as indices)"'
AXIS_RANGE = 'ONNX: "Accepted range is [-r, r-1] where r = rank(data)."'
UPDATES_SHAPE = 'ONNX ScatterND: "the shape of `updates` must equal indices.shape[0:q-1] ++ data.shape[k:r]"'
DEPTH = 'ONNX OneHot, depth: "Scalar or rank 1 tensor containing exactly one element"'
REDUCTIONS = 'ONNX: "Type of reduction to apply: none (default), add, mul" (16), "max, min" (18)'
LINEAR = 'ONNX TensorScatter: "`linear` mode requires write_indices+sequence_length<=max_sequence_length"'
FILLED_WITH_ZEROS = (
    'OpenVINO Gather-8: "If index value exceed allowed range output data for corresponding index will be filled with'
    ' zeros"'
)
BATCH_DIMS = (
    'OpenVINO Gather-8, batch_dims: "Range of values: [-min(data.rank, indices.rank); min(data.rank, indices.rank)]"'
)
BROADCASTABLE = (
    'OpenVINO GatherND-8: "It requires the first b dimensions in data and indices tensors to be broadcastable (i.e.,'
    ' either equal or one of them equals 1, which will be broadcast to the other dimension)."'
)
UPDATES_LESS_OR_EQUAL = (
    'OpenVINO ScatterElementsUpdate-12: "The dimensions of updates tensor are allowed to be less or equal to the'
    ' corresponding dimensions of data tensor"'
)
NON_EXISTING = (
    'OpenVINO ScatterElementsUpdate-12: "If an index points to non-existing element then exception is raised."'
)
ONE_AXIS = 'OpenVINO ScatterElementsUpdate-12: "axis tensor with scalar or 1D tensor with one element"'
NEGATIVE_AXIS = (
    'OpenVINO ScatterElementsUpdate-12: "T_AXIS: any integer numeric type.", "Negative axis means reverse indexing"'
)
ONE_HOT_VALUES = 'OpenVINO OneHot-16, on_value and off_value: "T2: any supported data type."'
ONE_HOT_INTEGERS = 'OpenVINO OneHot-16, indices and depth: "T1: int32 or int64."'
SEGMENT_IDS = 'OpenVINO SegmentMax-16, segment_ids: "1D Tensor of sorted non-negative numbers"'
EMPTY_SEGMENTS = (
    'OpenVINO SegmentMax-16: "When there are no values in a segment, output[segment] is defined by fill_mode attribute."'
)
SLICES = (
    'OpenVINO SliceScatter-15, "an equivalent to following NumPy snippet": slice(slice_start, slice_stop, slice_step)'
)
SLICE_INTEGERS = 'OpenVINO SliceScatter-15: "T_IND: any supported integer type."'
REDUCTION_NAMES = 'OpenVINO ScatterElementsUpdate-12: "one of none, sum, prod, min, max, mean"'
