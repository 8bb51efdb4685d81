#include "src/reference/tensorrt/settings.h"

#include <algorithm>
#include <string>

namespace windrow::internal::reference {

Status check_mode(const Call& call, std::string_view mode,
                  std::initializer_list<std::string_view> modes) {
  if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string names;
  for (const std::string_view name : modes)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return call.invalid("A3", "mode is '" + std::string(mode) + "', must be one of: " + names);
}

Result<int> check_layer_axis(const Call& call, std::int64_t axis) {
  const int rank = call.data().shape.rank();
  if (axis >= 0 && axis < rank) return static_cast<int>(axis);
  return call.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [0, " +
                                std::to_string(rank - 1) + "] for data of rank " +
                                std::to_string(rank));
}

}  // namespace windrow::internal::reference
