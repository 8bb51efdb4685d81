#include "src/dialects/tensorrt/settings.h"

#include <algorithm>

#include "src/dialects/shape_rules.h"

namespace windrow::internal {

Status check_mode(const Rules& rules, const std::string& mode,
                  std::initializer_list<std::string_view> modes) {
  if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string list;
  for (const std::string_view known : modes)
    list += (list.empty() ? "" : ", ") + std::string(known);
  return rules.invalid("A3", "mode is '" + mode + "', must be one of: " + list);
}

Status check_layer_axis(const Rules& rules, std::int64_t axis, const KnownInput& data) {
  if (axis >= 0 && (!data.has_rank() || axis < data.rank())) return {};
  return rules.invalid(
      "A1",
      "axis is " + std::to_string(axis) + ", must be " +
          (data.has_rank() ? "in [0, " + std::to_string(data.rank() - 1) + "]" : "at least 0") +
          " for " + with_rank(data));
}

}  // namespace windrow::internal
