#include "src/access/uniform_axes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace windrow::internal {
namespace {

// For each loop, the number of coordinates in the indirect tensor and in index tensors that it is
// part of.
std::vector<int> count_uses(const AccessMap& map, std::span<const TensorSpec> inputs) {
  std::vector<int> uses(static_cast<std::size_t>(map.loops.rank()));
  const auto use = [&uses](int loop) {
    if (loop >= 0) ++uses[static_cast<std::size_t>(loop)];
  };
  for (const AxisMap& axis : map.axes) {
    for (const LoopTerm& term : axis.loops) use(term.loop);
    for (const IndexTerm& term : axis.terms) {
      const auto& strides = inputs[static_cast<std::size_t>(term.input)].strides;
      for (int a = 0; a < static_cast<int>(term.coordinates.size()); ++a)
        if (!strides || (*strides)[a] != 0) use(term.coordinates[static_cast<std::size_t>(a)].loop);
    }
  }
  return uses;
}

bool is_walked_whole(const AccessMap& map, const AxisMap& axis) {
  return axis.terms.empty() && axis.base == 0 && axis.loops.size() == 1 &&
         axis.loops.front().coefficient == 1 && axis.extent > 1 &&
         map.loops[axis.loops.front().loop] == axis.extent;
}

}  // namespace

AccessMap without_uniform_axes(const AccessMap& map, std::span<const TensorSpec> inputs) {
  const std::vector<int> uses = count_uses(map, inputs);
  AccessMap smaller = map;
  for (AxisMap& axis : smaller.axes) {
    if (!is_walked_whole(map, axis)) continue;
    const int loop = axis.loops.front().loop;
    if (uses[static_cast<std::size_t>(loop)] != 1) continue;
    axis.extent = 1;
    smaller.loops[loop] = 1;
  }
  return smaller;
}

Shape indirect_shape(const AccessMap& map) {
  std::vector<std::int64_t> extents;
  extents.reserve(map.axes.size());
  for (const AxisMap& axis : map.axes) extents.push_back(axis.extent);
  return Shape(extents);
}

}  // namespace windrow::internal
