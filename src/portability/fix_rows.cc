#include <array>

#include "src/portability/fixes.h"

namespace windrow::internal {
namespace {

// Attributes and versions first, then shapes, then values: a clip keeps what counts from the end,
// which is changed behind it.
constexpr std::array kRows = {
    FixRow{"scatter-nd-reduction-none", drop_default_reduction},
    FixRow{"reduction-boolean-extreme", fold_booleans},
    FixRow{"gather-negative-index", raise_version},
    FixRow{"old-negative-index", raise_version},
    FixRow{"old-negative-index", rename_scatter},

    FixRow{"reduction-half", widen_payload},

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
