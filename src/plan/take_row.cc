#include "src/plan/take_row.h"

namespace windrow::internal {

std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes) {
  if (nest.empty()) return 1;
  const NestLoop& inner = nest.back();
  if (!is_unaddressed(inner) || inner.strides[kDirectStream] != element_bytes ||
      inner.strides[kIndirectStream] != element_bytes)
    return 1;
  const std::int64_t elements = inner.extent;
  nest.pop_back();
  return elements;
}

}  // namespace windrow::internal
