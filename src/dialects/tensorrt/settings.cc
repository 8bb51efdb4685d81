#include "src/dialects/tensorrt/settings.h"

#include <algorithm>

namespace windrow::internal {

Status check_mode(const Rules& rules, const std::string& mode,
                  std::initializer_list<std::string_view> modes) {
  if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string list;
  for (const std::string_view known : modes)
    list += (list.empty() ? "" : ", ") + std::string(known);
  return rules.broken(ErrorCode::kInvalidArgument, "A3",
                      "mode is '" + mode + "', must be one of: " + list);
}

Status check_layer_axis(const Rules& rules, std::int64_t axis, int rank) {
  if (axis >= 0 && axis < rank) return {};
  return rules.broken(ErrorCode::kInvalidArgument, "A1",
                      "axis is " + std::to_string(axis) + ", must be in [0, " +
                          std::to_string(rank - 1) + "] for data of rank " + std::to_string(rank));
}

}  // namespace windrow::internal
