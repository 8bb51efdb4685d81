"""Rows on which check() is still wrong, by what is missing. A row leaves the list as soon as its verdict is right."""

_BY_REASON = {
    "the operator's own rules are no findings": ("a_batch_that_the_export_froze",),
    "nothing says which opset a node needs": ("gather_nd_batch_at_opset_11",),
    "promises are not held against contracts": ("token_types_promised_as_words", "promised_id_of_an_embedding_bag_in_a_loop"),
    "values in bodies are not observed": ("id_of_an_embedding_bag_in_a_loop",),
    "operators outside the list are not named": (
        "quantized_row_out_of_range", "unpooled_cell_out_of_range", "grid_of_another_batch", "condition_of_rank_two"),
    "the runtime has no rules": (
        "flags_for_qnn", "negative_row_for_qnn", "negative_row_for_tflite", "negative_row_for_tvm", "wide_rows_for_coreml"),
    "OpenVINO computes a gather without elements": ("slices_without_elements",),
}

NOT_YET = {name: reason for reason, names in _BY_REASON.items() for name in names}

# Mutants of the fixed seeds that a host refuses or computes differently without a finding, by seed: the hosts.
MISSED = {}
