#ifndef WINDROW_TOOLS_WINDROW_INDEX_LIMITS_H_
#define WINDROW_TOOLS_WINDROW_INDEX_LIMITS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow::tool {

// Indices in [0, limit) are legal. One entry limits all elements of an index tensor; several limit
// those with that position on its last axis, one entry each.
using IndexLimits = std::vector<std::int64_t>;

// The limits of those of the model's `inputs` that some operator reads as indices, by the input's
// name. Throws Error where the shapes that decide it can't be inferred.
std::map<std::string, IndexLimits, std::less<>> index_limits(
    const Model& model, const std::set<std::string, std::less<>>& inputs);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INDEX_LIMITS_H_
