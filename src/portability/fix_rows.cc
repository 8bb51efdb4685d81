#include <array>

#include "src/portability/fixes.h"

namespace windrow::internal {
namespace {

// Attributes and versions first, then shapes, then values: a clip keeps what counts from the end,
// which is changed behind it.
constexpr std::array kRows = {
    FixRow{"gather-index-range", clip_indices},
    FixRow{"gather-negative-index", count_from_front},
};

}  // namespace

std::span<const FixRow> fix_rows() { return kRows; }

}  // namespace windrow::internal
