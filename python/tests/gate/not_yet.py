"""Rows on which check() is still wrong, by what is missing. A row leaves the list as soon as its verdict is right."""

_BY_REASON = {
    "proofs are about ONNX's arithmetic, not about the host's": ("sum_beyond_32_bits_as_an_index",),
    "the operator's own rules are no findings": (
        "tuples_longer_than_the_rank", "one_update_for_a_scalar", "updates_by_the_formula_of_the_page", "sums_in_place_of_rows",
        "a_batch_that_the_export_froze", "a_batch_of_two_for_a_batch_of_one", "data_that_is_a_scalar",
        "data_that_a_squeeze_made_a_scalar", "axis_beyond_the_rank", "axis_before_the_first", "indices_as_floats",
        "brain_floats_before_opset_13"),
    "nothing says which opset a node needs": (
        "sum_at_opset_13", "maximum_at_opset_16", "scatter_nd_at_opset_9", "gather_nd_batch_at_opset_11"),
    "promises are not held against contracts": ("token_types_promised_as_words", "promised_id_of_an_embedding_bag_in_a_loop"),
    "values in bodies are not observed": ("id_of_an_embedding_bag_in_a_loop",),
    "operators outside the list are not named": (
        "quantized_row_out_of_range", "unpooled_cell_out_of_range", "region_of_an_image_that_is_not_there",
        "angle_of_a_position_that_is_not_there", "grid_of_another_batch", "condition_of_rank_two"),
    "the runtime has no rules": (
        "flags_for_qnn", "negative_row_for_qnn", "negative_row_for_tflite", "negative_row_for_tvm", "wide_rows_for_coreml"),
    "extents are not bounded by memory": ("positions_held_in_their_table", "extent_of_an_axis_that_is_there"),
    "OpenVINO computes a gather without elements": ("slices_without_elements", "boxes_that_suppression_keeps"),
}

NOT_YET = {name: reason for reason, names in _BY_REASON.items() for name in names}

# Mutants of the fixed seeds that a host refuses or computes differently without a finding, by seed: the hosts. All break a rule of the
# operator's own, or need a newer operator set.
BOTH = {"onnxruntime", "openvino"}
MISSED = {1: BOTH, 7: BOTH, 13: BOTH, 26: BOTH, 37: BOTH, 44: {"openvino"}}
