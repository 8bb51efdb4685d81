#include "src/dialects/openvino/infer_axis.h"

#include <string>

namespace windrow::internal {

Result<std::optional<std::int64_t>> infer_axis(const Rules& rules, const InferredInput& data,
                                               std::span<const SymbolicShape> inputs,
                                               KnownValues values, std::size_t input) {
  const InferredInput axis("axis", inputs[input]);
  const bool too_many =
      axis.has_rank() &&
      (axis.rank() > 1 || (axis.rank() == 1 && axis[0].is_known() && axis[0].value != 1));
  if (too_many)
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis must have rank 0, or rank 1 and one element");
  const auto value = known_value(values, input);
  if (!value || !data.has_rank()) return std::optional<std::int64_t>();
  if (Status status = check_axis(rules, *value, data); !status) return status;
  return std::optional(resolve_axis(*value, data.rank()));
}

}  // namespace windrow::internal
