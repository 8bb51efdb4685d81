#include "src/plan/merge_loops.h"

#include <utility>

namespace windrow::internal {
namespace {

bool continues(const NestLoop& outer, const NestLoop& inner) {
  for (std::size_t s = 0; s < outer.strides.size(); ++s)
    if (!goes_on(outer, inner, s)) return false;
  return true;
}

}  // namespace

LoopNest merge_loops(const LoopNest& nest) {
  LoopNest merged;
  for (const NestLoop& loop : nest) {
    if (loop.extent == 1) continue;
    if (!merged.empty() && continues(merged.back(), loop)) {
      NestLoop joined = loop;
      joined.extent *= merged.back().extent;
      joined.injective = loop.injective && merged.back().injective;
      merged.back() = std::move(joined);
    } else {
      merged.push_back(loop);
    }
  }
  return merged;
}

}  // namespace windrow::internal
