#include <array>

#include "src/portability/fixes.h"

namespace windrow::internal {
namespace {

// Attributes and versions come first, then types and shapes, then values. Clips come before changes
// of negative indices, since a clip keeps those that count from the end.
constexpr std::array kRows = {
    FixRow{"scatter-nd-reduction-none", drop_default_reduction},
    FixRow{"reduction-boolean-extreme", fold_booleans},
    FixRow{"scatter-deprecated", rename_scatter},
    FixRow{"scatter-old", rename_scatter},
    FixRow{"gather-negative-index", raise_version},
    FixRow{"old-negative-index", raise_version},
    FixRow{"old-negative-index", rename_scatter},
    FixRow{"scatter-nd-race", scatter_elements_of_rows},
    FixRow{"gather-nd-fused-batch", split_fused_batch},
    FixRow{"feature-extractor", extract_with_gather},

    FixRow{"index-type", widen_indices},
    FixRow{"one-hot-float-indices", widen_indices},
    FixRow{"one-hot-scalar-indices", unsqueeze_one_hot},
    FixRow{"reduction-half", widen_payload},
    FixRow{"type-not-in-tensorrt", widen_payload},
    FixRow{"reduction-half-sums", sum_in_float32},
    FixRow{"reduction-nan", mark_nan},
    FixRow{"axis-not-constant", freeze_axis},
    FixRow{"axis-of-4-bits", freeze_axis},
    FixRow{"scatter-update-scalar-indices", unsqueeze_scalar_indices},
    FixRow{"scatter-nd-single-element", squeeze_single_update},
    FixRow{"gather-batch-of-one", drop_batch_of_one},
    FixRow{"gather-nd-broadcast-batch", broadcast_batch},
    FixRow{"gather-elements-smaller-extents", cut_data},
    FixRow{"tuple-length-unknown", fix_tuple_length},

    FixRow{"gather-short-index-range", gather_rows_of_one},
    FixRow{"gather-short-index-range", clip_indices},
    FixRow{"gather-index-range", clip_indices},
    FixRow{"gather-elements-index-range", clip_indices},
    FixRow{"gather-nd-index-range", clip_indices},
    FixRow{"scatter-elements-index-range", clip_indices},
    FixRow{"scatter-nd-index-range", clip_indices},
    FixRow{"scatter-update-index-range", clip_indices},
    FixRow{"feature-extractor-index-range", clip_indices},
    FixRow{"index-beyond-32-bits", clip_indices},

    FixRow{"old-negative-index", count_from_front},
    FixRow{"scatter-update-negative-index", count_from_front},
    FixRow{"scatter-negative-index", count_from_front},
    FixRow{"gather-negative-index-dynamic", count_from_front},
};

}  // namespace

std::span<const FixRow> fix_rows() { return kRows; }

}  // namespace windrow::internal
