#ifndef WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_
#define WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_

#include "src/dialects/shape_rules.h"

namespace windrow::internal {

// A1: `axis` has one element, whose value is known when a plan is compiled and in [-r, r-1], r
// being the rank of data. Returns the axis counted from the front; nothing where it is not known.
inline Result<std::optional<std::int64_t>> check_axis_input(const Rules& rules,
                                                            const KnownInput& axis,
                                                            const KnownInput& data) {
  auto value = check_single(rules, ErrorCode::kInvalidArgument, "A1", axis, true);
  if (!value || !*value) return value;
  return check_axis(rules, **value, data);
}

// The axis of a call that A1 allows, counted from the front.
inline int axis_value(const TensorSpec& axis, const TensorSpec& data) {
  return normal_axis(fixed_value(axis), data.shape.rank());
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_AXIS_INPUT_H_
